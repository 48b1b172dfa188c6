/* tracetool compare. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report_load.h"
#include "compare/compare.h"
#include "select/filter.h"

/* Largest --noise: beyond, a thing could double and be the same. */
#define NOISE_MOST 1.0

/* A double has all whole numbers up to there. */
#define SEED_MOST 9007199254740992.0

#define CONFIDENCE_LEAST 0.5
#define CONFIDENCE_MOST  0.999

/* The place of the word that an option was given among `names`; 0 when it was not given. */
static bool read_choice(const struct arguments *arguments, enum option_id id,
                        const char *const *names, int count, int *choice, struct error *error) {
    const char *value = arguments->values[id];

    *choice = 0;
    if (value == NULL) {
        return true;
    }
    for (int i = 1; i < count; i++) {
        if (strcmp(names[i], value) == 0) {
            *choice = i;
            return true;
        }
    }
    return error_set_status(error, EXIT_USAGE, "--%s: there is no '%s'; there are %s",
                            option_row(id)->name, value, option_row(id)->choices);
}

/* A number within bounds; `*number` stays as it is when the option was not given. */
static bool read_number(const struct arguments *arguments, enum option_id id, double least,
                        double most, bool whole, double *number, struct error *error) {
    const char *value = arguments->values[id];
    double given;
    char *end;

    if (value == NULL) {
        return true;
    }
    given = strtod(value, &end);
    if (end == value || *end != '\0' || !(given >= least && given <= most) ||
        (whole && given != floor(given))) {
        return error_set_status(error, EXIT_USAGE,
                                "--%s needs a %snumber from %g to %.10g, not '%s'",
                                option_row(id)->name, whole ? "whole " : "", least, most, value);
    }
    *number = given;
    return true;
}

static bool read_numbers(const struct arguments *arguments, struct compare_request *request,
                         struct error *error) {
    double noise = COMPARE_NOISE, blocks = COMPARE_BLOCKS, resamples = COMPARE_RESAMPLES;
    double seed = COMPARE_SEED, confidence = COMPARE_CONFIDENCE;
    bool done =
        read_number(arguments, OPTION_NOISE, 0, NOISE_MOST, false, &noise, error) &&
        read_number(arguments, OPTION_BLOCKS, 0, COMPARE_BLOCKS_MOST, true, &blocks, error) &&
        read_number(arguments, OPTION_RESAMPLES, 1, COMPARE_RESAMPLES_MOST, true, &resamples,
                    error) &&
        read_number(arguments, OPTION_SEED, 0, SEED_MOST, true, &seed, error) &&
        read_number(arguments, OPTION_CONFIDENCE, CONFIDENCE_LEAST, CONFIDENCE_MOST, false,
                    &confidence, error);

    request->noise = noise;
    request->blocks = (int)blocks;
    request->resamples = (int)resamples;
    request->seed = (uint64_t)seed;
    request->confidence = confidence;
    return done;
}

static bool read_strip(const struct arguments *arguments, bool *hex, struct error *error) {
    const char *value = arguments->values[OPTION_STRIP];

    *hex = value != NULL;
    return value == NULL || strcmp(value, "hex") == 0 ||
           error_set_status(error, EXIT_USAGE, "--strip: there is no '%s'; there is hex", value);
}

/* What is to be done with the rows. */
static bool read_options(const struct arguments *arguments, struct compare_request *request,
                         struct error *error) {
    int per, only, sort;

    if (!read_choice(arguments, OPTION_PER, compare_per_names, COMPARE_PERS, &per, error) ||
        !read_choice(arguments, OPTION_ONLY, compare_only_names, COMPARE_ONLYS, &only, error) ||
        !read_choice(arguments, OPTION_SORT, compare_sort_names, COMPARE_SORTS, &sort, error) ||
        !read_numbers(arguments, request, error) ||
        !read_strip(arguments, &request->strip_hex, error)) {
        return false;
    }
    request->per = (enum compare_per)per;
    request->only = (enum compare_only)only;
    request->sort = (enum compare_sort)sort;
    request->top = arguments_number(arguments, OPTION_TOP, 0);
    request->match = arguments->values[OPTION_MATCH];
    request->strict = arguments->given[OPTION_STRICT];
    return true;
}

/* --a-from and its like choose of one side, and take the place of --from there. */
static bool take_bound(const struct arguments *arguments, enum option_id id,
                       struct time_bound *bound, struct error *error) {
    return !arguments->given[id] ||
           time_bound_parse(option_row(id)->name, arguments->values[id], bound, error);
}

/* The request of a side: that of the command line, of one trace, and of all rows. */
static bool take_side(const struct arguments *arguments, const struct report_request *common,
                      int blocks, bool is_b, struct report_request *side, struct error *error) {
    *side = *common;
    side->blocks = blocks > 0 ? blocks : 1;
    side->traces = (const char *const *)arguments->words + (is_b ? 1 : 0);
    side->trace_count = 1;
    side->top = 0;
    side->compare = true;
    side->say = NULL;
    if (common->group != GROUP_NONE) {
        return error_set_status(error, EXIT_USAGE, "compare takes two traces: --by %s makes more",
                                group_names[common->group]);
    }
    return take_bound(arguments, is_b ? OPTION_B_FROM : OPTION_A_FROM, &side->filter.from, error) &&
           take_bound(arguments, is_b ? OPTION_B_TO : OPTION_A_TO, &side->filter.to, error);
}

bool command_compare(struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const struct printer_style *style = session_style(session, error);
    struct printer_options printer_options = session_printer_options(session);
    struct compare_request request = {.per = PER_USUAL};
    struct report_load loaded;
    bool done;

    if (style == NULL || !read_options(arguments, &request, error) ||
        !report_load(session, arguments->words[2], &loaded, false, error)) {
        return false;
    }
    done =
        take_side(arguments, &loaded.request, request.blocks, false, &request.sides[0], error) &&
        take_side(arguments, &loaded.request, request.blocks, true, &request.sides[1], error) &&
        compare_print(&loaded.workspace, &request, style, session->output, &printer_options, error);
    return report_unload(session, &loaded, done, error);
}
