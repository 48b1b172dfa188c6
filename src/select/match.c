#include "select/match.h"

#include <stdio.h>

#include "model/partition.h"
#include "select/counted_action.h"
#include "select/layer.h"

/* What the names that a filter gives mean. The name is `p.text`. */

/* Operations, of --op and --under: by name, with or without the component, or by number as the
 * thesis writes traps and as functions without a name are shown. What calls failed with is none. */
#define OPERATION_MATCHES                                                                          \
    "(n.kind <> 'error' AND (n.text = p.text OR (n.code IS NOT NULL AND lower(p.text) IN"          \
    " (printf('0x%04x', n.code), printf('%04x:%04x', n.code >> 16, n.code & 65535)))"              \
    " OR (n.component IS NOT NULL AND p.text = (SELECT c.text FROM main.name AS c"                 \
    " WHERE c.id = n.component) || ':' || n.text)))"

/* Components: by name, or by number. */
#define COMPONENT_MATCHES                                                                          \
    "EXISTS (SELECT 1 FROM main.name AS c WHERE c.id = n.component AND (c.text = p.text"           \
    " OR (c.code IS NOT NULL AND lower(p.text) IN"                                                 \
    " (printf('%04x', c.code), printf('0x%x', c.code), printf('0x%04x', c.code),"                  \
    " CAST(c.code AS TEXT)))))"

/* Layers: what calls failed with is none. */
#define LAYER_MATCHES "(n.kind <> 'error' AND n.kind = p.text)"

/* Actors: by name, by pid, or as reports label them. */
#define ACTOR_MATCHES                                                                              \
    "(a.name = p.text"                                                                             \
    " OR (a.pid = CAST(p.text AS INTEGER) AND CAST(CAST(p.text AS INTEGER) AS TEXT) = p.text)"     \
    " OR actor_label(a.name, a.code, a.session, t.sessions) = p.text"                              \
    " OR actor_label(a.name, a.code, a.session, 1) = p.text)"

/* Files by the name that reports show. */
#define FILE_MATCHES "o.name = p.text"

/* File types as reports show them: empty where there is none. */
#define FILETYPE_MATCHES "ifnull(o.type, '') = p.text"

/* The names of the selected traces. CROSS keeps the order, here as everywhere: SQLite, which does
 * not know how few traces a selection mostly has, may else pass over all names of the database. */
#define SELECTED_NAMES " FROM temp.selection AS s CROSS JOIN main.name AS n ON n.trace = s.trace"

