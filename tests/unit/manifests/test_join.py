"""External metadata: what manifests say, whose it is, where it stands."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.base.errors import ConfigError
from manni.base.json_types import Json, escape_token
from manni.discovery.targets import Target
from manni.documents.front_matter import parse_document
from manni.documents.load import load
from manni.manifests.entries import Joined, ManifestEntry, duplicates
from manni.manifests.files import page_of, public_address
from manni.manifests.join import ManifestStore
from manni.model.config import Collection, Config, Manifest
from manni.model.findings import Finding, Span
from manni.schemas.addresses import Trust
from manni.schemas.http import fetch
from support import Serve

BEARER = "s3cr3t-b3arer"


def target(key: str, *collections: str) -> Target:
    return Target(key, key, key, key, collections or ("guides",), None)


def fetch_manifest(url: str, token: str | None) -> bytes:
    here = Trust(allowed=frozenset({"127.0.0.1", "localhost"}))
    return fetch(url, trust=here, token=token)


def store(
    root: Path,
    *manifests: Manifest,
    others: tuple[Collection, ...] = (),
    environ: Mapping[str, str] | None = None,
    token_envs: Sequence[str] | None = None,
) -> ManifestStore:
    guides = Collection("guides", ("guides/*.md",), manifests=manifests)
    config = Config(root / "manni.config.yaml", "manni.config.yaml", (guides, *others))
    return ManifestStore(
        config,
        cwd=root,
        fetch=fetch_manifest,
        environ=environ or {},
        token_envs=token_envs,
    )


def manifest(
    file: str = "m.yaml", keys: str | None = "jira", join: str = "path", variable: str | None = None
) -> Manifest:
    return Manifest(file, 7, None if keys is None else tuple(keys.split()), join, variable)


def write(root: Path, text: str, name: str = "m.yaml") -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def join(
    manifests: ManifestStore,
    page: str = "title: Start\n",
    at: Target | None = None,
    external: Iterable[str] = (),
) -> Joined:
    metadata = load(parse_document(f"---\n{page}---\n".encode()))
    return manifests.join(
        at or target("guides/start.md"), metadata.value, metadata, lambda _: external
    )


def refused(root: Path, *manifests: Manifest, page: str = "title: Start\n") -> str:
    with pytest.raises(ConfigError) as caught:
        join(store(root, *manifests), page)
    return str(caught.value)


def findings(joined: Joined) -> list[Finding]:
    return [finding for fault in joined.faults for finding in fault.findings]


# joining


def test_by_path(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md:\n  jira: DOC-1\nguides/next.md:\n  jira: DOC-2\n")
    joined = join(store(tmp_path, manifest("./m.yaml")))
    assert joined.value == {"title": "Start", "jira": "DOC-1"}
    assert list(joined.value) == ["title", "jira"]
    assert joined.supplied == {"jira": "m.yaml"}
    assert joined.faults == ()


def test_an_artifact_without_manifests_is_left_as_it_is(tmp_path: Path) -> None:
    manifests = store(tmp_path, manifest("missing.yaml"))
    joined = join(manifests, at=target("else.md", "other"))
    assert joined.value == {"title": "Start"}
    assert joined.entries == ()


def test_without_an_entry_nothing_is_joined(tmp_path: Path) -> None:
    write(tmp_path, "guides/next.md:\n  jira: DOC-2\n")
    joined = join(store(tmp_path, manifest()))
    assert joined.value == {"title": "Start"}
    assert joined.supplied == {}


@pytest.mark.parametrize(
    ("page", "jira"),
    [
        ("slug: 7.0\n", "DOC-7"),
        ("slug: start\n", "DOC-1"),
        ("slug: '7'\n", "DOC-7"),
        ("slug: 7\n", "DOC-7"),
        ("slug: true\n", "DOC-T"),
        ("slug: Start\n", None),
        ("slug: [start]\n", None),
        ("slug: null\n", None),
        ("title: start\n", None),
    ],
)
def test_by_field(tmp_path: Path, page: str, jira: str | None) -> None:
    write(tmp_path, "start: {jira: DOC-1}\n7: {jira: DOC-7}\n'true': {jira: DOC-T}\n")
    joined = join(store(tmp_path, manifest(join="slug")), page)
    assert joined.value.get("jira") == jira


def test_a_manifest_for_each_page(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.v2.md:\n  jira: DOC-1\n", "meta/guides/start.v2.yaml")
    manifests = store(tmp_path, manifest("meta/{page}.yaml"))
    joined = join(manifests, at=target("guides/start.v2.md"))
    assert joined.value["jira"] == "DOC-1"
    assert joined.supplied == {"jira": "meta/guides/start.v2.yaml"}
    assert join(manifests, at=target("guides/next.md")).supplied == {}


def test_a_manifest_for_each_page_may_leave_out_the_path(tmp_path: Path) -> None:
    write(tmp_path, "\njira: DOC-1\n", "guides/start.meta.yaml")
    joined = join(store(tmp_path, manifest("./{page}.meta.yaml")))
    assert joined.value["jira"] == "DOC-1"
    assert joined.locator.place("/jira").span == Span(2, 1, 2, 12)


def test_several_manifests_and_collections(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md: {jira: DOC-1}\n")
    write(tmp_path, "guides/start.md: {owner: ana}\n", "n.yaml")
    write(tmp_path, "guides/start.md: {team: docs}\n", "o.yaml")
    more = Collection("more", ("**",), manifests=(manifest("o.yaml", "team"),))
    manifests = store(tmp_path, manifest(), manifest("n.yaml", "owner"), others=(more,))
    joined = join(manifests, at=target("guides/start.md", "guides", "more"))
    assert joined.value == {"title": "Start", "jira": "DOC-1", "owner": "ana", "team": "docs"}
    assert joined.supplied == {"jira": "m.yaml", "owner": "n.yaml", "team": "o.yaml"}


def test_a_manifest_that_two_collections_share_counts_once(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md: {jira: DOC-1}\n")
    more = Collection("more", ("**",), manifests=(manifest(),))
    manifests = store(tmp_path, manifest(), others=(more,))
    joined = join(manifests, at=target("guides/start.md", "guides", "more"))
    assert joined.value["jira"] == "DOC-1"


# positions


def test_each_value_is_placed_where_it_stands(tmp_path: Path) -> None:
    write(
        tmp_path,
        "guides/start.md:\n  evals:\n    - {id: a, grader: x}\n    - id: b\n      grader: y\n",
    )
    joined = join(store(tmp_path, manifest(keys="evals")))
    place = joined.locator.place("/evals/1/grader")
    assert (place.manifest, place.span) == ("m.yaml", Span(5, 7, 5, 16))
    assert joined.locator.place("/evals").span.line == 2
    assert joined.locator.place("/evals/1/nothing").span.line == 4
    assert joined.locator.identity("/evals/1/grader") == "/evals/b/grader"
    page = joined.locator.place("/title")
    assert (page.manifest, page.span) == (None, Span(2, 1, 2, 13))
    assert joined.locator.place("").manifest is None
    assert joined.locator.identity("/title") == "/title"


def test_places_are_named_from_the_working_directory(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md: {jira: DOC-1}\n")
    collection = Collection("guides", ("guides/*.md",), manifests=(manifest(),))
    config = Config(tmp_path / "manni.config.yaml", "../manni.config.yaml", (collection,))
    manifests = ManifestStore(config, cwd=tmp_path / "guides", fetch=fetch_manifest, environ={})
    joined = join(manifests)
    assert joined.locator.place("/jira").manifest == "../m.yaml"
    assert joined.supplied == {"jira": "m.yaml"}


# ownership


def test_what_both_carry_is_a_finding_and_the_page_wins(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md: {jira: DOC-1, owner: ana}\n")
    joined = join(store(tmp_path, manifest(keys="jira owner")), "title: Start\njira: DOC-9\n")
    assert joined.value == {"title": "Start", "jira": "DOC-9", "owner": "ana"}
    assert joined.supplied == {"owner": "m.yaml"}
    [found] = findings(joined)
    assert found.rule_id == "external:owned/external"
    assert found.message == (
        '"jira" is owned by manifest m.yaml (collection guides); remove it from the document'
    )
    assert found.pointer == "/jira"
    assert found.place is not None
    assert (found.place.manifest, found.place.span) == (None, Span(3, 1, 3, 12))


def test_by_marks(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md: {jira: DOC-1}\n")
    asked: list[dict[str, Json]] = []
    metadata = load(parse_document(b"---\ntitle: Start\n---\n"))

    def external(value: dict[str, Json]) -> list[str]:
        asked.append(value)
        return ["jira", "other"]

    joined = store(tmp_path, manifest(keys=None)).join(
        target("guides/start.md"), metadata.value, metadata, external
    )
    assert joined.value["jira"] == "DOC-1"
    assert asked == [{"title": "Start", "jira": "DOC-1"}]


def test_by_marks_other_keys_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md:\n  jirra: DOC-1\n")
    with pytest.raises(ConfigError) as caught:
        join(store(tmp_path, manifest(keys=None)), external=["jira"])
    assert str(caught.value) == (
        "m.yaml:2: the manifest does not own 'jirra': no schema of the document marks it "
        "external; did you mean 'jira'?"
    )


@pytest.mark.parametrize("second", [manifest("n.yaml", "owner jira"), manifest("n.yaml", None)])
def test_two_manifests_cannot_own_one_key(tmp_path: Path, second: Manifest) -> None:
    write(tmp_path, "")
    write(tmp_path, "", "n.yaml")
    with pytest.raises(ConfigError) as caught:
        join(store(tmp_path, manifest(), second), external=["jira"])
    assert str(caught.value) == (
        "manni.config.yaml:7: manifests m.yaml and n.yaml both own 'jira' for guides/start.md; "
        "leave it to one of them"
    )


# what is no manifest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("guides/start.md:\n  $schema: a.json\n", "m.yaml:2: a manifest cannot carry $schema"),
        ("guides/next.md:\n  title: x\n", "m.yaml:2: the manifest does not own 'title'"),
        ("guides/next.md: DOC-1\n", "m.yaml:1: the entry 'guides/next.md' of the manifest must be"),
        ("guides/next.md:\n", "m.yaml:1: the entry 'guides/next.md' of the manifest must be"),
        (
            "- a\n",
            "m.yaml: a manifest is a mapping from documents to their metadata",
        ),
        (
            "text\n",
            "m.yaml: a manifest is a mapping from documents to their metadata",
        ),
        ("a: b: c\n", "m.yaml:1:5: the manifest cannot be read: "),
        ("a: {}\nb: {}\na: {}\n", "m.yaml:3:1: the manifest cannot be read: "),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path, text)
    assert refused(tmp_path, manifest()).startswith(said)


def test_a_manifest_that_cannot_be_read(tmp_path: Path) -> None:
    assert refused(tmp_path, manifest()).startswith("manni.config.yaml:7: manifest m.yaml: ")
    (tmp_path / "m.yaml").mkdir()
    assert refused(tmp_path, manifest()).startswith("manni.config.yaml:7: manifest m.yaml: ")
    (tmp_path / "n.yaml").write_bytes(b"\xff\xfe")
    assert "UTF-8" in refused(tmp_path, manifest("n.yaml"))


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "---\n", "\ufeff{}\n"])
def test_an_empty_manifest_is_one(tmp_path: Path, text: str) -> None:
    write(tmp_path, text)
    assert join(store(tmp_path, manifest())).value == {"title": "Start"}


ENTRIES = st.dictionaries(
    st.sampled_from(["guides/start.md", "start", "jira", "$schema", "7"]),
    st.none()
    | st.text(max_size=3)
    | st.lists(st.integers(), max_size=2)
    | st.dictionaries(st.sampled_from(["jira", "$schema", "x/~y"]), st.text(max_size=3)),
)
TEXTS = st.text(max_size=40) | ENTRIES.map(json.dumps)


@settings(max_examples=100)
@given(
    st.binary(max_size=40) | TEXTS.map(str.encode),
    st.sampled_from([None, "jira", "jira x/~y"]),
    st.sampled_from(["path", "slug"]),
    st.sampled_from(["m.yaml", "{page}.yaml"]),
)
def test_any_manifest_is_joined_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, keys: str | None, by: str, file: str
) -> None:
    root = tmp_path_factory.mktemp("any")
    (root / "guides").mkdir()
    for name in ("m.yaml", "guides/start.yaml"):
        (root / name).write_bytes(data)
    manifests = store(root, manifest(file, keys, by))
    page = "slug: start\nx/~y: 1\n"
    try:
        joined = join(manifests, page, external=["jira", "x/~y"])
        manifests.require_documents(joined.entries, ["guides"])
    except ConfigError:
        return
    for key in joined.value:
        pointer = f"/{escape_token(key)}"
        place = joined.locator.place(pointer)
        assert (place.manifest is not None) == (key in joined.supplied)
        assert joined.locator.identity(pointer) == pointer


# documents of the run


def entries_of(manifests: ManifestStore, pages: Mapping[str, str]) -> list[ManifestEntry]:
    return [
        use for key, page in pages.items() for use in join(manifests, page, at=target(key)).entries
    ]


PAGES = {"guides/start.md": "slug: start\n", "guides/next.md": "slug: next\n"}


def test_an_entry_without_a_document(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md: {}\nguides/nxt.md: {}\nguides/old.md: {}\n")
    manifests = store(tmp_path, manifest())
    entries = entries_of(manifests, PAGES)
    manifests.require_documents(entries, ())
    with pytest.raises(ConfigError) as caught:
        manifests.require_documents(entries, ["guides"])
    assert str(caught.value) == (
        "m.yaml:2: the manifest describes 'guides/nxt.md', which is no document of this run "
        "(1 more like it); did you mean 'guides/next.md'?"
    )


def test_every_entry_has_a_document(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md: {}\nguides/next.md: {}\n")
    write(tmp_path, "start: {}\nnext: {}\n", "n.yaml")
    manifests = store(tmp_path, manifest(), manifest("n.yaml", "owner", join="slug"))
    manifests.require_documents(entries_of(manifests, PAGES), ["guides"])


def test_an_entry_by_field_without_a_document(tmp_path: Path) -> None:
    write(tmp_path, "start: {}\ngone: {}\n")
    manifests = store(tmp_path, manifest(join="slug"))
    entries = entries_of(manifests, PAGES)
    with pytest.raises(ConfigError, match="'gone'"):
        manifests.require_documents(entries, ["guides"])
    broken = manifests.unread(target("guides/broken.md"))
    manifests.require_documents([*entries, *broken], ["guides"])


def test_an_unreadable_document_is_one_of_the_run(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md: {}\nguides/broken.md: {}\n")
    manifests = store(tmp_path, manifest())
    entries = [*entries_of(manifests, PAGES), *manifests.unread(target("guides/broken.md"))]
    manifests.require_documents(entries, ["guides"])


def test_a_manifest_shared_with_a_collection_that_is_not_covered(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md: {}\nnotes/a.md: {}\n")
    notes = Collection("notes", ("notes/*.md",), manifests=(manifest(),))
    manifests = store(tmp_path, manifest(), others=(notes,))
    entries = entries_of(manifests, PAGES)
    manifests.require_documents(entries, ["guides"])
    noted = join(manifests, at=target("notes/a.md", "notes")).entries
    manifests.require_documents([*entries, *noted], ["guides", "notes"])
    with pytest.raises(ConfigError, match=r"'notes/a\.md'"):
        manifests.require_documents(entries, ["guides", "notes"])


def test_a_page_of_its_own_manifest_describes_no_other(tmp_path: Path) -> None:
    write(tmp_path, "guides/start.md: {}\nguides/start.mdx: {}\n", "meta/guides/start.yaml")
    manifests = store(tmp_path, manifest("meta/{page}.yaml"))
    entries = entries_of(manifests, PAGES)
    manifests.require_documents(entries, ())
    with pytest.raises(ConfigError, match=r"start\.yaml:2: .*'guides/start\.mdx'"):
        manifests.require_documents(entries, ["guides"])
    other = entries_of(manifests, {"guides/start.mdx": "title: x\n"})
    manifests.require_documents([*entries, *other], ["guides"])


def test_a_manifest_that_no_document_uses_is_read_too(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"m\.yaml"):
        store(tmp_path, manifest()).require_documents((), ["guides"])
    with pytest.raises(ConfigError, match=r"m\.yaml"):
        store(tmp_path, manifest()).preload(["guides"])


def test_two_pages_with_one_join_value(tmp_path: Path) -> None:
    write(tmp_path, "start: {jira: DOC-1}\n")
    manifests = store(tmp_path, manifest(join="slug"))
    pages = {"guides/a.md": "slug: start\n", "guides/b.md": "slug: start\n", **PAGES}
    found = duplicates(entries_of(manifests, pages))
    assert set(found) == {"guides/a.md", "guides/b.md", "guides/start.md"}
    metadata = load(parse_document(b"---\nslug: start\n---\n"))
    one, other = (
        found[key][0].fault(metadata).representative for key in ("guides/a.md", "guides/b.md")
    )
    assert one.rule_id == "external:duplicate/external"
    assert one.pointer == "/slug"
    assert one.span == Span(2, 1, 2, 12)
    assert one.message == (
        "\"slug\" has the value 'start' in guides/b.md too, and manifest m.yaml finds documents "
        "by it; give each its own"
    )
    assert "in guides/a.md too" in other.message


def test_paths_and_missing_values_are_no_duplicates(tmp_path: Path) -> None:
    write(tmp_path, "")
    manifests = store(tmp_path, manifest(), manifest("m.yaml", "owner", join="slug"))
    pages = {"guides/a.md": "title: a\n", "guides/b.md": "title: a\n"}
    assert duplicates(entries_of(manifests, pages)) == {}
    # The same page, met twice.
    assert duplicates(entries_of(manifests, {"guides/a.md": "slug: a\n"}) * 2) == {}


# addresses


BODY = b"guides/start.md:\n  jira: DOC-1\n"


def test_an_address_with_a_token(tmp_path: Path, serve: Serve) -> None:
    server = serve({"/m.yaml?v=1": (200, {}, BODY)})
    declared = manifest(f"{server.address}/m.yaml?v=1", variable="META_TOKEN")
    manifests = store(tmp_path, declared, environ={"META_TOKEN": f"{BEARER}\n"})
    joined = join(manifests)
    join(manifests, at=target("guides/next.md"))
    assert joined.value["jira"] == "DOC-1"
    assert server.seen == [("/m.yaml?v=1", f"Bearer {BEARER}")]
    assert joined.supplied == {"jira": f"{server.address}/m.yaml"}
    assert joined.locator.place("/jira").manifest == f"{server.address}/m.yaml"
    assert joined.locator.place("/jira").span.line == 2


def test_an_address_without_a_token(tmp_path: Path, serve: Serve) -> None:
    server = serve({"/m.yaml": (200, {}, BODY)})
    assert join(store(tmp_path, manifest(f"{server.address}/m.yaml"))).value["jira"] == "DOC-1"
    assert server.seen == [("/m.yaml", None)]


def test_the_token_stays_with_its_origin(tmp_path: Path, serve: Serve) -> None:
    other = serve({"/m.yaml": (200, {}, BODY)})
    moved = (302, {"Location": f"{other.address}/m.yaml"}, b"")
    server = serve({"/here": (302, {"Location": "/there"}, b""), "/there": moved})
    declared = manifest(f"{server.address}/here", variable="META_TOKEN")
    joined = join(store(tmp_path, declared, environ={"META_TOKEN": BEARER}))
    assert joined.value["jira"] == "DOC-1"
    assert server.seen == [("/here", f"Bearer {BEARER}"), ("/there", f"Bearer {BEARER}")]
    assert other.seen == [("/m.yaml", None)]


@pytest.mark.parametrize("answer", [(401, {}, b""), (200, {}, b"<html>\n"), (200, {}, b"a: b: c")])
def test_no_error_shows_a_secret(
    tmp_path: Path, serve: Serve, answer: tuple[int, dict[str, str], bytes]
) -> None:
    server = serve({"/m.yaml?key=hidden": answer})
    declared = manifest(f"{server.address}/m.yaml?key=hidden", variable="META_TOKEN")
    with pytest.raises(ConfigError) as caught:
        join(store(tmp_path, declared, environ={"META_TOKEN": BEARER}))
    assert f"{server.address}/m.yaml" in str(caught.value)
    assert BEARER not in str(caught.value)
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    "value", [None, "", " \n", f"{BEARER}\nHost: x", f"{BEARER} x", f"{BEARER}é"]
)
def test_what_is_no_token(tmp_path: Path, value: str | None) -> None:
    declared = manifest("https://meta.example.com/m.yaml", variable="META_TOKEN")
    with pytest.raises(ConfigError) as caught:
        join(store(tmp_path, declared, environ={} if value is None else {"META_TOKEN": value}))
    assert str(caught.value).startswith("manni.config.yaml:7: the environment variable META_TOKEN")
    assert BEARER not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "allowed", "said"),
    [
        ("META_TOKEN", (), "META_TOKEN, which this run may not send; --token-env, or the action's"),
        ("META_TOKEN", ("OTHER",), "META_TOKEN, which this run may not send; --token-env"),
        ("ACTIONS_RUNTIME_TOKEN", None, "ACTIONS_RUNTIME_TOKEN, which belongs to the workflow's"),
        ("GITHUB_TOKEN", ("GITHUB_TOKEN",), "GITHUB_TOKEN, which belongs to the workflow's runner"),
        ("RUNNER_X", None, "RUNNER_X, which belongs to the workflow's runner"),
        ("INPUT_X", None, "INPUT_X, which belongs to the workflow's runner"),
    ],
)
def test_what_is_never_sent(
    tmp_path: Path, serve: Serve, name: str, allowed: tuple[str, ...] | None, said: str
) -> None:
    server = serve({"/m.yaml": (200, {}, BODY)})
    declared = manifest(f"{server.address}/m.yaml", variable=name)
    with pytest.raises(ConfigError) as caught:
        join(store(tmp_path, declared, environ={name: BEARER}, token_envs=allowed))
    assert said in str(caught.value)
    assert BEARER not in str(caught.value)
    assert server.seen == []
    if name == "META_TOKEN":
        join(store(tmp_path, declared, environ={name: BEARER}, token_envs=[name]))
        assert server.seen == [("/m.yaml", f"Bearer {BEARER}")]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://a.example.com/m.yaml", "https://a.example.com/m.yaml"),
        ("https://me:pass@a.example.com:8/m.yaml?key=x#y", "https://a.example.com:8/m.yaml"),
    ],
)
def test_addresses_are_shown_without_secrets(address: str, shown: str) -> None:
    assert public_address(address) == shown


@pytest.mark.parametrize(
    ("path", "page"),
    [("guides/a.md", "guides/a"), ("a.b.mdx", "a.b"), ("a.d/b.md", "a.d/b"), ("b", "b")],
)
def test_the_page_is_the_path_without_its_extension(path: str, page: str) -> None:
    assert page_of(path) == page
