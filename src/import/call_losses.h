/* Detects false calls in incomplete logs whose calls have separate begin and end lines.
 *
 * If an end and the begin of the thread's next call of the same name are lost, the two calls appear
 * as a single long call. The importer reports ends and begins that prove a loss, and calls across a
 * reported loss. After the import, call_losses_finish() compares each call with others of its name:
 *
 * 1. A call across a reported loss is false if the loss took longer than any call of that name is
 *    known to take, and is on the CPU where the call began or ended. Known times are those of calls
 *    across no loss, and of the parts of other calls before and after losses.
 * 2. A call that overlaps a loss is false if its part in the loss took more than CALLS_IN_LOSS
 *    times the longest known time: the thread may have been on the CPU that lost events.
 * 3. A call is doubted, which is treated as false, if it took more than CALLS_BELIEVED times the
 *    99th percentile of its name, and more than CALLS_APART times the next shorter call. If losses
 *    are reported, only calls across one are doubted.
 *
 * The duration of a call that may wait without limit says little. Rule 3 ignores these calls. Rule
 * 2 applies to them if the name has at least CALLS_BELIEVED calls, with twice the bound.
 *
 * False calls lose their durations. The numbers of paired, unpaired and false calls are stored in
 * the table `pairing`, without a device. */
#ifndef TRACETOOL_CALL_LOSSES_H
#define TRACETOOL_CALL_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"
#include "store/column_table.h"

#define CALLS_BELIEVED 100
#define CALLS_APART    10
#define CALLS_IN_LOSS  2

/* Limit of calls across reported losses that are judged; further calls are accepted as true. */
#define CALLS_ACROSS 262144

/* Limit of unpaired ends and begins that are stored: one half of these are the first in the log,
 * the other half the last. */
#define CALLS_UNPAIRED 256

/* Limit of losses that are examined for one call. By rule 1, one half of these are the first losses
 * in the call, the other half the last; by rule 2, all are the first ones. */
#define CALL_LOSSES_EACH 1024

/* Limit of names whose calls are judged; calls of further names are accepted as true. */
#define CALL_NAMES 1024

struct losses;

/* A call with the CPUs where it began and ended (EVENT_NONE: unknown). */
struct call_part {
    int64_t time, duration;
    uint32_t operation, actor;
    int64_t began_on, ended_on;
};

/* A call that began before and ended after at least one reported loss. */
struct call_across {
    int64_t time, duration;
    uint32_t operation, actor;
    int64_t loss; /* duration of the longest loss that the call is across */
};

/* Longest time that a thread is known to have spent in a call of this name, from parts of calls
 * before or after losses. Whole calls across no loss are not considered. */
struct call_stretch {
    uint32_t operation;
    int64_t longest;
    UT_hash_handle hh;
};

struct call_unpaired {
    uint32_t operation;
    int64_t time;
};

/* State for a trace being imported; initially zeroed. */
struct call_losses {
    struct call_across *across; /* owned */
    size_t across_count, across_capacity;
    struct call_stretch *stretches; /* owned hash table by operation (struct call_stretch) */
    struct call_unpaired unpaired[CALLS_UNPAIRED];
    size_t unpaired_count; /* number of unpaired ends and begins, stored in `unpaired` or not */
    int64_t without_end, without_begin;
    bool counted; /* true: no call is doubted, because the log itself states durations */
};

/* Finds the false calls in `part`, which is the whole trace, or the events appended last, and
 * removes their durations. Runs in the caller's transaction, after all events were stored. Sets
 * `*changed` to whether any event lost its duration. */
bool call_losses_finish(struct call_losses *calls, const struct losses *losses,
                        struct database *database, const struct column_range *trace,
                        const struct column_range *part, bool *changed, struct error *error);

void call_losses_free(struct call_losses *calls);

#endif
