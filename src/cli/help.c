#include <ctype.h>
#include <string.h>

#include "base/resource.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/report_load.h"
#include "output/layout.h"
#include "report/choose.h"
#include "report/query_set.h"

/* Width of the help in columns; column where descriptions of options and report columns begin. */
enum { HELP_WIDTH = 80, HELP_INDENT = 29 };

/* --- printing lines --------------------------------------------------------------------------- */

/* Prints words, wrapped, from column `column` on; further lines begin at column `indent`. */
static void print_words(const char *words, size_t column, size_t indent) {
    bool first = true;

    while (*(words += strspn(words, " \n")) != '\0') {
        size_t length = strcspn(words, " \n");
        size_t columns = layout_width(words, length);

        if (!first && column + 1 + columns > HELP_WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            putchar(' ');
            column++;
        }
        fwrite(words, 1, length, stdout);
        column += columns;
        words += length;
        first = false;
    }
    putchar('\n');
}

/* Prints an item of a list: its name, then its description from column `indent` on. */
static void help_item(const char *name, size_t indent, const char *words) {
    size_t column = 2 + layout_width(name, strlen(name));

    printf("  %s", name);
    if (column + 1 > indent) {
        putchar('\n');
        column = 0;
    }
    printf("%*s", (int)(indent - column), "");
    print_words(words, indent, indent);
}

/* Prints the line of an option; `more` is appended to its help. */
static void help_option(const struct option_row *row, const char *more) {
    struct text left = {0}, help = {0};

    text_append_format(&left, row->letter != 0 ? "-%c, " : "    ", row->letter);
    text_append_format(&left, "--%s%s%s", row->name, row->argument != NULL ? " " : "",
                       row->argument != NULL ? row->argument : "");
    text_append_format(&help, "%s%s", row->help, more);
    help_item(text_string(&left), HELP_INDENT, text_string(&help));
    text_free(&left);
    text_free(&help);
}

/* Groups of options: of the command, of some reports, of every command. */
enum option_group { OF_COMMAND, OF_REPORTS, OF_ALL };

static enum option_group help_group_of(const struct option_row *row) {
    return row->commands == ON_ALL ? OF_ALL : row->target == TARGET_QUERY ? OF_REPORTS : OF_COMMAND;
}

static void print_options(const struct command *command, enum option_group group,
                          const char *heading) {
    for (int i = 0; i < option_count(); i++) {
        const struct option_row row = option_row_of(i, command_bit(command));

        if (help_group_of(&row) == group && !row.hidden && command_takes(command, &row)) {
            printf("%s", heading);
            heading = "";
            help_option(&row, "");
        }
    }
}

static void help_append_kinds(struct text *out, unsigned kinds) {
    const char *separator = "";

    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        if (kinds >> kind & 1) {
            text_append_format(out, "%s%s", separator, trace_kind_name((enum trace_kind)kind));
            separator = ", ";
        }
    }
}

/* Prints the title of a report, and its kinds of traces. */
static void help_print_report(const struct query *files, size_t count) {
    struct text words = {0};
    unsigned kinds = 0;

    for (size_t i = 0; i < count; i++) {
        kinds |= files[i].kinds;
    }
    text_append_format(&words, "%s (", query_without_options(files, count)->title);
    help_append_kinds(&words, kinds);
    text_append_char(&words, ')');
    help_item(files->report, 23, text_string(&words));
    text_free(&words);
}

/* Lists the built-in reports. The user's own depend on the configuration: `tracetool reports`. */
static void print_reports(void) {
    struct query_set queries;
    struct error error = {0};

    if (!query_set_load(&queries, NULL, &error)) {
        return;
    }
    puts("\nReports, and the kinds of trace they are for:");
    for (size_t i = 0, files; i < queries.count; i += files) {
        files = query_set_count_of_report(&queries, i);
        help_print_report(&queries.queries[i], files);
    }
    query_set_free(&queries);
}

