#include "cli/arguments.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "compare/request.h"

/* 2^53: up to it, a double represents every integer. */
#define SEED_MOST 9007199254740992.0

static const char *const when_words[] = {"auto", "always", "never"};
static const char *const image_time_words[] = {"after", "before"};
static const char *const block_type_words[] = {"data", "metadata", "journal", "anonymous", "none"};
static const char *const evidence_words[] = {"proven", "likely", "none"};
static const char *const clock_words[] = {"wall", "cpu"};
static const char *const open_words[] = {"end", "leave-out"};
static const char *const share_words[] = {"row", "column", "all"};
static const char *const strip_words[] = {"hex"};
static const char *const certainty_words[] = {"interval", "point"};
static const char *const weight_words[] = {"bytes"};
static const char *const for_words[] = {"column", "page", "slide",
                                        /* The words of --for, by enum plot_target (plot_look.h). */
                                        "screen"};

#define FLAG             .type = OPTION_FLAG
#define TEXT(ARGUMENT)   .type = OPTION_TEXT, .argument = (ARGUMENT)
#define LIST(ARGUMENT)   .type = OPTION_REPEATED, .argument = (ARGUMENT)
#define NUMBER(ARGUMENT) .type = OPTION_NUMBER, .argument = (ARGUMENT), .least = 1, .most = INFINITY
#define WHOLE(ARGUMENT, LEAST, MOST)                                                               \
    .type = OPTION_WHOLE, .argument = (ARGUMENT), .least = (LEAST), .most = (MOST)
#define REAL(ARGUMENT, LEAST, MOST)                                                                \
    .type = OPTION_REAL, .argument = (ARGUMENT), .least = (LEAST), .most = (MOST)

/* Members of an option's row that list the words it takes. Messages show them: as suggestions or,
 * if `closed`, as the only valid ones. */
#define WORDS(NAMES) .choices = (NAMES), .choice_count = (int)(sizeof(NAMES) / sizeof *(NAMES))
#define CHOICE(ARGUMENT, NAMES)                                                                    \
    .type = OPTION_CHOICE, .argument = (ARGUMENT), WORDS(NAMES), .closed = true
#define WORD(ARGUMENT, NAMES)         TEXT(ARGUMENT), WORDS(NAMES), .closed = true
#define LIST_OF(ARGUMENT, NAMES)      LIST(ARGUMENT), WORDS(NAMES), .closed = true
#define TEXT_SUCH_AS(ARGUMENT, NAMES) TEXT(ARGUMENT), WORDS(NAMES)
#define LIST_SUCH_AS(ARGUMENT, NAMES) LIST(ARGUMENT), WORDS(NAMES)

#define MEMBER(TARGET, STRUCTURE, FIELD)                                                           \
    .target = (TARGET), .offset = offsetof(STRUCTURE, FIELD),                                      \
    .size = sizeof((STRUCTURE *)NULL)->FIELD
#define REQUEST(FIELD) MEMBER(TARGET_REQUEST, struct report_request, FIELD)
#define COMPARE(FIELD) MEMBER(TARGET_COMPARE, struct compare_request, FIELD)
#define OF_REPORT      .target = TARGET_QUERY
#define NO_FIELD       .target = TARGET_NONE

/* For tests: the help does not list the option, and it has no short form. */
#define HIDDEN .hidden = true,

#define OPTION(ID, NAME, LETTER, TYPE, FIELD, COMMANDS, HELP)                                      \
    [OPTION_##ID] = {                                                                              \
        .name = (NAME), .letter = (LETTER), TYPE, FIELD, .commands = (COMMANDS), .help = (HELP)},
#define HELP_IN(...)
static const struct option_row fixed_rows[OPTION_COUNT] = {
#include "cli/options.def"
};
#undef OPTION
#undef HELP_IN

#define OPTION(...)
#define HELP_IN(ID, COMMANDS, ARGUMENT, HELP) {OPTION_##ID, COMMANDS, ARGUMENT, HELP},
static const struct {
    enum option_id option;
    command_set commands;
    const char *argument, *help;
} other_words[] = {
#include "cli/options.def"
};

/* --- options for the parameters of analyses --------------------------------------------------- */

static struct option_row rows[OPTION_MOST];
static int row_count;

const struct option_row *option_find(const char *name) {
    return find_named(rows, (size_t)option_count(), sizeof rows[0], name);
}

/* Adds options for the parameters of an analysis. If several analyses have a parameter with the
 * same name, it is one option. An option of the same name for other commands is extended to
 * reports. */
