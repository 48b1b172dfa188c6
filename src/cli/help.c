#include "cli/help.h"

#include <string.h>
#include <wchar.h>

#include "base/resource.h"
#include "base/text.h"
#include "base/words.h"
#include "report/query_set.h"

/* --- lines ------------------------------------------------------------------------------------ */

/* What a terminal takes for the bytes, which are valid UTF-8; of a character unknown to the locale
 * it is one column. */
static size_t columns_of(const char *bytes, size_t length) {
    size_t columns = 0;

    for (size_t i = 0; i < length;) {
        uint32_t character = (unsigned char)bytes[i];
        size_t size = utf8_sequence(bytes + i, length - i, &character);
        int wide = wcwidth((wchar_t)character);

        columns += wide < 0 ? 1 : (size_t)wide;
        i += size > 0 ? size : 1;
    }
    return columns;
}

/* Prints words from column `column` on, the lines behind the first from `indent` on. */
static void print_words(const char *words, size_t column, size_t indent) {
    bool first = true;

    while (*(words += strspn(words, " \n")) != '\0') {
        size_t length = strcspn(words, " \n");
        size_t columns = columns_of(words, length);

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

void help_paragraph(const char *words) {
    print_words(words, 0, 0);
}

void help_item(const char *name, size_t indent, const char *words) {
    size_t column = 2 + columns_of(name, strlen(name));

    printf("  %s", name);
    if (column + 1 > indent) {
        putchar('\n');
        column = 0;
    }
    printf("%*s", (int)(indent - column), "");
    print_words(words, indent, indent);
}

/* --- options ---------------------------------------------------------------------------------- */

void help_option(const struct option_row *row, const char *more) {
    struct text left = {0}, help = {0};

    text_append_format(&left, row->letter != 0 ? "-%c, " : "    ", row->letter);
    text_append_format(&left, "--%s%s%s", row->name, row->argument != NULL ? " " : "",
                       row->argument != NULL ? row->argument : "");
    text_append_format(&help, "%s%s", row->help, more);
    help_item(text_string(&left), HELP_INDENT, text_string(&help));
    text_free(&left);
    text_free(&help);
}

/* Those of every command; of some reports; or the command's others. */
enum option_group { OF_COMMAND, OF_REPORTS, OF_ALL };

static enum option_group group_of(const struct option_row *row) {
    return row->commands == ON_ALL ? OF_ALL : row->target == TARGET_QUERY ? OF_REPORTS : OF_COMMAND;
}

static void print_options(const struct command *command, enum option_group group,
                          const char *heading) {
    for (int i = 0; i < option_count(); i++) {
        const struct option_row row = option_row_of(i, command_bit(command));

        if (group_of(&row) == group && !row.hidden && command_takes(command, &row)) {
            printf("%s", heading);
            heading = "";
            help_option(&row, "");
        }
    }
}

/* --- reports ---------------------------------------------------------------------------------- */

/* Its title, and the kinds of trace that it is for. */
static void print_report(const struct query *files, size_t count) {
    struct text words = {0};
    const char *separator = " (";
    unsigned kinds = 0;

    for (size_t i = 0; i < count; i++) {
        kinds |= files[i].kinds;
    }
    text_append_string(&words, query_common(files, count)->title);
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        if (kinds >> kind & 1) {
            text_append_format(&words, "%s%s", separator, trace_kind_name((enum trace_kind)kind));
            separator = ", ";
        }
    }
    text_append_char(&words, ')');
    help_item(files->report, 23, text_string(&words));
    text_free(&words);
}

/* Of the program: a user's own need a configuration, and `reports` lists them. */
static void print_reports(void) {
    struct query_set queries;
    struct error error = {0};

    if (!query_set_load(&queries, NULL, &error)) {
        return;
    }
    puts("\nReports, and the kinds of trace they are for:");
    for (size_t i = 0, files; i < queries.count; i += files) {
        files = query_set_files(&queries, i);
        print_report(&queries.queries[i], files);
    }
    query_set_free(&queries);
}

/* --- commands --------------------------------------------------------------------------------- */

static void print_command(const struct command *command) {
    const char *topic = resource_find(help_resources, command->name);
    bool is_report = command == &commands[COMMAND_REPORT];

    printf("Usage: tracetool [-d DB] %s%s%s [OPTION]…\n\n", command->name,
           command->words[0] == '\0' ? "" : " ", command->words);
    help_paragraph(command->description);
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

enum { FIRST_INDENT = 31 }; /* column behind the first steps */

void help_command(const struct command *command) {
    if (command != NULL) {
        print_command(command);
        return;
    }
    puts("Usage: tracetool [-d DB] COMMAND [OPTION]… [ARGUMENT]…\n\n"
         "Turns trace logs of mobile systems into answers.\n\nFirst steps:");
    help_item("tracetool import FILE", FIRST_INDENT, "read a log into the database");
    help_item("tracetool report summary", FIRST_INDENT, "what the log holds");
    help_item("tracetool reports", FIRST_INDENT, "which reports there are");
    help_item("tracetool plot rw -o rw.svg", FIRST_INDENT, "draw a report");
    help_item("tracetool help tasks", FIRST_INDENT, "common questions and their commands");
    puts("\nCommands:");
    for (const struct command *row = commands; row->name != NULL; row++) {
        if (!command_is_within(row)) {
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
    help_paragraph(
        "`tracetool COMMAND --help` explains a command, `tracetool report REPORT --help` "
        "a report, `tracetool help TOPIC` a topic. The manual begins with tracetool(1).");
}

/* --- tracetool help -----------------------------------------------------------------------------
 */

enum { TOPICS_WITH = 4 }; /* that are named: a word of more says little */

/* Appends the topics that have the word, where there are few. */
static void append_topics_with(struct text *out, const char *word) {
    size_t count = 0;
    struct text found = {0};

    for (const struct resource *topic = help_resources; topic->name != NULL; topic++) {
        if (*word != '\0' && strcasestr(topic->text, word) != NULL) {
            text_append_format(&found, "%s%s", count++ == 0 ? "" : ", ", topic->name);
        }
    }
    if (count > 0 && count <= TOPICS_WITH) {
        text_append_string(out, text_string(&found));
        text_append_string(out, count == 1 ? " has that word; " : " have that word; ");
    }
    text_free(&found);
}

/* The command or topic that was meant. */
static const char *choose(const char *typed, struct error *error) {
    struct word_list names = {0};
    struct text otherwise = {0};
    const char *chosen;

    append_topics_with(&otherwise, typed);
    text_append_string(&otherwise, "`tracetool help` lists the commands; topics are ");
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (!command_is_within(command)) {
            word_list_add(&names, command->name);
        }
    }
    for (const struct resource *topic = help_resources; topic->name != NULL; topic++) {
        word_list_add_once(&names, topic->name);
        text_append_format(&otherwise, "%s%s", topic == help_resources ? "" : ", ", topic->name);
    }
    chosen = word_list_choose(&names, "command or topic", command_name_of(typed),
                              text_string(&otherwise), error);
    text_free(&otherwise);
    word_list_free(&names);
    return chosen;
}

bool command_help(struct session *session, struct error *error) {
    const struct command *command;
    const char *name;

    if (session->arguments->word_count == 0) {
        help_command(NULL);
        return true;
    }
    name = session->arguments->words[0];
    if (command_find(name) == NULL && resource_find(help_resources, name) == NULL &&
        query_report_exists(session->config.queries, name)) {
        return command_report_help(session, command_find("report"), error);
    }
    name = choose(name, error);
    if (name == NULL) {
        return false;
    }
    command = command_find(name);
    if (command != NULL) {
        help_command(command);
    } else {
        fputs(resource_find(help_resources, name), stdout);
    }
    return true;
}
