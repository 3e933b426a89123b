from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from manni.discovery.globs import GlobError, Matcher, check, is_glob, literal_prefix
from manni.discovery.reach import Scope

DATA = json.loads((Path(__file__).parents[2] / "data" / "globs.json").read_text(encoding="utf-8"))
GLOBS = [case for case in DATA["cases"] if case["isGlob"]]


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda case: case["pattern"])
def test_what_is_a_glob(case: dict[str, object]) -> None:
    assert is_glob(str(case["pattern"])) == case["isGlob"]


@pytest.mark.parametrize("case", GLOBS, ids=lambda case: case["pattern"])
def test_members(case: dict[str, object]) -> None:
    matcher = Matcher([str(case["pattern"])])
    assert [path for path in DATA["paths"] if matcher.match(path)] == case["matches"]


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("*", "a .a é", "a/b"),
        ("*.md", "a.md .md", "x/a.md a.mdx"),
        ("?", "a é \U0001f600", "aa"),
        ("**", "a a/b .a/.b", ""),
        ("**/a", "a x/a .x/y/a", "ab x/ab"),
        ("a/**", "a a/b a/b/c", "ab ab/c"),
        ("a/*/**", "a/b/c a/b/c/d", "a a/b"),
        ("a/**/b", "a/b a/x/b a/x/y/b", "ab a/xb"),
        ("a/**/**/b", "a/b a/x/b", "b"),
        ("a**/b", "a/b ax/b", "a/x/b"),
        ("**b", "b ab", "a/b"),
        ("***", "a", "a/b"),
        ("**/x/**/y/**", "x/y a/x/b/y/c x/b/y", "x y/x"),
        ("**/a*b/**/c?d", "ab/cxd q/azb/r/cxd", "ab/cd"),
        ("[a-c]x", "ax bx", "dx /x"),
        ("[^a]x", "bx", "ax"),
        ("[!a]x", "bx", "ax"),
        ("[]a]", "] a", "b"),
        ("[[:digit:]]", "1", "a ١"),
        ("[a-]", "a -", "b"),
        (r"[\]]", "]", "\\"),
        ("[id].md", "i.md d.md [id].md", "id.md"),
        ("a[b/c", "a[b/c", "ab/c"),
        ("{a,b}", "a b", "c {a,b}c"),
        ("{a,{b,c}d}e", "ae bde cde", "be"),
        ("x{1..3}", "x1 x2 x3", "x4 x"),
        ("x{01..03}", "x01 x03", "x1"),
        ("{a..e}", "a c e", "f"),
        ("{1..10..2}", "1 9", "2 10"),
        ("{a}", "{a}", "a"),
        ("{a,b", "{a,b", "a"),
        ("{a,**}/x", "a/x b/c/x x", "y"),
        ("a{,b}", "a ab", "abb"),
        (r"\{a,b\}", "{a,b}", "a"),
        ("@(a|b)", "a b", "c ab"),
        ("(a|b)c", "ac bc", "c"),
        ("?(a)b", "b ab", "aab"),
        ("*(a)b", "b aaab", "cb"),
        ("+(a|b)c", "ac abac", "c"),
        ("!(a)", "b ab .a", "a a/b"),
        ("!(a).md", "b.md", "a.md"),
        ("!(a|b)/x", "c/x", "a/x b/x"),
        ("!(*.d).ts", "a.ts", "a.d.ts"),
        ("!({a,b})", "c", "a b"),
        ("@(a/b|c)/d", "a/b/d c/d", "b/d"),
        ("@(**/a)/b", "a/b x/y/a/b", "b"),
        ("?(a/)b", "b a/b", "a"),
        ("!(@(a|b)c)", "a ab c", "ac bc"),
        ("+([0-9])-*", "12-a 1-", "-a a-"),
        ("@(a|{b,c})d", "ad bd cd", "d a"),
        ("@(a\\,b/c|d)", "a,b/c d", "a"),
        (r"a\*b", "a*b", "axb"),
        ("a+b", "a+b", "aab"),
        ("a.b", "a.b", "axb"),
        ("$a^", "$a^", "a"),
        ("a|b", "a|b", "a b"),
        ("a)b", "a)b", "ab"),
        ("a(b", "a(b", "ab"),
        ("#a %20", "#a\u0020%20", "a"),
        ("a*é", "aé axé", "ae"),
        ("./a/*.md", "a/b.md", "b.md"),
        ("docs", "docs docs/a docs/a/b", "docsx x/docs"),
        ("docs/", "docs docs/a", "x"),
        (".", "a a/b", ""),
        (r"a\*", "a* a*/b", "ax"),
        ("a\\", "a\\", "a"),
    ],
)
def test_the_language(pattern: str, yes: str, no: str) -> None:
    matcher = Matcher([pattern])
    wanted = [yes] if " " in pattern else yes.split(" ")
    assert [path for path in wanted if not matcher.match(path)] == []
    assert [path for path in no.split() if matcher.match(path)] == []


