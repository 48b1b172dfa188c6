/* tracetool report REPORT --help: what one report takes and gives. */

#include <string.h>

#include "base/words.h"
#include "cli/help.h"
#include "cli/report_load.h"
#include "report/choose.h"

/* What a query file says is text of the user's. */
static void append(struct text *out, const char *string) {
    text_append_escaped(out, string, strlen(string));
}

/* A word for a shell. */
static void append_word(struct text *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+./:,";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        text_append_string(out, word);
        return;
    }
    text_append_char(out, '\'');
    for (size_t length; *word != '\0'; word += length) {
        length = strcspn(word, "'");
        text_append_escaped(out, word, length);
        if (word[length] == '\'') {
            text_append_string(out, "'\\''");
            length++;
        }
    }
    text_append_char(out, '\'');
}

static void append_kinds(struct text *out, unsigned kinds) {
    const char *separator = "";

    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        if (kinds >> kind & 1) {
            text_append_format(out, "%s%s", separator, trace_kind_name((enum trace_kind)kind));
            separator = ", ";
        }
    }
}

/* --- options ---------------------------------------------------------------------------------- */

/* Whether one of the files is meant by that value of the option. */
static bool has_value(const struct query *queries, size_t count, const char *name,
                      const char *value) {
    for (size_t i = 0; i < count; i++) {
        if (queries[i].when_value != NULL && strcmp(queries[i].when_option, name) == 0 &&
            strcmp(queries[i].when_value, value) == 0) {
            return true;
        }
    }
    return false;
}

/* The values of an option that the report has files for, each once, the usual one said. */
static void append_values(struct text *out, const struct query *queries, size_t count,
                          const char *name) {
    const char *separator = "; here ";

    for (size_t i = 0; i < count; i++) {
        const struct query *query = &queries[i];

        if (query->when_value != NULL && strcmp(query->when_option, name) == 0 &&
            !has_value(queries, i, name, query->when_value)) {
            text_append_string(out, separator);
            append(out, query->when_value);
            text_append_string(out, query->by_default ? " (default)" : "");
            separator = ", ";
        }
    }
}

static void print_option(const struct own_option *option, const struct query *queries, size_t count,
                         unsigned kinds) {
    const struct query_parameter *parameter = option->parameter;
    const struct option_row *row = parameter == NULL ? option_find(option->name) : NULL;
    struct text help = {0}, more = {0};

    if (parameter != NULL) {
        append(&help, parameter->row.help);
        if (parameter->otherwise != NULL) {
            text_append_string(&more, " (default ");
            append_word(&more, parameter->otherwise);
            text_append_char(&more, ')');
        }
    }
    append_values(&more, queries, count, option->name);
    if (option->kinds != kinds) {
        text_append_string(&more, " [");
        append_kinds(&more, option->kinds);
        text_append_char(&more, ']');
    }
    if (row != NULL) {
        help_option(row, text_string(&more));
    } else if (parameter != NULL) {
        const struct option_row own = {
            .name = option->name,
            .argument = parameter->row.argument,
            .help = text_string(&help),
        };

        help_option(&own, text_string(&more));
    }
    text_free(&help);
    text_free(&more);
}

static void print_options(const struct own_options *own, const struct query *queries, size_t count,
                          unsigned kinds) {
    puts(own->count == 0 ? "It has no options of its own." : "Options of its own:");
    for (size_t i = 0; i < own->count; i++) {
        print_option(&own->options[i], queries, count, kinds);
    }
}

/* --- columns ---------------------------------------------------------------------------------- */