static void print_command(const struct command *command) {
    const char *topic = resource_find(help_resources, command->name);
    bool is_report = command == &commands[COMMAND_REPORT];

    printf("Usage: tracetool [-d DB] %s%s%s [OPTION]…\n\n", command->name,
           command->words[0] == '\0' ? "" : " ", command->words);
    print_words(command->description, 0, 0);
    if (is_report) {
        print_reports();
    }
    print_options(command, OF_COMMAND, "\nOptions:\n");
    print_options(command, OF_REPORTS,
                  "\nOptions of some reports; REPORT --help says what it takes:\n");
    print_options(command, OF_ALL, "\nOptions of every command:\n");
    if (topic != NULL) {
        printf("\n%s", topic);
    }
}

enum { FIRST_INDENT = 34 }; /* column where the descriptions of the first steps begin */

/* Lists the help pages on log formats. */
static void print_logs(void) {
    struct text names = {0};

    for (const struct resource *page = log_help_resources; page->name != NULL; page++) {
        text_append_format(&names, "%s%s", names.length > 0 ? ", " : "", page->name);
    }
    puts("\nLogs, how to record each and what to ask it (help NAME):");
    printf("  ");
    print_words(text_string(&names), 2, 2);
    text_free(&names);
}

void help_command(const struct command *command) {
    if (command != NULL) {
        print_command(command);
        return;
    }
    puts("Usage: tracetool [-d DB] COMMAND [OPTION]… [ARGUMENT]…\n"
         "       tracetool LOG…\n");
    puts("Turns trace logs (strace, ftrace, perf, blktrace, …) into answers.\n\nFirst steps:");
    help_item("tracetool help strace", FIRST_INDENT, "how to record a log, and what to ask it");
    help_item("tracetool LOG", FIRST_INDENT, "show what is in a log, and what to ask next");
    help_item("tracetool help tasks", FIRST_INDENT, "common questions and their commands");
    help_item("tracetool report syscalls LOG", FIRST_INDENT, "a report on a log");
    help_item("tracetool plot rw LOG -o rw.svg", FIRST_INDENT, "a picture of one");
    help_item("tracetool reports", FIRST_INDENT, "which reports there are");
    help_item("tracetool import LOG", FIRST_INDENT, "keep logs in a database, traces.db");
    print_logs();
    puts("\nCommands:");
    for (const struct command *row = commands; row->name != NULL; row++) {
        if (!command_has_two_words(row)) {
            help_item(row->name, 15, row->summary);
        }
    }
    puts("\nTopics:");
    for (const struct resource *topic = help_resources; topic->name != NULL; topic++) {
        char title[HELP_WIDTH];

        snprintf(title, sizeof title, "%.*s", (int)strcspn(topic->text, "\n"), topic->text);
        help_item(topic->name, 19, title);
    }
    print_options(NULL, OF_ALL, "\nOptions of every command:\n");
    puts("");
    print_words("`tracetool COMMAND --help` explains a command, `tracetool report REPORT --help` "
                "a report, `tracetool help TOPIC` a topic. The manual begins with tracetool(1).",
                0, 0);
}

/* --- tracetool help: topics, logs and commands ------------------------------------------------ */

/* Limit of topics listed for a word; if more contain it, none is listed. */
enum { TOPICS_WITH = 4 };

/* Returns whether a word of the text begins with `word`, or is `word` if that is short. */
static bool help_has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    const char *found = text;

    while (length > 0 && (found = strcasestr(found, word)) != NULL) {
        if ((found == text || !isalnum((unsigned char)found[-1])) &&
            (length > 3 || !isalnum((unsigned char)found[length]))) {
            return true;
        }
        found++;
    }
    return false;
}

/* Appends the topics that contain the word, unless there are more than TOPICS_WITH. */
static void append_topics_with(struct text *out, const char *word) {
    size_t count = 0;
    struct text found = {0};

    for (const struct resource *topic = help_resources; topic->name != NULL; topic++) {
        if (help_has_word(topic->text, word)) {
            text_append_format(&found, "%s%s", count++ == 0 ? "" : ", ", topic->name);
        }
    }
    if (count > 0 && count <= TOPICS_WITH) {
        text_append_string(out, text_string(&found));
        text_append_string(out, count == 1 ? " has that word; " : " have that word; ");
    }
    text_free(&found);
}

