/* Fills the tables of a shell completion script from the program's own tables.
 *
 *     completions SHELL < completions/tracetool.SHELL      bash, zsh or fish
 *
 * Replaces the line `# TABLES` by a shell function that prints a table: one word per line, with its
 * help text after a TAB. The tables are
 *
 *     commands            commands
 *     options COMMAND     options of the command, as --NAME and -L
 *     takes               options with an argument
 *     values OPTION       values of the option
 *     values OPTION REPORT  values of the option for a report with values of its own
 *     words COMMAND       first word after a command
 *     words COMMAND N     Nth word after a command
 *
 * The words @files and @traces mean files and traces of the database. "@sql QUERY" means the names
 * that the query returns from the database. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/resource.h"
#include "base/text.h"
#include "cli/command.h"
#include "export/export.h"
#include "import/importer.h"
#include "output/printer.h"
#include "report/query_set.h"
#include "select/filter.h"

/* Syntax of a shell. */
struct shell {
    const char *name;
    const char *begin, *one, *next, *end_one, *end; /* around a function, a table; between words */
    const char *quote, *backslash; /* escaped quote and backslash within '' quotes */
};

static const struct shell shells[] = {
    {"bash", "_tracetool_table() {\n    case \"$1\" in\n", "    '%s%s%s')\n        printf '%%s\\n'",
     " \\\n            ", "\n        ;;\n", "    esac\n}\n", "'\\''", "\\"},
    {"zsh", "_tracetool_table() {\n    case \"$1\" in\n", "    '%s%s%s')\n        printf '%%s\\n'",
     " \\\n            ", "\n        ;;\n", "    esac\n}\n", "'\\''", "\\"},
    {"fish", "function __tracetool_table\n    switch \"$argv[1]\"\n",
     "        case '%s%s%s'\n            printf '%%s\\n'", " \\\n                ", "\n",
     "    end\nend\n", "\\'", "\\\\"},
};

static const struct shell *shell;
static struct query_set queries;
static struct config config; /* defaults, without a configuration file */

static void put_quoted(const char *string) {
    for (; *string != '\0'; string++) {
        if (*string == '\'') {
            fputs(shell->quote, stdout);
        } else if (*string == '\\') {
            fputs(shell->backslash, stdout);
        } else {
            putchar(*string);
        }
    }
}

static void completions_begin_table(const char *kind, const char *of) {
    /* All format strings are constants in `shells`. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    printf(shell->one, kind, *of == '\0' ? "" : " ", of);
#pragma GCC diagnostic pop
}

/* Prints the word `prefix` + `word`, with its help unless NULL. */
static void put_word(const char *prefix, const char *word, const char *help) {
    fputs(shell->next, stdout);
    putchar('\'');
    put_quoted(prefix);
    put_quoted(word);
    if (help != NULL) {
        putchar('\t');
        put_quoted(help);
    }
    putchar('\'');
}

static void end_table(void) {
    fputs(shell->end_one, stdout);
}

/* --- words ------------------------------------------------------------------------------------ */

static void put_formats(void) {
    const struct importer *importer;

    for (size_t i = 0; (importer = importer_at(&config, i)) != NULL; i++) {
        put_word("", importer->name, importer->description);
    }
}

static void put_exporters(void) {
    for (size_t i = 0; exporters[i] != NULL; i++) {
        put_word("", exporters[i]->name, exporters[i]->description);
    }
}

/* Query files of the same report are adjacent in `queries`. */
static void put_reports(void) {
    for (size_t i = 0; i < queries.count; i++) {
        const struct query *query = &queries.queries[i];

        if (i == 0 || strcmp(query->report, query[-1].report) != 0) {
            put_word("", query->report, query->title);
        }
    }
}

static bool is_condition(const struct query *query, const char *option, const char *value) {
    return query->when_value != NULL && strcmp(query->when_option, option) == 0 &&
           strcmp(query->when_value, value) == 0;
}

/* Prints the values of an option that selects between queries of `report` (NULL: of all reports),
 * without duplicates. A value used by several reports has no help text, because their titles
 * differ. */
static void put_conditions(const char *option, const char *report) {
    for (size_t i = 0; i < queries.count; i++) {
        const struct query *query = &queries.queries[i];
        const char *title = query->title;
        bool before = false;

        if (query->when_value == NULL || strcmp(query->when_option, option) != 0 ||
            (report != NULL && strcmp(query->report, report) != 0)) {
            continue;
        }
        for (size_t k = 0; k < queries.count; k++) {
            const struct query *other = &queries.queries[k];

            if (is_condition(other, option, query->when_value) &&
                (report == NULL || strcmp(other->report, report) == 0)) {
                before |= k < i;
                title = strcmp(other->report, query->report) == 0 ? title : NULL;
            }
        }
        if (!before) {
            put_word("", query->when_value, title);
        }
    }
}

/* Prints the words of a list separated by spaces or commas. */
static void put_list(const char *list) {
    char word[64];
    int length;

    while (sscanf(list += strspn(list, " ,"), "%63[^ ,]%n", word, &length) == 1) {
        put_word("", word, NULL);
        list += length;
    }
}

/* A subcommand is offered only after its command. */
static void put_commands(void) {
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (!command_has_two_words(command)) {
            put_word("", command->name, command->summary);
        }
    }
}