def test_a_path_spelled_like_the_pattern_matches() -> None:
    assert Matcher(["notes (old)/*.md"]).match("notes (old)/*.md")


def test_a_dot_from_braces_is_no_directory() -> None:
    assert [*Matcher(["{.,a}/x*"]).alternatives()] == [*Matcher(["a/x*"]).alternatives()]


def test_no_pattern_matches_nothing() -> None:
    assert not Matcher([]).match("a")


def test_a_newline_in_a_name_is_a_character() -> None:
    assert Matcher(["a?b"]).match("a\nb")
    assert Matcher(["**/b"]).match("a\n/b")
    assert not Matcher(["a"]).match("a\n")


def test_a_name_that_is_no_unicode_is_matched() -> None:
    assert Matcher(["*.md"]).match("\udcff.md")


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("!a", "`exclude`"),
        ("/a", "absolute"),
        ("../a", "`..`"),
        ("a/../*.md", "`..`"),
        (r"a/\.\./*", "`..`"),
        ("{..,x}/{..,x}/outside/**", "`..`"),
        ("{.,}./outside/*", "`..`"),
        ("a/{../..,b}/*", "`..`"),
        ("@(..|x)/*", "`..`"),
        ("a/!(b|@(..))/*", "`..`"),
        ("@(x/..|b)/../*", "`..`"),
        ("a/*/", "`/**`"),
        ("a//*", "empty"),
        ("a/./*", "empty"),
        ("[z-a]", "backwards: z-a"),
        ("a" * 1025, "1024"),
        ("{1..2000}", "1000 patterns"),
        ("{a,b}" * 12, "1000 patterns"),
        ("{a,b}" * 9 + "?" * 900, "too much"),
        ("@(" * 17 + "a" + ")" * 17, "16 deep"),
        ("{a," * 17 + "b" + "}" * 17, "16 deep"),
        ("@(a)" * 33, "32 groups"),
        ("*/" * 64 + "a", "64 segments"),
        ("!(a/b)", "stays within one segment"),
        ("*(*(a))b", "could take forever"),
        ("+(a*)b", "could take forever"),
        ("*(a|aa)b", "could take forever"),
        ("*(?|[a])b", "could take forever"),
        ("@(*|*)" * 12 + "b", "more wildcards and groups"),
        ("!(*a*a*a*a*a)*a*a*a*a*a*b", "more wildcards and groups"),
        ("{**/*,a}" * 8, "more wildcards and groups"),
    ],
)
def test_what_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(GlobError) as caught:
        check(pattern)
    assert message in str(caught.value)


@pytest.mark.parametrize("pattern", ["!(a)", r"\!a", "a", "./a", "docs/", ".", "a..b/*"])
def test_what_is_accepted(pattern: str) -> None:
    check(pattern)


@pytest.mark.parametrize(
    ("pattern", "prefix"),
    [
        ("*.md", ("", "*.md")),
        ("a/b/*.md", ("a/b", "*.md")),
        ("a/*/b/c", ("a", "*/b/c")),
        ("../a/**", ("../a", "**")),
        (r"a\[b/*", ("a[b", "*")),
        ("/a/*", ("/a", "*")),
        ("a/b", ("a", "b")),
    ],
)
def test_the_literal_prefix(pattern: str, prefix: tuple[str, str]) -> None:
    assert literal_prefix(pattern) == prefix


