#include "analysis/scan.h"

#include <pthread.h>

#include "base/text.h"
#include "model/partition.h"
#include "scan/event_scan.h"
#include "store/devices.h"
#include "store/partition_table.h"
#include "store/tally_table.h"

/* --- what all scans share -------------------------------------------------------------------- */

/* Kind of the pointer that is bound to the aggregates' first parameter. */
static const char pointer_kind[] = "tracetool scan";

void *scan_state(sqlite3_value **values) {
    return sqlite3_value_pointer(values[0], pointer_kind);
}

static void no_result(sqlite3_context *context) {
    sqlite3_result_null(context);
}

bool scan_register_function(struct database *database, const char *name, int parameters,
                            void (*step)(sqlite3_context *, int, sqlite3_value **),
                            struct error *error) {
    return sqlite3_create_function_v2(database->handle, name, parameters,
                                      SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL, step, no_result,
                                      NULL) == SQLITE_OK ||
           database_failed(database, error);
}

bool scan_run(struct database *database, sqlite3_stmt *statement, void *scan, const bool *failed,
              struct error *error) {
    int status;
    bool done;

    sqlite3_bind_pointer(statement, 1, scan, pointer_kind, NULL);
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
    }
    done = !*failed && (status == SQLITE_DONE || database_failed(database, error));
    sqlite3_finalize(statement);
    return done;
}

/* --- tallies --------------------------------------------------------------------------------- */

/* Rows of a tally beyond which they go to the table, to be counted on. */
#define ROWS_IN_MEMORY (1 << 18)

/* What the threads of a scan share. */
struct tally_scan {
    struct database *database;
    int64_t trace;
    const struct tally_context *context;
    unsigned wanted;              /* bit set of enum tally_kind */
    struct partitions partitions; /* of the trace */
    struct devices devices;       /* of objects, when partitions are wanted */
    pthread_mutex_t writing;      /* to the tables */
};

/* What a thread counts. */
struct tally_part {
    struct tally_scan *scan;
    struct tally tallies[TALLY_KINDS];
};

/* A full tally goes to its table, where equal rows are added up by the query. */
static bool write_tally(struct tally_scan *scan, struct tally *tally, struct error *error) {
    bool done;

    pthread_mutex_lock(&scan->writing);
    done = tally_table_write(scan->database, TALLY_TABLE_SELECTION, scan->trace, tally, NULL, NULL,
                             error);
    pthread_mutex_unlock(&scan->writing);
    if (done) {
        tally_clear(tally);
    }
    return done;
}

static bool count_event(struct tally_scan *scan, struct tally *tally, const struct event *event,
                        struct error *error) {
    if (tally_add(tally, scan->context, event)) {
        return true;
    }
    return write_tally(scan, tally, error) &&
           (tally_add(tally, scan->context, event) || error_no_memory(error));
}

/* What the rollups count that is not stored with an event. tally_table_write() looks up what these
 * numbers stand for; partitions count from 1. */
static void set_dimensions(const struct tally_scan *scan, struct event *event) {
    event->file_type = event->object;
    event->process = event->actor;
    if (scan->wanted >> TALLY_BLOCK & 1) {
        event->partition =
            (uint32_t)partition_index(scan->partitions.entries, scan->partitions.count,
                                      devices_find(&scan->devices, event->object), event->address) +
            1;
    }
}

static bool visit(void *context, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct tally_part *part = context;
    struct event event = EVENT_EMPTY;

    for (size_t i = 0; i < count; i++) {
        event_columns_take(columns, i, &event);
        set_dimensions(part->scan, &event);
        for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
            if (part->scan->wanted >> kind & 1 &&
                !count_event(part->scan, &part->tallies[kind], &event, error)) {
                return false;
            }
        }
    }
    return true;
}

/* The fields that the tallies look at. The action of an I/O, its operation, is a dimension of most.
 */
