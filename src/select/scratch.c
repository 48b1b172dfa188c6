#include "select/scratch.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct scratch_object {
    char *name; /* owned; with the prefix */
    char *sql;  /* owned; that made it, before the prefix was put in */
    bool is_view;
    bool once; /* it does not stay: an index costs less to make behind the rows */
};

void scratch_init(struct scratch *scratch, struct database *database, unsigned number) {
    *scratch = (struct scratch){.database = database, .number = number};
    if (number > 0) {
        snprintf(scratch->prefix, sizeof scratch->prefix, "s%u_", number + 1);
    }
}

void scratch_free(struct scratch *scratch) {
    scratch_give_back(scratch, 0);
    scratch_settle(scratch);
    free(scratch->made);
    *scratch = (struct scratch){0};
}

/* --- SQL --------------------------------------------------------------------------------------
 */

static bool is_name_byte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '$' || (byte & 0x80) != 0;
}

/* Bytes up to behind the next `end`; all when there is none. A doubled quote begins a further
 * string, which makes no difference here. */
static size_t length_up_to(const char *sql, size_t skipped, const char *end) {
    const char *found = strstr(sql + skipped, end);

    return found == NULL ? strlen(sql) : (size_t)(found - sql) + strlen(end);
}

/* Bytes of the string, quoted name, comment, name or single byte that SQL begins with. */
static size_t token_length(const char *sql) {
    size_t length = 0;

    switch (sql[0]) {
    case '\'':
        return length_up_to(sql, 1, "'");
    case '"':
        return length_up_to(sql, 1, "\"");
    case '`':
        return length_up_to(sql, 1, "`");
    case '[':
        return length_up_to(sql, 1, "]");
    case '-':
        return sql[1] == '-' ? length_up_to(sql, 2, "\n") : 1;
    case '/':
        return sql[1] == '*' ? length_up_to(sql, 2, "*/") : 1;
    default:
        while (is_name_byte(sql[length])) {
            length++;
        }
        return length == 0 ? 1 : length;
    }
}

/* Appends `.NAME`, which may be quoted, with the prefix; how long it was. */
static size_t append_object(const char *prefix, const char *sql, struct text *out) {
    size_t length = sql[1] == '\0' ? 0 : token_length(sql + 1);
    size_t quote = length > 1 && !is_name_byte(sql[1]) ? 1 : 0;

    text_append(out, sql, 1 + quote);
    text_append_string(out, prefix);
    text_append(out, sql + 1 + quote, length - quote);
    return 1 + length;
}

/* Appends `sql` with the prefix behind every `temp.` that is no part of a string, a quoted name, a
 * comment or a longer name. */
static void append_sql(const char *prefix, const char *sql, struct text *out) {
    static const char schema[] = "temp";
    char before = ' ';

    while (*sql != '\0') {
        size_t length = token_length(sql);
        bool is_schema = length == sizeof schema - 1 && sql[length] == '.' && before != '.' &&
                         strncasecmp(sql, schema, length) == 0;

        before = sql[length - 1];
        text_append(out, sql, length);
        sql += length;
        if (is_schema) {
            sql += append_object(prefix, sql, out);
        }
    }
}

/* The statement as SQLite gets it: `sql` itself, or what is put into `out`. NULL when out of
 * memory.
 */
static const char *rewrite(const struct scratch *scratch, const char *sql, struct text *out,
                           struct error *error) {
    if (scratch->prefix[0] == '\0') {
        return sql;
    }
    append_sql(scratch->prefix, sql, out);
    return text_string(out);
}

bool scratch_run(struct scratch *scratch, const char *sql, struct error *error) {
    struct text out = {0};
    const char *rewritten = rewrite(scratch, sql, &out, error);
    bool done = rewritten != NULL && database_run(scratch->database, rewritten, error);

    text_free(&out);
    return done;
}

static sqlite3_stmt *prepare(struct scratch *scratch, const char *sql,
                             sqlite3_stmt *(*prepare_with)(struct database *, const char *,
                                                           struct error *),
                             struct error *error) {
    struct text out = {0};
    const char *rewritten = rewrite(scratch, sql, &out, error);
    sqlite3_stmt *statement =
        rewritten == NULL ? NULL : prepare_with(scratch->database, rewritten, error);

    text_free(&out);
    return statement;
}

