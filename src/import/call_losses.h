/* Calls whose begin and end are two lines of a log, where lines are missing: a lost end and the
 * lost begin of the thread's next call of that name leave what looks like one long call.
 *
 * The importer tells of ends and begins that prove a loss, and of calls that reach across a loss
 * that the log tells. Behind the end of the import call_losses_settle() judges them by their names:
 *
 * 1. A call across a told loss that took longer than any call of that name is known to take is not
 *    one call, if the loss is of the CPU on which it began or ended. Known are the calls across no
 *    loss, and what of the others lies before and behind the losses.
 * 2. Nor is one that lies in a loss, or partly, where that part took more than CALLS_IN_LOSS times
 *    as long: the thread may have been on the CPU that lost events meanwhile.
 * 3. A call is not believed that took more than CALLS_BELIEVED times the 99th percentile of its
 * name, and CALLS_APART times what any shorter one took. Where losses are told, only calls across
 * one are doubted.
 *
 * How long a call takes that may wait for others without end says little: 3 judges none of these, 2
 * those of names with CALLS_BELIEVED calls, by twice the bound.
 *
 * What is no call loses its duration. The table `pairing` gets the numbers, with no device.
 */
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

/* Calls across told losses that are judged; further ones are believed. */
#define CALLS_ACROSS 262144

/* Ends and begins without the other that are kept of all: the first half of them, and the last. */
#define CALLS_UNPAIRED 256

/* Losses that are looked at of a call across more: half of them the first ones, half the last. */
#define CALL_LOSSES_EACH 1024

/* Names whose calls are judged; those of further ones are believed. */
#define CALL_NAMES 1024

struct losses;

/* A call as its event has it, and on which CPUs it began and ended (EVENT_NONE: not known). */
struct call_part {
    int64_t time, duration;
    uint32_t operation, actor;
    int64_t began_on, ended_on;
};

/* A call across losses. */
struct call_across {
    int64_t time, duration;
    uint32_t operation, actor;
    int64_t loss; /* how long the longest of them took */
};

/* How long a thread is known to have been in a call of that name, beside the calls across none. */
struct call_stretch {
    uint32_t operation;
    int64_t longest;
    UT_hash_handle hh;
};

struct call_unpaired {
    uint32_t operation;
    int64_t time;
};

/* Of a trace that is being imported; a zeroed one is ready. */
struct call_losses {
    struct call_across *across; /* owned */
    size_t across_count, across_capacity;
    struct call_stretch *stretches; /* owned hash table: the longest parts by operation */
    struct call_unpaired unpaired[CALLS_UNPAIRED];
    size_t unpaired_count; /* of all, also those that are not kept */
    int64_t without_end, without_begin;
    bool counted; /* no call is doubted: the log tells durations */
};

/* Judges the calls of the trace, all of them, or those of `part`, its last events, within the
 * caller's transaction; they are all stored. `*changed`: events lost their durations. */
bool call_losses_settle(struct call_losses *calls, const struct losses *losses,
                        struct database *database, const struct column_range *trace,
                        const struct column_range *part, bool *changed, struct error *error);

void call_losses_free(struct call_losses *calls);

#endif