/* Whether a pattern fits anything in one of the traces; `sql` takes it as ?1, a trace as ?2. */
static bool fits_any(struct database *database, const char *sql, const char *pattern,
                     const struct catalog_trace *const *traces, size_t count, bool *fits,
                     struct error *error) {
    sqlite3_stmt *statement = database_prepare(database, sql, error);
    bool done = statement != NULL;

    *fits = false;
    for (size_t i = 0; done && !*fits && i < count; i++) {
        sqlite3_bind_text(statement, 1, pattern, -1, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 2, traces[i]->id);
        done = database_step(database, statement, fits, error);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return done;
}

/* Appends to `missing` what none of the traces has on the device. */
static bool find_device(struct database *database, const struct catalog_trace *const *traces,
                        size_t count, int64_t device, const char *where, struct text *missing,
                        struct error *error) {
    char number[32];
    bool fits;

    snprintf(number, sizeof number, "%lld", (long long)device);
    if (!fits_any(database,
                  "SELECT 1 FROM main.object WHERE trace = ?2 AND device = CAST(?1 AS INTEGER)"
                  " LIMIT 1",
                  number, traces, count, &fits, error)) {
        return false;
    }
    if (!fits) {
        text_append_format(missing, "no I/O of %s is on device %lld:%lld", where,
                           (long long)(device >> 20), (long long)(device & 0xFFFFF));
    }
    return true;
}

bool match_check_pattern(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const char *what, const char *sql, const char *pattern,
                         struct error *error) {
    bool fits = true;

    return pattern == NULL ||
           (fits_any(database, sql, pattern, traces, count, &fits, error) &&
            (fits || error_set(error, "no %s is called %s in the selected traces", what, pattern)));
}

#define NAME_FITS(table, matches)                                                                  \
    "SELECT 1 FROM main." table ", (SELECT ?1 AS text) AS p WHERE trace = ?2 AND " matches         \
    " LIMIT 1"

static const char operation_fits[] = NAME_FITS("name AS n", OPERATION_MATCHES);

bool match_operation(struct database *database, const struct catalog_trace *const *traces,
                     size_t count, const char *name, bool *fits, struct error *error) {
    return fits_any(database, operation_fits, name, traces, count, fits, error);
}

/* What names of a filter are names of, and whether one occurs in a trace. What has no file type,
 * or lies in no partition, may be there in any trace. */
static const struct {
    const char *what, *fits;
} meant[FILTER_NAMES] = {
    [FILTER_OPERATION] = {"operation", operation_fits},
    [FILTER_COMPONENT] = {"component", NAME_FITS("name AS n", COMPONENT_MATCHES)},
    [FILTER_PROCESS] = {"process or application",
                        "SELECT 1 FROM main.actor AS a JOIN main.trace AS t ON t.id = a.trace,"
                        " (SELECT ?1 AS text) AS p WHERE a.trace = ?2 AND " ACTOR_MATCHES
                        " LIMIT 1"},
    [FILTER_FILE] = {"file", NAME_FITS("object AS o", FILE_MATCHES)},
    [FILTER_FILETYPE] = {"file type", "SELECT 1 WHERE ?1 = '' UNION ALL SELECT * FROM (" NAME_FITS(
                                          "object AS o", FILETYPE_MATCHES) ")"},
    [FILTER_PARTITION] = {"partition",
                          "SELECT 1 WHERE ?1 = '" PARTITION_UNMAPPED "' UNION ALL SELECT * FROM "
                          "(" NAME_FITS("partition AS r", "r.name = p.text") ")"},
    [FILTER_LAYER] = {"layer", NAME_FITS("name AS n", LAYER_MATCHES)},
};

/* Which traces are looked at, what they are called, and what they were found to lack. */
struct lookup {
    struct database *database;
    const struct catalog_trace *const *traces;
    size_t count;
    const char *where;
    bool any; /* of the names of one option it is enough that one is there */
    struct text *missing;
};

/* Says so when the name is in none of the traces. */
static bool find_name(const struct lookup *lookup, const char *what, const char *sql,
                      const char *name, struct error *error) {
    bool fits;

    if (!fits_any(lookup->database, sql, name, lookup->traces, lookup->count, &fits, error)) {
        return false;
    }
    if (!fits) {
        text_append_format(lookup->missing, "no %s is called %s in %s", what, name, lookup->where);
    }
    return true;
}

static bool find_names(const struct lookup *lookup, const struct name_set *set, enum filter_by by,
                       struct error *error) {
    bool done = true, found = false;

    for (size_t i = 0; done && i < set->count && !found; i++) {
        if (lookup->any) {
            text_clear(lookup->missing);
        }
        done = find_name(lookup, meant[by].what, meant[by].fits, set->names[i], error);
        found = (lookup->missing->length == 0) == lookup->any;
    }
    for (size_t i = 0;
         done && !lookup->any && lookup->missing->length == 0 && i < set->excluded_count; i++) {
        done = find_name(lookup, meant[by].what, meant[by].fits, set->excluded[i], error);
    }
    return done;
}

/* Sets `missing` to a sentence about the first of what the filter names and none of the traces
 * has. */
static bool find_missing(const struct lookup *lookup, const struct filter *filter,
                         struct error *error) {
    for (enum filter_by by = 0; by < FILTER_NAMES; by++) {
        if (!find_names(lookup, &filter->names[by], by, error)) {
            return false;
        }
        if (lookup->missing->length > 0) {
            return true;
        }
    }
    if (filter->under != NULL &&
        !find_name(lookup, "function", operation_fits, filter->under, error)) {
        return false;
    }
    return lookup->missing->length > 0 || !filter->has_device ||
           find_device(lookup->database, lookup->traces, lookup->count, filter->device,
                       lookup->where, lookup->missing, error);
}

bool match_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct filter *filter, struct error *error) {
    struct text missing = {0};
    const struct lookup lookup = {
        .database = database,
        .traces = traces,
        .count = count,
        .where = "the selected traces",
        .missing = &missing,
    };
    bool done = find_missing(&lookup, filter, error);

    if (done && missing.failed) {
        done = error_no_memory(error);
    } else if (done && missing.length > 0) {
        done = error_set(error, "%s", text_string(&missing));
    }
    text_free(&missing);
    return done;
}

