"""`make show`: the page plays what was, shows a planted fault, and needs nothing outside itself."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from fattree_bench.bench import faults as kind
from fattree_bench.families import DEFAULT, DESCRIBED, FAMILIES, find, scenarios
from fattree_bench.show.page import MOST_BYTES
from fattree_bench.words import shows
from tests.cli import Cli
from tests.tb.faults.faulty import ONE_LANE_TOO_FEW, SWAPPED_CHILDREN, Faulty, families
from tests.tb.report.browser import (
    SCHEMES,
    WIDTHS,
    Watched,
    check_contrast,
    check_no_overflow,
    check_quiet,
    check_tappable,
    looked_at,
)

pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.usefixtures("icarus")]

TEST = ("NETWORK=lbbvn", "N=4", "TEST=single_packets", "SIM=icarus")


def shown(
    tb_cli: Cli, folder: Path, *arguments: str
) -> tuple[subprocess.CompletedProcess[str], Path]:
    """What the command said, and its page."""
    result = tb_cli("show", *arguments, f"BUILD={folder}", "OPEN=0")
    output = re.search(r"^page: (.*)$", result.stdout, re.M)
    assert output, result.stdout + result.stderr
    path = Path(output[1])
    assert 0 < path.stat().st_size < MOST_BYTES
    return result, path


def opened(browser: Browser, path: Path, anchor: str = "") -> Watched:
    watched = Watched(browser.new_page(viewport={"width": WIDTHS[0], "height": 900}))
    watched.page.goto(path.as_uri() + anchor)
    watched.page.wait_for_function("window.ready === true")
    return watched


def state(page: Page) -> dict[str, int]:
    found: dict[str, int] = page.evaluate("player.state()")
    return found


@pytest.fixture(scope="module")
def sound(tb_cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a sound design."""
    result, path = shown(tb_cli, tmp_path_factory.mktemp("sound"), *TEST)
    assert result.returncode == 0
    assert "first disagreement" not in result.stdout
    return path


