#include "copy/combine.h"

#include <string.h>

#include "copy/new_database.h"
#include "copy/transfer.h"
#include "store/catalog.h"
#include "store/column_table.h"

/* One of the databases to combine. */
struct part {
    struct database *to;         /* borrowed */
    struct database from;        /* the database to copy; opening it checks its version and log */
    struct catalog catalog;      /* traces of `from`, which is attached as `source` */
    int64_t shift[TRANSFER_IDS]; /* by table: number to add to ids of `from` */
};

/* --- finding traces that cannot be in one database -------------------------------------------- */

static const struct {
    const char *sql; /* SELECT of the names of conflicting traces in this and an earlier database */
    const char *message; /* message, printed with the database's path and both names */
} doubles[] = {
    {"SELECT b.name, a.name FROM source.source AS s JOIN main.source AS m ON m.hash = s.hash"
     " JOIN source.trace AS b ON b.id = s.trace JOIN main.trace AS a ON a.id = m.trace LIMIT 1",
     "%s: trace %s has the same log as trace %s of an earlier database: `tracetool remove` one of "
     "them"},
    {"SELECT b.name, a.name FROM source.trace AS b JOIN main.trace AS a ON a.name = b.name LIMIT 1",
     "%s: trace %s has the same name as trace %s of an earlier database: `tracetool rename` one of "
     "them"},
    {"SELECT b.name, a.name FROM source.trace AS b JOIN main.trace AS a ON a.log = b.log LIMIT 1",
     "%s: the log of trace %s has the same name as that of trace %s of an earlier database: import "
     "one of them again under another name"},
};

static bool refuse_doubles(struct part *part, struct error *error) {
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
        struct database_query find = database_query(part->to, error, doubles[i].sql, "");

        if (database_next(&find)) {
            find.failed = true;
            error_set(error, doubles[i].message, part->from.path,
                      (const char *)sqlite3_column_text(find.row, 0),
                      (const char *)sqlite3_column_text(find.row, 1));
        }
        if (!database_end(&find)) {
            return false;
        }
    }
    return true;
}

/* --- finding new ids that the new database does not have yet ---------------------------------- */

/* Finds what to add to a table's ids, so that they follow those in the new database. */
static bool find_shift(struct part *part, enum transfer_id id, struct error *error) {
    struct text sql = {0};
    struct database_query query;
    int64_t last, least, most, ignored;
    bool there, fits = true;

    text_append_format(&sql,
                       "SELECT (SELECT max(id) FROM main.%s), ifnull(min(id), 0),"
                       " ifnull(max(id), 0) FROM source.%s",
                       transfer_table_name(id), transfer_table_name(id));
    query = database_query_text(part->to, error, &sql, "");
    part->shift[id] = 0;
    if (database_next(&query)) {
        there = sqlite3_column_type(query.row, 0) != SQLITE_NULL;
        last = sqlite3_column_int64(query.row, 0);
        least = sqlite3_column_int64(query.row, 1);
        most = sqlite3_column_int64(query.row, 2);
        fits = !there || least > last ||
               !(__builtin_sub_overflow(last, least - 1, &part->shift[id]) ||
                 __builtin_add_overflow(most, part->shift[id], &ignored));
    }
    return database_end(&query) &&
           (fits || error_set(error,
                              "%s: its ids are too large to follow other ids; name this database "
                              "first, or import its logs again",
                              part->from.path));
}

/* --- copying traces of each database ---------------------------------------------------------- */

/* Makes a trace's event columns (column_table.h) from its rows, as ids in them have changed. */
static bool make_columns(const struct part *part, const struct catalog_trace *trace,
                         struct error *error) {
    struct column_range range = {
        trace->id + part->shift[TRANSFER_TRACE],
        trace->first_event + part->shift[TRANSFER_EVENT],
        trace->last_event + part->shift[TRANSFER_EVENT],
    };
    int64_t chunks;

    return database_query_integer(part->to,
                                  "SELECT count(*) FROM source.event_column WHERE trace = ?1",
                                  trace->id, 0, &chunks, error) &&
           (chunks == 0 || trace->last_event < trace->first_event ||
            column_table_rebuild(part->to, &range, error));
}

static bool is_shifted(const struct part *part) {
    for (unsigned id = 0; id < TRANSFER_IDS; id++) {
        if (part->shift[id] != 0) {
            return true;
        }
    }
    return false;
}

static bool combine_copy_traces(const struct part *part, struct error *error) {
    bool shifted = is_shifted(part);
    const struct transfer_rules rules = {
        .column = transfer_append_shifted,
        .left_out = shifted ? "event_column" : NULL,
    };
    struct transfer transfer;
    bool done = transfer_open(&transfer, part->to, &rules, error);

    for (size_t i = 0; done && i < part->catalog.count; i++) {
        const struct catalog_trace *from = &part->catalog.traces[i];
        struct transfer_trace trace = {
            .id = from->id, .first_event = from->first_event, .last_event = from->last_event};

        memcpy(trace.shift, part->shift, sizeof trace.shift);
        done = (transfer_trace(&transfer, &trace, error) &&
                (!shifted || make_columns(part, from, error))) ||
               error_context(error, "trace %s of %s", from->name, part->from.path);
    }
    transfer_close(&transfer);
    return done;
}

static bool copy_attached(struct part *part, struct error *error) {
    for (unsigned id = 0; id < TRANSFER_IDS; id++) {
        if (!find_shift(part, (enum transfer_id)id, error)) {
            return false;
        }
    }
    return refuse_doubles(part, error) && combine_copy_traces(part, error);
}

static bool add_database(struct database *to, const char *path, struct error *error) {
    struct part part = {.to = to};
    bool done;

    if (!database_open(&part.from, path, DATABASE_READ, error)) {
        return false;
    }
    done = transfer_attach(to, path, &part.catalog, error);
    if (done) {
        done = copy_attached(&part, error) && transfer_detach(to, error);
        catalog_free(&part.catalog);
    }
    database_close(&part.from);
    return done;
}

bool combine_databases(const char *const *paths, size_t count, const char *place, int64_t *traces,
                       struct error *error) {
    struct new_database made;
    bool done;

    if (!new_database_open(&made, place, error)) {
        return false;
    }
    done = true;
    for (size_t i = 0; done && i < count; i++) {
        done = add_database(&made.database, paths[i], error);
    }
    done =
        done &&
        database_query_integer(&made.database, "SELECT count(*) FROM trace", 0, 0, traces, error) &&
        new_database_commit(&made, error);
    new_database_close(&made);
    return done;
}