static bool is_same(const char *left, const char *right) {
    return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

static bool same_columns(const struct query *left, const struct query *right) {
    bool same = left->column_count == right->column_count;

    for (size_t i = 0; same && i < left->column_count; i++) {
        const struct query_column *a = &left->columns[i], *b = &right->columns[i];

        same = strcmp(a->column.name, b->column.name) == 0 && a->column.kind == b->column.kind &&
               strcmp(a->column.unit, b->column.unit) == 0 && is_same(a->condition, b->condition) &&
               query_prints_column(left, a) == query_prints_column(right, b);
    }
    return same;
}

/* For which traces and options a file is. */
static void append_scope(struct text *out, const struct query *query) {
    append_kinds(out, query->kinds);
    if (query->formats[0] != '\0') {
        text_append_string(out, " of ");
        append(out, query->formats);
    }
    if (query->when_option != NULL) {
        text_append_string(out, " with --");
        append(out, query->when_option);
        text_append_string(out, query->when_value == NULL ? "" : " ");
        append(out, query->when_value == NULL ? "" : query->when_value);
        text_append_string(out, query->by_default ? " (default)" : "");
    }
}

/* Kind and unit, and when it is there. */
static void append_column(struct text *out, const struct query_column *column) {
    text_append_string(out, query_column_kind(column->column.kind));
    if (column->column.unit[0] != '\0') {
        text_append_string(out, " (");
        append(out, column->column.unit);
        text_append_char(out, ')');
    }
    if (column->condition != NULL && strcmp(column->condition, "several") == 0) {
        text_append_string(out, ", with several traces");
    } else if (column->condition != NULL && !column->unless && !query_column_of_curve(column)) {
        text_append_string(out, ", with --");
        append(out, column->condition);
    }
}

/* Whether the same was said of such a column of an earlier query. */
static bool was_said(const struct query *queries, const struct query *query,
                     const struct query_column *column) {
    bool was = false;

    for (; !was && queries < query; queries++) {
        was = is_same(query_column_meaning(queries, column->column.name), column->meaning);
    }
    return was;
}

/* What a column holds is said once. */
static void print_columns(const struct query *queries, const struct query *query) {
    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];
        struct text name = {0}, what = {0};

        if (!query_prints_column(query, column)) {
            continue;
        }
        append(&name, column->column.name);
        append_column(&what, column);
        if (column->meaning != NULL && !was_said(queries, query, column)) {
            text_append_string(&what, ": ");
            append(&what, column->meaning);
        }
        help_item(text_string(&name), HELP_INDENT, text_string(&what));
        text_free(&name);
        text_free(&what);
    }
}

/* Prints query files with the same columns together. */
static void print_all_columns(const struct query *queries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct text heading = {0};
        size_t before = 0;

        while (before < i && !same_columns(&queries[before], &queries[i])) {
            before++;
        }
        if (before < i) {
            continue;
        }
        for (size_t j = i; j < count; j++) {
            if (same_columns(&queries[i], &queries[j])) {
                text_append_string(&heading, heading.length == 0 ? "Columns (" : "; ");
                append_scope(&heading, &queries[j]);
            }
        }
        text_append_string(&heading, "):");
        puts("");
        help_paragraph(text_string(&heading));
        print_columns(queries, &queries[i]);
        text_free(&heading);
    }
}

/* --- examples --------------------------------------------------------------------------------- */

static void append_value(struct text *out, const struct parameter *parameter, const char *argument,
                         const char *choice, const char *value) {
    if (value != NULL) {
        append_word(out, value);
    } else if (choice != NULL && (parameter == NULL || parameter->type == PARAMETER_TEXT)) {
        text_append(out, choice, strcspn(choice, " "));
    } else if (parameter == NULL) {
        text_append_string(out, argument);
    } else if (parameter->type == PARAMETER_NUMBER) {
        text_append_integer(out, parameter->otherwise > 0 ? parameter->otherwise : 10);
    } else if (parameter->type == PARAMETER_REAL) {
        text_append_string(out, "0.5");
    } else if (parameter->type == PARAMETER_TEXT) {
        text_append_string(out, argument);
    } else {
        text_append_string(out, "0.01s");
    }
}

