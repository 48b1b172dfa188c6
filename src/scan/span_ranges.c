#include "scan/span_ranges.h"

#include "scan/span_walk.h"

struct range_scan {
    struct database *database;
    sqlite3_stmt *insert;
    int64_t first, last; /* of the range that grows; 0: none yet */
    int64_t trace;
};

static bool write_range(struct range_scan *scan, struct error *error) {
    if (scan->first == 0) {
        return true;
    }
    sqlite3_bind_int64(scan->insert, 1, scan->first);
    sqlite3_bind_int64(scan->insert, 2, scan->last);
    sqlite3_bind_int64(scan->insert, 3, scan->trace);
    return database_execute(scan->database, scan->insert, error);
}

static bool extend_range(void *state, const struct span_row *row, struct error *error) {
    struct range_scan *scan = state;

    if (scan->first != 0 && row->id == scan->last + 1) {
        scan->last = row->id;
        return true;
    }
    if (!write_range(scan, error)) {
        return false;
    }
    scan->first = scan->last = row->id;
    return true;
}

static const struct span_visitor range_visitor = {.row = extend_range};

bool span_ranges_find(struct selection *selection, struct error *error) {
    struct range_scan scan = {.database = selection->database};
    const struct span_visit visit = {&range_visitor, &scan};
    bool done;

    if (selection->ranges_known) {
        return true;
    }
    scan.insert = scratch_prepare(selection->scratch,
                                  "INSERT INTO temp.selected_range VALUES (?1, ?2, ?3)", error);
    done = scan.insert != NULL;
    for (size_t i = 0; done && i < selection->count; i++) {
        scan.first = 0;
        scan.trace = selection->traces[i].trace->id;
        done = span_walk(selection, &selection->traces[i], true, 0, &visit, 1, error) &&
               write_range(&scan, error);
    }
    sqlite3_finalize(scan.insert);
    selection->ranges_known = done;
    return done;
}
