#include "store/schema.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char table_begins[] = "CREATE TABLE IF NOT EXISTS ";
static const char view_begins[] = "CREATE VIEW ";
static const char comment_begins[] = " -- ";

struct reading {
    struct text above; /* comment lines before this line; they may describe the next table */
    struct text table, column, what;
    bool inside; /* true: inside a CREATE TABLE or CREATE VIEW */
    bool is_view;
};

static bool schema_begins(const struct text *line, const char *with) {
    return strncmp(text_string(line), with, strlen(with)) == 0;
}

/* Sets a name to the text from `begin` to `end`; removes quotation marks around it. */
static void set_name(struct text *name, const char *begin, const char *end) {
    if (begin < end && *begin == '"') {
        begin++;
        end--;
    }
    text_clear(name);
    text_append(name, begin, (size_t)(end - begin));
}

/* Sets the name of a view's column: the last word of a line, without the table's name and dot. */
static void set_view_column(struct text *name, const char *begin, const char *end) {
    const char *word;

    while (end > begin && strchr(" ,", end[-1]) != NULL) {
        end--;
    }
    for (word = end; word > begin && strchr(" .", word[-1]) == NULL; word--) {
    }
    set_name(name, word, end);
}

/* If the line is a column with a comment, sets the column's name and comment, and returns true. */
static bool set_column(struct reading *reading, const struct text *line) {
    const char *code = text_string(line) + strspn(text_string(line), " ");
    const char *comment = strstr(text_string(line), comment_begins);

    if (comment == NULL || comment < code) {
        return false;
    }
    if (reading->is_view) {
        set_view_column(&reading->column, code, comment);
    } else {
        set_name(&reading->column, code, code + strcspn(code, " "));
    }
    text_clear(&reading->what);
    text_append_string(&reading->what, comment + strlen(comment_begins));
    return true;
}

/* Reads a line; returns whether it completes the description of a table or column. */
static bool schema_read_line(struct reading *reading, const struct text *line) {
    if (schema_begins(line, "-- ")) {
        text_append_string(&reading->above, reading->above.length > 0 ? " " : "");
        text_append_string(&reading->above, text_string(line) + strlen("-- "));
        return false;
    }
    if (line->length == 0) {
        text_clear(&reading->above);
        return false;
    }
    if (schema_begins(line, table_begins) || schema_begins(line, view_begins)) {
        reading->is_view = schema_begins(line, view_begins);
        const char *begin =
            text_string(line) + strlen(reading->is_view ? view_begins : table_begins);
        set_name(&reading->table, begin, begin + strcspn(begin, " "));
        text_clear(&reading->column);
        text_clear(&reading->what);
        text_append_string(&reading->what, text_string(&reading->above));
        reading->inside = true;
        text_clear(&reading->above);
        return true;
    }
    if (schema_begins(line, ")") || schema_begins(line, "FROM ")) {
        reading->inside = false;
    }
    return reading->inside && set_column(reading, line);
}

bool schema_visit(bool (*take)(void *context, const struct schema_word *word, struct error *error),
                  void *context, struct error *error) {
    const char *at = resource_find(schema_resources, "schema");
    struct reading reading = {.inside = false};
    struct text line = {0};
    bool done = true;

    while (done && *at != '\0') {
        size_t length = strcspn(at, "\n");

        text_clear(&line);
        text_append(&line, at, length);
        at += length + (at[length] == '\n');
        if (schema_read_line(&reading, &line)) {
            struct schema_word word = {text_string(&reading.table), text_string(&reading.column),
                                       text_string(&reading.what)};

            done = take(context, &word, error);
        }
    }
    text_free(&line);
    text_free(&reading.above);
    text_free(&reading.table);
    text_free(&reading.column);
    text_free(&reading.what);
    return done;
}

/* --- changing databases of earlier versions --------------------------------------------------- */

/* Returns the SQL that migrates a version to the next; NULL if there is none. */
static const char *step_from(const struct resource *schema, int64_t version) {
    char name[32];

    snprintf(name, sizeof name, "migrate-%lld", (long long)version);
    return resource_find(schema, name);
}

int64_t migration_oldest(const struct resource *schema, int64_t version) {
    while (step_from(schema, version - 1) != NULL) {
        version--;
    }
    return version;
}

bool migration_run(struct database *database, const struct resource *schema, int64_t version,
                   struct error *error) {
    char number[64];
    int64_t from;
    bool done = database_run(database, "BEGIN IMMEDIATE", error) &&
                database_query_integer(database, "PRAGMA user_version", 0, 0, &from, error);

    for (; done && from < version; from++) {
        done = database_run(database, step_from(schema, from), error);
    }
    snprintf(number, sizeof number, "PRAGMA user_version = %lld; COMMIT", (long long)version);
    return done && database_run(database, resource_find(schema, "schema"), error) &&
           database_run(database, number, error);
}
