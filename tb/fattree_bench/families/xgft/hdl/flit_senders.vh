// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// What senders on links with VCS virtual channels promise, to be included in a wrapper with PORTS
// links: valid_i and flit_i (FLIT_W bits a port; bits TAIL and HEAD) towards the design, `credits`
// back, `first` in the clock of the reset.  `polite` says that they keep to it: at most one flit a
// port, each with a credit, and packets whole and one after the other.

reg [PORTS*VCS*COUNT_W-1:0] credit_q;  // credits that the sender has, by port and VC
reg [PORTS*VCS-1:0]         open_q;    // it is inside a packet
reg                         polite;
integer                     sender, queue;

always @(posedge clk)
  for (sender = 0; sender < PORTS * VCS; sender = sender + 1) begin
    credit_q[sender*COUNT_W +: COUNT_W] <=
      first ? DEPTH : credit_q[sender*COUNT_W +: COUNT_W] + credits[sender] - valid_i[sender];
    open_q[sender] <=
      !first && (valid_i[sender] ? !flit_i[(sender/VCS)*FLIT_W + TAIL] : open_q[sender]);
  end

always @* begin
  polite = 1'b1;
  for (queue = 0; queue < PORTS * VCS; queue = queue + 1)
    if (valid_i[queue] && (credit_q[queue*COUNT_W +: COUNT_W] == {COUNT_W{1'b0}}
                           || flit_i[(queue/VCS)*FLIT_W + HEAD] == open_q[queue])) polite = 1'b0;
  for (queue = 0; queue < PORTS; queue = queue + 1)
    if ((valid_i[queue*VCS +: VCS] & (valid_i[queue*VCS +: VCS] - 1'b1)) != {VCS{1'b0}})
      polite = 1'b0;
end
