#include "report/scan.h"

#include "base/text.h"
#include "import/partition.h"
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

struct tally_scan {
    struct database *database;
    int64_t trace;
    const struct tally_context *context;
    unsigned wanted; /* bit set of enum tally_kind */
    struct tally tallies[TALLY_KINDS];
    struct partitions partitions; /* of the trace, when they are wanted */
    struct error *error;
    bool failed;
};

/* A full tally goes to its table, where equal rows are added up by the query. */
static bool write_tally(struct tally_scan *scan, struct tally *tally) {
    if (!tally_table_write(scan->database, TALLY_TABLE_SELECTION, scan->trace, tally, NULL, NULL,
                           scan->error)) {
        return false;
    }
    tally_clear(tally);
    return true;
}

static bool count_event(struct tally_scan *scan, struct tally *tally, const struct event *event) {
    if (tally_add(tally, scan->context, event)) {
        return true;
    }
    if (tally->rows == NULL) {
        return error_no_memory(scan->error);
    }
    return write_tally(scan, tally) && tally_add(tally, scan->context, event);
}

static int64_t value_optional(sqlite3_value *value) {
    return sqlite3_value_type(value) == SQLITE_NULL ? EVENT_NONE : sqlite3_value_int64(value);
}

/* tally_events(scan, time, operation, actor, object, flags, size, address, depth, device) */
static void tally_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct tally_scan *scan = scan_state(values);
    struct event event;

    (void)count;
    if (scan == NULL || scan->failed) {
        return;
    }
    event = (struct event){
        .time = sqlite3_value_int64(values[1]),
        .operation = (uint32_t)sqlite3_value_int64(values[2]),
        .actor = (uint32_t)sqlite3_value_int64(values[3]),
        .object = (uint32_t)sqlite3_value_int64(values[4]),
        .flags = (uint32_t)sqlite3_value_int64(values[5]),
        .size = value_optional(values[6]),
        .address = value_optional(values[7]),
        .depth = sqlite3_value_int(values[8]),
    };
    /* tally_table_write() looks up what these numbers stand for; partitions count from 1. */
    event.file_type = event.object;
    event.process = event.actor;
    if (scan->wanted >> TALLY_BLOCK & 1) {
        event.partition =
            (uint32_t)partition_index(scan->partitions.entries, scan->partitions.count,
                                      value_optional(values[9]), value_optional(values[7])) +
            1;
    }
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        if (scan->wanted >> kind & 1 && !count_event(scan, &scan->tallies[kind], &event)) {
            scan->failed = true;
            sqlite3_result_error(context, scan->error->message, -1);
        }
    }
}

/* A column of the events when one of some tallies needs it, else NULL, which costs less. */
static const char *column_if(const struct tally_scan *scan, unsigned tallies, const char *column) {
    return scan->wanted & tallies ? column : "NULL";
}

/* Only the partition needs to know the device, which is the object's. */
static sqlite3_stmt *prepare_scan(struct tally_scan *scan) {
    const unsigned hour = 1u << TALLY_HOUR, operation = 1u << TALLY_OPERATION,
                   block = 1u << TALLY_BLOCK, process = 1u << TALLY_PROCESS,
                   actor = 1u << TALLY_ACTOR, object = 1u << TALLY_OBJECT,
                   sector = 1u << TALLY_SECTOR, depth = 1u << TALLY_DEPTH;
    sqlite3_stmt *statement = NULL;
    struct text sql = {0};

    /* The action of an I/O, its operation, is a dimension of most. */
    text_append_format(
        &sql,
        "SELECT tally_events(?1, %s, %s, %s, %s, e.flags, e.size, %s, %s, %s)"
        " FROM temp.selected_event AS e%s WHERE e.trace = ?2",
        column_if(scan, hour, "e.time"),
        column_if(scan, scan->context->kind == TRACE_IO ? ~0u : operation, "e.operation"),
        column_if(scan, operation | actor | process, "e.actor"),
        column_if(scan, object | block, "e.object"), column_if(scan, sector | block, "e.address"),
        column_if(scan, depth, "e.depth"), column_if(scan, block, "o.device"),
        scan->wanted & block ? " LEFT JOIN main.object AS o ON o.id = e.object" : "");
    if (sql.failed) {
        error_no_memory(scan->error);
    } else {
        statement = database_prepare(scan->database, text_string(&sql), scan->error);
    }
    text_free(&sql);
    return statement;
}

bool scan_tallies(struct database *database, int64_t trace, const struct tally_context *context,
                  unsigned tallies, struct error *error) {
    struct tally_scan scan = {
        .database = database,
        .trace = trace,
        .context = context,
        .wanted = tallies,
        .error = error,
    };
    sqlite3_stmt *statement = NULL;
    bool done = partitions_read(database, trace, &scan.partitions, error);

    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        tally_init(&scan.tallies[kind], (enum tally_kind)kind);
        scan.tallies[kind].most = ROWS_IN_MEMORY;
    }
    if (done) {
        statement = prepare_scan(&scan);
        done = statement != NULL;
    }
    if (done) {
        sqlite3_bind_int64(statement, 2, trace);
        done = scan_run(database, statement, &scan, &scan.failed, error);
    }
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        done = done && (!(tallies >> kind & 1) || write_tally(&scan, &scan.tallies[kind]));
        tally_free(&scan.tallies[kind]);
    }
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
    return scan_register_function(database, "tally_events", 10, tally_step, error) &&
           scan_register_sequences(database, error) && scan_register_gaps(database, error) &&
           scan_register_locality(database, error) && scan_register_distribution(database, error);
}