/* Returns the help page on a log, by the name of its format or a common name; NULL: none. */
static const char *log_page(const char *word) {
    const char *found = NULL;

    for (const struct resource *page = log_help_resources; page->name != NULL; page++) {
        const size_t length = strcspn(page->text, "\n");
        struct text names = {0};

        text_append_format(&names, "%s ", page->name);
        text_append(&names, page->text, length);
        if (found == NULL && word_in(text_string(&names), word)) {
            found = page->text + length + 1;
        }
        text_free(&names);
    }
    return found;
}

/* Appends what is about a word: another name of it, topics, and reports; without these the report
 * whose name is most similar. */
static void append_about(struct text *out, const char *word) {
    struct query_set queries = {0};
    struct word_list reports = {0};
    struct error ignored = {0};
    const char *near;
    size_t length;

    if (choose_synonym(word) != NULL) {
        text_append_format(out, "%s; ", choose_synonym(word));
    }
    append_topics_with(out, word);
    length = out->length;
    if (query_set_load(&queries, NULL, &ignored)) {
        choose_append_related(&queries, word, out);
        for (size_t i = 0; i < queries.count; i++) {
            word_list_add(&reports, queries.queries[i].report);
        }
        near = out->length > length ? NULL : word_list_nearest(&reports, word);
        text_append_format(out, "%s%s", near == NULL ? "" : "a report is called ",
                           near == NULL ? "" : near);
        text_append_string(out, out->length > length ? "; " : "");
        word_list_free(&reports);
    }
    query_set_free(&queries);
}

/* Returns the command, topic or log page that a word means. */
static const char *choose_topic(const char *typed, struct error *error) {
    struct word_list names = {0};
    struct text otherwise = {0};
    const char *chosen;

    append_about(&otherwise, typed);
    text_append_string(&otherwise, "`tracetool help` lists commands and logs; topics are ");
    command_list_names(&names);
    for (const struct resource *topic = help_resources; topic->name != NULL; topic++) {
        word_list_add_once(&names, topic->name);
        text_append_format(&otherwise, "%s%s", topic == help_resources ? "" : ", ", topic->name);
    }
    for (const struct resource *page = log_help_resources; page->name != NULL; page++) {
        word_list_add(&names, page->name);
    }
    chosen = word_list_choose(&names, "command, topic or log", command_name_of(typed),
                              text_string(&otherwise), error);
    text_free(&otherwise);
    word_list_free(&names);
    return chosen;
}

bool command_help(struct session *session, struct error *error) {
    const struct command *command;
    const char *name, *topic;

    if (session->arguments->word_count == 0) {
        help_command(NULL);
        return true;
    }
    name = session->arguments->words[0];
    if (command_find(name) == NULL && resource_find(help_resources, name) == NULL &&
        query_report_exists(session->config.queries, name)) {
        return command_report_help(session, command_find("report"), error);
    }
    name = log_page(name) != NULL ? name : choose_topic(name, error);
    if (name == NULL) {
        return false;
    }
    command = command_find(name);
    topic = resource_find(help_resources, name);
    if (command != NULL) {
        help_command(command);
    } else {
        fputs(topic != NULL ? topic : log_page(name), stdout);
    }
    return true;
}

/* tracetool report REPORT --help: prints the options and columns of one report. */

/* Appends text from a query file, escaped, since the file may be the user's. */
static void help_append(struct text *out, const char *string) {
    text_append_escaped(out, string, strlen(string));
}

/* --- options of a report ---------------------------------------------------------------------- */

/* Returns whether a value of the option selects one of the queries. */
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

