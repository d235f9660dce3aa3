// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

// Main program of a Verilated bench under cocotb.
//
// Beside the usual loop of VPI callbacks it does two things.  While the top's busy_o is high it
// runs the clock itself, without a callback ("burst").  And it tells Python where a Verilated
// memory lies (bench_memory), so that numpy can look at it without a copy.

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "Vtop.h"
#include "verilated.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"
#include "verilated_vpi.h"

#if VM_TRACE
#include "verilated_vcd_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

extern "C" void vlog_startup_routines_bootstrap(void);

namespace {

uint64_t now = 0;
bool fatal = false;
volatile std::sig_atomic_t terminated = 0;  // told to end: in order, as after $stop

bool over() { return terminated || Verilated::gotFinish(); }

#if VM_TRACE
std::unique_ptr<VerilatedVcdC> waves;
void dump_waves() {
    if (waves) waves->dump(now);
}
#else
void dump_waves() {}
#endif

void settle_value_callbacks() {
    while (VerilatedVpi::callValueCbs()) {}
}

// One time step as cocotb expects it: writes, value changes and read-write callbacks until quiet.
void settle(Vtop& top) {
    do {
        do {
            top.eval_step();
            VerilatedVpi::clearEvalNeeded();
            VerilatedVpi::doInertialPuts();
            settle_value_callbacks();
        } while (VerilatedVpi::evalNeeded());
        VerilatedVpi::callCbs(cbReadWriteSynch);
        VerilatedVpi::doInertialPuts();
        settle_value_callbacks();
    } while (VerilatedVpi::evalNeeded());
    top.eval_end_step();
}

// All clock cycles of a frame in one go: nobody but the harness is awake.
void burst(Vtop& top) {
    while (top.busy_o && !over()) {
        dump_waves();  // with what Python wrote at the end of the frame before
        ++now;
        top.clk = 1;
        top.eval();
        dump_waves();
        ++now;
        top.clk = 0;
        top.eval();
    }
}

}  // namespace

double sc_time_stamp() { return static_cast<double>(now); }

// $error, $fatal and $stop end the simulation in order, so that results and waves are written;
// what they have to say is in the log already.
void vl_stop(const char*, int, const char*) VL_MT_UNSAFE {
    fatal = true;
    Verilated::threadContextp()->gotFinish(true);
}

// Address and size in bytes of a public memory, by scope (below the top) and name; null if unknown.
extern "C" __attribute__((visibility("default"))) void* bench_memory(const char* scope,
                                                                     const char* name,
                                                                     uint64_t* bytes,
                                                                     uint64_t* row_bytes) {
    const VerilatedScope* const found = Verilated::scopeFind(scope);
    if (!found) return nullptr;
    VerilatedVar* const var = found->varFind(name);
    if (!var) return nullptr;
    *bytes = var->totalSize();
    *row_bytes = var->entSize();
    return var->datap();
}

int main(int argc, char** argv) {
    // Lines stand whole in the log, in their order, among those of Python.
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    std::signal(SIGTERM, [](int) { terminated = 1; });
    Verilated::commandArgs(argc, argv);
    Verilated::fatalOnVpiError(false);
    auto top = std::make_unique<Vtop>("");
    if (argc == 2 && std::strcmp(argv[1], "--start-only") == 0) return 0;  // what was built starts
#if VM_TRACE
    for (int i = 1; i + 1 < argc; ++i) {
        if (std::strcmp(argv[i], "--trace-file") == 0) {
            Verilated::traceEverOn(true);
            waves = std::make_unique<VerilatedVcdC>();
            top->trace(waves.get(), 99);
            waves->open(argv[i + 1]);
        }
    }
#endif

    vlog_startup_routines_bootstrap();
    VerilatedVpi::callCbs(cbStartOfSimulation);
    settle_value_callbacks();

    while (!over()) {
        settle(*top);
        if (top->busy_o) {
            burst(*top);
            settle_value_callbacks();
            continue;
        }
        VerilatedVpi::callCbs(cbReadOnlySynch);
        dump_waves();
        const uint64_t next = VerilatedVpi::cbNextDeadline();
        if (next == ~static_cast<uint64_t>(0)) break;
        now = next;
        VerilatedVpi::callCbs(cbNextSimTime);
        settle_value_callbacks();
        VerilatedVpi::callTimedCbs();
        settle_value_callbacks();
    }

    VerilatedVpi::callCbs(cbEndOfSimulation);
    top->final();
#if VM_COVERAGE
    VerilatedCov::write();
#endif
#if VM_TRACE
    if (waves) waves->close();
    waves.reset();  // before the model that it looks at
#endif
    return (fatal || terminated || Verilated::threadContextp()->errorCount() > 0) ? 1 : 0;
}
