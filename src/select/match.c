#include "select/match.h"

#include <stdio.h>

#include "select/counted_action.h"

/* Operations that --op and --under mean: by name, with or without the component, or by number as
 * the thesis writes traps and as functions without a name are shown. */
#define OPERATION_MATCHES                                                                          \
    "(n.text = ?1 OR (n.code IS NOT NULL AND lower(?1) IN"                                         \
    " (printf('0x%04x', n.code), printf('%04x:%04x', n.code >> 16, n.code & 65535)))"              \
    " OR (n.component IS NOT NULL AND ?1 = (SELECT c.text FROM main.name AS c"                     \
    " WHERE c.id = n.component) || ':' || n.text))"

/* Components that --component means: by name, or by number. */
#define COMPONENT_MATCHES                                                                          \
    "EXISTS (SELECT 1 FROM main.name AS c WHERE c.id = n.component AND (c.text = ?1"               \
    " OR (c.code IS NOT NULL AND lower(?1) IN"                                                     \
    " (printf('%04x', c.code), printf('0x%x', c.code), printf('0x%04x', c.code),"                  \
    " CAST(c.code AS TEXT)))))"

/* Actors that --process means: by name, by pid, or as reports label them. */
#define ACTOR_MATCHES                                                                              \
    "(a.name = ?1"                                                                                 \
    " OR (a.pid = CAST(?1 AS INTEGER) AND CAST(CAST(?1 AS INTEGER) AS TEXT) = ?1)"                 \
    " OR actor_label(a.name, a.code, a.session, t.sessions) = ?1"                                  \
    " OR actor_label(a.name, a.code, a.session, 1) = ?1)"

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

/* Sets `missing` to a sentence about the first of what the filter names and none of the traces,
 * which are called `where`, has. */
static bool find_missing(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const struct filter *filter, const char *where,
                         struct text *missing, struct error *error) {
    static const char operations[] =
        "SELECT 1 FROM main.name AS n WHERE n.trace = ?2 AND " OPERATION_MATCHES " LIMIT 1";
    const struct {
        const char *pattern; /* NULL: not given */
        const char *what, *sql;
    } patterns[] = {
        {filter->operation, "operation", operations},
        {filter->under, "function", operations},
        {filter->component, "component",
         "SELECT 1 FROM main.name AS n WHERE n.trace = ?2 AND " COMPONENT_MATCHES " LIMIT 1"},
        {filter->process, "process or application",
         "SELECT 1 FROM main.actor AS a JOIN main.trace AS t ON t.id = a.trace"
         " WHERE a.trace = ?2 AND " ACTOR_MATCHES " LIMIT 1"},
    };

    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        bool fits = true;

        if (patterns[i].pattern != NULL && !fits_any(database, patterns[i].sql, patterns[i].pattern,
                                                     traces, count, &fits, error)) {
            return false;
        }
        if (!fits) {
            text_append_format(missing, "no %s is called %s in %s", patterns[i].what,
                               patterns[i].pattern, where);
            return true;
        }
    }
    return !filter->has_device ||
           find_device(database, traces, count, filter->device, where, missing, error);
}

bool match_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct filter *filter, struct error *error) {
    struct text missing = {0};
    bool done =
        find_missing(database, traces, count, filter, "the selected traces", &missing, error);

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
    bool done, has = true;

    text_append_format(&where, "trace %s", trace->name);
    done = find_missing(database, &trace, 1, filter, text_string(&where), missing, error);
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

/* Runs a statement that changes rows, with `pattern` as ?1, unless that is NULL. */
static bool change(struct scratch *scratch, const char *sql, const char *pattern,
                   struct error *error) {
    sqlite3_stmt *statement;
    bool done;

    if (pattern == NULL) {
        return true;
    }
    statement = scratch_prepare(scratch, sql, error);
    if (statement == NULL) {
        return false;
    }
    sqlite3_bind_text(statement, 1, pattern, -1, SQLITE_STATIC);
    done = database_execute(scratch->database, statement, error);
    sqlite3_finalize(statement);
    return done;
}

#define IDS "(id INTEGER PRIMARY KEY)"

/* With --op and --component, what fits both. */
static bool select_operations(struct scratch *scratch, const struct filter *filter,
                              struct error *error) {
    if (!filter_by_operation(filter)) {
        return true;
    }
    if (!scratch_table(scratch, "selected_operation", IDS, error) ||
        !change(scratch,
                "INSERT INTO temp.selected_operation SELECT n.id" SELECTED_NAMES
                " WHERE " OPERATION_MATCHES,
                filter->operation, error)) {
        return false;
    }
    return change(scratch,
                  filter->operation != NULL
                      ? "DELETE FROM temp.selected_operation WHERE id NOT IN"
                        " (SELECT n.id" SELECTED_NAMES " WHERE " COMPONENT_MATCHES ")"
                      : "INSERT INTO temp.selected_operation SELECT n.id" SELECTED_NAMES
                        " WHERE " COMPONENT_MATCHES,
                  filter->component, error);
}

/* What lies on the device: objects say which one they are on. */
static bool select_device(struct scratch *scratch, const struct filter *filter,
                          struct error *error) {
    char number[32];

    if (!filter->has_device) {
        return true;
    }
    snprintf(number, sizeof number, "%lld", (long long)filter->device);
    return scratch_table(scratch, "selected_object", IDS, error) &&
           change(scratch,
                  "INSERT INTO temp.selected_object SELECT o.id FROM temp.selection AS s"
                  " CROSS JOIN main.object AS o ON o.trace = s.trace"
                  " WHERE o.device = CAST(?1 AS INTEGER)",
                  number, error);
}

bool match_select(struct scratch *scratch, const struct filter *filter, struct error *error) {
    return select_operations(scratch, filter, error) && select_device(scratch, filter, error) &&
           (filter->under == NULL ||
            (scratch_table(scratch, "under_operation", IDS, error) &&
             change(scratch,
                    "INSERT INTO temp.under_operation SELECT n.id" SELECTED_NAMES
                    " WHERE " OPERATION_MATCHES,
                    filter->under, error))) &&
           (filter->process == NULL ||
            (scratch_table(scratch, "selected_actor", IDS, error) &&
             change(scratch,
                    "INSERT INTO temp.selected_actor SELECT a.id FROM temp.selection AS t"
                    " CROSS JOIN main.actor AS a ON a.trace = t.trace WHERE " ACTOR_MATCHES,
                    filter->process, error)));
}