@pytest.mark.parametrize("pattern", ["*a" * 30 + "b", "**/a/" * 20 + "b", "*@(a|b)*b", "!(a*)*b"])
@pytest.mark.parametrize("path", ["a" * 4096, ("a" * 250 + "/") * 16 + "a", "a/" * 2000 + "a"])
def test_stars_take_no_time(pattern: str, path: str) -> None:
    check(pattern)
    assert not Matcher([pattern]).match(path + "c")


_ATOMS = st.sampled_from(
    [
        *("*", "?", "a", "b", ".", "[ab]", "[^a]", "{a,b}", "{a,{b,*}}", "@(a|b)", "!(a)", "**"),
        *("!(a|b*)", "?(a)", "*(a)", "+(a|b)", "!(*.b)", "(a|.b)", "@(a|!(b))", "\\*", "é"),
        *("@(a/b|*)", "{,a}", "!({a,b})"),
    ]
)
_SEGMENT = st.one_of(st.just("**"), st.lists(_ATOMS, min_size=1, max_size=3).map("".join))
_PATTERN = st.lists(_SEGMENT, min_size=1, max_size=4).map("/".join)
_PATH = st.lists(
    st.text(alphabet="ab.*é", min_size=1, max_size=4).filter(lambda name: name.strip(".")),
    min_size=1,
    max_size=4,
).map("/".join)


_HOSTILE = st.lists(st.one_of(_ATOMS, st.just("/"), st.just("**/")), min_size=1, max_size=12)
_LONG_PATHS = ("a" * 4096, "a/" * 2047 + "a", ("a" * 254 + "/") * 16, ("ab" * 127 + "/") * 16)


@settings(max_examples=200, deadline=None)
@given(pattern=st.tuples(_HOSTILE, st.integers(1, 40)).map(lambda pair: "".join(pair[0]) * pair[1]))
def test_no_accepted_pattern_hangs(pattern: str) -> None:
    try:
        check(pattern)
    except GlobError:
        return
    matcher = Matcher([pattern])
    start = time.process_time()
    for path in _LONG_PATHS:
        matcher.match(f"{path}c")
    assert time.process_time() - start < 5, "far beyond what the estimate allows"


@settings(max_examples=100, deadline=None)
@given(pattern=_PATTERN, paths=st.lists(_PATH, min_size=5, max_size=20))
def test_no_match_is_out_of_reach(pattern: str, paths: list[str]) -> None:
    try:
        matcher = Matcher([pattern])
    except GlobError:
        reject()
    start = Scope.of(matcher.alternatives())
    for path in paths:
        if matcher.match(path) and path != pattern:
            *directories, name = path.split("/")
            state = start
            for directory in directories:
                state = state.enter(directory)
            assert state.alive, path
            assert state.accepts(name), path


class TestReach:
    @staticmethod
    def _reach(*patterns: str) -> Scope:
        return Scope.of(Matcher(patterns).alternatives())

    def test_a_directory_that_no_pattern_reaches_is_dead(self) -> None:
        start = self._reach(".claude/skills/**/SKILL.md", "docs/*.md")
        assert not start.enter("src").alive
        assert start.enter(".claude").alive
        assert not start.enter(".claude").enter("agents").alive
        assert not start.enter("docs").enter("deeper").alive

    def test_literal_names_are_known(self) -> None:
        start = self._reach("a/b/*.md", "c")
        assert start.literals == frozenset({"a", "c"})
        assert start.enter("a").enter("b").literals is None

    def test_states_are_shared(self) -> None:
        start = self._reach("**/SKILL.md")
        assert start.enter("a") is start.enter("b").enter("c")

    def test_only_the_right_names_are_accepted(self) -> None:
        state = self._reach("**/SKILL.md", "x/*.{md,mdx}").enter("x")
        names = ["SKILL.md", "a.md", "b.mdx", "c.txt"]
        assert [name for name in names if state.accepts(name)] == names[:3]


def test_what_covers_all_below_a_directory() -> None:
    below = Matcher(["a/**", "b", "c/*", "d/*/**", "**/drafts/**"]).below()
    assert below.patterns == ("a/**", "b", "**/drafts/**")
    assert below.match("x/drafts")


def test_no_path_holds_a_nul() -> None:
    with pytest.raises(GlobError, match="NUL"):
        check("a\0b")