static void put_commands_within(const struct command *outer) {
    size_t length = strlen(outer->name);

    for (const struct command *command = commands; command->name != NULL; command++) {
        if (strncmp(command->name, outer->name, length) == 0 && command->name[length] == ' ') {
            put_word("", command->name + length + 1, command->summary);
        }
    }
}

/* Uses the first line of the text as help. */
static void put_topic(const char *name, const char *text) {
    struct text title = {0};

    text_append(&title, text, strcspn(text, "\n"));
    put_word("", name, text_string(&title));
    text_free(&title);
}

/* A topic with the name of a command is offered as the command. */
static void put_topics(void) {
    for (const struct resource *topic = help_resources; topic->name != NULL; topic++) {
        if (command_find(topic->name) == NULL) {
            put_topic(topic->name, topic->text);
        }
    }
    for (const struct resource *page = log_help_resources; page->name != NULL; page++) {
        put_topic(page->name, strchr(page->text, '\n') + 1);
    }
}

static bool takes_report(const struct command *command) {
    return strncmp(command->words, "[REPORT", strlen("[REPORT")) == 0;
}

static bool takes_two_traces(const struct command *command) {
    return strcmp(command->words, "A B [REPORT]") == 0;
}

static void put_words(const struct command *command) {
    static const struct {
        const char *words, *meaning;
    } known[] = {
        {"FILE…", "@files"},          {"TRACE", "@traces"},        {"TRACE…", "@traces"},
        {"TRACE NAME", "@traces"},    {"A B [REPORT]", "@traces"}, {"A B [REPORT]", "@files"},
        {"[TRACE…|LOG…]", "@traces"}, {"[TRACE…|LOG…]", "@files"}, {"[LOG…]", "@files"},
    };

    put_commands_within(command);
    if (takes_report(command)) {
        put_reports();
    } else if (strcmp(command->words, "[COMMAND|TOPIC|FORMAT|REPORT]") == 0) {
        put_commands();
        put_topics();
        put_reports();
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(command->words, known[i].words) == 0) {
            put_word("", known[i].meaning, NULL);
        }
    }
}

