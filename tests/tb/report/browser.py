"""Checks of a page in a browser, each a function that says what is wrong with AssertionError."""

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, Page

WIDTHS, SCHEMES = (1280, 390), ("light", "dark")
LEAST_CONTRAST = 4.5  # WCAG 2.1, AA
LEAST_HEIGHT = 40  # pixels; WCAG 2.2 asks for 24 (AA) or 44 (AAA)
VOID = {"meta", "link", "br", "img", "input", "hr"}

# Text against what lies behind it, element by element; backgrounds may be translucent.
CONTRASTS = """
() => {
  const parse = (text) => {
    const n = text.match(/[\\d.]+/g).map(Number);
    return { rgb: n.slice(0, 3), alpha: n.length > 3 ? n[3] : 1 };
  };
  const over = (top, bottom) => top.rgb.map((c, i) => top.alpha * c + (1 - top.alpha) * bottom[i]);
  const behind = (node) => {
    if (!node) return [255, 255, 255];
    const own = parse(getComputedStyle(node).backgroundColor);
    return own.alpha === 1 ? own.rgb : over(own, behind(node.parentElement));
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map(
      (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const node of document.body.querySelectorAll("*")) {
    if (node.closest("svg, script, style")) continue;
    const words = [...node.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join("");
    if (!words.trim()) continue;
    const back = behind(node);
    const front = over(parse(getComputedStyle(node).color), back);
    const [low, high] = [luminance(back), luminance(front)].sort((a, b) => a - b);
    const name = `${node.tagName.toLowerCase()}.${node.className}`;
    found.push([(high + 0.05) / (low + 0.05), name, words.trim().slice(0, 40)]);
  }
  return found;
}
"""


class Watched:
    """A page, and everything it complained of or asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))


def opened(browser: Browser, path: Path, before: str = "") -> Watched:
    """A page with everything unfolded; `before` is a script that runs before its own."""
    context = browser.new_context(viewport={"width": WIDTHS[0], "height": 900})
    context.set_default_timeout(20_000)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    if before:
        context.add_init_script(before)
    watched = Watched(context.new_page())
    watched.page.goto(path.as_uri())
    watched.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    return watched


def looked_at(page: Page, width: int, scheme: str) -> None:
    """In a window so wide, by somebody who likes it light or dark."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)


def check_quiet(watched: Watched) -> None:
    """No script error, nothing asked of anybody."""
    assert watched.complaints == []
    outside = [url for url in watched.requests if not url.startswith("file:")]
    assert outside == []


def check_no_overflow(page: Page) -> None:
    wide, room = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert wide <= room, f"the page is {wide} pixels wide, the window {room}"


def check_dark(page: Page) -> None:
    """In the dark no box is light; what is small may be, as a badge or a dot."""
    page.emulate_media(color_scheme="dark")
    light = page.evaluate(
        "[...document.body.querySelectorAll('*')]"
        ".filter((e) => e.offsetWidth * e.offsetHeight > 5000)"
        ".filter((e) => { const [r, g, b, a = 1] = getComputedStyle(e).backgroundColor"
        ".match(/[\\d.]+/g).map(Number); return a * (r + g + b) > 384 })"
        ".map((e) => e.outerHTML.slice(0, 80))"
    )
    assert light == [], f"light in the dark: {light}"


def check_tappable(page: Page) -> None:
    """What is tapped is as high as a finger needs, in a window of the width of a phone."""
    found = page.evaluate(
        "[...document.querySelectorAll('button, select, summary, input')]"
        ".filter((e) => e.offsetParent && e.type !== 'checkbox')"  # whose label is also tapped
        ".map((e) => [e.getBoundingClientRect().height, e.outerHTML.slice(0, 80)])"
    )
    low = [entry for entry in found if entry[0] < LEAST_HEIGHT]
    assert low == [], f"too low to tap: {low}"


def check_contrast(page: Page) -> None:
    found = page.evaluate(CONTRASTS)
    assert len(found) > 20  # or the page has lost its text, or this check its sight
    poor = sorted(entry for entry in found if entry[0] < LEAST_CONTRAST)
    assert poor == []


def check_copy(page: Page, replay: str, pasted: bool = True) -> None:
    """The button of a replay line copies it or, if nothing else is possible, selects it."""
    button = page.locator(".replay", has_text=replay).first.locator("button.copy")
    button.focus()
    page.keyboard.press("Enter")
    if pasted:
        page.wait_for_function("(b) => b.textContent === 'Copied'", arg=button.element_handle())
        assert _pasted(page) == replay
    else:
        page.wait_for_function(
            "(b) => b.textContent.startsWith('Selected')", arg=button.element_handle()
        )
        assert page.evaluate("getSelection().toString()") == replay


def _pasted(page: Page) -> str:
    page.evaluate(
        "() => { const box = document.createElement('textarea'); box.id = 'paste';"
        " document.body.append(box); box.focus() }"
    )
    page.keyboard.press("Control+V")
    return page.locator("#paste").input_value()


# Without a browser --------------------------------------------------------------------------------


class Document(HTMLParser):
    """Links and ids of a page, and tags that are not closed as they were opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: Counter[str] = Counter()
        self.crossed: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.crossed += self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.links += [v for v in (values.get("href"), values.get("src")) if v is not None]
        self.ids.update(v for v in [values.get("id")] if v is not None)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.crossed.append(f"/{tag} at line {self.getpos()[0]}")


def check_document(path: Path) -> None:
    """Tags nest, ids are unique, every link leads to a file of this machine and a place in it."""
    document = Document(path.read_text(encoding="utf-8"))
    assert document.crossed == []
    assert [name for name, count in document.ids.items() if count > 1] == []
    assert list(_dead(path, document)) == []


def _dead(path: Path, document: Document) -> Iterator[str]:
    for link in document.links:
        parts = urlsplit(link)
        target = path.parent / unquote(parts.path) if parts.path else path
        if parts.scheme or parts.netloc or not target.exists():
            yield link
        elif parts.fragment:
            ids = document.ids if target == path else Document(target.read_text("utf-8")).ids
            if parts.fragment not in ids:
                yield link
