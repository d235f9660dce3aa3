"""Plots figures over the number of processors as SVG, one panel each."""

from collections.abc import Mapping
from pathlib import Path

from fattree_bench.report.plots import as_svg, looks, styled


def picture(
    measured: Mapping[str, list[dict[str, float]]], titles: Mapping[str, str], cache: Path
) -> str:
    """Reproducible SVG; empty if there is nothing to draw.

    `cache`: a folder for matplotlib's list of fonts.
    """
    if not measured:
        return ""
    with styled(cache):
        from matplotlib.figure import Figure

        figure = Figure(figsize=(4.2 * len(titles), 4.4), layout="constrained")
        panels = figure.subplots(1, len(titles), squeeze=False)[0]
        for panel, (key, title) in zip(panels, titles.items(), strict=True):
            panel.set_title(title, loc="left", fontweight="bold", fontsize=11)
            for number, (name, own) in enumerate(measured.items()):
                panel.plot(
                    [one["n"] for one in own],
                    [one[key] for one in own],
                    label=name,
                    gid=f"{title}: {name}",
                    **looks(number),
                )
            panel.set_xscale("log", base=2)
            panel.set_yscale("log")
            for axis in (panel.xaxis, panel.yaxis):
                axis.set_major_formatter(lambda value, _: f"{value:g}")  # STYLE has no 10^n
                axis.set_minor_formatter(lambda value, _: "")
            panel.set_xlabel("processors n")
        figure.legend(
            *panels[0].get_legend_handles_labels(), loc="outside upper left", ncols=7, frameon=False
        )
        return as_svg(figure)