@pytest.fixture(scope="module")
def wrong(tb_cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What is printed of a design in which packets from above go to the other child; its page."""
    folder = tmp_path_factory.mktemp("wrong")
    rtl = folder / "rtl"
    shutil.copytree(Path(__file__).parents[3] / "rtl", rtl)
    SWAPPED_CHILDREN.apply(rtl)
    result, path = shown(tb_cli, folder, *TEST, f"RTL={rtl}")
    assert result.returncode == 1
    return result.stdout, path


def test_a_sound_run_is_played(sound: Path, browser: Browser) -> None:
    watched = opened(browser, sound)
    page = watched.page
    begin = state(page)
    assert begin["disagreements"] == begin["odd"] == 0
    assert begin["moving"] > 0  # it begins where something moves
    page.locator("#forward").click()
    assert state(page)["key"] == begin["key"] + 1
    page.keyboard.press("ArrowLeft")
    assert state(page)["key"] == begin["key"]
    page.keyboard.press("End")
    assert state(page)["key"] == begin["keys"] - 1
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    assert page.locator("#play").inner_text() == "Pause"
    page.wait_for_function("player.state().key > 0")
    page.keyboard.press(" ")
    assert page.locator("#play").inner_text() == "Play"
    check_quiet(watched)


def test_a_packet_is_picked(sound: Path, browser: Browser) -> None:
    """Packet 0 → 3: up two channels, down two, by both; each node on its way is set so."""
    page = opened(browser, sound).page
    slot = page.evaluate(
        "[...scene.packets.source.keys()].find((p) => scene.packets.source[p] === 0"
        " && scene.packets.destination[p] === 3)"
    )
    page.evaluate(f"player.go(player.view.keyOf(scene.packets.start[{slot}]))")
    page.locator("#now button").first.click()
    output = page.locator("#packet").inner_text()
    assert "0 → 3" in output
    assert "expected at leaf 3" in output
    assert "there it comes" in output
    way = page.locator("#packet tbody tr").all_inner_texts()
    places = [line.split("\t")[1] for line in way if "↳" not in line]
    assert [re.sub(r" lane \d", "", place) for place in places] == [
        "channel (2, 0) up",
        "channel (1, 0) up",
        "channel (1, 1) down",
        "channel (2, 3) down",
    ]
    assert all(line.split("\t")[2:] == ["✓", "✓"] for line in way if "↳" not in line)
    assert sum("is set to" in line for line in way) == 3
    page.keyboard.press("Escape")
    assert page.locator("#packet").inner_text() == "None."


def test_verilator_shows_the_first_clock_of_a_frame(tb_cli: Cli, tmp_path: Path) -> None:
    """What Python writes between two frames is in the waves before the clock rises."""
    result, _ = shown(tb_cli, tmp_path, "N=8", "TEST=frame", "SIM=verilator")
    assert result.returncode == 0
    assert "first disagreement" not in result.stdout


def test_a_planted_fault_is_seen_where_it_is(wrong: tuple[str, Path], browser: Browser) -> None:
    """A node below the root leads packets to the other child: there the page begins."""
    output, path = wrong
    assert kind.MISDELIVERED in output
    first = re.search(
        r"first disagreement: clock \d+: (channel \(2, \d\) down lane 0): (.*)", output
    )
    assert first, output
    page = opened(browser, path).page
    now = state(page)
    assert now["odd"] == 2  # one packet is missing where it should be, and is in the other place
    assert now["picked"] >= 0
    assert first[1] in page.locator("header").inner_text()
    picked = page.locator("#packet").inner_text()
    assert "the RTL does not give it there" in picked
    assert "where it is not expected" in picked
    assert page.locator("#now tr.odd").count() == 2
    before = now["key"]
    page.keyboard.press("d")
    assert state(page)["key"] > before
    # The model alone, and the RTL alone, have one of the two each.
    page.evaluate(f"player.go({before})")
    assert "show: make show" in output


def test_an_anchor_chooses_the_slot(wrong: tuple[str, Path], browser: Browser) -> None:
    page = opened(browser, wrong[1], "#t=3").page
    assert state(page)["told"].startswith("slot 3,")  # type: ignore[attr-defined]
    page.locator("#view").select_option("1")
    assert page.locator("#when").inner_text().startswith("clock 3")


def test_the_space_key_on_a_box_ticks_it(sound: Path, browser: Browser) -> None:
    """Elsewhere it plays."""
    page = opened(browser, sound).page
    page.locator("#loads").focus()
    page.keyboard.press(" ")
    assert page.locator("#loads").is_checked()
    assert page.locator("#play").inner_text() == "Play"


def test_loads_have_a_legend_with_units(sound: Path, browser: Browser) -> None:
    page = opened(browser, sound).page
    page.keyboard.press("l")
    assert "packets a lane and clock" in page.locator("#legend").inner_text()
    carried = page.evaluate("[...player.drawing.carried]")
    sent = page.evaluate(
        "scene.packets.source.filter((s, p) => s !== scene.packets.destination[p]).length"
    )
    assert sum(carried[2:6]) == sent  # up channels of the four leaves


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_it_fits_every_window(
    wrong: tuple[str, Path], browser: Browser, width: int, scheme: str
) -> None:
    page = opened(browser, wrong[1]).page
    looked_at(page, width, scheme)
    check_no_overflow(page)
    check_contrast(page)
    if width == min(WIDTHS):
        check_tappable(page)


def test_a_replay_line_becomes_a_page() -> None:
    assert shows("make sim N=4 SEED=1", 7) == "make show N=4 SEED=1 SLOT=7"


def test_what_is_wrong_is_told_in_a_line(tb_cli: Cli) -> None:
    for arguments, named in (
        (("SLOT=x",), "SLOT=x: must be a number from 0"),
        (("SLOT=-1",), "SLOT=-1: must be a number from 0"),
        (("INSIDE=2",), "INSIDE=2: "),
        (("TEST=rotators,frame",), "TEST=rotators,frame: is 2 tests; a page plays one"),
        (("FOO=1",), "FOO: no such variable"),
        (("WITNESS=x",), "WITNESS: is played by make sim alone"),
    ):
        result = tb_cli("show", *arguments)
        assert result.returncode == 2, result.stdout
        assert result.stderr.startswith(f"error: {named}")
        assert result.stderr.count("\n") == 1


def test_a_design_that_stops_at_once_has_no_page(tb_cli: Cli, rtl_copy: Path) -> None:
    ONE_LANE_TOO_FEW.apply(rtl_copy)
    result = tb_cli("show", *ONE_LANE_TOO_FEW.variables.split(), f"RTL={rtl_copy}", "SIM=icarus")
    assert result.returncode == 1
    assert result.stderr == ""
    assert ONE_LANE_TOO_FEW.rule in result.stdout
    assert "nothing to show: " in result.stdout


def test_a_slot_behind_the_end_is_the_users_mistake(tb_cli: Cli, tmp_path: Path) -> None:
    result = tb_cli("show", *TEST, "SLOT=100000", f"BUILD={tmp_path}", "OPEN=0", "INSIDE=0")
    assert result.returncode == 2
    assert result.stderr == "error: SLOT=100000: the run is over before it\n"


# ---- the other families --------------------------------------------------------------------------


def small(family: str) -> str:
    """A small network of a family, and a test of it."""
    words = {"NETWORK": family, **find(family).about.small}
    test = next(x for x in ("permutations", "permutation", "uniform") if x in scenarios(family))
    return " ".join(f"{name}={value}" for name, value in {**words, "TEST": test}.items())


SMALL = {
    **{family: small(family) for family in FAMILIES if family not in (DEFAULT, DESCRIBED)},
    "scheduled": "NETWORK=lbbvn N=8 CONTROL=SCHEDULED TEST=scheduled_slots",
    "static": "NETWORK=lbbvn N=16 UPPER_HALF=STATIC TEST=rotators",
    "combinational": "NETWORK=lbbvn N=4 PIPELINE=0 TEST=messages",
    "reset": "NETWORK=lbbvn N=8 TEST=reset_in_frame",
}
SEEN_AT_THE_ENDS = (kind.MISDELIVERED, kind.LATE, kind.LOST, kind.CORRUPTED, kind.LINK)


@pytest.mark.nightly
@pytest.mark.parametrize("name", SMALL)
def test_every_family_is_played(name: str, tb_cli: Cli, tmp_path: Path, browser: Browser) -> None:
    result, path = shown(tb_cli, tmp_path, *SMALL[name].split(), "SIM=icarus")
    assert result.returncode == 0
    assert "first disagreement" not in result.stdout
    watched = opened(browser, path)
    assert state(watched.page)["moving"] > 0
    assert state(watched.page)["disagreements"] == 0
    check_quiet(watched)


def planted() -> list[Faulty]:
    """A fault of each family that shows at an output or on a link."""
    return [
        next(design for design in designs if design.names[0] in SEEN_AT_THE_ENDS)
        for designs in families().values()
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("design", planted(), ids=lambda design: design.name)
def test_every_family_shows_a_fault(design: Faulty, tb_cli: Cli, rtl_copy: Path) -> None:
    design.apply(rtl_copy)
    arguments = [*design.variables.split(), f"RTL={rtl_copy}", "SIM=icarus"]
    result, _ = shown(tb_cli, rtl_copy.parent / "build", *arguments)
    assert result.returncode == 1
    assert "first disagreement: " in result.stdout


@pytest.mark.nightly
def test_a_deadlock_is_shown_with_its_circle(tb_cli: Cli, tmp_path: Path, browser: Browser) -> None:
    links = [
        "M=2,2",
        "W=1,2",
        "ROUTING=TBWP",
        "TBCH=1",
        "VCS=1",
        "DEPTH=2",
        "ROOT_LINKS=1",
        "LATERAL=MANY",
    ]
    result, path = shown(tb_cli, tmp_path, "NETWORK=turnback", *links, "TEST=uniform", "SIM=icarus")
    assert result.returncode == 1
    circle = len(re.findall(r"^    level .* waits for ", result.stdout, re.M))
    page = opened(browser, path).page
    assert state(page)["lost"] == circle > 1
    assert "deadlock" in page.locator("#now").inner_text()
