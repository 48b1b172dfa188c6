#include "cli/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/text.h"
#include "compare/request.h"

/* A double has all whole numbers up to there. */
#define SEED_MOST 9007199254740992.0

static const char *const when_words[] = {"auto", "always", "never"};
static const char *const image_time_words[] = {"after", "before"};
static const char *const evidence_words[] = {"proven", "likely", "none"};
static const char *const clock_words[] = {"wall", "cpu"};
static const char *const open_words[] = {"end", "leave-out"};
static const char *const share_words[] = {"row", "column", "all"};
static const char *const strip_words[] = {"hex"};
static const char *const certainty_words[] = {"interval", "point"};
static const char *const weight_words[] = {"bytes"};

/* --- types: ARGUMENT is what the help calls the value ------------------------------------------
 */

#define FLAG             .type = OPTION_FLAG
#define TEXT(ARGUMENT)   .type = OPTION_TEXT, .argument = (ARGUMENT)
#define LIST(ARGUMENT)   .type = OPTION_REPEATED, .argument = (ARGUMENT)
#define NUMBER(ARGUMENT) .type = OPTION_NUMBER, .argument = (ARGUMENT), .least = 1, .most = INFINITY
#define WHOLE(ARGUMENT, LEAST, MOST)                                                               \
    .type = OPTION_WHOLE, .argument = (ARGUMENT), .least = (LEAST), .most = (MOST)
#define REAL(ARGUMENT, LEAST, MOST)                                                                \
    .type = OPTION_REAL, .argument = (ARGUMENT), .least = (LEAST), .most = (MOST)

/* Suggestions, or with `closed` all there is. */
#define WORDS(NAMES) .choices = (NAMES), .choice_count = (int)(sizeof(NAMES) / sizeof *(NAMES))
#define CHOICE(ARGUMENT, NAMES)                                                                    \
    .type = OPTION_CHOICE, .argument = (ARGUMENT), WORDS(NAMES), .closed = true
#define WORD(ARGUMENT, NAMES)         TEXT(ARGUMENT), WORDS(NAMES), .closed = true
#define LIST_OF(ARGUMENT, NAMES)      LIST(ARGUMENT), WORDS(NAMES), .closed = true
#define TEXT_SUCH_AS(ARGUMENT, NAMES) TEXT(ARGUMENT), WORDS(NAMES)
#define LIST_SUCH_AS(ARGUMENT, NAMES) LIST(ARGUMENT), WORDS(NAMES)

/* --- fields ------------------------------------------------------------------------------------
 */

#define MEMBER(TARGET, STRUCTURE, FIELD)                                                           \
    .target = (TARGET), .offset = offsetof(STRUCTURE, FIELD),                                      \
    .size = sizeof((STRUCTURE *)NULL)->FIELD
#define REQUEST(FIELD) MEMBER(TARGET_REQUEST, struct report_request, FIELD)
#define COMPARE(FIELD) MEMBER(TARGET_COMPARE, struct compare_request, FIELD)
#define OF_REPORT      .target = TARGET_QUERY
#define NO_FIELD       .target = TARGET_NONE

/* For tests: in no help, with no short form. */
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
    int commands;
    const char *argument, *help;
} other_words[] = {
#include "cli/options.def"
};

/* --- the parameters of analyses ----------------------------------------------------------------
 */

static struct option_row rows[OPTION_MOST];
static int row_count;

const struct option_row *option_find(const char *name) {
    int id = 0;

    while (id < option_count() && strcmp(rows[id].name, name) != 0) {
        id++;
    }
    return option_row(id);
}

/* Two analyses may have the same parameter, which then is one option. */
static void add_parameters(const struct analysis *analysis) {
    for (size_t i = 0; i < ANALYSIS_PARAMETERS && analysis->parameters[i].name != NULL; i++) {
        const struct parameter *parameter = &analysis->parameters[i];

        if (row_count < OPTION_MOST && option_find(parameter->name) == NULL) {
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

/* The command line is read by one thread, before any other is started. */
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

struct option_row option_row_of(int id, int command) {
    struct option_row row = *option_row(id);

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

/* --- values ------------------------------------------------------------------------------------
 */

int option_choice(const struct option_row *row, const char *value) {
    int i = row->choice_count - 1;

    while (i >= 0 && (row->choices[i][0] == '\0' || strcmp(row->choices[i], value) != 0)) {
        i--;
    }
    return i;
}

/* "--only is both, a, b or changed, not 'x'" */
static bool refuse_choice(const struct option_row *row, const char *value, struct error *error) {
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
    error_set_status(error, EXIT_USAGE, "--%s is %s, not '%s'", row->name, text_string(&words),
                     value);
    text_free(&words);
    return false;
}

static bool is_number(const char *value) {
    size_t digits = strspn(value, "0123456789");

    return digits > 0 && digits <= 18 && value[digits] == '\0' && strtoll(value, NULL, 10) > 0;
}

static bool is_within(const struct option_row *row, const char *value) {
    char *end;
    double number = strtod(value, &end);

    return end != value && *end == '\0' && number >= row->least && number <= row->most &&
           (row->type == OPTION_REAL || number == floor(number));
}

bool option_check(const struct option_row *row, const char *value, struct error *error) {
    bool ranged = row->type == OPTION_WHOLE || row->type == OPTION_REAL;

    if (row->closed && option_choice(row, value) < 0) {
        return refuse_choice(row, value, error);
    }
    if (row->type == OPTION_NUMBER && !is_number(value)) {
        return error_set_status(error, EXIT_USAGE, "--%s needs a whole number from 1 on, not '%s'",
                                row->name, value);
    }
    return !ranged || is_within(row, value) ||
           error_set_status(error, EXIT_USAGE, "--%s needs a %snumber from %g to %.10g, not '%s'",
                            row->name, row->type == OPTION_WHOLE ? "whole " : "", row->least,
                            row->most, value);
}

void option_set(const struct option_row *row, const char *value, void *target) {
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
    case OPTION_REPEATED: /* none has a member */
        break;
    }
}
