/* Computes seek distances between I/Os: temp.tally_seek, and their distribution in
 * temp.distribution. Distances are those of btt: 0 if the I/O touches or overlaps the previous one
 * on its device; else forward from the end of the previous one, or backward from its begin. An I/O
 * that extends the previous one at both ends is a backward seek, as in btt. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/transfers.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "scan/distribution.h"

/* Groups of seeks: to a read, to a write, and all. */
enum seek_group { READS, WRITES, ALL, GROUPS };

static const char *const group_names[GROUPS] = {"read", "write", "all"};

struct seeks_state {
    struct transfers_state of; /* finds reads and writes among the events */
    struct last_io {
        bool known;
        int64_t start, end;            /* first sector, and the sector after the last */
    } * last;                          /* owned; by slot of the device: the previous I/O */
    struct distribution *distribution; /* owned */
    size_t groups[GROUPS];             /* numbers of the groups in `distribution` */
    int64_t still[GROUPS], total[GROUPS];
    bool counted; /* true: the first pass is over, so `still` and `total` are complete */
};

static void add_seek(struct seeks_state *state, enum seek_group group, int64_t distance) {
    distribution_count(state->distribution, state->groups[group], distance);
    if (!state->counted) {
        state->still[group] += distance == 0;
        add_saturated(&state->total[group], distance);
    }
}

static void seeks_add(void *seeks_state, const struct transfer *transfer) {
    struct seeks_state *state = seeks_state;
    int64_t start = transfer->begin / IO_SECTOR;
    int64_t end = start + transfer->size / IO_SECTOR, distance = 0;
    struct last_io *last = &state->last[transfer->slot];

    if (last->known) {
        bool touches = (last->start <= start && start <= last->end) ||
                       (last->start <= end && end <= last->end);

        if (!touches) {
            distance = start > last->end ? start - last->end : last->start - start;
        }
        add_seek(state, transfer->write ? WRITES : READS, distance);
        add_seek(state, ALL, distance);
    }
    *last = (struct last_io){true, start, end};
}

static void seeks_begin(void *seeks_state) {
    struct seeks_state *state = seeks_state;

    state->distribution = distribution_new((struct distribution_shape){0});
    for (int group = 0; group < GROUPS; group++) {
        state->groups[group] =
            distribution_group(state->distribution, group_names[group], strlen(group_names[group]),
                               &state->of.context->error);
    }
}

static void seeks_begin_trace(void *seeks_state) {
    struct seeks_state *state = seeks_state;

    transfers_begin_trace(state);
    free(state->last);
    state->last = xcalloc(state->of.transfers.devices.slot_count + 1, sizeof *state->last);
}

static bool seeks_again(void *seeks_state) {
    struct seeks_state *state = seeks_state;

    bool again = distribution_end_pass(state->distribution);

    state->counted = true;
    state->of.transfers.unplaced = again ? 0 : state->of.transfers.unplaced;
    return again;
}

static void seeks_write_rows(void *seeks_state) {
    struct seeks_state *state = seeks_state;
    struct temp_rows *rows = &state->of.context->tables[0];

    for (int group = 0; group < GROUPS; group++) {
        temp_rows_text(rows, 1, group_names[group], strlen(group_names[group]));
        TEMP_ROW(rows, state->still[group], state->total[group], state->of.transfers.unplaced);
    }
    distribution_write(state->distribution, state->of.context->temp, &state->of.context->error);
}

static void seeks_free_state(void *seeks_state) {
    struct seeks_state *state = seeks_state;

    free(state->last);
    transfers_free(state);
    distribution_free(state->distribution);
}

/* tally_seek: a row each for seeks to reads ("read"), to writes ("write") and to "all" I/Os.
 * `still`: seeks of distance 0; `total`: sum of the distances in sectors; `unplaced`: I/Os without
 * a position. The first I/O on a device has no seek. temp.distribution has the same groups. */
const struct analysis analysis_seek = {
    .name = "seek",
    .tables = {{"tally_seek", "name, still, total, unplaced", NULL},
               {"distribution", DISTRIBUTION_COLUMNS, "name"}},
    .pass = PASS_IN_ORDER,
    .fields = TRANSFER_FIELDS,
    .state_size = sizeof(struct seeks_state),
    .begin = seeks_begin,
    .begin_trace = seeks_begin_trace,
    .visit = transfers_visit,
    .transfer = seeks_add,
    .again = seeks_again,
    .write = seeks_write_rows,
    .free = seeks_free_state,
};