static void add_parameters(const struct analysis *analysis) {
    for (size_t i = 0; i < ANALYSIS_PARAMETERS && analysis->parameters[i].name != NULL; i++) {
        const struct parameter *parameter = &analysis->parameters[i];
        const struct option_row *known = option_find(parameter->name);

        if (known != NULL && known->parameter == NULL && (known->commands & REPORTING) == 0) {
            struct option_row *row = &rows[known - rows];

            row->parameter = parameter;
            row->commands |= REPORTING;
        } else if (known == NULL && row_count < OPTION_MOST) {
            rows[row_count++] = (struct option_row){
                .name = parameter->name,
                .type = parameter->type == PARAMETER_FLAG     ? OPTION_FLAG
                        : parameter->type == PARAMETER_NUMBER ? OPTION_NUMBER
                                                              : OPTION_TEXT,
                .argument = parameter->argument,
                .target = TARGET_QUERY,
                .commands = MAKING_ROWS,
                .help = parameter->help,
                .parameter = parameter,
            };
        }
    }
}

/* Not thread-safe: the command line is read before any thread starts. */
int option_count(void) {
    if (row_count == 0) {
        memcpy(rows, fixed_rows, sizeof fixed_rows);
        row_count = OPTION_COUNT;
        for (size_t i = 0; analyses[i] != NULL; i++) {
            add_parameters(analyses[i]);
        }
    }
    return row_count;
}

const struct option_row *option_row(int id) {
    return id < option_count() ? &rows[id] : NULL;
}

struct option_row option_row_of(int id, command_set command) {
    struct option_row row = *option_row(id);

    if (id == OPTION_INPUT_FORMAT && (command & ~ON_IMPORT) != 0) {
        /* With a queried log, -f is another option's short form: only --input-format is valid. */
        row.letter = 0;
    }
    if (row.parameter != NULL && (command & REPORTING) != 0) {
        row.argument = row.parameter->argument;
        row.help = row.parameter->help;
    }
    for (size_t i = 0; i < sizeof other_words / sizeof other_words[0]; i++) {
        if (other_words[i].option == (enum option_id)id && (other_words[i].commands & command)) {
            row.argument = other_words[i].argument;
            row.help = other_words[i].help;
        }
    }
    return row;
}

bool option_exists(const char *name) {
    int id = 0;

    while (id < option_count() &&
           (rows[id].hidden || strncmp(rows[id].name, name, strlen(name)) != 0)) {
        id++;
    }
    return id < option_count();
}

/* --- checking and storing values of options --------------------------------------------------- */

/* Returns the index of `value` among the words that the option takes; -1: it is none of them. */
static int option_choice(const struct option_row *row, const char *value) {
    int i = row->choice_count - 1;

    while (i >= 0 && (row->choices[i][0] == '\0' || strcmp(row->choices[i], value) != 0)) {
        i--;
    }
    return i;
}

/* Sets an error such as "--only is both, a, b or changed, not 'x'". */
static void refuse_choice(const struct option_row *row, const char *value, struct error *error) {
    struct text words = {0};

    for (int i = 0; i < row->choice_count; i++) {
        const char *word = row->choices[i];

        if (word[0] != '\0') {
            text_append_format(&words, "%s%s",
                               words.length == 0           ? ""
                               : i + 1 < row->choice_count ? ", "
                                                           : " or ",
                               word);
        }
    }
    error_usage(error, "--%s must be %s, not '%s'", row->name, text_string(&words), value);
    text_free(&words);
}

int parse_choice(const struct option_row *row, const char *value, struct error *error) {
    int choice = option_choice(row, value);

    if (choice < 0) {
        refuse_choice(row, value, error);
    }
    return choice;
}

static bool arguments_is_number(const char *value) {
    size_t digits = strspn(value, "0123456789");

    return digits > 0 && digits <= 18 && value[digits] == '\0' && strtoll(value, NULL, 10) > 0;
}

static bool arguments_is_within(const struct option_row *row, const char *value) {
    char *end;
    double number = strtod(value, &end);

    return end != value && *end == '\0' && number >= row->least && number <= row->most &&
           (row->type == OPTION_REAL || number == floor(number));
}

