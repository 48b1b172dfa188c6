/* How far I/Os are from one another: temp.tally_seek, and the distances in temp.distribution.
 *
 * Distances are btt's: none when the I/O touches or overlaps the one before on its device, else
 * from its end forwards, and from where it began backwards. One that reaches beyond the one before
 * at both ends goes backwards, as with btt.
 */
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/transfers.h"
#include "base/saturate.h"
#include "scan/distribution.h"

/* What distances are told apart by: the I/O that they lead to. */
enum seek_group { READS, WRITES, ALL, GROUPS };

static const char *const group_names[GROUPS] = {"read", "write", "all"};

struct seeks_state {
    const struct analysis_context *context;
    struct transfers transfers; /* owned */
    struct device_slots devices;
    struct {
        int64_t start, end;            /* sectors */
    } last[DEVICE_SLOTS];              /* I/O of each device */
    struct distribution *distribution; /* owned */
    size_t groups[GROUPS];             /* its numbers of them */
    int64_t still[GROUPS], total[GROUPS];
    bool counted; /* these two, in the first pass */
};

static void add_seek(struct seeks_state *state, enum seek_group group, int64_t distance) {
    distribution_count(state->distribution, state->groups[group], distance);
    if (!state->counted) {
        state->still[group] += distance == 0;
        add_saturated(&state->total[group], distance);
    }
}

static void take(struct seeks_state *state, const struct transfer *transfer) {
    int64_t start = transfer->begin / IO_SECTOR;
    int64_t end = start + transfer->size / IO_SECTOR, distance = 0;
    size_t known = state->devices.count, slot = device_slot(&state->devices, transfer->within);
    int64_t last_start = state->last[slot].start, last_end = state->last[slot].end;

    if (state->devices.count == known) {
        bool touches =
            (last_start <= start && start <= last_end) || (last_start <= end && end <= last_end);

        if (!touches) {
            distance = start > last_end ? start - last_end : last_start - start;
        }
        add_seek(state, transfer->write ? WRITES : READS, distance);
        add_seek(state, ALL, distance);
    }
    state->last[slot].start = start;
    state->last[slot].end = end;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct seeks_state *state = context_state;
    struct transfer transfers[TRANSFERS_MOST];

    (void)error;
    for (size_t i = 0; i < count; i++) {
        size_t taken = transfers_take(&state->transfers, columns, i, transfers);

        for (size_t one = 0; one < taken; one++) {
            take(state, &transfers[one]);
        }
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct seeks_state *state = context_state;

    state->context = context;
    state->distribution = distribution_new();
    for (int group = 0; group < GROUPS; group++) {
        const char *name = group_names[group];

        if (!distribution_group(state->distribution, name, strlen(name), &state->groups[group],
                                error)) {
            return false;
        }
    }
    return true;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct seeks_state *state = context_state;

    state->devices = (struct device_slots){.count = 0};
    return transfers_begin(&state->transfers, state->context->selection, trace->trace, error);
}

static bool again(void *context_state, bool *more, struct error *error) {
    struct seeks_state *state = context_state;

    state->counted = true;
    return distribution_end_pass(state->distribution, more, error);
}

static bool write_rows(void *context_state, struct error *error) {
    const struct seeks_state *state = context_state;
    struct selection *selection = state->context->selection;
    sqlite3_stmt *insert = temp_schema_prepare(
        selection->temp, "INSERT INTO temp.tally_seek VALUES (?1, ?2, ?3)", error);
    bool done = insert != NULL;

    for (int group = 0; done && group < GROUPS; group++) {
        sqlite3_bind_text(insert, 1, group_names[group], -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 2, state->still[group]);
        sqlite3_bind_int64(insert, 3, state->total[group]);
        done = database_execute(selection->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done && distribution_write(state->distribution, selection->temp, error);
}

static void free_state(void *context_state) {
    struct seeks_state *state = context_state;

    transfers_free(&state->transfers);
    distribution_free(state->distribution);
}

/* Distances in sectors, from the I/O before on the same device, by the I/O that they lead to,
 * "read", "write" or "all": how many are 0, and their sum. The first I/O of a device has none.
 * Groups of the distribution are called the same. */
const struct analysis analysis_seek = {
    .name = "seek",
    .tables = {{"tally_seek", "name, still, total", NULL},
               {"distribution", DISTRIBUTION_COLUMNS, "name"}},
    .pass = PASS_IN_ORDER,
    .fields = TRANSFER_FIELDS,
    .state_size = sizeof(struct seeks_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .again = again,
    .write = write_rows,
    .free = free_state,
};
