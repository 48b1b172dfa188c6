/* Counts transfers that begin and end at multiples of unit sizes: temp.tally_alignment. */
#include "analysis/analysis.h"
#include "analysis/transfers.h"
#include "base/saturate.h"

/* Unit sizes in bytes: memory pages, two sizes of larger flash pages, and flash segments. */
static const int64_t units[] = {4096, 8192, 16384, 524288};

enum { UNITS = sizeof units / sizeof *units };

/* Counts for one unit size. `start_bytes`: bytes before the first unit boundary, of transfers that
 * begin inside a unit. `end_bytes`: bytes after the last boundary, of transfers that end inside a
 * unit; if they also begin inside the same unit, their bytes count only in `start_bytes`. */
struct alignment {
    int64_t transfers, bytes;
    /* start: transfers that begin at a multiple of the unit size; both: those that also end at one
     */
    int64_t start, both;
    /* writes: number of writes; writes_both: of those whose begin and end are aligned. */
    int64_t writes, writes_both;
    int64_t touched; /* total size of all units that transfers touch, wholly or partially */
    int64_t start_bytes, end_bytes;
};

struct alignment_state {
    struct transfers_state of; /* finds reads and writes among the events */
    struct alignment alignments[UNITS];
};

static void alignment_add_unit(struct alignment *alignment, int64_t unit,
                               const struct transfer *transfer) {
    int64_t end = transfer->begin + transfer->size;
    int64_t first = transfer->begin / unit, last = (end - 1) / unit;
    int64_t before = transfer->begin % unit, after = end % unit;

    alignment->transfers++;
    alignment->start += before == 0;
    alignment->both += before == 0 && after == 0;
    alignment->writes += transfer->write;
    alignment->writes_both += transfer->write && before == 0 && after == 0;
    add_saturated(&alignment->bytes, transfer->size);
    add_saturated(&alignment->touched, product_saturated(last - first + 1, unit));
    if (before > 0) {
        int64_t left = unit - before;

        add_saturated(&alignment->start_bytes, left < transfer->size ? left : transfer->size);
    }
    if (after > 0 && (before == 0 || last > first)) {
        add_saturated(&alignment->end_bytes, after);
    }
}

static void alignment_add(void *alignment_state, const struct transfer *transfer) {
    struct alignment_state *state = alignment_state;

    for (int unit = 0; unit < UNITS; unit++) {
        alignment_add_unit(&state->alignments[unit], units[unit], transfer);
    }
}

static void alignment_merge(void *alignment_state, void *other) {
    struct alignment_state *state = alignment_state, *from = other;

    for (int unit = 0; unit < UNITS; unit++) {
        struct alignment *to = &state->alignments[unit], *added = &from->alignments[unit];

        to->transfers += added->transfers;
        to->start += added->start;
        to->both += added->both;
        to->writes += added->writes;
        to->writes_both += added->writes_both;
        add_saturated(&to->bytes, added->bytes);
        add_saturated(&to->touched, added->touched);
        add_saturated(&to->start_bytes, added->start_bytes);
        add_saturated(&to->end_bytes, added->end_bytes);
        *added = (struct alignment){.transfers = 0};
    }
    state->of.transfers.unplaced += from->of.transfers.unplaced;
    from->of.transfers.unplaced = 0;
}

static void alignment_write_rows(void *alignment_state) {
    struct alignment_state *state = alignment_state;

    for (int unit = 0; unit < UNITS; unit++) {
        const struct alignment *alignment = &state->alignments[unit];

        TEMP_ROW(&state->of.context->tables[0], units[unit], alignment->transfers, alignment->bytes,
                 alignment->start, alignment->both, alignment->touched, alignment->start_bytes,
                 alignment->end_bytes, state->of.transfers.unplaced, alignment->writes,
                 alignment->writes_both);
    }
}

/* temp.tally_alignment: a row per unit size. `start`: transfers that begin at a multiple of `unit`;
 * `both`: those that also end at one; `writes_both`: the writes among them. `touched`: total size
 * of the units touched, wholly or partially. `start_bytes`, `end_bytes`: bytes in the partially
 * touched first or last unit. `unplaced`: transfers skipped because their position is unknown. */
const struct analysis analysis_alignment = {
    .name = "alignment",
    .tables = {{"tally_alignment",
                "unit, transfers, bytes, start, both, touched, start_bytes, end_bytes, unplaced,"
                " writes, writes_both",
                NULL}},
    .pass = PASS_ANY_ORDER,
    .fields = TRANSFER_FIELDS,
    .state_size = sizeof(struct alignment_state),
    .begin_trace = transfers_begin_trace,
    .visit = transfers_visit,
    .transfer = alignment_add,
    .merge = alignment_merge,
    .write = alignment_write_rows,
    .free = transfers_free,
};