/* Appends the values of an option that select queries, without duplicates, and the default. */
static void help_append_values(struct text *out, const struct query *queries, size_t count,
                               const char *name) {
    const char *separator = "; here ";

    for (size_t i = 0; i < count; i++) {
        const struct query *query = &queries[i];

        if (query->when_value != NULL && strcmp(query->when_option, name) == 0 &&
            !has_value(queries, i, name, query->when_value)) {
            text_append_string(out, separator);
            help_append(out, query->when_value);
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
        help_append(&help, parameter->row.help);
        if (parameter->otherwise != NULL) {
            text_append_string(&more, " (default ");
            text_append_word(&more, parameter->otherwise);
            text_append_char(&more, ')');
        }
    }
    help_append_values(&more, queries, count, option->name);
    if (option->kinds != kinds) {
        text_append_string(&more, " [");
        help_append_kinds(&more, option->kinds);
        text_append_char(&more, ']');
    }
    if (row != NULL) {
        const struct option_row here = option_row_of((int)(row - option_row(0)), ON_REPORT);

        help_option(&here, text_string(&more));
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

/* --- columns of a report ---------------------------------------------------------------------- */

static bool help_is_same(const char *left, const char *right) {
    return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

static bool help_same_columns(const struct query *left, const struct query *right) {
    bool same = left->column_count == right->column_count;

    for (size_t i = 0; same && i < left->column_count; i++) {
        const struct query_column *a = &left->columns[i], *b = &right->columns[i];

        same = strcmp(a->column.name, b->column.name) == 0 && a->column.kind == b->column.kind &&
               strcmp(a->column.unit, b->column.unit) == 0 &&
               help_is_same(a->condition, b->condition) &&
               query_prints_column(left, a) == query_prints_column(right, b);
    }
    return same;
}

/* Appends the option that a query is for, such as --by file. */
static void append_when(struct text *out, const struct query *query) {
    text_append_string(out, "--");
    help_append(out, query->when_option);
    text_append_string(out, query->when_value == NULL ? "" : " ");
    help_append(out, query->when_value == NULL ? "" : query->when_value);
}

/* Appends an item to a list of items that begin with "; ", or the first one with `before`, unless
 * the list has it. */
static void append_item_once(struct text *list, const char *before, const char *item) {
    const char *found = text_string(list) + (list->length == 0 ? 0 : strlen(before));
    const size_t length = strlen(item);

    while (*found != '\0' && !(strncmp(found, item, length) == 0 &&
                               (found[length] == '\0' || found[length] == ';'))) {
        found += strcspn(found, ";");
        found += *found == ';' ? strlen("; ") : 0;
    }
    if (*found == '\0') {
        text_append_string(list, list->length == 0 ? before : "; ");
        text_append_string(list, item);
    }
}

/* Appends which kinds of trace and options a query is for, unless the list has them: items that
 * begin with "; ", or at first with `before`. */
static void append_scope(struct text *list, const char *before, const struct query *query) {
    struct text scope = {0};

    help_append_kinds(&scope, query->kinds);
    if (query->formats[0] != '\0') {
        text_append_string(&scope, " of ");
        help_append(&scope, query->formats);
    }
    if (query->when_option != NULL) {
        text_append_string(&scope, " with ");
        append_when(&scope, query);
        text_append_string(&scope, query->by_default ? " (default)" : "");
    }
    append_item_once(list, before, text_string(&scope));
    text_free(&scope);
}

/* Returns whether an earlier query has the same column with the same description. */
static bool column_was_explained(const struct query *queries, const struct query *query,
                                 const struct query_column *column) {
    bool was = false;

    for (; !was && queries < query; queries++) {
        was = help_is_same(query_column_meaning(queries, column->column.name), column->meaning);
    }
    return was;
}

/* Prints the columns of a query. A description is printed only once. */
static void print_columns(const struct query *queries, const struct query *query) {
    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];
        struct text name = {0}, what = {0};

        if (!query_prints_column(query, column)) {
            continue;
        }
        help_append(&name, column->column.name);
        /* Appends kind and unit of a column, and the option that it needs. */
        text_append_string(&what, query_column_kind(column->column.kind));
        if (column->column.unit[0] != '\0') {
            text_append_string(&what, " (");
            help_append(&what, column->column.unit);
            text_append_char(&what, ')');
        }
        if (column->condition != NULL && strcmp(column->condition, "several") == 0) {
            text_append_string(&what, ", with several traces");
        } else if (column->condition != NULL && !column->unless &&
                   !query_column_is_for_curves(column)) {
            text_append_string(&what, ", with --");
            help_append(&what, column->condition);
        }
        if (column->meaning != NULL && !column_was_explained(queries, query, column)) {
            text_append_string(&what, ": ");
            help_append(&what, column->meaning);
        }
        help_item(text_string(&name), HELP_INDENT, text_string(&what));
        text_free(&name);
        text_free(&what);
    }
}

/* Prints the columns of all queries. Queries with equal columns share one list. */
static void print_all_columns(const struct query *queries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct text heading = {0};
        size_t before = 0;

        while (before < i && !help_same_columns(&queries[before], &queries[i])) {
            before++;
        }
        if (before < i) {
            continue;
        }
        for (size_t j = i; j < count; j++) {
            if (help_same_columns(&queries[i], &queries[j])) {
                append_scope(&heading, "Columns (", &queries[j]);
            }
        }
        text_append_string(&heading, "):");
        puts("");
        print_words(text_string(&heading), 0, 0);
        print_columns(queries, &queries[i]);
        text_free(&heading);
    }
}

/* Appends the option that a query is for to a list, unless the list has it. */
static void append_option_once(struct text *list, const struct query *query) {
    struct text option = {0};

    if (query->when_option != NULL) {
        append_when(&option, query);
        append_item_once(list, "", text_string(&option));
    }
    text_free(&option);
}

/* Returns whether two definitions, TERM: TEXT, have the same term and different texts. */
static bool differ_on_term(const char *left, const char *right) {
    const size_t length = strcspn(left, ":") + 1;

    return strncmp(left, right, length) == 0 && strcmp(left, right) != 0;
}

/* Appends in brackets when a definition applies: the kinds of trace, unless it applies to all kinds
 * that the report supports; the option that the WHERE clause of the remark tests, if any; and the
 * options of its queries, if other queries define the same term in another way. */
static void append_definition_scope(struct text *out, const struct query *queries, size_t count,
                                    const struct query_remark *remark, const char *definition) {
    static const char tests[] = "WHERE :", given[] = " IS NOT NULL";
    const char *where = strstr(remark->sql, tests);
    const size_t length = where == NULL ? 0 : strcspn(where + strlen(tests), " ;\n");
    struct text other = {0}, options = {0}, scope = {0};
    unsigned all = 0, kinds = 0;
    bool is_ambiguous = false;

    for (size_t i = 0; i < count; i++) {
        all |= queries[i].kinds;
        for (size_t j = 0; j < queries[i].remark_count; j++) {
            if (!query_append_definition(&queries[i].remarks[j], &other)) {
                continue;
            }
            if (strcmp(text_string(&other), definition) == 0) {
                kinds |= queries[i].kinds;
                append_option_once(&options, &queries[i]);
            }
            is_ambiguous |= differ_on_term(definition, text_string(&other));
        }
    }
    text_free(&other);
    if (kinds != all) {
        help_append_kinds(&scope, kinds);
    }
    if (is_ambiguous && options.length > 0) {
        text_append_format(&scope, "%s%s", scope.length > 0 ? ", " : "", text_string(&options));
    }
    text_free(&options);
    if (length > 0 && strncmp(where + strlen(tests) + length, given, strlen(given)) == 0) {
        text_append_string(&scope, scope.length > 0 ? ", --" : "--");
        text_append(&scope, where + strlen(tests), length);
    }
    if (scope.length > 0) {
        text_append_format(out, " [%s]", text_string(&scope));
    }
    text_free(&scope);
}

/* Prints the definitions of terms in `#` lines, without duplicates. On terminals, reports print
 * these lines only with -v. */
static void print_definitions(const struct query *queries, size_t count) {
    struct text definition = {0}, said = {0}, line = {0};

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < queries[i].remark_count; j++) {
            const struct query_remark *remark = &queries[i].remarks[j];

            if (query_append_definition(remark, &definition) &&
                strstr(text_string(&said), text_string(&definition)) == NULL) {
                printf("%s", said.length == 0 ? "\nNotes (in tables with -v):\n" : "");
                text_clear(&line);
                text_append(&line, definition.bytes, definition.length);
                append_definition_scope(&line, queries, count, remark, text_string(&definition));
                help_item("", 4, text_string(&line));
                text_append(&said, definition.bytes, definition.length);
            }
        }
    }
    text_free(&definition);
    text_free(&said);
    text_free(&line);
}

