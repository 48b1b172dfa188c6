#include "report/sorting.h"

#include <string.h>

#include "report/means.h"
#include "report/workspace.h"

static bool adds_up(const char *name) {
    static const char word[] = "cumulative";
    const size_t length = strlen(name), end = sizeof word - 1;

    return length >= end && strcmp(name + length - end, word) == 0;
}

static bool check_request(const struct report_request *request, const struct query *query,
                          struct error *error) {
    const struct report_option *share = request_option(request, "share");

    if (query->indented) {
        return error_usage(error, "--sort does not go with %s: its rows are a tree", query->report);
    }
    if (share != NULL && strcmp(share->value, "row") == 0) {
        return error_usage(error, "--sort does not go with --share row, which changes the order");
    }
    return true;
}

static bool no_column(const char *name, const struct query *query, const struct column *columns,
                      size_t count, struct error *error) {
    struct text names = {0};

    for (size_t i = 0; i < count; i++) {
        text_append_format(&names, "%s%s", i == 0 ? "" : ", ", columns[i].name);
    }
    error_usage(error, "--sort: %s has no column '%s'; it has %s", query->report, name,
                text_string(&names));
    text_free(&names);
    return false;
}

bool sorting_find(struct sorting *sorting, const struct report_request *request,
                  const struct query *query, struct column *columns, int *from, size_t *count,
                  struct error *error) {
    const bool reversed = request->sort[0] == '+';
    const char *name = request->sort + reversed;
    size_t kept = 0;

    *sorting = (struct sorting){.column = -1};
    for (size_t i = 0; i < *count; i++) {
        if (adds_up(columns[i].name)) {
            continue;
        }
        if (strcmp(columns[i].name, name) == 0) {
            sorting->column = from[i];
            sorting->is_text = column_kind_is_text(columns[i].kind);
            sorting->ascending = sorting->is_text != reversed;
        }
        columns[kept] = columns[i];
        from[kept++] = from[i];
    }
    *count = kept;
    return sorting->column < 0 ? no_column(name, query, columns, kept, error)
                               : check_request(request, query, error);
}

void sorting_append_statement(const struct sorting *sorting, sqlite3_stmt *statement,
                              struct text *text) {
    const char *sql = sqlite3_sql(statement); /* without comments after it */
    const int count = sqlite3_column_count(statement), kind = row_kind_column(statement),
              more = row_find_more_column(statement);

    text_append_string(text, "WITH _rows(");
    for (int i = 0; i < count; i++) {
        text_append_format(text, "%s_%d", i == 0 ? "" : ", ", i);
    }
    text_append_format(text, ") AS (%.*s\n) SELECT ", (int)query_statement_length(sql), sql);
    for (int i = 0; i < count; i++) {
        text_append_format(text, "%s_%d AS \"%s\"", i == 0 ? "" : ", ", i,
                           i == kind || i == more ? sqlite3_column_name(statement, i) : "");
    }
    text_append_format(text,
                       " FROM (SELECT *, row_number() OVER () AS _place FROM _rows)"
                       " ORDER BY _%d IS NULL, _%d%s%s, _place",
                       sorting->column, sorting->column, sorting->is_text ? " COLLATE NOCASE" : "",
                       sorting->ascending ? "" : " DESC");
}
