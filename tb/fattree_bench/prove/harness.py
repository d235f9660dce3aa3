"""The Verilog that proves a user's router: free senders and receivers around it, and its rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from fattree_bench.bench.interface import adapters, top
from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.interface.interface import Bits, Block, Interface, Packed
from fattree_bench.bench.interface.marks import at, counted, mark, sent_type, tail
from fattree_bench.bench.interface.pins import every_port, inverted, pin, sides
from fattree_bench.errors import UserError
from fattree_bench.families.proof import COMMON, Proof

HDL = Path(__file__).resolve().parent / "hdl"
LEAF = HDL.parents[1] / "bench" / "interface" / "hdl"
WITHOUT = {"none": "", "credits": "senders need them", "pairs": "traffic goes to legal outputs"}
WIDTH = "{width}"
SPARE = 2  # clocks of a design whose latency is unknown


@dataclass(frozen=True)
class Harness(Proof):
    """A user's router with all that may surround it.

    Attributes
    ----------
    within : clocks in which something must leave.
    without : an assumption that is left out, a key of WITHOUT.
    folder : of its Verilog.
    """

    design: Design = field(kw_only=True)
    folder: Path = field(kw_only=True)
    within: int = field(kw_only=True)
    without: str = "none"

    @property
    def wrapper(self) -> Path:
        return self.folder / f"{self.top}.v"

    def files(self, rtl: Path) -> list[Path]:
        own = [*sorted(HDL.glob("*.v")), LEAF / "leaf_handshake.v", LEAF / "leaf_tail.v"]
        return [*self.design.files.sources, *own, self.wrapper]

    def includes(self, rtl: Path) -> list[Path]:
        own = {path.parent for path in self.design.files.sources}
        return [COMMON, *self.design.files.includes, *sorted(own)]

    def texts(self) -> dict[str, str]:
        told = {name: text for name, (text, _) in self._rules.items()}
        return {k: v for k, v in told.items() if not self.rules or k in self.rules}

    # ---- what is proved --------------------------------------------------------------------------

    @property
    def multi(self) -> bool:
        """Packets may have several words."""
        return self.design.packet_words.longest > 1

    @property
    def passing(self) -> int:
        """Packets that may pass a word at the front: a turn of each, and what was under way."""
        return self.design.inputs * self.design.vcs + self.within

    @property
    def order(self) -> int:
        """What prove_watch takes."""
        return {False: 0, "channel": 2}.get(self.design.said.promises.order, 1)

    @cached_property
    def _rules(self) -> dict[str, tuple[str, str]]:
        """Text and Verilog by name."""
        d, within = self.design, f"within {self.within} clocks"
        credit = d.said.link.kind == "credit"
        every = {
            "L1": ("no word leaves without a credit", "bare == {OUTPUTS{1'b0}}")
            if credit
            else ("a word that waits for ready stays as it is", "unstable == {OUTPUTS{1'b0}}"),
            "L2": ("no more credits come back than words went", "over == {INPUTS{1'b0}}"),
            "L3": (f"credits of words that left come back {within}", "rule_home"),
            "R1": ("a word leaves only by the port it was sent to", "rule_route"),
            "R2": ("a word that leaves has come, and leaves once", "rule_once"),
            "R3": ("a word leaves unchanged, its packet's last as the last", "rule_same"),
            "R4": ("the words of a packet leave together", "rule_whole"),
            "R5": ("words of a pair leave in order", "rule_order"),
            "R6": ("a word has one channel and the right marks", "odd == {OUTPUTS{1'b0}}"),
            "B1": (f"where a word at the front has room, one leaves {within}", "rule_moves"),
            "B2": (f"at most {self.passing} packets begin there before it", "rule_fair"),
        }
        left = {"L2", "L3"} if not credit else {"L2"} if self.without == "credits" else set()
        left |= set() if self.design.said.link.stable or credit else {"L1"}
        left |= (set() if self.multi else {"R4"}) | (set() if self.order else {"R5"})
        return {name: told for name, told in every.items() if name not in left}

    # ---- Verilog ---------------------------------------------------------------------------------

    def write(self) -> None:
        """Write the wrapper."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.wrapper.write_text(self.text)

    @cached_property
    def text(self) -> str:
        """The wrapper."""
        made = top.text(self._interface, f"(\n{self._ports}\n);\n")
        rules = "".join(f"//   {name}  {text}\n" for name, (text, _) in self._rules.items())
        return f'`include "prove.vh"\n{rules}\n{made}'

    @property
    def free(self) -> dict[str, int]:
        """Bits of the free inputs."""
        d = self.design
        return {
            **{"source_i": d.inputs * d.vcs, "plain_i": 1, "front_i": 1},
            **{"pick_i": 1, "mark_i": 1, "after_i": 1},
            **{"offer_i": d.inputs, "vc_i": 2 * d.inputs, "goal_i": d.inputs * self._goal_bits},
            **{"last_i": d.inputs, "data_i": d.inputs * d.send.bits("data")},
            "open_i": d.outputs * d.vcs,
        }

    @property
    def _ports(self) -> str:
        lines = [f"  input wire [{bits - 1}:0] {name}" for name, bits in self.free.items()]
        case = f"`ifdef CASES\n  input wire [{self._channels + self.design.outputs + 5}:0] case_i,"
        return ",\n".join([f"{case}\n`endif\n  input wire clk", *lines])

    def case(self, **bits: int) -> int:
        """What the input case_i is in a case of prove_start, with CASES defined."""
        names = ("plain", "watch", "front", "mode", "loose", "wild")
        high = sum(bits.get(name, 0) << i for i, name in enumerate(names))
        low = bits.get("source", 0) | bits.get("only", 0) << self._channels
        return low | high << self._channels + self.design.outputs

    @property
    def _channels(self) -> int:
        return self.design.inputs * self.design.vcs

    @property
    def _goal_bits(self) -> int:
        return max(1, (self.design.outputs - 1).bit_length())

    @property
    def _constants(self) -> dict[str, Bits]:
        d, lengths = self.design, self.design.packet_words.choice.values
        bits = d.send.bits("dest") or 1
        table = sum(address << (bits * i) for i, address in enumerate(d.addresses))
        legal = d.legal.flatten().tolist() if self.without != "pairs" else [True] * d.legal.size
        pairs = sum(1 << i for i, one in enumerate(legal) if one)
        count, reset = d.inputs * d.outputs, d.said.reset
        return {
            **{"INPUTS": d.inputs, "OUTPUTS": d.outputs, "VCS": d.vcs, "GOAL_W": self._goal_bits},
            **{"DATA_W": d.send.bits("data"), "DEST_W": bits, "RESET": reset.clocks},
            "READY": reset.clocks + reset.silent,
            f"[{d.outputs * bits - 1}:0] ADDRESSES": f"{d.outputs * bits}'d{table}",
            f"[{count - 1}:0] LEGAL": f"{count}'d{pairs}",
            **{"LEAST": int(min(lengths)), "MOST": int(max(lengths))},
            **{"CREDITS": self._credits, "ORDER": self.order},
            **{"SEND_BACK_W": self._back("send"), "BACK_W": self._back("receive")},
            **{"WITHIN": self.within, "PASSING": self.passing},
        }

    @property
    def _credits(self) -> int:
        link = self.design.said.link
        return link.credits if link.kind == "credit" else 0

    def _back(self, direction: str) -> int:
        """Bits of the credits of a virtual channel."""
        side = self.design.send if direction == "send" else self.design.receive
        alone = "credit_vc" in side or self.design.vcs == 1
        return max(1, side.bits("credit") if alone else side.bits("credit") // self.design.vcs)

    @property
    def _interface(self) -> Interface:
        d, packed = self.design, []
        wires: dict[str, Bits] = {
            **{"reset": 1, "run": 1, "source": "INPUTS*VCS", "plain": 1, "front": 1},
            **{"only": "OUTPUTS", "loose": 1, "wild": 1},
            **{"fresh": "INPUTS*VCS", "taken": "INPUTS*VCS", "goal": "INPUTS*GOAL_W"},
            **dict.fromkeys(("heads", "last", "over"), "INPUTS"),
            **{"words": "INPUTS*DATA_W", "came": "OUTPUTS*VCS", "came_data": "OUTPUTS*DATA_W"},
            **{"spent": "INPUTS*VCS*8", "home": "INPUTS*VCS"},
            **dict.fromkeys(("came_last", "bare", "unstable", "odd"), "OUTPUTS"),
            **{f"rule_{x}": 1 for x in WATCHED},
        }
        for direction, leaves, side in sides(d):
            for x in side.fields.values():
                names = (f"{direction}_{x.role}", pin(direction, x))
                wires |= dict.fromkeys(names, f"{leaves}*{x.bits}")
            if side.packet:
                wire = f"{direction}_packet"
                fields = tuple((pin(direction, x), x.bits) for x in side.together)
                wires[wire] = f"{leaves}*{sum(x.bits for x in side.together)}"
                packed.append(Packed(wire, leaves, fields, split=direction == "receive"))
        return Interface(
            name="prove",
            origin=d.path.name,
            design=Block(d.said.design.top, "u_design", d.parameters, every_port(d)),
            constants=self._constants,
            wires=wires,
            packed=tuple(packed),
            text="".join([*inverted(d), START, self._senders(), self._receivers(), self._end()]),
            named=False,
        )

    def _senders(self) -> str:
        d = self.design
        driven = {**adapters.FORWARD, "type": sent_type(d)}
        lines = [
            f"assign {at('send', d.send, role, '')} = "
            f"{driven[role].format(bits=one.bits, top=one.bits - 1)};"
            for role, one in d.send.fields.items()
            if role in driven
        ]
        ready, each = "{VCS{1'b1}}", 0
        back = "{(VCS*SEND_BACK_W){1'b0}}"
        if self._credits:
            back = adapters.back("send", d.send, d)
        else:
            each = int(d.send.bits("ready") > 1)
            ready = at("send", d.send, "ready", "")
            ready = ready if d.send.bits("ready") == d.vcs else f"{{VCS{{{ready}}}}}"
        body = [*lines, *adapters.sent(d, "offered")]
        return SENDER.format(
            body=adapters.joined(body),
            ready=ready,
            back=back,
            each=each,
            honest=int(self.without != "credits"),
        )

    def _receivers(self) -> str:
        d, side = self.design, self.design.receive
        beside = [at("receive", side, x, "") for x in adapters.BESIDE if x in side]
        bits = sum(side.bits(x) for x in adapters.BESIDE if x in side)
        each, lines = int(side.bits("ready") > 1), []
        if self._credits and "credit_vc" in side:
            lines = adapters.given(d, self._back("receive"))
        elif self._credits:
            lines = [f"assign {at('receive', side, 'credit', '')} = back;"]
        else:
            lines = [
                f"assign {at('receive', side, 'ready', '')} = {'open' if each else 'open[0]'};"
            ]
        lines += counted(d) if tail(d) == "counted" else []
        free = "open_i[g*VCS +: VCS]"
        return RECEIVER.format(
            valid=at("receive", side, "valid", ""),
            valid_bits=side.bits("valid"),
            there=adapters.channel(d),
            free=free if self._credits or each else "{VCS{open_i[g*VCS]}}",
            tail=tail(d),
            mark=mark(d),
            mine=adapters.mine(d),
            data=at("receive", side, "data", ""),
            body=adapters.joined(lines),
            alone=int("credit_vc" in side),
            stable=int(d.said.link.stable and not self._credits),
            each=each,
            bits=bits,
            beside=", ".join(beside),
        )

    def _end(self) -> str:
        ports = ", ".join(f".{name}_o(rule_{name})" for name in WATCHED)
        rules = "\n".join(f"      `PROVE({x}, {told})" for x, (_, told) in self._rules.items())
        rules += f"\n      `PROVE({REACHED}, !rule_seen)"
        return END.format(ports=ports, rules=rules)


REACHED = "Z1"  # no rule: it is broken when a watched word leaves, so that the rules say something
WATCHED = ("route", "once", "same", "whole", "order", "moves", "fair", "home", "seen")
START = """
`ifndef CASES
  wire [INPUTS*VCS+OUTPUTS+5:0] case_i = {(INPUTS*VCS+OUTPUTS+6){1'b0}};
`endif
  prove_start #(
    .CHANNELS(INPUTS*VCS), .OUTPUTS(OUTPUTS), .RESET(RESET), .READY(READY)
  ) u_start (
    .clk(clk), .case_i(case_i), .source_i(source_i), .plain_i(plain_i), .front_i(front_i),
    .reset_o(reset), .run_o(run), .source_o(source), .plain_o(plain), .front_o(front),
    .only_o(only), .loose_o(loose), .wild_o(wild)
  );
"""
SENDER = """
  genvar h;
  generate
    for (g = 0; g < INPUTS; g = g + 1) begin : gen_send
      localparam [31:0] SELF = g;
      wire [VCS-1:0]    vc;
      wire [GOAL_W-1:0] address = goal[g*GOAL_W +: GOAL_W];
      wire [DATA_W-1:0] word;
      wire              offered = (vc != {{VCS{{1'b0}}}});
      wire              tail    = last[g];
      wire              head;
      wire [VCS*SEND_BACK_W-1:0] heard = {back};
{body}
      prove_sender #(
        .VCS(VCS), .OUTPUTS(OUTPUTS), .GOAL_W(GOAL_W), .LEGAL(LEGAL[g*OUTPUTS +: OUTPUTS]),
        .LEAST(LEAST), .MOST(MOST), .DATA_W(DATA_W), .CREDITS(CREDITS), .BACK_W(SEND_BACK_W),
        .HONEST({honest}), .EACH({each})
      ) u_sender (
        .clk(clk), .run_i(run), .stays_i(front), .loose_i(loose),
        .wild_i(wild & (source[g*VCS +: VCS] == {{VCS{{1'b0}}}})), .offer_i(offer_i[g]),
        .vc_i(vc_i[g*2 +: 2]),
        .goal_i(goal_i[g*GOAL_W +: GOAL_W]), .last_i(last_i[g]),
        .data_i(words[g*DATA_W +: DATA_W]), .ready_i({ready}), .back_i(heard), .offer_o(vc),
        .new_o(fresh[g*VCS +: VCS]), .taken_o(taken[g*VCS +: VCS]),
        .goal_o(goal[g*GOAL_W +: GOAL_W]), .head_o(head), .last_o(last[g]), .data_o(word),
        .over_o(over[g]), .spent_o(spent[g*VCS*8 +: VCS*8])
      );
      assign heads[g] = head;
      for (h = 0; h < VCS; h = h + 1) begin : gen_home
        assign home[g*VCS + h] = (heard[h*SEND_BACK_W +: SEND_BACK_W] != {{SEND_BACK_W{{1'b0}}}});
      end
`ifdef REPLAY
      always @(negedge clk)
        if (taken[g*VCS +: VCS] != {{VCS{{1'b0}}}})
          $display("came %0d %0d %b %0d %b%b %h", $time, g, vc, address, head, tail, word);
        else if (fresh[g*VCS +: VCS] != {{VCS{{1'b0}}}})
          $display("waits %0d %0d %b %0d %b%b %h", $time, g, vc, address, head, tail, word);
`endif
    end
  endgenerate
"""
RECEIVER = """
  generate
    for (g = 0; g < OUTPUTS; g = g + 1) begin : gen_receive
      wire [{valid_bits}-1:0] heard = {valid};
      wire [VCS-1:0]   there = {there};
      wire [VCS-1:0]   open;
      wire [VCS*BACK_W-1:0] back;
      wire             quiet = ~run;
      reg  [VCS-1:0]   within_q;
      wire             head = ((there & within_q) == {{VCS{{1'b0}}}});
      wire             tail = {tail};
      wire [1:0]       own;
{body}
      prove_receiver #(.VCS(VCS), .CREDITS(CREDITS), .BACK_W(BACK_W), .ALONE({alone})) u_receiver (
        .clk(clk), .run_i(run), .prompt_i(front), .wild_i(wild & ~front),
        .open_i({free}), .valid_i(there),
        .ready_o(open), .back_o(back), .came_o(came[g*VCS +: VCS]), .bare_o(bare[g])
      );
      leaf_handshake #(.SIDE_W({bits}), .STABLE({stable}), .VCS(VCS), .EACH({each})) u_rules (
        .clk(clk), .quiet_i(quiet), .valid_i(there), .ready_i(open), .side_i({{{beside}}}),
        .broken_o(own)
      );
      assign unstable[g]  = (own != 2'b00);
      assign came_last[g] = tail;
      assign came_data[g*DATA_W +: DATA_W] = {data};
      assign odd[g] = (came[g*VCS +: VCS] != {{VCS{{1'b0}}}})
        & (((there & (there - 1'b1)) != {{VCS{{1'b0}}}}) | ({mark} != head) | ~{mine});
      always @(posedge clk)
        within_q <= run ? (within_q & ~came[g*VCS +: VCS]) | (came[g*VCS +: VCS] & {{VCS{{~tail}}}})
                        : {{VCS{{1'b0}}}};
`ifdef REPLAY
      always @(negedge clk)
        if (came[g*VCS +: VCS] != {{VCS{{1'b0}}}})
          $display("left %0d %0d %b %0d %b%b %h", $time, g, there, g, head, tail, {data});
`endif
    end
  endgenerate
"""
END = """
  prove_watch #(
    .INPUTS(INPUTS), .OUTPUTS(OUTPUTS), .VCS(VCS), .GOAL_W(GOAL_W), .DATA_W(DATA_W),
    .CREDITS(CREDITS), .ORDER(ORDER), .WITHIN(WITHIN), .PASSING(PASSING)
  ) u_watch (
    .clk(clk), .run_i(run), .front_i(front), .plain_i(plain), .source_i(source),
    .only_i(only), .pick_i(pick_i),
    .mark_i(mark_i), .after_i(after_i), .data_i(data_i), .new_i(fresh), .taken_i(taken),
    .goal_i(goal), .head_i(heads), .last_i(last), .spent_i(spent), .back_i(home), .data_o(words),
    .came_i(came), .came_data_i(came_data), .came_last_i(came_last), {ports}
  );
  always @*
    if (run) begin
{rules}
    end
"""


def again(path: str, folder: Path, given: Mapping[str, str]) -> Harness:
    """The harness of a file, as `of` makes it of the variables of `make prove`."""
    number = {name: int(given.get(name) or 0) for name in ("WIDTH", "WITHIN", "CLOCKS")}
    made = of(
        Design.read(path), folder, number["WIDTH"], number["WITHIN"], given.get("WITHOUT", "none")
    )
    return replace(made, bound=number["CLOCKS"])


def narrow(design: Design, bits: int) -> Design:
    """The same design with so many bits of data, by its own {width}."""
    said = design.said
    return Design(design.path, replace(said, design=replace(said.design, width=bits)))


def of(design: Design, folder: Path, width: int, within: int, without: str) -> Harness:
    """The harness of a design; UserError for what cannot be proved yet."""
    said, path = design.said, design.path.name
    for bad, told in (
        (said.link.kind not in ("stream", "credit"), "link.kind: there is stream, credit"),
        (said.promises.drops is not None, "promises.drops: packets that may be dropped"),
        (said.link.mode == "resend", "link.mode = 'resend'"),
        ({"length"} & {*design.send.fields, *design.receive.fields}, "a field length"),
        (design.files.libraries, "design.sources: -y"),
        (design.send.bits("data") != design.receive.bits("data"), "data of two widths"),
    ):
        if bad:
            raise UserError(f"{path}: {told}: not for these yet")
    least = 3 + bool(said.promises.order)
    if width or re.search(r"\{width\}", str(said.design.parameters)):
        design = narrow(design, width or least)
    if design.send.bits("data") < least:
        raise UserError(f"WIDTH={width}: must be {least} at least")
    latency = said.promises.latency
    usual = latency and (latency.most or int(latency.usual or 0) or latency.least)
    return Harness(
        name="router",
        network="",
        size=f"{design.inputs} → {design.outputs} ports, VCS={design.vcs}",
        top="prove_bench",
        design=design,
        folder=folder,
        within=within or design.inputs * design.vcs + (usual or SPARE),
        without=without,
        language="2012" if design.system_verilog else "2005",
        defines=tuple(f"{k}={x}" if x else k for k, x in design.files.defines.items()),
    )
