/* The published figures, asserted: a log that misses one is not written. */
#include "carriers.h"
#include "expect.h"

#include <stdlib.h>

#define MEBIBYTE 1048576.0

/* The thesis does not say which megabyte it means; here it is 2^20 bytes. */
static void check_log_size(const Log *log, uint64_t hundredths) {
    Buffer file = {0};
    write_log(&file, log, RAW);
    require((uint64_t)((double)file.length / MEBIBYTE * 100.0 + 0.5) == hundredths,
            "the log has %zu bytes", file.length);
    buffer_free(&file);
}

static void check_popular(const Log *log) {
    /* SysLibTblEntry, BmpGetBits, BmpColortableSize, WinClipRectangle, RctCopyRectangle */
    static const uint16_t named[] = {0xA0B9, 0xA376, 0xA3E3, 0xA212, 0xA1C5};
    uint32_t *counts = allocate(0x10000, sizeof *counts);
    for (size_t i = 0; i < log->count; i++) {
        counts[log->calls[i].trap]++;
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        size_t above = 0;
        for (size_t id = 0; id < 0x10000; id++) {
            above += counts[id] > counts[named[i]];
        }
        require(above < TOP, "%s is not among the top ten", trap_name(named[i]).text);
    }
    free(counts);
}

static void check_common(const Log *log) {
    Figures figures = figures_of(log);
    require(figures.without_arguments * 2 > log->count, "%zu calls have no arguments",
            figures.without_arguments);
    require(log->calls[0].tick > 0, "the session starts at 0");
    for (size_t i = 0; i < log->count; i++) {
        require(trap_is_loggable(log->calls[i].trap), "%04X is not loggable", log->calls[i].trap);
        require(i == 0 || log->calls[i].tick >= log->calls[i - 1].tick, "time goes back");
    }
    check_popular(log);
}

static void check_loggable(void) {
    size_t count = 0;
    for (size_t i = 0; i < loggable_range_count; i++) {
        count += loggable_ranges[i].last - loggable_ranges[i].first + 1u;
    }
    require(count == LOGGABLE_TRAPS, "%zu calls are loggable", count);
}

static size_t count_with_arguments(void) {
    size_t count = 0;
    for (size_t i = 0; i < POPULAR_TRAPS; i++) {
        count += *popular_traps[i].recipe != '\0';
    }
    return count;
}

static double mean_size(const Log *log) {
    return (double)figures_of(log).argument_bytes / (double)log->count;
}

void check_representative(const Log *log) {
    Figures figures = figures_of(log);
    check_loggable();
    check_common(log);
    require(count_with_arguments() >= 40, "too few calls with arguments");
    require(log->count == REPRESENTATIVE_CALLS, "%zu calls", log->count);
    require(figures.distinct_traps == POPULAR_TRAPS, "%zu distinct calls", figures.distinct_traps);
    require(figures.top_ten_calls * 2 == log->count, "top ten: %zu", figures.top_ten_calls);
    require(mean_size(log) > 8.0 && mean_size(log) < 9.0, "mean argument size %f", mean_size(log));
    check_log_size(log, 134);
}

/* A pause of 20 s or more that begins 1040 to 1060 s after the first call. */
static int has_the_break(const Log *log) {
    uint32_t start = log->calls[0].tick;
    for (size_t i = 1; i < log->count; i++) {
        uint32_t before = log->calls[i - 1].tick - start;
        if (log->calls[i].tick - start - before >= 2000 && before >= 104000 && before <= 106000) {
            return 1;
        }
    }
    return 0;
}

void check_pinemark(const Log *log) {
    Figures figures = figures_of(log);
    size_t own = 0;
    for (size_t i = 0; i < log->count; i++) {
        own += log->calls[i].application == PINEMARK_APPLICATION;
    }
    check_common(log);
    require(log->count == PINEMARK_CALLS, "%zu calls", log->count);
    require(own == PINEMARK_OWN_CALLS, "%zu calls of the benchmark", own);
    require(figures.top_ten_calls * 100 > log->count * 65, "top ten: %zu", figures.top_ten_calls);
    require(has_the_break(log), "no break near 1050 s");
    check_log_size(log, 305);
}