static void append_option(struct text *out, const struct own_option *option) {
    const struct option_row *row = option_find(option->name);
    const struct query_parameter *own = option->parameter;
    const struct parameter *parameter = own != NULL   ? &own->row
                                        : row == NULL ? NULL
                                                      : row->parameter;
    const char *argument = parameter != NULL ? parameter->argument
                           : row == NULL     ? NULL
                                             : row->argument;
    const char *choice = parameter != NULL                       ? parameter->choices
                         : row == NULL || row->choice_count == 0 ? NULL
                                                                 : row->choices[0];

    text_append_format(out, " --%s", option->name);
    if (argument != NULL) {
        text_append_char(out, ' ');
        append_value(out, parameter, argument, choice,
                     own != NULL && own->otherwise != NULL ? own->otherwise : option->value);
    }
}

/* Whether no file that the option chooses needs another one, too. */
static bool is_enough(const struct query *queries, size_t count, const char *option) {
    for (size_t i = 0; i < count; i++) {
        if (queries[i].when_option != NULL && queries[i].needs != NULL &&
            strcmp(queries[i].when_option, option) == 0) {
            return false;
        }
    }
    return true;
}

/* The first as short as it may be, the second with an option of the report's own if it has one. */
static void print_examples(const char *command, const struct own_options *own,
                           const struct query *queries, size_t count) {
    const struct own_option *needed = NULL, *chosen = NULL;
    const char *needs = query_common(queries, count)->needs;
    struct text first = {0}, second = {0};

    for (size_t i = 0; i < own->count; i++) {
        if (needs != NULL && strcmp(own->options[i].name, needs) == 0) {
            needed = &own->options[i];
        } else if (chosen == NULL && is_enough(queries, count, own->options[i].name)) {
            chosen = &own->options[i];
        }
    }
    text_append_format(&first, "  tracetool %s ", command);
    append_word(&first, queries[0].report);
    if (needed != NULL) {
        append_option(&first, needed);
    }
    text_append(&second, first.bytes, first.length);
    if (chosen != NULL) {
        append_option(&second, chosen);
    } else {
        text_append_string(&second, " -t TRACE");
    }
    text_append_string(&second, strcmp(command, "plot") == 0 ? " -o picture.svg" : " --format csv");
    printf("\nExamples:\n%s\n%s\n", text_string(&first), text_string(&second));
    text_free(&first);
    text_free(&second);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* What the report answers, where its file says so. */
static void print_question(const struct query *query) {
    struct text question = {0};

    if (query->question != NULL) {
        append(&question, query->question);
        help_paragraph(text_string(&question));
        text_free(&question);
    }
}

static void print_help(const struct query_set *set, const struct command *command,
                       const char *report) {
    const struct query *queries;
    struct own_options own = own_options_list(set, report);
    struct text heading = {0};
    unsigned kinds = 0;
    size_t count, first = 0;

    while (strcmp(set->queries[first].report, report) != 0) {
        first++;
    }
    queries = set->queries + first;
    count = query_set_files(set, first);
    for (size_t i = 0; i < count; i++) {
        kinds |= queries[i].kinds;
    }
    append(&heading, query_common(queries, count)->title);
    text_append_string(&heading, heading.length == 0 ? "For " : ", for ");
    append_kinds(&heading, kinds);
    text_append_char(&heading, '.');
    printf("Usage: tracetool [-d DB] %s %s [OPTION]…\n\n", command->name, report);
    help_paragraph(text_string(&heading));
    print_question(query_common(queries, count));
    puts("");
    print_options(&own, queries, count, kinds);
    print_all_columns(queries, count);
    print_examples(command->name, &own, queries, count);
    text_free(&heading);
    own_options_free(&own);
}

bool command_report_help(struct session *session, const struct command *command,
                         struct error *error) {
    const char *typed = session->arguments->words[0], *report;
    struct query_set queries;

    if (!query_set_load_typed(&queries, session_queries(session), typed, error)) {
        return false;
    }
    report = choose_report(&queries, typed, error);
    if (report != NULL) {
        print_help(&queries, command, report);
    }
    query_set_free(&queries);
    return report != NULL;
}
