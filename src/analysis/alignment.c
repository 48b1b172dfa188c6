/* How transfers lie on units of some sizes: temp.tally_alignment. */
#include "analysis/analysis.h"
#include "analysis/transfers.h"
#include "base/saturate.h"

/* Bytes: pages, larger pages of flash, and its segments. */
static const int64_t units[] = {4096, 8192, 16384, 524288};

enum { UNITS = sizeof units / sizeof *units };

/* Of a unit. Bytes at the start and at the end are those in units that a transfer covers in part,
 * because it begins, or only ends, within. */
struct alignment {
    int64_t transfers, bytes;
    int64_t start, both; /* transfers that begin at a unit; begin and end so */
    int64_t touched;     /* bytes of all units that are covered, whole or in part */
    int64_t start_bytes, end_bytes;
};

struct alignment_state {
    const struct analysis_context *context;
    struct transfers transfers; /* owned */
    struct alignment alignments[UNITS];
};

static void take(struct alignment *alignment, int64_t unit, const struct transfer *transfer) {
    int64_t end = transfer->begin + transfer->size;
    int64_t first = transfer->begin / unit, last = (end - 1) / unit;
    int64_t before = transfer->begin % unit, after = end % unit, touched;

    alignment->transfers++;
    alignment->start += before == 0;
    alignment->both += before == 0 && after == 0;
    add_saturated(&alignment->bytes, transfer->size);
    if (__builtin_mul_overflow(last - first + 1, unit, &touched)) {
        touched = INT64_MAX;
    }
    add_saturated(&alignment->touched, touched);
    if (before > 0) {
        int64_t left = unit - before;

        add_saturated(&alignment->start_bytes, left < transfer->size ? left : transfer->size);
    }
    if (after > 0 && (before == 0 || last > first)) {
        add_saturated(&alignment->end_bytes, after);
    }
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct alignment_state *state = context_state;
    struct transfer transfers[TRANSFERS_MOST];

    (void)error;
    for (size_t i = 0; i < count; i++) {
        size_t taken = transfers_take(&state->transfers, columns, i, transfers);

        for (size_t one = 0; one < taken; one++) {
            for (int unit = 0; unit < UNITS; unit++) {
                take(&state->alignments[unit], units[unit], &transfers[one]);
            }
        }
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct alignment_state *state = context_state;

    (void)error;
    state->context = context;
    return true;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct alignment_state *state = context_state;

    return transfers_begin(&state->transfers, state->context->selection, trace->trace, error);
}

static bool merge(void *context_state, void *other, struct error *error) {
    struct alignment_state *state = context_state, *from = other;

    (void)error;
    for (int unit = 0; unit < UNITS; unit++) {
        struct alignment *to = &state->alignments[unit], *added = &from->alignments[unit];

        to->transfers += added->transfers;
        to->start += added->start;
        to->both += added->both;
        add_saturated(&to->bytes, added->bytes);
        add_saturated(&to->touched, added->touched);
        add_saturated(&to->start_bytes, added->start_bytes);
        add_saturated(&to->end_bytes, added->end_bytes);
        *added = (struct alignment){.transfers = 0};
    }
    state->transfers.unplaced += from->transfers.unplaced;
    from->transfers.unplaced = 0;
    return true;
}

static bool write_rows(void *context_state, struct error *error) {
    const struct alignment_state *state = context_state;
    const struct selection *selection = state->context->selection;
    sqlite3_stmt *insert = temp_schema_prepare(
        selection->temp,
        "INSERT INTO temp.tally_alignment VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", error);
    bool done = insert != NULL;

    for (int unit = 0; done && unit < UNITS; unit++) {
        const struct alignment *alignment = &state->alignments[unit];
        const int64_t values[] = {units[unit],
                                  alignment->transfers,
                                  alignment->bytes,
                                  alignment->start,
                                  alignment->both,
                                  alignment->touched,
                                  alignment->start_bytes,
                                  alignment->end_bytes,
                                  state->transfers.unplaced};

        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            sqlite3_bind_int64(insert, (int)i + 1, values[i]);
        }
        done = database_execute(selection->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

static void free_state(void *context_state) {
    struct alignment_state *state = context_state;

    transfers_free(&state->transfers);
}

/* By the size of a unit: the transfers and their bytes; those that begin at a unit, and those that
 * end at one, too; the bytes of all units that they cover, whole or in part; and their own bytes in
 * units that they cover in part, in the first one, where they begin within it, or else in the last;
 * and the transfers left out, whose place is not known. */
const struct analysis analysis_alignment = {
    .name = "alignment",
    .tables = {{"tally_alignment",
                "unit, transfers, bytes, start, both, touched, start_bytes, end_bytes, unplaced",
                NULL}},
    .pass = PASS_ANY_ORDER,
    .fields = TRANSFER_FIELDS,
    .state_size = sizeof(struct alignment_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .merge = merge,
    .write = write_rows,
    .free = free_state,
};
