/* Time from issue to completion: temp.tally_latency, and its percentiles in temp.distribution. */
#include <stdio.h>

#include "scan/distribution.h"
#include "scan/event_scan.h"
#include "analysis/scan.h"

enum {
    CLASSES = IO_CLASS_MASK + 1,
    BITS = 65, /* lengths of a duration, and none at all */
    NO_DURATION = BITS - 1,
};

struct latency_scan {
    struct distribution *distribution;
    int64_t counts[CLASSES][BITS];
    bool counted; /* in the first pass */
};

/* How many bits a duration has, 0 for 0. */
static int bit_length(int64_t duration) {
    return duration == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)duration);
}

static bool visit(void *context, const struct event_columns *columns, size_t count,
                  struct error *error) {
    static const char *const names[CLASSES] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    struct latency_scan *scan = context;

    for (size_t i = 0; i < count; i++) {
        enum io_class class = io_class_of(columns->flags[i]);
        int64_t duration = columns->duration[i];
        bool known = duration >= 0;

        if (!scan->counted) {
            scan->counts[class][known ? bit_length(duration) : NO_DURATION]++;
        }
        if (known && !distribution_add(scan->distribution, names[class], duration, error)) {
            return false;
        }
    }
    return true;
}

static bool scan_trace(void *context, struct event_scan *events, struct error *error) {
    events->fields = EVENT_DURATION | EVENT_FLAGS;
    events->visit = visit;
    return event_scan_in_order(events, context, error);
}

static bool write_counts(const struct latency_scan *scan, struct database *database,
                         struct error *error) {
    for (int64_t class = 0; class < CLASSES; class ++) {
        for (int64_t bits = 0; bits < BITS; bits++) {
            int64_t count = scan->counts[class][bits];

            if (count > 0 &&
                !database_change(database, error,
                                 "INSERT INTO temp.tally_latency VALUES (?1, ?2, ?3)", "ioi", class,
                                 bits == NO_DURATION ? EVENT_NONE : bits, count)) {
                return false;
            }
        }
    }
    return true;
}

bool scan_latency(struct database *database, const struct selection_filter *filter,
                  struct error *error) {
    struct latency_scan scan = {.distribution = distribution_new()};
    bool more = true;
    bool done =
        (scan.distribution != NULL || error_no_memory(error)) &&
        database_run(database, "CREATE TEMP TABLE tally_latency (class, bits, count)", error);

    while (done && more) {
        done = event_scan_selection(database, filter, scan_trace, &scan, error) &&
               distribution_end_pass(scan.distribution, &more, error);
        scan.counted = true;
    }
    done = done && distribution_write(scan.distribution, database, error) &&
           write_counts(&scan, database, error);
    distribution_free(scan.distribution);
    return done;
}