/* --- examples of how to call a report --------------------------------------------------------- */

static void help_append_value(struct text *out, const struct parameter *parameter,
                              const char *argument, const char *choice, const char *value) {
    if (value != NULL) {
        text_append_word(out, value);
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

static void help_append_option(struct text *out, const struct own_option *option) {
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
        help_append_value(out, parameter, argument, choice,
                          own != NULL && own->otherwise != NULL ? own->otherwise : option->value);
    }
}

/* Returns whether an option can be used alone: no query that it selects needs another option. */
static bool is_enough(const struct query *queries, size_t count, const char *option) {
    for (size_t i = 0; i < count; i++) {
        if (queries[i].when_option != NULL && queries[i].needs != NULL &&
            strcmp(queries[i].when_option, option) == 0) {
            return false;
        }
    }
    return true;
}

/* Prints two examples: the shortest command, and one with an option of the report, if any. */
static void print_examples(const char *command, const struct own_options *own,
                           const struct query *queries, size_t count) {
    const struct own_option *needed = NULL, *chosen = NULL;
    const char *needs = query_without_options(queries, count)->needs;
    struct text first = {0}, second = {0};

    for (size_t i = 0; i < own->count; i++) {
        if (needs != NULL && strcmp(own->options[i].name, needs) == 0) {
            needed = &own->options[i];
        } else if (chosen == NULL && is_enough(queries, count, own->options[i].name)) {
            chosen = &own->options[i];
        }
    }
    text_append_format(&first, "  tracetool %s ", command);
    text_append_word(&first, queries[0].report);
    if (needed != NULL) {
        help_append_option(&first, needed);
    }
    text_append(&second, first.bytes, first.length);
    if (chosen != NULL) {
        help_append_option(&second, chosen);
    } else {
        text_append_string(&second, " -t TRACE");
    }
    text_append_string(&second, strcmp(command, "plot") == 0 ? " -o picture.svg" : " --format csv");
    printf("\nExamples:\n%s\n%s\n", text_string(&first), text_string(&second));
    text_free(&first);
    text_free(&second);
}

/* Prints the question that a report answers, if its query has one. */
static void print_question(const struct query *query) {
    struct text question = {0};

    if (query->question != NULL) {
        help_append(&question, query->question);
        print_words(text_string(&question), 0, 0);
        text_free(&question);
    }
}

/* Returns the query that a report runs on traces of a kind without options; NULL: none. */
static const struct query *query_of_kind(const struct query *queries, size_t count, unsigned kind) {
    const struct query *common = NULL, *first = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct query *query = &queries[i];

        if (!(query->kinds >> kind & 1)) {
            continue;
        }
        if (query->when_option == NULL && !query->when_picture) {
            return query;
        }
        common = common == NULL && query->by_default ? query : common;
        first = first == NULL ? query : first;
    }
    return common != NULL ? common : first;
}