sqlite3_stmt *scratch_take(struct scratch *scratch, const char *sql, struct error *error) {
    return prepare(scratch, sql, database_take, error);
}

sqlite3_stmt *scratch_take_reading(struct scratch *scratch, const char *sql, struct error *error) {
    return prepare(scratch, sql, database_take_reading, error);
}

sqlite3_stmt *scratch_prepare(struct scratch *scratch, const char *sql, struct error *error) {
    return prepare(scratch, sql, database_prepare, error);
}

sqlite3_stmt *scratch_prepare_reading(struct scratch *scratch, const char *sql,
                                      struct error *error) {
    return prepare(scratch, sql, database_prepare_reading, error);
}

/* Bytes that SQLite gets for the first `length` ones of `sql`. */
static size_t rewritten_length(const struct scratch *scratch, const char *sql, size_t length) {
    char *part = xstrndup(sql, length);
    struct text out = {0};
    size_t rewritten;

    if (part != NULL) {
        append_sql(scratch->prefix, part, &out);
    }
    rewritten = out.length;
    text_free(&out);
    free(part);
    return rewritten;
}

int scratch_mistake(const struct scratch *scratch, const char *sql) {
    int offset = sqlite3_error_offset(scratch->database->handle);
    size_t low = 0, high = strlen(sql);

    if (offset < 0 || scratch->prefix[0] == '\0') {
        return offset;
    }
    /* Rewriting only makes longer: the longest beginning that does not reach beyond the place. */
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;

        if (rewritten_length(scratch, sql, middle) <= (size_t)offset) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return (int)low;
}

/* --- tables and views --------------------------------------------------------------------------
 */

static bool has_room(struct scratch *scratch, struct error *error) {
    struct scratch_object *made =
        array_grow(scratch->made, scratch->kept, &scratch->capacity, sizeof *made);

    scratch->made = made;
    return true;
}

