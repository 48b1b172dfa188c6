/* Time between one selected event of a trace and the next: temp.tally_gap. */
#include <stdlib.h>

#include "report/scan.h"

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
    struct error *error;
    bool failed;
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

static bool write_gap(struct gap_scan *scan, const struct gap *gap) {
    sqlite3_bind_int64(scan->insert, 1, gap->trace);
    sqlite3_bind_int64(scan->insert, 2, gap->start);
    sqlite3_bind_int64(scan->insert, 3, gap->end);
    return database_execute(scan->database, scan->insert, scan->error);
}

static bool keep_gap(struct gap_scan *scan, const struct gap *gap) {
    if (scan->heap == NULL) {
        return write_gap(scan, gap);
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

/* gap_events(scan, trace, time) */
static void gap_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct gap_scan *scan = scan_state(values);
    int64_t trace = sqlite3_value_int64(values[1]), time = sqlite3_value_int64(values[2]);
    struct gap gap;

    (void)count;
    if (scan == NULL || scan->failed) {
        return;
    }
    gap = (struct gap){trace, scan->time, time};
    if (scan->begun && scan->trace == trace && time > scan->time && !keep_gap(scan, &gap)) {
        scan->failed = true;
        sqlite3_result_error(context, scan->error->message, -1);
    }
    scan->begun = true;
    scan->trace = trace;
    scan->time = time;
}

static bool write_heap(struct gap_scan *scan) {
    for (size_t i = 0; i < scan->count; i++) {
        if (!write_gap(scan, &scan->heap[i])) {
            return false;
        }
    }
    return true;
}

bool scan_gaps(struct database *database, int64_t top, struct error *error) {
    struct gap_scan scan = {.database = database, .error = error};
    sqlite3_stmt *statement = NULL;
    bool done =
        database_run(database, "CREATE TEMP TABLE tally_gap (trace, start, \"end\")", error);

    if (done && top > 0 && top <= GAPS_IN_MEMORY) {
        scan.capacity = (size_t)top;
        scan.heap = calloc(scan.capacity, sizeof *scan.heap);
        done = scan.heap != NULL || error_no_memory(error);
    }
    if (done) {
        scan.insert =
            database_prepare(database, "INSERT INTO temp.tally_gap VALUES (?1, ?2, ?3)", error);
        statement = database_prepare(
            database, "SELECT gap_events(?1, trace, time) FROM temp.selected_event", error);
        done = scan.insert != NULL && statement != NULL;
    }
    if (done) {
        done = scan_run(database, statement, &scan, &scan.failed, error) && write_heap(&scan);
    } else {
        sqlite3_finalize(statement);
    }
    sqlite3_finalize(scan.insert);
    free(scan.heap);
    return done;
}

bool scan_register_gaps(struct database *database, struct error *error) {
    return scan_register_function(database, "gap_events", 3, gap_step, error);
}
