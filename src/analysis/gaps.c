/* Time between one selected event of a trace and the next: temp.tally_gap. */
#include <stdlib.h>

#include "scan/event_scan.h"
#include "analysis/scan.h"

/* So many of the longest are kept in memory; for more, all go to the table. */
#define GAPS_IN_MEMORY 65536

struct gap {
    int64_t trace, start, end;
};

struct gap_scan {
    struct database *database;
    int64_t trace, time; /* of the last event */
    bool begun;
    struct gap *heap; /* the longest so far, the shortest of them on top; NULL: keep all */
    size_t count, capacity;
    sqlite3_stmt *insert;
};

/* Whether `left` comes before `right` in the report: longer, or as long and earlier. */
static bool comes_before(const struct gap *left, const struct gap *right) {
    int64_t left_length = left->end - left->start, right_length = right->end - right->start;

    return left_length != right_length ? left_length > right_length : left->start < right->start;
}

static void swap(struct gap *left, struct gap *right) {
    struct gap kept = *left;

    *left = *right;
    *right = kept;
}

static void sift_up(struct gap *heap, size_t at) {
    while (at > 0 && comes_before(&heap[(at - 1) / 2], &heap[at])) {
        swap(&heap[(at - 1) / 2], &heap[at]);
        at = (at - 1) / 2;
    }
}

static void sift_down(struct gap *heap, size_t count) {
    size_t at = 0;

    for (;;) {
        size_t last = at;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
            if (comes_before(&heap[last], &heap[child])) {
                last = child;
            }
        }
        if (last == at) {
            return;
        }
        swap(&heap[at], &heap[last]);
        at = last;
    }
}

static bool write_gap(struct gap_scan *scan, const struct gap *gap, struct error *error) {
    sqlite3_bind_int64(scan->insert, 1, gap->trace);
    sqlite3_bind_int64(scan->insert, 2, gap->start);
    sqlite3_bind_int64(scan->insert, 3, gap->end);
    return database_execute(scan->database, scan->insert, error);
}

static bool keep_gap(struct gap_scan *scan, const struct gap *gap, struct error *error) {
    if (scan->heap == NULL) {
        return write_gap(scan, gap, error);
    }
    if (scan->count < scan->capacity) {
        scan->heap[scan->count++] = *gap;
        sift_up(scan->heap, scan->count - 1);
    } else if (comes_before(gap, &scan->heap[0])) {
        scan->heap[0] = *gap;
        sift_down(scan->heap, scan->count);
    }
    return true;
}

static bool visit(void *context, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct gap_scan *scan = context;

    for (size_t i = 0; i < count; i++) {
        struct gap gap = {scan->trace, scan->time, columns->time[i]};

        if (scan->begun && gap.end > gap.start && !keep_gap(scan, &gap, error)) {
            return false;
        }
        scan->begun = true;
        scan->time = gap.end;
    }
    return true;
}

static bool scan_trace(void *context, struct event_scan *events, struct error *error) {
    struct gap_scan *scan = context;

    scan->trace = events->trace;
    scan->begun = false;
    events->visit = visit;
    return event_scan_in_order(events, scan, error);
}

static bool write_heap(struct gap_scan *scan, struct error *error) {
    for (size_t i = 0; i < scan->count; i++) {
        if (!write_gap(scan, &scan->heap[i], error)) {
            return false;
        }
    }
    return true;
}

bool scan_gaps(struct database *database, const struct selection_filter *filter,
               struct error *error) {
    struct gap_scan scan = {.database = database};
    bool done =
        database_run(database, "CREATE TEMP TABLE tally_gap (trace, start, \"end\")", error);

    if (done && filter->top > 0 && filter->top <= GAPS_IN_MEMORY) {
        scan.capacity = (size_t)filter->top;
        scan.heap = calloc(scan.capacity, sizeof *scan.heap);
        done = scan.heap != NULL || error_no_memory(error);
    }
    if (done) {
        scan.insert =
            database_prepare(database, "INSERT INTO temp.tally_gap VALUES (?1, ?2, ?3)", error);
        done = scan.insert != NULL &&
               event_scan_selection(database, filter, scan_trace, &scan, error) &&
               write_heap(&scan, error);
    }
    sqlite3_finalize(scan.insert);
    free(scan.heap);
    return done;
}