static bool drop_named(struct scratch *scratch, const struct scratch_object *object,
                       struct error *error) {
    struct text sql = {0};
    bool done;

    text_append_format(&sql, "DROP %s temp.%s", object->is_view ? "VIEW" : "TABLE", object->name);
    done = database_run(scratch->database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

/* Drops it, and has the last one take its place. What cannot be dropped, for the disk is full, is
 * tried again by the next one of its name: run_making(). */
static void drop(struct scratch *scratch, size_t place) {
    struct scratch_object *object = &scratch->made[place];
    struct error ignored;

    drop_named(scratch, object, &ignored);
    free(object->name);
    free(object->sql);
    *object = scratch->made[--scratch->kept];
}

/* The object at a place becomes the next one that is in use. */
static void use(struct scratch *scratch, size_t place) {
    struct scratch_object object = scratch->made[place];

    scratch->made[place] = scratch->made[scratch->count];
    scratch->made[scratch->count++] = object;
}

/* Whether the same was given back, and is in use from now on; another one of its name is dropped.
 */
static bool make_again(struct scratch *scratch, const struct scratch_object *wanted) {
    for (size_t i = scratch->count; i < scratch->kept; i++) {
        const struct scratch_object *object = &scratch->made[i];

        if (strcmp(object->name, wanted->name) == 0) {
            bool same = strcmp(object->sql, wanted->sql) == 0;

            if (same) {
                use(scratch, i);
            } else {
                drop(scratch, i);
            }
            return same;
        }
    }
    return false;
}

static bool is_known(const struct scratch *scratch, const struct scratch_object *object) {
    for (size_t i = 0; i < scratch->kept; i++) {
        if (strcmp(scratch->made[i].name, object->name) == 0) {
            return true;
        }
    }
    return false;
}

/* An object of that name that nobody knows is one that could not be dropped; why, is the error. */
static bool run_making(struct scratch *scratch, const struct scratch_object *object,
                       struct error *error) {
    return scratch_run(scratch, object->sql, error) ||
           (!is_known(scratch, object) && strstr(error->message, "already exists") != NULL &&
            drop_named(scratch, object, error) && scratch_run(scratch, object->sql, error));
}

/* Takes the strings of the object. */
static bool make_object(struct scratch *scratch, struct scratch_object *object,
                        struct error *error) {
    if (make_again(scratch, object)) {
        free(object->name);
        free(object->sql);
        return true;
    }
    if (!has_room(scratch, error) || !run_making(scratch, object, error)) {
        free(object->name);
        free(object->sql);
        return false;
    }
    scratch->made[scratch->kept++] = *object;
    use(scratch, scratch->kept - 1);
    return true;
}

static bool make(struct scratch *scratch, const char *name, bool is_view, const char *definition,
                 struct error *error) {
    struct text sql = {0}, with_prefix = {0};
    struct scratch_object object = {.is_view = is_view};

    text_append_format(&sql, "CREATE %s temp.%s%s%s", is_view ? "VIEW" : "TABLE", name,
                       is_view ? " AS " : " ", definition);
    text_append_format(&with_prefix, "%s%s", scratch->prefix, name);
    object.name = with_prefix.bytes;
    object.sql = sql.bytes;
    return make_object(scratch, &object, error);
}

bool scratch_table(struct scratch *scratch, const char *name, const char *definition,
                   struct error *error) {
    return make(scratch, name, false, definition, error);
}

bool scratch_view(struct scratch *scratch, const char *name, const char *select,
                  struct error *error) {
    return make(scratch, name, true, select, error);
}

static bool has_rows(struct scratch *scratch, const char *table, bool *some, struct error *error) {
    struct text sql = {0};
    sqlite3_stmt *select;
    bool done;

    text_append_format(&sql, "SELECT 1 FROM temp.%s LIMIT 1", table);
    select = scratch_take(scratch, text_string(&sql), error);
    done = select != NULL && database_step(scratch->database, select, some, error);
    database_keep(scratch->database, select);
    text_free(&sql);
    return done;
}

static bool make_index(struct scratch *scratch, const char *table, const char *column,
                       struct error *error) {
    struct text sql = {0};
    bool done;

    /* The table of an index takes no schema: its prefix is put in front of it here. */
    text_append_format(&sql, "CREATE INDEX temp.%s_by_%s ON %s%s (%s)", table, column,
                       scratch->prefix, table, column);
    done = scratch_run(scratch, text_string(&sql), error);
    text_free(&sql);
    return done;
}

bool scratch_index(struct scratch *scratch, const char *table, const char *column,
                   struct error *error) {
    size_t prefix = strlen(scratch->prefix);
    bool some;

    if (!has_rows(scratch, table, &some, error)) {
        return false;
    }
    for (size_t i = 0; i < scratch->count; i++) {
        struct scratch_object *object = &scratch->made[i];

        object->once |= some && strcmp(object->name + prefix, table) == 0;
    }
    return !some || make_index(scratch, table, column, error);
}

/* Removes all rows of a table. */
static bool empty(struct scratch *scratch, const struct scratch_object *object) {
    struct text sql = {0};
    struct error ignored;
    sqlite3_stmt *statement;
    bool done;

    text_append_format(&sql, "DELETE FROM temp.%s", object->name);
    statement = database_take(scratch->database, text_string(&sql), &ignored);
    done = statement != NULL && database_execute(scratch->database, statement, &ignored);
    database_keep(scratch->database, statement);
    text_free(&sql);
    return done;
}

void scratch_give_back(struct scratch *scratch, size_t from) {
    /* Forwards, so that they come back in the order in which they are looked for. */
    for (size_t i = from; i < scratch->count; i++) {
        struct scratch_object *object = &scratch->made[i];

        object->once |= !object->is_view && !object->once && !empty(scratch, object);
    }
    scratch->count = from < scratch->count ? from : scratch->count;
    for (size_t i = scratch->kept; i > scratch->count; i--) {
        if (scratch->made[i - 1].once) {
            drop(scratch, i - 1);
        }
    }
}

void scratch_settle(struct scratch *scratch) {
    while (scratch->kept > scratch->count) {
        drop(scratch, scratch->kept - 1);
    }
}