/* Appends the titles of a report without options, each with the kinds of traces that it is for. */
static void append_titles(struct text *out, const struct query *queries, size_t count) {
    unsigned done = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned kinds = 0;

        for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
            const struct query *query = query_of_kind(queries, count, kind);

            if (query != NULL && strcmp(query->title, queries[i].title) == 0) {
                kinds |= 1u << kind & ~done;
            }
        }
        if (kinds != 0) {
            text_append_string(out, done == 0 ? "" : " ");
            help_append(out, queries[i].title);
            text_append_string(out, *queries[i].title == '\0' ? "For " : ", for ");
            help_append_kinds(out, kinds);
            text_append_char(out, '.');
        }
        done |= kinds;
    }
}

static void print_help(const struct query_set *set, const struct command *command,
                       const char *report) {
    const struct query *queries = query_set_next(set, NULL, report);
    struct own_options own = own_options_list(set, report);
    struct text heading = {0};
    unsigned kinds = 0;
    const size_t count = query_set_count_of_report(set, (size_t)(queries - set->queries));

    for (size_t i = 0; i < count; i++) {
        kinds |= queries[i].kinds;
    }
    append_titles(&heading, queries, count);
    printf("Usage: tracetool [-d DB] %s %s [LOG…] [OPTION]…\n\n", command->name, report);
    print_words(text_string(&heading), 0, 0);
    print_question(query_without_options(queries, count));
    puts("");
    puts(own.count == 0 ? "It has no options of its own." : "Options of its own:");
    for (size_t i = 0; i < own.count; i++) {
        print_option(&own.options[i], queries, count, kinds);
    }
    printf("Filters, --top%s: tracetool %s --help.\n",
           strcmp(command->name, "plot") == 0 ? ", size and look of the picture"
                                              : ", --sort and formats",
           command->name);
    print_all_columns(queries, count);
    print_definitions(queries, count);
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