/* Checks the value of an option; NULL for a flag. The error says what the option takes. */
static bool option_check(const struct option_row *row, const char *value, struct error *error) {
    bool ranged = row->type == OPTION_WHOLE || row->type == OPTION_REAL;

    if (row->closed && parse_choice(row, value, error) < 0) {
        return false;
    }
    if (row->type == OPTION_NUMBER && !arguments_is_number(value)) {
        return error_usage(error, "--%s needs a whole number from 1 on, not '%s'", row->name,
                           value);
    }
    return !ranged || arguments_is_within(row, value) ||
           error_usage(error, "--%s needs a %snumber from %g to %.10g, not '%s'", row->name,
                       row->type == OPTION_WHOLE ? "whole " : "", row->least, row->most, value);
}

/* Sets the row's member of the structure `target` to a value that passed option_check(). */
static void option_set(const struct option_row *row, const char *value, void *target) {
    void *member = (char *)target + row->offset;

    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)member = true;
        break;
    case OPTION_TEXT:
        *(const char **)member = value;
        break;
    case OPTION_NUMBER:
        *(int64_t *)member = strtoll(value, NULL, 10);
        break;
    case OPTION_WHOLE:
        if (row->size == sizeof(int)) {
            *(int *)member = (int)strtod(value, NULL);
        } else {
            *(uint64_t *)member = (uint64_t)strtod(value, NULL);
        }
        break;
    case OPTION_REAL:
        *(double *)member = strtod(value, NULL);
        break;
    case OPTION_CHOICE:
        *(int *)member = option_choice(row, value);
        break;
    case OPTION_REPEATED: /* not stored in a structure: read from arguments.lists */
        break;
    }
}

/* getopt_long() returns numbers from FIRST_LONG on for the program's long options, and from
 * FIRST_OWN on for options of query files. */
enum { FIRST_LONG = 256, FIRST_OWN = FIRST_LONG + OPTION_MOST };

/* Returns the id of the first option with this letter as short form. */
static int find_letter(int letter) {
    int id = 0;

    while (id < OPTION_COUNT && option_row(id)->letter != letter) {
        id++;
    }
    return id;
}

/* Fills the tables for getopt_long(). The leading ':' makes it report missing arguments. Hidden
 * options are left out, since an abbreviation of one may be a parameter of a user's query. */
static void fill_getopt(struct option *longs, char *shorts, const char *const *own,
                        size_t own_count, bool asserts) {
    for (size_t i = 0; i < own_count; i++) {
        *longs++ = (struct option){
            .name = own[i], .has_arg = required_argument, .val = FIRST_OWN + (int)i};
    }
    *shorts++ = ':';
    for (int i = 0; i < option_count(); i++) {
        const struct option_row *row = option_row(i);

        if (!row->hidden) {
            *longs++ = (struct option){
                .name = row->name,
                .has_arg = row->argument == NULL || (asserts && i == OPTION_LIST)
                               ? no_argument
                               : required_argument,
                .val = FIRST_LONG + i,
            };
        }
        if (row->letter != 0 && find_letter(row->letter) == i) {
            *shorts++ = row->letter;
            if (row->argument != NULL) {
                *shorts++ = ':';
            }
        }
    }
    *longs = (struct option){0};
    *shorts = '\0';
}

static void add_to_list(struct option_list *list, const char *value) {
    list->values = xrealloc(list->values, (list->count + 1) * sizeof *list->values);
    list->values[list->count++] = value;
}

/* Stores --when for the image named last; images without --when get NULL. */
static bool add_image_time(struct arguments *arguments, const char *value, struct error *error) {
    struct option_list *list = &arguments->lists[OPTION_WHEN];
    size_t images = arguments->lists[OPTION_IMAGE].count;

    if (images <= list->count) {
        return error_usage(error, "--when must come after the --image that it describes");
    }
    while (list->count + 1 < images) {
        add_to_list(list, NULL);
    }
    add_to_list(list, value);
    return true;
}

static bool arguments_set_value(struct arguments *arguments, int id, const char *value,
                                struct error *error) {
    const struct option_row *row = option_row(id);

    if (!option_check(row, value, error)) {
        return false;
    }
    arguments->given[id] = true;
    arguments->values[id] = value;
    if (id == OPTION_WHEN) {
        return add_image_time(arguments, value, error);
    }
    if (row->type == OPTION_REPEATED) {
        add_to_list(&arguments->lists[id], value);
    }
    return true;
}

/* Returns whether a word is an option of the program, or an abbreviation of one. */
static bool is_option(const char *word) {
    size_t length = strcspn(word, "=");
    char name[64];

    if (word[0] != '-' || word[1] == '\0' || length >= sizeof name) {
        return false;
    }
    if (word[1] != '-') {
        return find_letter(word[1]) < OPTION_COUNT;
    }
    memcpy(name, word, length);
    name[length] = '\0';
    return name[2] != '\0' && option_exists(name + 2);
}

