"""The HTML report in a real browser; run by `.ci/packaging`, which installs Chromium."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import Manni

HOSTILE = (
    "</pre></style><script>document.title = 'pwned'</script><img src=x onerror=alert(1)>\"'\u202e"
)
TIMEOUT = 60


class Browser:
    """Chromium without a window, driven over a pipe by the DevTools protocol."""

    def __init__(self, profile: Path) -> None:
        binary = shutil.which("chromium") or shutil.which("google-chrome")
        assert binary, "chromium is not installed"
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # The browser reads commands from descriptor 3 and writes to 4.
        script = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        options += ["--remote-debugging-pipe", f"--user-data-dir={profile}"]
        self._process = subprocess.Popen(
            ["bash", "-c", script, binary, *options, "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._pending = b""
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Network", "Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command, and give what the browser answers."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            self.events.append(answer)
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, page: Path) -> None:
        """Show a page, and wait until it is loaded."""
        self.call("Page.navigate", url=page.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self._read())

    def run(self, script: str) -> Any:
        """The value of an expression on the page."""
        done = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def told(self, method: str) -> list[dict[str, Any]]:
        """The parameters of the events of one kind."""
        return [event["params"] for event in self.events if event["method"] == method]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._pending:
            assert select.select([self._in], [], [], TIMEOUT)[0], "the browser does not answer"
            data = os.read(self._in, 1 << 16)
            assert data, "the browser has gone"
            self._pending += data
        message, _, self._pending = self._pending.partition(b"\0")
        read: dict[str, Any] = json.loads(message)
        return read

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait(TIMEOUT)
        os.close(self._in)
        os.close(self._out)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    opened = Browser(tmp_path / "profile")
    yield opened
    opened.close()


@pytest.fixture
def page(manni: Manni, repo: Path, tmp_path: Path) -> Path:
    """The report on a few skills that are wrong in several ways, one of them on purpose."""
    texts = {
        "hostile": f"name: {json.dumps(HOSTILE)}\ndescription: 7\neffort: {json.dumps(HOSTILE)}\n",
        "number": "name: number\ndescription: 1.10\neffort: hihg\n",
        "syntax": "name: syntax\ndescription: A thing: for that\n",
    }
    for name, text in texts.items():
        path = repo / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(f"---\n{text}---\n\nThe body.\n", encoding="utf-8")
    report = tmp_path / "report.html"
    schemas = ("-s", "anthropic:claude-skill:2.1", "-s", "manni:portable-skill:1.0")
    assert (
        manni(
            "meta", "validate", "skills", *schemas, "-f", "html", "-o", str(report), cwd=repo
        ).code
        == 1
    )
    return report


SHOWN = "[...document.querySelectorAll('.finding')].filter(each => each.checkVisibility())"


def choose(browser: Browser, name: str, starting: str) -> None:
    browser.run(
        f"""(() => {{
            const select = document.querySelector('select[name={name}]');
            const starting = {json.dumps(starting)};
            const found = [...select.options].find(each => each.text.startsWith(starting));
            select.value = found.value;
            select.dispatchEvent(new Event('change', {{bubbles: true}}));
        }})()"""
    )


def test_filters_by_severity_rule_and_file(browser: Browser, page: Path) -> None:
    browser.open(page)
    total = browser.run(f"{SHOWN}.length")
    assert total >= 5
    assert browser.run("document.getElementById('filters').checkVisibility()")
    choose(browser, "file", "skills/number")
    assert browser.run("document.querySelectorAll('.file:not([hidden])').length") == 1
    of_file = browser.run(f"{SHOWN}.length")
    assert 1 < of_file < total
    assert browser.run("document.getElementById('shown').value") == f"{of_file} of {total} shown"
    choose(browser, "rule", "anthropic:claude-skill:2.1/enum")
    assert browser.run(f"{SHOWN}.map(each => each.querySelector('code').textContent)") == [
        "/effort"
    ]
    choose(browser, "file", "all")
    assert browser.run(f"{SHOWN}.length") == 2
    choose(browser, "severity", "error")
    assert browser.run(f"{SHOWN}.every(each => each.querySelector('.error'))")
    browser.run("document.querySelector('button[type=reset]').click()")
    browser.run("new Promise(resolve => setTimeout(resolve, 50))")
    assert browser.run(f"{SHOWN}.length") == total


def test_hostile_text_stays_text(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.run("document.title") == "manni"
    assert (
        browser.run("document.querySelectorAll('img, iframe, object, style ~ style').length") == 0
    )
    assert browser.run("document.scripts.length") == 1
    text = browser.run("document.body.innerText")
    assert "</style><script>document.title = 'pwned'</script><img src=x onerror=alert(1)>" in text
    assert "\u202e" not in text
    assert "The body" not in text
    assert browser.told("Page.javascriptDialogOpening") == []


def test_nothing_leaves_the_page(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run("new Promise(resolve => setTimeout(resolve, 300))")
    asked = [each["request"]["url"] for each in browser.told("Network.requestWillBeSent")]
    assert [url for url in asked if not url.startswith("data:")] == [page.as_uri()]
    assert browser.told("Log.entryAdded") == []
    assert browser.told("Runtime.exceptionThrown") == []


def test_the_policy_stops_what_would_be_asked_for(browser: Browser, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    planted = "<img src='http://127.0.0.1:9/x.png'><script>document.title = 'pwned'</script>"
    page.write_text(text.replace("<header>", f"<header>{planted}", 1), encoding="utf-8")
    browser.open(page)
    assert browser.run("document.title") == "manni"
    assert len(browser.told("Log.entryAdded")) >= 2
    assert browser.told("Network.responseReceived")[1:] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(browser: Browser, page: Path, scheme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.call("Emulation.setEmulatedMedia", features=features)
    browser.open(page)
    background, text, error = browser.run(
        """(() => {
            const canvas = document.createElement('canvas').getContext('2d');
            const light = (element, name) => {
                canvas.fillStyle = getComputedStyle(element)[name];
                const [r, g, b] = canvas.fillStyle.match(/\\w\\w/g).map(each => parseInt(each, 16));
                const linear = value => (value / 255) ** 2.2;
                return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
            };
            const error = document.querySelector('.error');
            return [light(document.querySelector('form'), 'backgroundColor'),
                    light(document.body, 'color'), light(error, 'color')];
        })()"""
    )
    assert (background > 0.5) is (scheme == "light")
    for colour in (text, error):
        bright, dim = max(colour, background), min(colour, background)
        assert (bright + 0.05) / (dim + 0.05) > 4.5  # WCAG 2.2, 1.4.3
