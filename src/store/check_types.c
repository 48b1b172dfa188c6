#include "store/check_types.h"

#include <stdlib.h>
#include <string.h>

#include "base/resource.h"
#include "store/trace_rows.h"
#include "base/memory.h"

struct type_rule {
    char *table;         /* owned */
    bool has_trace;      /* a column of that name */
    struct text columns; /* their names, each with a NUL behind it */
    sqlite3_stmt *find;  /* owned; gives the place of the column of a value that does not fit */
};

/* --- values -------------------------------------------------------------------------------------
 */

/* A letter for the type that a column is declared with. */
static char letter_of(const char *declared) {
    return strcmp(declared, "INTEGER") == 0 ? 'i' : strcmp(declared, "BLOB") == 0 ? 'b' : 't';
}

/* Text may stand where bytes do. */
static bool fits(char letter, int type) {
    return type == SQLITE_NULL || (letter == 'i'   ? type == SQLITE_INTEGER
                                   : letter == 'b' ? type == SQLITE_BLOB || type == SQLITE_TEXT
                                                   : type == SQLITE_TEXT);
}

/* misfit(letters, values…): the place of the first value that is of no type of its letter, from 1;
 * 0: there is none. */
static void misfit(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *letters = (const char *)sqlite3_value_text(values[0]);
    int place = 1;

    while (place < count && fits(letters[place - 1], sqlite3_value_type(values[place]))) {
        place++;
    }
    sqlite3_result_int(context, place < count ? place : 0);
}

/* --- rules --------------------------------------------------------------------------------------
 */

/* Appends the letters of all columns, and the columns. */
static bool append_columns(struct database *schema, struct type_rule *rule, struct text *letters,
                           struct text *values, struct error *error) {
    sqlite3_stmt *columns = database_prepare(
        schema, "SELECT name, type FROM pragma_table_info(?1) ORDER BY cid", error);
    bool row = true, done = columns != NULL;

    if (done) {
        sqlite3_bind_text(columns, 1, rule->table, -1, SQLITE_STATIC);
    }
    while (done && (done = database_step(schema, columns, &row, error)) && row) {
        const char *name = (const char *)sqlite3_column_text(columns, 0);

        rule->has_trace |= strcmp(name, "trace") == 0;
        text_append(&rule->columns, name, strlen(name) + 1);
        text_append_char(letters, letter_of((const char *)sqlite3_column_text(columns, 1)));
        text_append_format(values, ", t.\"%s\"", name);
    }
    sqlite3_finalize(columns);
    return done;
}

static bool prepare_rule(struct type_check *check, struct type_rule *rule, struct error *error) {
    struct text letters = {0}, values = {0}, sql = {0};
    bool done;

    done = append_columns(&check->schema, rule, &letters, &values, error);
    if (done) {
        text_append_format(&sql,
                           "SELECT place FROM (SELECT misfit('%s'%s) AS place FROM main.\"%s\" AS t"
                           " WHERE %s) WHERE place > 0 LIMIT 1",
                           text_string(&letters), text_string(&values), rule->table,
                           trace_rows_of(rule->table, rule->has_trace));
        done = (!letters.failed && !values.failed && !rule->columns.failed && !sql.failed) ||
               error_no_memory(error);
    }
    if (done) {
        rule->find = database_prepare(check->database, text_string(&sql), error);
        done = rule->find != NULL;
    }
    text_free(&letters);
    text_free(&values);
    text_free(&sql);
    return done;
}

static bool add_rule(struct type_check *check, const char *table, struct error *error) {
    struct type_rule *rules = xrealloc(check->rules, (check->count + 1) * sizeof *rules);
    struct type_rule *rule;

    check->rules = rules;
    rule = &rules[check->count++];
    *rule = (struct type_rule){.table = xstrdup(table)};
    return prepare_rule(check, rule, error);
}

/* The tables are those that the schema has, as it has them, whatever another program made of them.
 */
static bool add_rules(struct type_check *check, struct error *error) {
    sqlite3_stmt *tables = database_prepare(
        &check->schema, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid",
        error);
    bool row = true, done = tables != NULL;

    while (done && (done = database_step(&check->schema, tables, &row, error)) && row) {
        done = add_rule(check, (const char *)sqlite3_column_text(tables, 0), error);
    }
    sqlite3_finalize(tables);
    return done;
}

