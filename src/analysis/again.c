/* Counts bytes of files that are read again, and bytes of devices that are rewritten within an
 * hour, for temp.tally_again.
 *
 * Counts are made per page of 4 KiB. For a page of a file, the byte range of its latest contiguous
 * reads is exact; earlier reads only set a bit per 64 bytes. For a page of a device, the sectors of
 * its last write have the exact time of that write; all other written sectors share the oldest of
 * their times. All pages are in the table until it has PAGE_TABLE_MOST; then half of them are
 * dropped each time that it is full, which leaves a random sample. If the trace has many events,
 * one page in 2^SAMPLED is sampled from the start. Counts of a sampled page are multiplied by the
 * current sampling factor, so sums stay unbiased. Transfers of more than PAGE_SPAN_MOST pages are
 * skipped; their number is noted. */
#include "analysis/keyed_rows.h"
#include "analysis/page_table.h"
#include "analysis/transfers.h"
#include "base/saturate.h"
#include "base/time_unit.h"

enum {
    PAGE = 4096,
    PART = PAGE / 64,
    MANY_EVENTS = 1 << 20,
    SAMPLED = 4,
    PAGES_AHEAD = 64,     /* pages of a transfer whose table entries are prefetched */
    TRANSFERS_AHEAD = 16, /* transfers that wait in a ring while their pages are prefetched */
    MOST_SECONDS = 3600,
    ROWS_IN_MEMORY = 1 << 16,
};

/* Key of a row, hashed as bytes, so it has no padding. `within`: file or device; `seconds`: time
 * from a write to its rewrite, 0 if not rewritten; -1 for reads. */
struct again_key {
    int64_t within, seconds;
};

struct again_row {
    struct again_key key;
    int64_t bytes, distinct;
};

struct again_state {
    struct transfers_state of; /* finds reads and writes among the events */
    struct keyed_rows rows;    /* hash table of struct again_row */
    struct page_table table;   /* owned */
    /* Ring of transfers not yet counted: transfer n (counted <= n < seen) is at n %
     * TRANSFERS_AHEAD. */
    struct transfer ahead[TRANSFERS_AHEAD];
    uint64_t sampled[TRANSFERS_AHEAD]; /* for each transfer in `ahead`: bit k is set if its k-th
                                          page is in the sample (k < PAGES_AHEAD) */
    size_t counted, seen;
    int64_t too_large; /* number of transfers skipped because they cover too many pages */
};

static void again_write_row(struct analysis_context *context, const void *again_row) {
    const struct again_row *row = again_row;

    TEMP_ROW(&context->tables[0], context->trace->trace->id, row->key.within,
             row->key.seconds < 0 ? EVENT_NONE : row->key.seconds, row->bytes, row->distinct,
             INT64_C(1) << ((const struct again_state *)context->first)->table.shift);
}

static struct again_row *again_find_row(struct again_state *state, int64_t within,
                                        int64_t seconds) {
    return keyed_rows_find(&state->rows, &(struct again_key){within, seconds});
}

/* Returns a bit set of the 64-byte units of a page that the bytes `begin` to before `end` touch.
 * `begin` must be less than `end`. */
static uint64_t again_parts(int64_t begin, int64_t end) {
    return UINT64_MAX << begin / PART & UINT64_MAX >> (PAGE - end) / PART;
}

/* Returns how many of the bytes `begin` to before `end` of a page lie in no unit of the bit set
 * `parts` (64-byte units). */
static int64_t again_outside(uint64_t parts, int64_t begin, int64_t end) {
    const uint64_t outside = begin < end ? again_parts(begin, end) & ~parts : 0;
    int64_t bytes = PART * (int64_t)__builtin_popcountll(outside);

    bytes -= (outside >> begin / PART % (PAGE / PART) & 1) != 0 ? begin % PART : 0;
    return bytes -
           ((outside >> (end - 1) / PART % (PAGE / PART) & 1) != 0 ? (PAGE - end) % PART : 0);
}