/* Returns the id of the hidden option with this name; option_count(): none. */
static int find_hidden(const char *name) {
    int id = 0;

    while (id < option_count() &&
           !(option_row(id)->hidden && strcmp(option_row(id)->name, name) == 0)) {
        id++;
    }
    return id;
}

static void arguments_add_other(struct arguments *arguments, const char *name, const char *value) {
    arguments->others =
        xrealloc(arguments->others, (arguments->other_count + 1) * sizeof *arguments->others);
    arguments->others[arguments->other_count++] = (struct other_option){xstrdup(name), value};
}

/* Returns whether an option is --by joined with its value, such as --by-issuer. If not, it may be a
 * parameter of a query. */
static bool option_is_by(const char *name) {
    static const char *const words[] = {
        "issuer", "process", "thread", "file",      "type", "filetype",   "class", "size",   "hour",
        "depth",  "idle",    "disk",   "operation", "user", "completion", "study", "device",
    };
    const size_t count = sizeof words / sizeof words[0];

    return string_index(words, count, name + strlen("by-")) < count;
}

/* Stores a long option unknown to getopt_long(). The next word is its value, if it is no option. */
static bool add_query_option(struct arguments *arguments, const char *name, struct error *error) {
    size_t length = strlen(name);
    const char *value = NULL;

    if (strncmp(name, "by-", 3) == 0 && option_is_by(name) &&
        arguments->line[optind - 1][2 + length] == '\0') {
        return arguments_set_value(arguments, OPTION_BY,
                                   arguments->line[optind - 1] + 2 + strlen("by-"), error);
    }
    if (arguments->line[optind - 1][2 + length] == '=') {
        value = arguments->line[optind - 1] + 2 + length + 1;
    } else if (optind < arguments->argc && !is_option(arguments->line[optind])) {
        value = arguments->line[optind++];
    }
    if (find_hidden(name) == option_count()) {
        arguments_add_other(arguments, name, value);
        return true;
    }
    return value != NULL ? arguments_set_value(arguments, find_hidden(name), value, error)
                         : error_usage(error, "option --%s needs an argument", name);
}

/* Sets `name` to the option that getopt_long() rejected. Returns false if it is not a long option,
 * or an abbreviation of several options of the program. */
static bool find_rejected_option(int result, const char *word, char name[64]) {
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;

    if (result != '?' || length == 0 || length >= 64) {
        return false;
    }
    memcpy(name, word + 2, length);
    name[length] = '\0';
    return !option_exists(name);
}

/* Sets an error that lists the long options that this word may abbreviate. Returns false. */
static bool refuse_short(const char *word, struct error *error) {
    size_t length = strcspn(word + 2, "=");
    struct text names = {0};

    for (int i = 0; i < option_count(); i++) {
        const char *name = option_row(i)->name;

        if (!option_row(i)->hidden && strncmp(name, word + 2, length) == 0) {
            text_append_format(&names, "%s--%s", names.length == 0 ? "" : ", ", name);
        }
    }
    error_usage(error, "%.*s is ambiguous: it could mean %s", (int)length + 2, word,
                text_string(&names));
    text_free(&names);
    return false;
}

/* Processes the result of getopt_long() for the word before `optind`. */
static bool process_getopt_result(struct arguments *arguments, int result, const char *const *own,
                                  struct error *error) {
    int id = result >= FIRST_LONG ? result - FIRST_LONG : find_letter(result);
    const char *word = arguments->line[optind - 1];
    char name[64];

    if (find_rejected_option(result, word, name)) {
        return add_query_option(arguments, name, error);
    }
    if (result == '?' || result == ':') {
        /* getopt_long() does not know the word ('?'), or its argument is missing (':') */
        if (result == ':') {
            return error_usage(error, "option %s needs an argument", word);
        }
        if (strncmp(word, "--", 2) == 0 && strchr(word, '=') != NULL && optopt != 0) {
            return error_usage(error, "option %.*s takes no argument", (int)strcspn(word, "="),
                               word);
        }
        if (strncmp(word, "--", 2) != 0 && optopt != 0) {
            return error_usage(error, "there is no option -%c", optopt);
        }
        return refuse_short(word, error);
    }
    if (own != NULL && result >= FIRST_OWN) {
        arguments_add_other(arguments, own[result - FIRST_OWN], optarg);
        return true;
    }
    arguments->by_letter[id] = result < FIRST_LONG;
    return arguments_set_value(arguments, id, optarg, error);
}

