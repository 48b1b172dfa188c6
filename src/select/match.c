#include "select/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/partition.h"
#include "select/counted_action.h"
#include "select/layer.h"

/* The names of the selected traces. CROSS keeps the order, here as everywhere: SQLite, which does
 * not know how few traces a selection mostly has, may else pass over all names of the database. */
#define SELECTED_NAMES " FROM temp.selection AS s CROSS JOIN main.name AS n ON n.trace = s.trace"

/* Whether a pattern fits anything in one of the traces; `sql` takes it as ?1, a trace as ?2. */
static bool fits_any(struct database *database, const char *sql, const char *pattern,
                     const struct catalog_trace *const *traces, size_t count, bool *fits,
                     struct error *error) {
    bool done = true;

    *fits = false;
    for (size_t i = 0; done && !*fits && i < count; i++) {
        struct database_query query =
            database_query(database, error, sql, "si", pattern, traces[i]->id);

        *fits = database_next(&query);
        done = database_end(&query);
    }
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
#define FITS_OPERATION(matches) NAME_FITS("name AS n", matches)
#define FITS_LAYER(matches)     FITS_OPERATION(matches)
#define FITS_OBJECT(matches)    NAME_FITS("object AS o", matches)
#define FITS_PLACE(matches)     NAME_FITS("partition AS r", matches)
#define FITS_ACTOR(matches)                                                                        \
    "SELECT 1 FROM main.actor AS a JOIN main.trace AS t ON t.id = a.trace,"                        \
    " (SELECT ?1 AS text) AS p WHERE a.trace = ?2 AND " matches " LIMIT 1"

/* Whether a name occurs in a trace. */
static const char *const name_fits[FILTER_NAMES] = {
#define X(NAME, TABLE, missing, matches) FITS_##TABLE(matches),
    FILTER_NAMES_OF(X)
#undef X
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

/* Says so when the name is in none of the traces. What has no file type, or lies in no partition,
 * may be there in any trace. */
static bool find_name(const struct lookup *lookup, enum filter_by by, const char *missing,
                      const char *name, struct error *error) {
    bool fits = (by == FILTER_FILETYPE && name[0] == '\0') ||
                (by == FILTER_PARTITION && strcmp(name, PARTITION_UNMAPPED) == 0);

    if (!fits && !fits_any(lookup->database, name_fits[by], name, lookup->traces, lookup->count,
                           &fits, error)) {
        return false;
    }
    if (!fits) {
        text_append_format(lookup->missing, "no %s %s in %s", missing, name, lookup->where);
    }
    return true;
}

static bool find_names(const struct lookup *lookup, const struct name_set *set, enum filter_by by,
                       struct error *error) {
    const char *missing = filter_names[by].missing;
    bool done = true, found = false;

    for (size_t i = 0; done && i < set->count && !found; i++) {
        if (lookup->any) {
            text_clear(lookup->missing);
        }
        done = find_name(lookup, by, missing, set->names[i], error);
        found = (lookup->missing->length == 0) == lookup->any;
    }
    for (size_t i = 0;
         done && !lookup->any && lookup->missing->length == 0 && i < set->excluded_count; i++) {
        done = find_name(lookup, by, missing, set->excluded[i], error);
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
        !find_name(lookup, FILTER_OPERATION, "function is called", filter->under, error)) {
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

    if (done && missing.length > 0) {
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
    text_free(&where);
    return done;
}

/* --- abbreviations ------------------------------------------------------------------------------
 */

/* What names are looked up in. */
struct abbreviating {
    struct abbreviations *abbreviations;
    struct database *database;
    const struct catalog_trace *const *traces;
    size_t count;
};

/* Takes ownership of `memory`. */
static void *own(struct abbreviations *abbreviations, void *memory) {
    abbreviations->owned =
        xrealloc(abbreviations->owned, (abbreviations->count + 1) * sizeof *abbreviations->owned);
    abbreviations->owned[abbreviations->count++] = memory;
    return memory;
}

/* The only operation of the traces that begins so; NULL in `whole` when there is none, or several.
 * Owned by the caller. */
static bool find_whole(const struct abbreviating *lookup, const char *name, char **whole,
                       struct error *error) {
    bool done = true, several = false;

    *whole = NULL;
    for (size_t i = 0; done && !several && i < lookup->count; i++) {
        struct database_query query = database_query(
            lookup->database, error,
            "SELECT min(text), max(text) FROM main.name WHERE trace = ?2"
            " AND kind NOT IN ('class', 'component', 'error') AND substr(text, 1, length(?1)) = ?1",
            "si", name, lookup->traces[i]->id);

        if (database_next(&query) && sqlite3_column_type(query.row, 0) != SQLITE_NULL) {
            const char *first = (const char *)sqlite3_column_text(query.row, 0);

            several = strcmp(first, (const char *)sqlite3_column_text(query.row, 1)) != 0 ||
                      (*whole != NULL && strcmp(*whole, first) != 0);
            *whole = *whole == NULL ? xstrdup(first) : *whole;
        }
        done = database_end(&query);
    }
    if (!done || several) {
        free(*whole);
        *whole = NULL;
    }
    return done;
}

/* Puts the whole name in the place of one that is short for it. */
static bool expand(const struct abbreviating *lookup, const char *option, const char **name,
                   struct error *error) {
    char *whole = NULL;
    bool fits = false;

    if (!fits_any(lookup->database, name_fits[FILTER_OPERATION], *name, lookup->traces,
                  lookup->count, &fits, error) ||
        (!fits && **name != '\0' && !find_whole(lookup, *name, &whole, error))) {
        return false;
    }
    if (whole != NULL) {
        notes_append(&lookup->abbreviations->notes, "--%s %s is %s, which alone begins so", option,
                     *name, whole);
        *name = own(lookup->abbreviations, whole);
    }
    return true;
}

static bool expand_list(const struct abbreviating *lookup, const char *option,
                        const char *const **names, size_t count, struct error *error) {
    const char **copies;
    bool done = true;

    if (count == 0) {
        return true;
    }
    copies = own(lookup->abbreviations, xmalloc(count * sizeof *copies));
    memcpy(copies, *names, count * sizeof *copies);
    *names = copies;
    for (size_t i = 0; done && i < count; i++) {
        done = expand(lookup, option, &copies[i], error);
    }
    return done;
}

bool abbreviations_make(struct abbreviations *abbreviations, struct database *database,
                        const struct catalog_trace *const *traces, size_t count,
                        const struct filter *filter, struct error *error) {
    const struct abbreviating lookup = {abbreviations, database, traces, count};
    struct name_set *operations = &abbreviations->filter.names[FILTER_OPERATION];

    *abbreviations = (struct abbreviations){.filter = *filter};
    return expand_list(&lookup, "op", &operations->names, operations->count, error) &&
           expand_list(&lookup, "not-op", &operations->excluded, operations->excluded_count,
                       error) &&
           (filter->under == NULL || expand(&lookup, "under", &abbreviations->filter.under, error));
}

void abbreviations_free(struct abbreviations *abbreviations) {
    for (size_t i = 0; i < abbreviations->count; i++) {
        free(abbreviations->owned[i]);
    }
    free(abbreviations->owned);
    notes_free(&abbreviations->notes);
    *abbreviations = (struct abbreviations){0};
}

/* --- the ids ------------------------------------------------------------------------------------
 */

#define IDS "(id INTEGER PRIMARY KEY)"

static void add_names(struct temp_rows *rows, int by, bool excluded, const char *const *names,
                      size_t count) {
    for (size_t i = 0; i < count; i++) {
        temp_rows_text(rows, 3, names[i], strlen(names[i]));
        TEMP_ROW(rows, by, excluded);
    }
}

/* All names of the filter, for the statements below and for the view of events. */
static bool write_names(struct temp_schema *temp, const struct filter *filter,
                        struct error *error) {
    struct temp_rows rows = {temp, "filter_name", error, .columns = 3};

    if (!temp_schema_table(temp, "filter_name", "(by INTEGER, excluded INTEGER, text TEXT)",
                           error)) {
        return false;
    }
    for (int by = 0; by < FILTER_NAMES; by++) {
        const struct name_set *set = &filter->names[by];

        add_names(&rows, by, false, set->names, set->count);
        add_names(&rows, by, true, set->excluded, set->excluded_count);
    }
    return temp_rows_end(&rows);
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
static const struct id_table {
    const char *name, *id, *rows, *nothing;
} id_tables[] = {
    [FILTER_BY_OPERATION] = {"selected_operation", "n.id", SELECTED_NAMES,
                             " FROM (SELECT NULL AS trace, NULL AS kind, NULL AS text, NULL AS"
                             " code, NULL AS component) AS n"},
    [FILTER_BY_ACTOR] =
        {"selected_actor", "a.id",
         " FROM temp.selection AS t CROSS JOIN main.actor AS a ON a.trace = t.trace",
         " FROM (SELECT NULL AS name, NULL AS pid, NULL AS tid, NULL AS code,"
         " NULL AS session) AS a, (SELECT NULL AS sessions) AS t"},
    [FILTER_BY_OBJECT] = {"selected_object", "o.id",
                          " FROM temp.selection AS s CROSS JOIN main.object AS o"
                          " ON o.trace = s.trace",
                          " FROM (SELECT NULL AS name, NULL AS type, NULL AS device) AS o"},
};

/* Fills it with the ids that pass by all names of theirs, and with 0 when what refers to no row
 * does. */
static bool select_ids(struct temp_schema *temp, const struct filter *filter,
                       enum filter_table which, struct error *error) {
    const struct id_table *table = &id_tables[which];
    struct text passes = {0}, sql = {0};
    bool done;

    for (enum filter_by by = 0; by < FILTER_NAMES; by++) {
        if (filter_names[by].table == which) {
            match_append_passes(filter, by, filter_names[by].matches, &passes);
        }
    }
    if (which == FILTER_BY_OPERATION && filter_by_layer(filter)) {
        text_append_string(&passes, " AND EXISTS (SELECT 1 FROM temp.layer AS l"
                                    " WHERE l.taken AND l.trace = n.trace AND l.kind = n.kind)");
    }
    if (which == FILTER_BY_OBJECT && filter->has_device) {
        text_append_format(&passes, " AND o.device = %lld", (long long)filter->device);
    }
    text_append_format(&sql, "INSERT INTO temp.%s SELECT %s", table->name, table->id);
    text_append_string(&sql, table->rows);
    text_append_string(&sql, " WHERE 1");
    text_append_string(&sql, text_string(&passes));
    text_append_string(&sql, " UNION ALL SELECT 0");
    text_append_string(&sql, table->nothing);
    text_append_string(&sql, " WHERE 1");
    text_append_string(&sql, text_string(&passes));
    done = temp_schema_table(temp, table->name, IDS, error) &&
           database_run(temp->database, text_string(&sql), error);
    text_free(&sql);
    text_free(&passes);
    return done;
}

static bool select_under(struct temp_schema *temp, const struct filter *filter,
                         struct error *error) {
    sqlite3_stmt *insert;
    bool done;

    if (!temp_schema_table(temp, "under_operation", IDS, error)) {
        return false;
    }
    insert = database_prepare(temp->database,
                              "INSERT INTO temp.under_operation SELECT n.id" SELECTED_NAMES
                              ", (SELECT ?1 AS text) AS p WHERE " FILTER_OPERATION_MATCHES,
                              error);
    done = insert != NULL;
    if (done) {
        sqlite3_bind_text(insert, 1, filter->under, -1, SQLITE_STATIC);
        done = database_execute(temp->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

bool match_select(struct temp_schema *temp, const struct filter *filter, struct error *error) {
    return !filter_beside_time(filter) ||
           (write_names(temp, filter, error) &&
            (!filter_by_layer(filter) || layers_write(temp, filter, error)) &&
            (!filter_by_operation(filter) ||
             select_ids(temp, filter, FILTER_BY_OPERATION, error)) &&
            (!filter_by_actor(filter) || select_ids(temp, filter, FILTER_BY_ACTOR, error)) &&
            (!filter_by_object(filter) || select_ids(temp, filter, FILTER_BY_OBJECT, error)) &&
            (filter->under == NULL || select_under(temp, filter, error)));
}