/* Adds a read of bytes `begin` to before `end` of a file's page. `position` of the page packs the
 * byte range of its latest contiguous reads; `time` is a bit set of the 64-byte units that earlier
 * reads touched. Returns the number of bytes read for the first time. */
static int64_t again_read(struct page *page, bool is_first, int64_t begin, int64_t end) {
    int64_t first = page->position & (2 * PAGE - 1), last = page->position / (2 * PAGE), bytes = 0;
    uint64_t parts = (uint64_t)page->time;

    if (!is_first && (begin > last || end < first)) {
        bytes = again_outside(parts, first / PART * PART, (last + PART - 1) / PART * PART) -
                again_outside(parts, first, last);
        parts |= again_parts(first, last);
        page->time = (int64_t)parts;
        is_first = true;
    }
    first = is_first ? begin : first;
    last = is_first ? begin : last;
    bytes += again_outside(parts, begin, first) + again_outside(parts, last, end);
    first = begin < first ? begin : first;
    last = end > last ? end : last;
    page->position = last * 2 * PAGE + first;
    return bytes;
}

/* Returns the seconds from `since` to `time`, rounded up, at least 1; 0 if there are more than
 * MOST_SECONDS. */
static int64_t again_seconds(int64_t since, int64_t time) {
    int64_t between = difference_saturated(time, since);

    return between < 0 || between > MOST_SECONDS * SECOND ? 0
           : between == 0                                 ? 1
                                                          : (between + SECOND - 1) / SECOND;
}

/* Counts a write to bytes `begin` to before `end` of a device's page. Adds each sector to the row
 * for the seconds since its previous write. */
static void again_overwrite(struct again_state *state, const struct transfer *transfer,
                            struct page *page, int64_t begin, int64_t end) {
    const unsigned written = (1U << (end + IO_SECTOR - 1) / IO_SECTOR) - (1U << begin / IO_SECTOR);
    const unsigned last = written & page->last, earlier = written & page->earlier;
    const struct {
        int64_t seconds;
        unsigned sectors;
    } parts[] = {{again_seconds(page->written, transfer->time), last},
                 {again_seconds(page->time, transfer->time), earlier},
                 {0, written & ~last & ~earlier}};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int64_t bytes = IO_SECTOR * (int64_t)__builtin_popcount(parts[i].sectors);

        bytes = bytes < end - begin ? bytes : end - begin;
        begin += bytes;
        if (bytes > 0) {
            add_saturated(&again_find_row(state, transfer->within, parts[i].seconds)->bytes,
                          bytes << state->table.shift);
        }
    }
    page->time = (page->earlier & ~written) != 0 ? page->time : page->written;
    page->earlier = (uint8_t)((page->earlier | page->last) & ~written);
    page->last = (uint8_t)written;
    page->written = transfer->time;
}

static void add_page(struct again_state *state, const struct transfer *transfer, int64_t page,
                     struct again_row *reads) {
    const struct page_use use = page_table_record_use(&state->table, transfer->within, page);
    int64_t begin = transfer->begin - page * PAGE, end = begin + transfer->size, bytes;

    begin = begin < 0 ? 0 : begin;
    end = end > PAGE ? PAGE : end;
    if (use.page == NULL) {
        return;
    }
    if (reads != NULL) {
        bytes = again_read(use.page, use.first, begin, end) << state->table.shift;
        add_saturated(&reads->distinct, bytes);
        return;
    }
    again_overwrite(state, transfer, use.page, begin, end);
}

/* Counts all pages of the oldest transfer in the ring `ahead`. */
static void again_count(struct again_state *state) {
    const struct page_table *table = &state->table;
    const size_t at = state->counted++ % TRANSFERS_AHEAD;
    const struct transfer *transfer = &state->ahead[at];
    const int64_t first = transfer->begin / PAGE,
                  last = (transfer->begin + transfer->size - 1) / PAGE;
    struct again_row *reads = NULL;

    if (!transfer->write) {
        reads = again_find_row(state, transfer->within, -1);
        add_saturated(&reads->bytes, transfer->size);
    }
    for (uint64_t left = state->sampled[at]; left != 0; left &= left - 1) {
        add_page(state, transfer, first + __builtin_ctzll(left), reads);
    }
    for (int64_t page = page_table_next_sampled(table, transfer->within, first + PAGES_AHEAD, last);
         page <= last; page = page_table_next_sampled(table, transfer->within, page + 1, last)) {
        add_page(state, transfer, page, reads);
    }
}

