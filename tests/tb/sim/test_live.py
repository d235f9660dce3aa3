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
        "running idle, 2 of 3 tests done; 1 failed: crowds",
        "ending, 3 of 3 tests done; 1 failed: crowds",
        "ending, 3 of 3 tests done, clock 4,100,000; 1 failed: crowds",
    ]


def test_of_many_that_failed_a_few_are_named(tmp_path: Path) -> None:
    said: list[str] = []
    names = ["one", "two", "three", "four"]
    lines = [f'{{"scenario": "{name}", "faults": {{"lost": 1}}}}\n' for name in names]
    (tmp_path / "results.jsonl").write_text("".join(lines))
    Live(names, said.append).look(tmp_path / "results.jsonl")
    assert said == ["ending, 4 of 4 tests done; 4 failed: one, two, three"]