/* Prints a query for the names in the database that a filter accepts, if `id` is a filter. */
static void completions_put_names(int id) {
    static const struct {
        int option;
        enum filter_how how;
        int of;
    } rows[] = {
#define X(ID, NAME, TYPE, ARGUMENT, COMMANDS, KINDS, NEEDS, LACKS, HOW, OF, HELP)                  \
    {OPTION_##ID, FILTER_##HOW, OF},
        FILTERS(X)
#undef X
    };
    static const char *const tables[] = {
        [FILTER_BY_OPERATION] = "name AS n",  [FILTER_BY_ACTOR] = "actor AS a",
        [FILTER_BY_OBJECT] = "object AS o",   [FILTER_BY_LAYER] = "name AS n",
        [FILTER_BY_PLACE] = "partition AS r",
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct filter_name_row *name = &filter_names[rows[i].of];
        /* Labels of processes exist only in reports, so this offers the name, else the pid. */
        const char *text = rows[i].of == FILTER_PROCESS ? "ifnull(a.name, a.pid)" : name->text;

        if (rows[i].option == id &&
            (rows[i].how == FILTER_CHOOSES || rows[i].how == FILTER_EXCLUDES) &&
            strcmp(text, "NULL") != 0) {
            struct text query = {0};

            text_append_format(&query, "@sql SELECT DISTINCT %s FROM main.%s LIMIT 10000", text,
                               tables[name->table]);
            put_word("", text_string(&query), NULL);
            text_free(&query);
        }
    }
}

static void put_values(int id, const char *report) {
    const struct option_row *row = option_row(id);

    switch (id) {
    case OPTION_INPUT_FORMAT:
        put_formats();
        return;
    case OPTION_AS:
        put_exporters();
        return;
    case OPTION_FORMAT:
        put_list(printer_style_names());
        return;
    case OPTION_TRACE:
    case OPTION_MARK:
    case OPTION_WITH:
        put_word("", "@traces", NULL);
        return;
    default:
        for (int i = 0; i < row->choice_count; i++) {
            if (row->choices[i][0] != '\0') {
                put_word("", row->choices[i], NULL);
            }
        }
        if (row->parameter != NULL && row->parameter->choices != NULL) {
            put_list(row->parameter->choices);
        }
        if (strcmp(row->argument, "FILE") == 0) {
            put_word("", "@files", NULL);
        }
        put_conditions(row->name, report);
        completions_put_names(id);
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

static void put_options(const struct command *command) {
    for (int i = 0; i < option_count(); i++) {
        const struct option_row row = option_row_of(i, command_bit(command));
        const char letter[] = {row.letter, '\0'};

        if (row.hidden || !command_takes(command, &row)) {
            continue;
        }
        put_word("--", row.name, row.help);
        if (row.letter != '\0') {
            put_word("-", letter, row.help);
        }
    }
}

static void put_takes(void) {
    completions_begin_table("takes", "");
    for (int i = 0; i < option_count(); i++) {
        const char letter[] = {option_row(i)->letter, '\0'};

        if (option_row(i)->argument == NULL || option_row(i)->hidden) {
            continue;
        }
        put_word("--", option_row(i)->name, NULL);
        if (*letter != '\0') {
            put_word("-", letter, NULL);
        }
    }
    end_table();
}

/* Prints the values of an option for each report whose queries are selected by it. */
static void put_values_of_reports(int id, const char *option) {
    for (size_t i = 0; i < queries.count; i += query_set_count_of_report(&queries, i)) {
        const char *report = queries.queries[i].report;
        const size_t count = query_set_count_of_report(&queries, i);
        bool has = false;

        for (size_t k = i; k < i + count; k++) {
            const struct query *query = &queries.queries[k];

            has |= query->when_value != NULL && strcmp(query->when_option, option + 2) == 0;
        }
        if (has) {
            char of[128];

            snprintf(of, sizeof of, "%s %s", option, report);
            completions_begin_table("values", of);
            put_values(id, report);
            end_table();
        }
    }
}

/* A short option has the same values as its long name. */
static void put_all_values(void) {
    for (int i = 0; i < option_count(); i++) {
        char name[64];

        if (option_row(i)->argument == NULL || option_row(i)->hidden) {
            continue;
        }
        snprintf(name, sizeof name, "--%s", option_row(i)->name);
        completions_begin_table("values", name);
        put_values(i, NULL);
        end_table();
        put_values_of_reports(i, name);
        if (option_row(i)->letter != '\0') {
            snprintf(name, sizeof name, "-%c", option_row(i)->letter);
            completions_begin_table("values", name);
            put_values(i, NULL);
            end_table();
        }
    }
}

/* After a report, offers traces and logs; after the traces of a comparison, a report. */
static void put_words_after_first(const struct command *command) {
    char name[64];

    snprintf(name, sizeof name, "%s %d", command->name, takes_two_traces(command) ? 3 : 2);
    if (takes_two_traces(command) || takes_report(command)) {
        completions_begin_table("words", name);
        if (takes_two_traces(command)) {
            put_reports();
        } else {
            put_word("", "@traces", NULL);
            put_word("", "@files", NULL);
        }
        end_table();
    }
}

static void put_tables(void) {
    fputs(shell->begin, stdout);
    completions_begin_table("commands", "");
    put_commands();
    end_table();
    put_takes();
    put_all_values();
    for (const struct command *command = commands; command->name != NULL; command++) {
        completions_begin_table("options", command->name);
        put_options(command);
        end_table();
        completions_begin_table("words", command->name);
        put_words(command);
        end_table();
        put_words_after_first(command);
    }
    fputs(shell->end, stdout);
}

int main(int argc, char **argv) {
    struct error error = {0};
    char line[1024];

    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof shells[0]; i++) {
        if (strcmp(shells[i].name, argv[1]) == 0) {
            shell = &shells[i];
        }
    }
    if (shell == NULL) {
        fputs("usage: completions bash|zsh|fish <TEMPLATE\n", stderr);
        return 2;
    }
    if (!config_set_defaults(&config, &error) || !query_set_load(&queries, NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strcmp(line, "# TABLES\n") == 0) {
            put_tables();
        } else {
            fputs(line, stdout);
        }
    }
    query_set_free(&queries);
    config_free(&config);
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