bool match_missing(struct database *database, const struct catalog_trace *trace,
                   const struct filter *filter, struct text *missing, struct error *error) {
    struct text where = {0};
    struct lookup lookup = {database, &trace, 1, NULL, true, missing};
    bool done, has = true;

    text_append_format(&where, "trace %s", trace->name);
    lookup.where = text_string(&where);
    done = find_missing(&lookup, filter, error);
    if (done && missing->length == 0 && filter->action != NULL) {
        done = counted_action_has(database, trace, filter->action, &has, error);
        if (!has) {
            text_append_format(missing, "no I/O of %s has action %s", text_string(&where),
                               filter->action);
        }
    }
    done = done && ((!where.failed && !missing->failed) || error_no_memory(error));
    text_free(&where);
    return done;
}

/* --- the ids ------------------------------------------------------------------------------------
 */

#define IDS "(id INTEGER PRIMARY KEY)"

static bool add_names(struct scratch *scratch, sqlite3_stmt *insert, int by, bool excluded,
                      const char *const *names, size_t count, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        sqlite3_bind_int(insert, 1, by);
        sqlite3_bind_int(insert, 2, excluded);
        sqlite3_bind_text(insert, 3, names[i], -1, SQLITE_STATIC);
        done = database_execute(scratch->database, insert, error);
    }
    return done;
}

/* All names of the filter, for the statements below and for the view of events. */
static bool write_names(struct scratch *scratch, const struct filter *filter, struct error *error) {
    sqlite3_stmt *insert;
    bool done;

    if (!scratch_table(scratch, "filter_name", "(by INTEGER, excluded INTEGER, text TEXT)",
                       error)) {
        return false;
    }
    insert = scratch_prepare(scratch, "INSERT INTO temp.filter_name VALUES (?1, ?2, ?3)", error);
    done = insert != NULL;
    for (int by = 0; done && by < FILTER_NAMES; by++) {
        const struct name_set *set = &filter->names[by];

        done = add_names(scratch, insert, by, false, set->names, set->count, error) &&
               add_names(scratch, insert, by, true, set->excluded, set->excluded_count, error);
    }
    sqlite3_finalize(insert);
    return done;
}

void match_append_passes(const struct filter *filter, enum filter_by by, const char *matches,
                         struct text *sql) {
    const struct name_set *set = &filter->names[by];

    for (int excluded = 0; excluded < 2; excluded++) {
        if ((excluded ? set->excluded_count : set->count) > 0) {
            text_append_format(sql,
                               " AND %s (SELECT 1 FROM temp.filter_name AS p"
                               " WHERE p.by = %d AND p.excluded = %d AND ",
                               excluded ? "NOT EXISTS" : "EXISTS", (int)by, excluded);
            text_append_string(sql, matches);
            text_append_string(sql, ")");
        }
    }
}

/* A table of ids, and what the rows of the selected traces and one of NULLs are selected from. */
struct id_table {
    const char *name, *id, *rows, *nothing;
};

/* Fills it with those that pass, and with 0 when what refers to no row does. Takes the conditions,
 * each of which begins with AND. */
