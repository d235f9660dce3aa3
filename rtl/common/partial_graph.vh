// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pippenger's bipartite graphs, frozen: functions to be included into a module.
//
// Edge e of input i of the graph with r inputs and s outputs is stub number
// p = e r + (m_e i + b_e) mod r of the stubs that are dealt to the outputs one after the other:
// output p mod s.  Six edges an input, at most nine an output while s >= 2r/3.  The numbers below
// are those for which Hall's condition was verified, for every s from 2r/3 to r - 1, up to 3/4 s
// inputs (models/fattree_models/leiserson/partial.py has the same table,
// partial_proof.py the proof).

// m_0 b_0 ... m_5 b_5, a byte each, m_0 in the highest; 0 for an r without a graph.
function [95:0] graph_row(input integer r);
  case (r)
    8: graph_row = {8'd1,8'd5, 8'd1,8'd1, 8'd1,8'd1, 8'd1,8'd3, 8'd1,8'd3, 8'd1,8'd3};
    9: graph_row = {8'd7,8'd1, 8'd7,8'd1, 8'd7,8'd3, 8'd7,8'd3, 8'd7,8'd3, 8'd7,8'd3};
    10: graph_row = {8'd1,8'd2, 8'd1,8'd2, 8'd1,8'd2, 8'd1,8'd5, 8'd1,8'd5, 8'd1,8'd5};
    11: graph_row = {8'd8,8'd4, 8'd8,8'd4, 8'd8,8'd4, 8'd8,8'd4, 8'd8,8'd4, 8'd8,8'd4};
    12: graph_row = {8'd11,8'd1, 8'd11,8'd1, 8'd11,8'd6, 8'd11,8'd6, 8'd11,8'd11, 8'd11,8'd11};
    13: graph_row = {8'd1,8'd4, 8'd1,8'd12, 8'd1,8'd3, 8'd1,8'd7, 8'd1,8'd11, 8'd1,8'd6};
    14: graph_row = {8'd13,8'd3, 8'd13,8'd7, 8'd13,8'd7, 8'd13,8'd7, 8'd13,8'd8, 8'd13,8'd8};
    15: graph_row = {8'd7,8'd4, 8'd7,8'd4, 8'd7,8'd12, 8'd7,8'd12, 8'd7,8'd5, 8'd7,8'd5};
    16: graph_row = {8'd3,8'd0, 8'd3,8'd2, 8'd3,8'd3, 8'd3,8'd5, 8'd3,8'd5, 8'd3,8'd5};
    17: graph_row = {8'd6,8'd6, 8'd6,8'd9, 8'd6,8'd9, 8'd6,8'd9, 8'd6,8'd9, 8'd6,8'd15};
    18: graph_row = {8'd11,8'd0, 8'd11,8'd5, 8'd11,8'd7, 8'd11,8'd7, 8'd11,8'd9, 8'd11,8'd2};
    19: graph_row = {8'd12,8'd3, 8'd12,8'd3, 8'd12,8'd15, 8'd12,8'd8, 8'd12,8'd1, 8'd12,8'd1};
    20: graph_row = {8'd7,8'd13, 8'd7,8'd19, 8'd7,8'd0, 8'd7,8'd2, 8'd7,8'd6, 8'd7,8'd6};
    21: graph_row = {8'd16,8'd4, 8'd16,8'd4, 8'd16,8'd8, 8'd16,8'd20, 8'd16,8'd3, 8'd16,8'd3};
    22: graph_row = {8'd1,8'd2, 8'd1,8'd4, 8'd1,8'd8, 8'd1,8'd19, 8'd1,8'd3, 8'd1,8'd3};
    23: graph_row = {8'd12,8'd17, 8'd12,8'd17, 8'd12,8'd20, 8'd12,8'd3, 8'd12,8'd3, 8'd12,8'd6};
    24: graph_row = {8'd7,8'd13, 8'd7,8'd13, 8'd7,8'd17, 8'd7,8'd20, 8'd7,8'd0, 8'd7,8'd15};
    25: graph_row = {8'd19,8'd2, 8'd19,8'd7, 8'd19,8'd7, 8'd19,8'd13, 8'd19,8'd21, 8'd19,8'd6};
    26: graph_row = {8'd11,8'd0, 8'd11,8'd4, 8'd11,8'd4, 8'd11,8'd7, 8'd11,8'd8, 8'd11,8'd13};
    27: graph_row = {8'd22,8'd3, 8'd22,8'd3, 8'd22,8'd19, 8'd22,8'd19, 8'd22,8'd23, 8'd22,8'd2};
    28: graph_row = {8'd5,8'd13, 8'd5,8'd15, 8'd5,8'd21, 8'd5,8'd2, 8'd5,8'd2, 8'd5,8'd10};
    29: graph_row = {8'd14,8'd8, 8'd14,8'd20, 8'd14,8'd7, 8'd14,8'd7, 8'd14,8'd10, 8'd14,8'd11};
    30: graph_row = {8'd23,8'd19, 8'd23,8'd23, 8'd23,8'd27, 8'd23,8'd12, 8'd23,8'd26, 8'd23,8'd27};
    31: graph_row = {8'd24,8'd30, 8'd24,8'd30, 8'd24,8'd5, 8'd24,8'd8, 8'd24,8'd20, 8'd24,8'd3};
    32: graph_row = {8'd15,8'd10, 8'd15,8'd29, 8'd15,8'd29, 8'd15,8'd3, 8'd15,8'd24, 8'd15,8'd28};
    33: graph_row = {8'd19,8'd2, 8'd19,8'd3, 8'd19,8'd19, 8'd19,8'd31, 8'd19,8'd6, 8'd19,8'd18};
    34: graph_row = {8'd13,8'd33, 8'd13,8'd6, 8'd13,8'd28, 8'd13,8'd29, 8'd13,8'd5, 8'd13,8'd6};
    35: graph_row = {8'd23,8'd32, 8'd23,8'd17, 8'd23,8'd29, 8'd1,8'd15, 8'd23,8'd3, 8'd23,8'd6};
    36: graph_row = {8'd35,8'd15, 8'd35,8'd25, 8'd17,8'd8, 8'd35,8'd29, 8'd17,8'd12, 8'd17,8'd22};
    37: graph_row = {8'd10,8'd25, 8'd10,8'd31, 8'd32,8'd20, 8'd10,8'd28, 8'd10,8'd35, 8'd10,8'd9};
    38: graph_row = {8'd33,8'd36, 8'd13,8'd31, 8'd13,8'd37, 8'd13,8'd18, 8'd13,8'd5, 8'd13,8'd18};
    39: graph_row = {8'd22,8'd3, 8'd22,8'd21, 8'd22,8'd35, 8'd22,8'd20, 8'd11,8'd3, 8'd22,8'd31};
    40: graph_row = {8'd39,8'd30, 8'd39,8'd9, 8'd19,8'd13, 8'd39,8'd36, 8'd39,8'd8, 8'd39,8'd31};
    41: graph_row = {8'd31,8'd25, 8'd36,8'd33, 8'd36,8'd37, 8'd36,8'd3, 8'd36,8'd37, 8'd36,8'd6};
    42: graph_row = {8'd41,8'd12, 8'd41,8'd23, 8'd41,8'd25, 8'd41,8'd32, 8'd41,8'd2, 8'd41,8'd8};
    43: graph_row = {8'd24,8'd5, 8'd24,8'd29, 8'd24,8'd2, 8'd24,8'd22, 8'd24,8'd34, 8'd37,8'd4};
    44: graph_row = {8'd27,8'd13, 8'd27,8'd27, 8'd25,8'd16, 8'd25,8'd18, 8'd27,8'd25, 8'd25,8'd18};
    45: graph_row = {8'd7,8'd2, 8'd22,8'd44, 8'd7,8'd30, 8'd22,8'd21, 8'd22,8'd25, 8'd7,8'd13};
    46: graph_row = {8'd37,8'd31, 8'd37,8'd41, 8'd37,8'd24, 8'd37,8'd36, 8'd37,8'd44, 8'd37,8'd44};
    47: graph_row = {8'd17,8'd37, 8'd17,8'd43, 8'd17,8'd14, 8'd36,8'd26, 8'd36,8'd36, 8'd17,8'd16};
    48: graph_row = {8'd1,8'd9, 8'd43,8'd40, 8'd19,8'd44, 8'd25,8'd47, 8'd1,8'd3, 8'd19,8'd30};
    49: graph_row = {8'd47,8'd33, 8'd47,8'd33, 8'd8,8'd29, 8'd33,8'd7, 8'd47,8'd11, 8'd47,8'd14};
    50: graph_row = {8'd9,8'd2, 8'd31,8'd3, 8'd31,8'd7, 8'd9,8'd6, 8'd31,8'd19, 8'd31,8'd35};
    51: graph_row = {8'd25,8'd15, 8'd25,8'd43, 8'd25,8'd16, 8'd25,8'd36, 8'd25,8'd48, 8'd1,8'd23};
    52: graph_row = {8'd9,8'd46, 8'd35,8'd28, 8'd33,8'd19, 8'd9,8'd17, 8'd35,8'd46, 8'd9,8'd29};
    53: graph_row = {8'd50,8'd36, 8'd10,8'd32, 8'd50,8'd49, 8'd50,8'd10, 8'd50,8'd30, 8'd10,8'd44};
    54: graph_row = {8'd23,8'd11, 8'd23,8'd42, 8'd23,8'd0, 8'd23,8'd23, 8'd17,8'd1, 8'd23,8'd4};
    55: graph_row = {8'd52,8'd14, 8'd52,8'd19, 8'd31,8'd15, 8'd52,8'd31, 8'd9,8'd21, 8'd52,8'd20};
    56: graph_row = {8'd3,8'd55, 8'd3,8'd18, 8'd17,8'd50, 8'd3,8'd33, 8'd3,8'd4, 8'd3,8'd37};
    57: graph_row = {8'd37,8'd44, 8'd37,8'd49, 8'd10,8'd1, 8'd10,8'd18, 8'd10,8'd21, 8'd10,8'd31};
    58: graph_row = {8'd39,8'd11, 8'd39,8'd17, 8'd11,8'd29, 8'd39,8'd35, 8'd11,8'd10, 8'd11,8'd18};
    59: graph_row = {8'd13,8'd13, 8'd13,8'd20, 8'd41,8'd33, 8'd41,8'd55, 8'd13,8'd38, 8'd7,8'd27};
    60: graph_row = {8'd41,8'd11, 8'd41,8'd13, 8'd41,8'd27, 8'd29,8'd0, 8'd29,8'd8, 8'd29,8'd26};
    61: graph_row = {8'd39,8'd30, 8'd39,8'd32, 8'd13,8'd26, 8'd13,8'd41, 8'd39,8'd47, 8'd8,8'd34};
    62: graph_row = {8'd59,8'd18, 8'd57,8'd9, 8'd59,8'd36, 8'd59,8'd54, 8'd59,8'd54, 8'd57,8'd9};
    63: graph_row = {8'd22,8'd2, 8'd40,8'd21, 8'd31,8'd43, 8'd40,8'd18, 8'd40,8'd33, 8'd22,8'd32};
    64: graph_row = {8'd25,8'd3, 8'd25,8'd7, 8'd25,8'd12, 8'd17,8'd44, 8'd17,8'd9, 8'd9,8'd34};
    65: graph_row = {8'd32,8'd28, 8'd32,8'd33, 8'd32,8'd52, 8'd32,8'd2, 8'd32,8'd2, 8'd12,8'd9};
    66: graph_row = {8'd31,8'd19, 8'd31,8'd31, 8'd31,8'd54, 8'd31,8'd59, 8'd31,8'd8, 8'd31,8'd46};
    67: graph_row = {8'd54,8'd11, 8'd28,8'd61, 8'd28,8'd9, 8'd54,8'd1, 8'd18,8'd34, 8'd54,8'd31};
    68: graph_row = {8'd25,8'd57, 8'd25,8'd2, 8'd25,8'd22, 8'd61,8'd55, 8'd57,8'd55, 8'd25,8'd44};
    69: graph_row = {8'd5,8'd14, 8'd5,8'd26, 8'd10,8'd22, 8'd10,8'd38, 8'd56,8'd40, 8'd10,8'd57};
    70: graph_row = {8'd11,8'd62, 8'd51,8'd35, 8'd51,8'd35, 8'd11,8'd36, 8'd1,8'd10, 8'd1,8'd22};
    71: graph_row = {8'd20,8'd48, 8'd10,8'd18, 8'd10,8'd28, 8'd40,8'd7, 8'd40,8'd47, 8'd40,8'd6};
    72: graph_row = {8'd65,8'd57, 8'd11,8'd42, 8'd11,8'd62, 8'd17,8'd47, 8'd65,8'd31, 8'd11,8'd36};
    73: graph_row = {8'd2,8'd24, 8'd10,8'd65, 8'd50,8'd53, 8'd50,8'd68, 8'd16,8'd9, 8'd50,8'd15};
    74: graph_row = {8'd3,8'd36, 8'd3,8'd38, 8'd3,8'd52, 8'd39,8'd17, 8'd53,8'd57, 8'd39,8'd29};
    75: graph_row = {8'd2,8'd10, 8'd59,8'd73, 8'd2,8'd20, 8'd17,8'd53, 8'd52,8'd61, 8'd17,8'd9};
    76: graph_row = {8'd67,8'd7, 8'd13,8'd2, 8'd53,8'd7, 8'd15,8'd17, 8'd29,8'd12, 8'd29,8'd32};
    77: graph_row = {8'd32,8'd18, 8'd32,8'd30, 8'd32,8'd33, 8'd61,8'd57, 8'd32,8'd54, 8'd32,8'd63};
    78: graph_row = {8'd43,8'd53, 8'd1,8'd74, 8'd1,8'd14, 8'd43,8'd73, 8'd43,8'd43, 8'd1,8'd76};
    79: graph_row = {8'd4,8'd6, 8'd18,8'd10, 8'd21,8'd28, 8'd18,8'd27, 8'd4,8'd43, 8'd39,8'd45};
    80: graph_row = {8'd59,8'd43, 8'd19,8'd40, 8'd79,8'd40, 8'd39,8'd41, 8'd39,8'd62, 8'd39,8'd6};
    81: graph_row = {8'd26,8'd50, 8'd59,8'd50, 8'd20,8'd63, 8'd11,8'd57, 8'd8,8'd76, 8'd8,8'd31};
    82: graph_row = {8'd19,8'd74, 8'd19,8'd1, 8'd19,8'd28, 8'd71,8'd56, 8'd71,8'd13, 8'd9,8'd51};
    83: graph_row = {8'd12,8'd59, 8'd43,8'd82, 8'd12,8'd75, 8'd12,8'd81, 8'd43,8'd36, 8'd13,8'd39};
    84: graph_row = {8'd73,8'd70, 8'd73,8'd5, 8'd19,8'd41, 8'd61,8'd44, 8'd19,8'd57, 8'd19,8'd6};
    85: graph_row = {8'd44,8'd71, 8'd84,8'd16, 8'd44,8'd81, 8'd84,8'd19, 8'd44,8'd34, 8'd84,8'd70};
    86: graph_row = {8'd79,8'd58, 8'd57,8'd61, 8'd57,8'd75, 8'd25,8'd59, 8'd79,8'd32, 8'd79,8'd50};
    87: graph_row = {8'd28,8'd33, 8'd71,8'd70, 8'd83,8'd4, 8'd13,8'd64, 8'd86,8'd41, 8'd25,8'd71};
    88: graph_row = {8'd27,8'd51, 8'd35,8'd62, 8'd27,8'd2, 8'd35,8'd37, 8'd7,8'd17, 8'd71,8'd12};
    89: graph_row = {8'd36,8'd34, 8'd36,8'd63, 8'd44,8'd0, 8'd58,8'd46, 8'd7,8'd32, 8'd7,8'd46};
    90: graph_row = {8'd89,8'd27, 8'd29,8'd75, 8'd59,8'd52, 8'd59,8'd76, 8'd59,8'd43, 8'd89,8'd23};
    91: graph_row = {8'd37,8'd66, 8'd37,8'd71, 8'd25,8'd41, 8'd11,8'd57, 8'd25,8'd89, 8'd51,8'd4};
    92: graph_row = {8'd59,8'd75, 8'd47,8'd6, 8'd47,8'd14, 8'd13,8'd43, 8'd71,8'd1, 8'd3,8'd72};
    93: graph_row = {8'd13,8'd53, 8'd13,8'd16, 8'd13,8'd48, 8'd79,8'd3, 8'd79,8'd20, 8'd61,8'd56};
    94: graph_row = {8'd71,8'd54, 8'd43,8'd44, 8'd43,8'd59, 8'd21,8'd23, 8'd43,8'd89, 8'd71,8'd62};
    95: graph_row = {8'd1,8'd56, 8'd66,8'd8, 8'd66,8'd37, 8'd81,8'd44, 8'd1,8'd77, 8'd81,8'd92};
    96: graph_row = {8'd47,8'd33, 8'd11,8'd70, 8'd11,8'd29, 8'd47,8'd35, 8'd43,8'd44, 8'd83,8'd36};
    default: graph_row = 96'd0;
  endcase
endfunction

// Edges an input; a complete graph where that keeps the degrees small.
function integer graph_degree(input integer r, input integer s);
  graph_degree = (r <= 9 && s <= 6) ? s : 6;
endfunction

// Output of edge e of input i; row is graph_row(r), looked up once.
function integer graph_output(input [95:0] row, input integer r, input integer s,
                              input integer i, input integer e);
  integer m, b;
  begin
    m = {24'd0, row[88 - 16*e +: 8]};
    b = {24'd0, row[80 - 16*e +: 8]};
    if (r <= 9 && s <= 6)
      graph_output = (i + e) % s;
    else
      graph_output = (e * r + (m * i + b) % r) % s;
  end
endfunction
