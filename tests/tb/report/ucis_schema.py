"""What the XML schema of UCIS 1.0 demands of the elements that we write, as far as order goes.

Written from the schema that pyucis brings along, against which a report of every sort was once
validated in full; it is not a requirement of this project for the sake of one file.
"""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

BIN = (("contents", "userAttr"), ())
# children in their order, then attributes that must be there; by tag, or by parent and tag
RULES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "UCIS": (
        ("sourceFiles", "historyNodes", "instanceCoverages"),
        ("ucisVersion", "writtenBy", "writtenTime"),
    ),
    "sourceFiles": ((), ("fileName", "id")),
    "historyNodes": (
        ("userAttr",),
        (
            *("historyNodeId", "logicalName", "testStatus", "date", "toolCategory"),
            *("ucisVersion", "vendorId", "vendorTool", "vendorToolVersion"),
        ),
    ),
    "instanceCoverages": (
        (
            *("designParameter", "id", "toggleCoverage", "blockCoverage", "conditionCoverage"),
            *("branchCoverage", "fsmCoverage", "assertionCoverage", "covergroupCoverage"),
            "userAttr",
        ),
        ("name", "key"),
    ),
    "designParameter": (("name", "value"), ()),
    "name": ((), ()),
    "value": ((), ()),
    **dict.fromkeys(("id", "cginstSourceId", "cgSourceId"), ((), ("file", "line", "inlineCount"))),
    "covergroupCoverage": (("cgInstance", "userAttr"), ()),
    "cgInstance": (
        ("options", "cgId", "cgParms", "coverpoint", "cross", "userAttr"),
        ("name", "key"),
    ),
    "options": ((), ()),
    "cgId": (("cginstSourceId", "cgSourceId"), ("cgName", "moduleName")),
    "coverpoint": (("options", "coverpointBin", "userAttr"), ("name", "key")),
    "coverpointBin": (("range", "sequence", "userAttr"), ("name", "key", "type")),
    "range": (("contents",), ("from", "to")),
    "contents": (("historyNodeId",), ("coverageCount",)),
    "cross": (("options", "crossExpr", "crossBin", "userAttr"), ("name", "key")),
    "crossExpr": ((), ()),
    "crossBin": (("index", "contents", "userAttr"), ("name", "key")),
    "index": ((), ()),
    "userAttr": ((), ("key", "type")),
    "toggleCoverage": (("toggleObject", "metricMode", "userAttr"), ()),
    "toggleObject": (("dimension", "id", "toggleBit", "userAttr"), ("name", "key")),
    "toggleBit": (("index", "toggle", "userAttr"), ("name", "key")),
    "toggle": (("bin",), ("from", "to")),
    "blockCoverage": (("process", "block", "statement", "userAttr"), ()),
    "blockCoverage/statement": (("id", "bin", "userAttr"), ()),
    "conditionCoverage": (("expr", "userAttr"), ()),
    "expr": (
        ("id", "subExpr", "bin", "hierarchicalExpr", "userAttr"),
        ("name", "key", "exprString", "index", "width"),
    ),
    "subExpr": ((), ()),
    "branchCoverage": (("statement", "userAttr"), ()),
    "branchCoverage/statement": (("id", "branch", "userAttr"), ("statementType",)),
    "branch": (("id", "nestedBranch", "branchBin", "userAttr"), ()),
    "bin": BIN,
    "branchBin": BIN,
}


def violations(element: Element, parent: str = "") -> Iterator[str]:
    """What the schema does not allow in an element and below it."""
    rule = RULES.get(f"{parent}/{element.tag}", RULES.get(element.tag))
    if rule is None:
        yield f"{element.tag} in {parent}: unknown"
        return
    order, needed = rule
    tags = [child.tag for child in element]
    strange = [tag for tag in tags if tag not in order]
    yield from (f"{tag} in {element.tag}: not allowed" for tag in strange)
    if not strange and tags != sorted(tags, key=order.index):
        yield f"{element.tag}: children out of order"
    yield from (f"{element.tag}: no {name}" for name in needed if name not in element.attrib)
    for child in element:
        if child.tag in order:
            yield from violations(child, element.tag)
