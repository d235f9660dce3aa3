"""The site of the documents: its search works from files, its pictures follow light and dark."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from fattree_bench.paths import ROOT

DOCS = ROOT / "docs"
PICTURES = sorted(DOCS.rglob("*.svg"))
WORKER = """
addEventListener('message', async ({ data }) => {
  await importScripts('more.js');
  postMessage(data + more);
});
"""
ASKED = """
() => new Promise((done, failed) => {
  const worker = new Worker('worker/answers.js');
  worker.onerror = () => failed(new Error('no worker'));
  worker.addEventListener('message', ({ data }) => done(data));
  worker.postMessage('asked');
})
"""


@pytest.mark.xdist_group("chromium")
def test_a_page_from_a_file_has_a_worker(browser: Browser, tmp_path: Path) -> None:
    """Its script, and what that imports; without search.js the browser refuses."""
    (tmp_path / "worker").mkdir()
    (tmp_path / "worker" / "answers.js").write_text(WORKER)
    (tmp_path / "worker" / "more.js").write_text("var more = ' and answered'")
    shutil.copy(DOCS / "search.js", tmp_path)
    page = browser.new_page()
    for name, head in (("with", '<script src="search.js"></script>'), ("without", "")):
        (tmp_path / f"{name}.html").write_text(f"<!doctype html>{head}<body></body>")
    page.goto((tmp_path / "with.html").as_uri())
    assert page.evaluate(ASKED) == "asked and answered"
    page.goto((tmp_path / "without.html").as_uri())
    with pytest.raises(Exception, match=r"no worker|cannot be accessed"):
        page.evaluate(ASKED)
    page.close()


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: str(path.relative_to(DOCS)))
def test_pictures_follow_light_and_dark(path: Path) -> None:
    """docs/oxgft-*.svg were white in the dark."""
    assert "prefers-color-scheme: dark" in path.read_text(encoding="utf-8")