bool type_check_open(struct type_check *check, struct database *database, struct error *error) {
    *check = (struct type_check){.database = database, .schema = {.path = database->path}};
    return (sqlite3_open(":memory:", &check->schema.handle) == SQLITE_OK ||
            database_failed(&check->schema, error)) &&
           database_run(&check->schema, resource_find(schema_resources, "schema"), error) &&
           (sqlite3_create_function(database->handle, "misfit", -1, SQLITE_UTF8, NULL, misfit, NULL,
                                    NULL) == SQLITE_OK ||
            database_failed(database, error)) &&
           add_rules(check, error);
}

void type_check_close(struct type_check *check) {
    for (size_t i = 0; i < check->count; i++) {
        sqlite3_finalize(check->rules[i].find);
        free(check->rules[i].table);
        text_free(&check->rules[i].columns);
    }
    free(check->rules);
    sqlite3_close(check->schema.handle);
    *check = (struct type_check){0};
}

static void tell(const struct type_rule *rule, int place, const char *trace,
                 const struct store_report *report) {
    const char *column = rule->columns.bytes;
    struct text what = {0};

    for (int i = 1; i < place; i++) {
        column += strlen(column) + 1;
    }
    text_append_format(&what, "a value in %s.%s is of another type than its column", rule->table,
                       column);
    report->found(report->context, trace, text_string(&what));
    text_free(&what);
}

bool type_check_trace(struct type_check *check, const struct catalog_trace *trace,
                      const struct store_report *report, bool *sound, struct error *error) {
    *sound = true;
    for (size_t i = 0; i < check->count; i++) {
        const struct type_rule *rule = &check->rules[i];
        bool row, done;

        sqlite3_bind_int64(rule->find, 1, trace->id);
        sqlite3_bind_int64(rule->find, 2, trace->first_event);
        sqlite3_bind_int64(rule->find, 3, trace->last_event);
        done = database_step(check->database, rule->find, &row, error);
        if (done && row) {
            tell(rule, sqlite3_column_int(rule->find, 0), trace->name, report);
            *sound = false;
        }
        sqlite3_reset(rule->find);
        if (!done) {
            return false;
        }
    }
    return true;
}

/* --- rows of no trace ---------------------------------------------------------------------------
 */

/* Gives 1 where the table has rows of no trace. Of events, and of what belongs to some, there are
 * as many then as lie between the first and the last ones of traces. */
static void append_strangers(struct text *sql, const struct type_rule *rule) {
    if (rule->has_trace) {
        text_append_format(sql,
                           "SELECT EXISTS (SELECT 1 FROM main.\"%s\" WHERE trace NOT IN"
                           " (SELECT id FROM main.trace))",
                           rule->table);
    } else {
        text_append_format(sql,
                           "SELECT (SELECT count(*) FROM main.\"%s\") >"
                           " (SELECT total((SELECT count(*) FROM main.\"%s\" AS t"
                           " WHERE t.%s BETWEEN first_event AND last_event)) FROM main.trace)",
                           rule->table, rule->table,
                           strcmp(rule->table, "event") == 0 ? "id" : "event");
    }
}

static bool find_strangers(struct type_check *check, const struct type_rule *rule, bool *any,
                           struct error *error) {
    struct text sql = {0};
    int64_t found = 0;
    bool done;

    append_strangers(&sql, rule);
    done = sql.failed ? error_no_memory(error)
                      : database_integer(check->database, text_string(&sql), 0, 0, &found, error);
    text_free(&sql);
    *any = found != 0;
    return done;
}

bool type_check_strangers(struct type_check *check, const struct store_report *report,
                          struct error *error) {
    for (size_t i = 0; i < check->count; i++) {
        const struct type_rule *rule = &check->rules[i];
        struct text what = {0};
        bool any = false,
             done = strcmp(rule->table, "trace") == 0 || find_strangers(check, rule, &any, error);

        if (done && any) {
            text_append_format(&what, "there are rows in %s that are of no trace", rule->table);
            store_report_derived(report, NULL, text_string(&what));
        }
        text_free(&what);
        if (!done) {
            return false;
        }
    }
    return true;
}

bool type_check_remove_strangers(struct type_check *check, int64_t *count, struct error *error) {
    struct text sql = {0};
    bool done = true;

    *count = 0;
    for (size_t i = 0; done && i < check->count; i++) {
        if (!check->rules[i].has_trace) {
            continue;
        }
        text_clear(&sql);
        text_append_format(&sql,
                           "DELETE FROM main.\"%s\" WHERE trace NOT IN (SELECT id FROM main.trace)",
                           check->rules[i].table);
        done = sql.failed ? error_no_memory(error)
                          : database_run(check->database, text_string(&sql), error);
        *count += done ? sqlite3_changes(check->database->handle) : 0;
    }
    text_free(&sql);
    return done;
}