/* Adds a read of a file or a write of a device; ignores other transfers. */
static void again_add(void *again_state, const struct transfer *transfer) {
    struct again_state *state = again_state;
    const struct page_table *table = &state->table;
    const int64_t first = transfer->begin / PAGE,
                  last = (transfer->begin + transfer->size - 1) / PAGE,
                  end = last - first < PAGES_AHEAD ? last : first + PAGES_AHEAD - 1;
    size_t at;

    if (state->of.transfers.of_files == transfer->write) {
        return;
    }
    if (last - first >= PAGE_SPAN_MOST) {
        state->too_large++;
        return;
    }
    if (state->seen - state->counted == TRANSFERS_AHEAD) {
        again_count(state);
    }
    at = state->seen++ % TRANSFERS_AHEAD;
    state->ahead[at] = *transfer;
    state->sampled[at] = 0;
    for (int64_t page = page_table_next_sampled(table, transfer->within, first, end); page <= end;
         page = page_table_next_sampled(table, transfer->within, page + 1, end)) {
        state->sampled[at] |= UINT64_C(1) << (page - first);
        page_table_prefetch(table, transfer->within, page);
    }
}

static void again_begin(void *again_state) {
    struct again_state *state = again_state;

    state->table.most = PAGE_TABLE_MOST;
    state->rows = (struct keyed_rows){.context = state->of.context,
                                      .kind = {sizeof(struct again_key), sizeof(struct again_row),
                                               ROWS_IN_MEMORY, .write = again_write_row}};
}

static void again_begin_trace(void *again_state) {
    struct again_state *state = again_state;

    transfers_begin_trace(state);
    page_table_clear(&state->table);
    state->table.shift = state->of.context->trace->trace->events < MANY_EVENTS ? 0 : SAMPLED;
}

static void again_end_trace(void *again_state) {
    struct again_state *state = again_state;

    while (state->counted < state->seen) {
        again_count(state);
    }
    keyed_rows_flush(&state->rows);
}

static void again_note_excluded(void *again_state) {
    const struct again_state *state = again_state;

    notes_append_count(&state->of.context->selection->notes, state->too_large,
                       state->of.transfers.of_files
                           ? "excluded from bytes read again: %lld read{s} of more than 256 MiB"
                           : "excluded from bytes replaced: %lld write{s} of more than 256 MiB",
                       (long long)state->too_large);
}

static void again_free_state(void *again_state) {
    struct again_state *state = again_state;

    page_table_free(&state->table);
    keyed_rows_free(&state->rows);
    transfers_free(state);
}

/* Columns of temp.tally_again. For a file: `within` is its object.id, `seconds` is NULL, `bytes`
 * counts all bytes read, `distinct` each byte once. For a device: `within` is its device_number(),
 * `bytes` counts bytes rewritten `seconds` (1 to MOST_SECONDS, rounded up) after their previous
 * write; `seconds` 0: all other bytes written. `sample`: one page in so many was counted, from
 * which the counts are estimated. Several rows may have the same key. */
const struct analysis analysis_again = {
    .name = "again",
    .tables = {{"tally_again", "trace, within, seconds, bytes, \"distinct\", sample", NULL}},
    .pass = PASS_IN_ORDER,
    .apart = true,
    .leaves_out = true,
    .fields = TRANSFER_FIELDS,
    .state_size = sizeof(struct again_state),
    .begin = again_begin,
    .begin_trace = again_begin_trace,
    .visit = transfers_visit,
    .transfer = again_add,
    .end_trace = again_end_trace,
    .write = again_note_excluded,
    .free = again_free_state,
};