static unsigned fields_of(unsigned wanted, enum trace_kind kind) {
    const unsigned operation = 1u << TALLY_OPERATION, block = 1u << TALLY_BLOCK,
                   process = 1u << TALLY_PROCESS, actor = 1u << TALLY_ACTOR,
                   object = 1u << TALLY_OBJECT, sector = 1u << TALLY_SECTOR,
                   depth = 1u << TALLY_DEPTH;
    unsigned fields = EVENT_FLAGS | EVENT_SIZE;

    fields |= kind == TRACE_IO || wanted & operation ? EVENT_OPERATION : 0;
    fields |= wanted & (operation | actor | process) ? EVENT_ACTOR : 0;
    fields |= wanted & (object | block) ? EVENT_OBJECT : 0;
    fields |= wanted & (sector | block) ? EVENT_ADDRESS : 0;
    fields |= wanted & depth ? EVENT_DEPTH : 0;
    return fields;
}

static bool add_row(struct tally_scan *scan, struct tally *tally, const struct tally_row *row,
                    struct error *error) {
    return tally_put(tally, row) ||
           (write_tally(scan, tally, error) && (tally_put(tally, row) || error_no_memory(error)));
}

/* Adds what the other threads counted to the first one's part, as far as it has room. */
static bool merge_part(struct tally_scan *scan, struct tally_part *first, struct tally_part *part,
                       struct error *error) {
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        const struct tally *from = &part->tallies[kind];

        for (size_t i = 0; i < from->capacity; i++) {
            if (from->rows[i].count != 0 &&
                !add_row(scan, &first->tallies[kind], &from->rows[i], error)) {
                return false;
            }
        }
    }
    return true;
}

static bool count_parts(struct tally_scan *scan, struct event_scan *events,
                        struct tally_part *parts, size_t count, struct error *error) {
    void *contexts[EVENT_SCAN_THREADS];
    bool done;

    for (size_t i = 0; i < count; i++) {
        parts[i].scan = scan;
        for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
            tally_init(&parts[i].tallies[kind], (enum tally_kind)kind);
            parts[i].tallies[kind].most = ROWS_IN_MEMORY / count;
        }
        contexts[i] = &parts[i];
    }
    done = event_scan_in_parts(events, contexts, count, error);
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        parts[0].tallies[kind].most = ROWS_IN_MEMORY;
    }
    for (size_t i = 1; done && i < count; i++) {
        done = merge_part(scan, &parts[0], &parts[i], error);
    }
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        done = done &&
               (!(scan->wanted >> kind & 1) || write_tally(scan, &parts[0].tallies[kind], error));
        for (size_t i = 0; i < count; i++) {
            tally_free(&parts[i].tallies[kind]);
        }
    }
    return done;
}

bool scan_tallies(struct event_scan *events, const struct tally_context *context, unsigned tallies,
                  struct error *error) {
    struct tally_part parts[EVENT_SCAN_THREADS];
    struct tally_scan scan = {
        .database = events->database,
        .trace = events->trace,
        .context = context,
        .wanted = tallies,
    };
    bool done = partitions_read(events->database, events->trace, &scan.partitions, error) &&
                (!(tallies >> TALLY_BLOCK & 1) ||
                 devices_read(&scan.devices, events->database, events->trace, error));

    pthread_mutex_init(&scan.writing, NULL);
    events->fields = fields_of(tallies, context->kind);
    events->visit = visit;
    done = done && count_parts(&scan, events, parts, event_scan_threads(), error);
    pthread_mutex_destroy(&scan.writing);
    devices_free(&scan.devices);
    partitions_free(&scan.partitions);
    return done;
}

bool scan_create(struct database *database, unsigned tallies, struct error *error) {
    struct text sql = {0};
    bool done;

    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        const struct tally_definition *definition = &tally_definitions[kind];

        if (tallies >> kind & 1) {
            text_append_format(&sql,
                               "CREATE TEMP TABLE scanned_%s (trace, %s, count, bytes);"
                               "CREATE TEMP VIEW tally_%s AS SELECT * FROM temp.scanned_%s;",
                               definition->name, definition->columns, definition->name,
                               definition->name);
        }
    }
    done = sql.failed ? error_no_memory(error) : database_run(database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

/* --- registration ------------------------------------------------------------------------------
 */

bool scan_register(struct database *database, struct error *error) {
    return scan_register_distribution(database, error);
}
