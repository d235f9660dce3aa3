"""What a terminal says while a simulation runs: which test, how many, what has failed."""

from pathlib import Path

from fattree_bench.simulated import Live


def test_results_are_told_as_they_come(tmp_path: Path) -> None:
    """Once each; half a line does not count, and the last test has none behind it."""
    said: list[str] = []
    live, results = Live(["frame", "crowds", "idle"], said.append), tmp_path / "results.jsonl"
    live.look(results)
    assert said == []
    for text in (
        '{"scenario": "frame", "faults": {}}\n{"scenario": "cro',
        'wds", "faults": {"lost": 2}}\n',
        "",
        '{"scenario": "idle", "faults": {}}\n',
    ):
        with results.open("a") as file:
            file.write(text)
        live.look(results)
    (tmp_path / "clock").write_text("4100000\n")
    live.look(results)
    live.look(results)
    assert said == [
        "running crowds, 1 of 3 tests done",
        "running idle, 2 of 3 tests done; failed: crowds",
        "ending, 3 of 3 tests done; failed: crowds",
        "ending, 3 of 3 tests done, clock 4,100,000; failed: crowds",
    ]