static bool parse_command_line(struct arguments *arguments, const char *const *own,
                               size_t own_count, struct error *error) {
    struct option *longs = xcalloc(own_count + OPTION_MOST + 1, sizeof *longs);
    char shorts[2 * OPTION_MOST + 2];
    int result, argc = arguments->argc;
    struct error later = {0};
    bool done = true;

    arguments->line = xcalloc((size_t)argc + 1, sizeof *arguments->line);
    memcpy(arguments->line, arguments->argv, (size_t)argc * sizeof *arguments->line);
    fill_getopt(longs, shorts, own, own_count,
                argc > 1 && strcmp(arguments->argv[1], "assert") == 0);
    opterr = 0;
    optind = 0; /* resets getopt_long() */
    while ((result = getopt_long(argc, arguments->line, shorts, longs, NULL)) != -1) {
        done &= process_getopt_result(arguments, result, own, done ? error : &later);
    }
    free(longs);
    if (optind < argc) {
        arguments->command = arguments->line[optind];
        arguments->words = arguments->line + optind + 1;
        arguments->word_count = (size_t)(argc - optind - 1);
    }
    return done;
}

bool arguments_parse(struct arguments *arguments, int argc, char *const *argv,
                     struct error *error) {
    *arguments = (struct arguments){.argc = argc, .argv = argv};
    return parse_command_line(arguments, NULL, 0, error);
}

bool arguments_parse_again(struct arguments *arguments, const char *const *own, size_t own_count,
                           struct error *error) {
    int argc = arguments->argc;
    char *const *argv = arguments->argv;

    arguments_free(arguments);
    arguments->argc = argc;
    arguments->argv = argv;
    return parse_command_line(arguments, own, own_count, error);
}

/* Returns the place on the command line of a word, or of `word` in --NAME=word. */
static int place_of(const struct arguments *arguments, const char *word) {
    int i = 0;

    while (i < arguments->argc) {
        const char *equals = strchr(arguments->argv[i], '=');

        if (word == arguments->argv[i] || (equals != NULL && word == equals + 1)) {
            break;
        }
        i++;
    }
    return i;
}

void arguments_spread(struct arguments *arguments, enum option_id id, bool keep_last) {
    struct option_list *list = &arguments->lists[id];
    char **words = arguments->line + (arguments->words - arguments->line); /* may be moved */
    const size_t count = arguments->word_count, end = count - (keep_last && count > 0);
    const int place = list->count == 0 ? 0 : place_of(arguments, list->values[0]);
    size_t before = 0;

    while (before < end && place_of(arguments, words[before]) < place) {
        before++;
    }
    if (before == 0 || before == end) {
        return;
    }
    for (size_t i = before; i < end; i++) {
        add_to_list(list, words[i]);
    }
    memmove(words + before, words + end, (count - end) * sizeof *words);
    arguments->word_count = before + count - end;
}

/* Returns whether all these commands accept the short form of the option. */
static bool takes_letter(int id, command_set command) {
    return (option_row(id)->commands & command) != 0 && option_row_of(id, command).letter != 0;
}

void resolve_short_options(struct arguments *arguments, command_set command) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (!arguments->by_letter[id] || takes_letter(id, command)) {
            continue;
        }
        for (int other = 0; other < OPTION_COUNT; other++) {
            if (option_row(other)->letter == option_row(id)->letter &&
                takes_letter(other, command)) {
                arguments->given[other] = true;
                arguments->values[other] = arguments->values[id];
                arguments->given[id] = false;
            }
        }
    }
}

void arguments_fill_structure(const struct arguments *arguments, enum option_target target,
                              void *structure) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (arguments->given[id] && option_row(id)->target == target) {
            option_set(option_row(id), arguments->values[id], structure);
        }
    }
}

int arguments_choice(const struct arguments *arguments, enum option_id id, int otherwise) {
    return arguments->given[id] ? option_choice(option_row((int)id), arguments->values[id])
                                : otherwise;
}

void arguments_free(struct arguments *arguments) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        free(arguments->lists[id].values);
    }
    for (size_t i = 0; i < arguments->other_count; i++) {
        free(arguments->others[i].name);
    }
    free(arguments->others);
    free(arguments->line);
    *arguments = (struct arguments){0};
}

int64_t arguments_number(const struct arguments *arguments, enum option_id id, int64_t otherwise) {
    return arguments->given[id] ? strtoll(arguments->values[id], NULL, 10) : otherwise;
}