static bool select_ids(struct scratch *scratch, const struct id_table *table,
                       struct text *conditions, struct error *error) {
    const char *passes = text_string(conditions);
    struct text sql = {0};
    bool done = scratch_table(scratch, table->name, IDS, error);

    text_append_format(&sql, "INSERT INTO temp.%s SELECT %s", table->name, table->id);
    text_append_string(&sql, table->rows);
    text_append_string(&sql, " WHERE 1");
    text_append_string(&sql, passes);
    text_append_string(&sql, " UNION ALL SELECT 0");
    text_append_string(&sql, table->nothing);
    text_append_string(&sql, " WHERE 1");
    text_append_string(&sql, passes);
    done = done && ((!sql.failed && !conditions->failed) || error_no_memory(error)) &&
           scratch_run(scratch, text_string(&sql), error);
    text_free(&sql);
    text_free(conditions);
    return done;
}

static bool select_operations(struct scratch *scratch, const struct filter *filter,
                              struct error *error) {
    static const struct id_table table = {
        "selected_operation", "n.id", SELECTED_NAMES,
        " FROM (SELECT NULL AS trace, NULL AS kind, NULL AS text, NULL AS code,"
        " NULL AS component) AS n"};
    struct text conditions = {0};

    match_append_passes(filter, FILTER_OPERATION, OPERATION_MATCHES, &conditions);
    match_append_passes(filter, FILTER_COMPONENT, COMPONENT_MATCHES, &conditions);
    if (filter_by_layer(filter)) {
        text_append_string(&conditions,
                           " AND EXISTS (SELECT 1 FROM temp.layer AS l"
                           " WHERE l.taken AND l.trace = n.trace AND l.kind = n.kind)");
    }
    return select_ids(scratch, &table, &conditions, error);
}

static bool select_actors(struct scratch *scratch, const struct filter *filter,
                          struct error *error) {
    static const struct id_table table = {
        "selected_actor", "a.id",
        " FROM temp.selection AS t CROSS JOIN main.actor AS a ON a.trace = t.trace",
        " FROM (SELECT NULL AS name, NULL AS pid, NULL AS code, NULL AS session) AS a,"
        " (SELECT NULL AS sessions) AS t"};
    struct text conditions = {0};

    match_append_passes(filter, FILTER_PROCESS, ACTOR_MATCHES, &conditions);
    return select_ids(scratch, &table, &conditions, error);
}

static bool select_objects(struct scratch *scratch, const struct filter *filter,
                           struct error *error) {
    static const struct id_table table = {
        "selected_object", "o.id",
        " FROM temp.selection AS s CROSS JOIN main.object AS o ON o.trace = s.trace",
        " FROM (SELECT NULL AS name, NULL AS type, NULL AS device) AS o"};
    struct text conditions = {0};

    match_append_passes(filter, FILTER_FILE, FILE_MATCHES, &conditions);
    match_append_passes(filter, FILTER_FILETYPE, FILETYPE_MATCHES, &conditions);
    if (filter->has_device) {
        text_append_format(&conditions, " AND o.device = %lld", (long long)filter->device);
    }
    return select_ids(scratch, &table, &conditions, error);
}

static bool select_under(struct scratch *scratch, const struct filter *filter,
                         struct error *error) {
    sqlite3_stmt *insert;
    bool done;

    if (!scratch_table(scratch, "under_operation", IDS, error)) {
        return false;
    }
    insert = scratch_prepare(scratch,
                             "INSERT INTO temp.under_operation SELECT n.id" SELECTED_NAMES
                             ", (SELECT ?1 AS text) AS p WHERE " OPERATION_MATCHES,
                             error);
    done = insert != NULL;
    if (done) {
        sqlite3_bind_text(insert, 1, filter->under, -1, SQLITE_STATIC);
        done = database_execute(scratch->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

bool match_select(struct scratch *scratch, const struct filter *filter, struct error *error) {
    return !filter_beside_time(filter) ||
           (write_names(scratch, filter, error) &&
            (!filter_by_layer(filter) || layers_write(scratch, filter, error)) &&
            (!filter_by_operation(filter) || select_operations(scratch, filter, error)) &&
            (!filter_by_actor(filter) || select_actors(scratch, filter, error)) &&
            (!filter_by_object(filter) || select_objects(scratch, filter, error)) &&
            (filter->under == NULL || select_under(scratch, filter, error)));
}
