/* tracetool compare and tracetool plot compare. */
#include <stdlib.h>
#include <string.h>

#include "cli/fail_if.h"
#include "cli/picture.h"
#include "cli/report_load.h"
#include "compare/compare.h"
#include "compare/picture.h"
#include "report/choose.h"
#include "select/filter.h"
#include "base/memory.h"

/* Any report, to load what the overview needs; it chooses its reports itself. */
#define ANY_REPORT "summary"

/* Returns whether conditions test the numbers instead of their intervals. */
static bool is_point(const struct arguments *arguments) {
    return arguments_choice(arguments, OPTION_CERTAINTY, 0) == 1;
}

/* Reads --shift, --weight and --widths. */
static bool read_drawing(const struct arguments *arguments, struct compare_request *request,
                         struct error *error) {
    bool shift = arguments->given[OPTION_SHIFT], weight = arguments->given[OPTION_WEIGHT];
    bool widths = arguments->given[OPTION_WIDTHS];

    if (shift && weight) {
        return error_usage(error, "--shift and --weight are different pictures");
    }
    if ((shift || weight || widths) && !request->picture) {
        return error_usage(error, "--%s is of pictures: tracetool plot compare",
                           shift    ? "shift"
                           : weight ? "weight"
                                    : "widths");
    }
    request->drawing = shift ? DRAWING_SHIFT : weight ? DRAWING_BYTES : DRAWING_USUAL;
    return true;
}

/* Takes the time window of a side: --a-from and similar options override --from. */
static bool take_window(const struct arguments *arguments, enum option_id from, enum option_id to,
                        struct filter *filter, struct error *error) {
    const enum option_id begin = arguments->given[from] ? from : OPTION_FROM,
                         end = arguments->given[to] ? to : OPTION_TO;

    return filter_take_window(filter, option_row(begin)->name, arguments->values[begin],
                              option_row(end)->name, arguments->values[end], error);
}

/* Reads --sort as a word; for reports it names a column. */
static bool read_sort(const struct arguments *arguments, struct compare_request *request,
                      struct error *error) {
    const char *given = arguments->values[OPTION_SORT];
    int sort = given == NULL ? SORT_USUAL : option_choose(option_row(OPTION_SORT), given, error);

    request->sort = sort < 0 ? SORT_USUAL : (enum compare_sort)sort;
    return sort >= 0;
}

/* Meaning of the command's words. */
struct words {
    const char *const *traces[2]; /* names of traces; with --studies, of studies */
    size_t counts[2];
    const char *report; /* NULL: none */
};

/* Checks that options fit the overview, which has its own measures and order. `adjusts`: --adjust
 * was given. */
static bool check_overview(const struct words *words, const struct compare_request *request,
                           bool adjusts, struct error *error) {
    const char *option = request->drawing == DRAWING_SHIFT   ? "--shift"
                         : request->drawing == DRAWING_BYTES ? "--weight"
                         : request->widths != WIDTHS_MAX     ? "--widths"
                         : request->per != PER_USUAL         ? "--per"
                         : request->sort != SORT_USUAL       ? "--sort"
                         : request->only != ONLY_ALL && request->only != ONLY_CHANGED
                             ? "--only other than changed"
                             : NULL;

    if (words->report != NULL) {
        return !adjusts ||
               error_usage(error,
                           "--adjust is of what changed most: compare A B, without a report");
    }
    return option == NULL || error_usage(error, "%s needs a report: compare A B REPORT", option);
}

/* Returns whether A's last word is a report; with --with, the report is optional. */
static bool is_report(struct session *session, const char *word) {
    struct error ignored = {0};
    struct query_set queries;
    bool is = query_set_load_typed(&queries, session_queries(session), word, &ignored);

    if (is) {
        is = choose_report(&queries, word, &ignored) != NULL;
        query_set_free(&queries);
    }
    return is;
}

/* Reads A B [REPORT], or A… [REPORT] with the traces of B in --with. */
static bool read_words(struct session *session, struct words *words, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *const *given = (const char *const *)arguments->words;
    const struct option_list *with = &arguments->lists[OPTION_WITH];
    size_t count = arguments->word_count;

    *words = (struct words){.traces = {given, given + 1}, .counts = {1, 1}};
    if (with->count == 0) {
        words->report = count == 3 ? given[2] : NULL;
        if (count >= 2 && count <= 3) {
            return true;
        }
        return session_check_others(session, error) &&
               error_usage(error, count < 2 ? "compare needs A B [REPORT]"
                                            : "compare: one argument too many; further traces of B "
                                              "are given by --with");
    }
    if (arguments->given[OPTION_STUDIES]) {
        return error_usage(error, "--studies takes two studies, and no --with");
    }
    if (count > 1 && is_report(session, given[count - 1])) {
        words->report = given[--count];
    }
    words->traces[1] = with->values;
    words->counts[1] = with->count;
    words->counts[0] = count;
    return true;
}

/* Makes the request of a side: that of the command line, with the side's own traces and all rows.
 */
static bool take_side(const struct arguments *arguments, const struct words *words,
                      const struct report_request *common, int blocks, bool is_b,
                      struct report_request *side, struct error *error) {
    *side = *common;
    side->blocks = blocks > 0 ? blocks : 1;
    if (arguments->given[OPTION_STUDIES]) {
        side->study = words->traces[is_b][0];
    } else {
        side->traces = words->traces[is_b];
        side->trace_count = words->counts[is_b];
    }
    side->top = 0;
    side->compare = true;
    side->say = NULL;
    if (common->group != GROUP_NONE) {
        return error_usage(error, "compare takes two sides: --by %s makes more",
                           group_names[common->group]);
    }
    return take_window(arguments, is_b ? OPTION_B_FROM : OPTION_A_FROM,
                       is_b ? OPTION_B_TO : OPTION_A_TO, &side->filter, error);
}

/* Destination of the output. */
struct target {
    const struct printer_style *style;
    const struct printer_options *options;
    struct picture *picture; /* NULL: print instead of drawing */
};

static bool print(struct session *session, const struct target *target, bool has_report,
                  struct report_load *loaded, struct compare_request *request,
                  struct error *error) {
    const struct printer_style *style;
    bool (*give)(struct workspace *, const struct compare_request *, const struct printer_style *,
                 FILE *, const struct printer_options *, struct error *) =
        has_report ? compare_print : compare_overview;
    struct plot plot;
    bool done;

    if (target->picture == NULL) {
        return give(&loaded->workspace, request, target->style, session->output, target->options,
                    error);
    }
    style = picture_begin(target->picture,
                          has_report &&
                              compare_picture_is_of_trees(&loaded->queries, loaded->request.report),
                          &plot, error);
    if (style == NULL) {
        return false;
    }
    request->own_svg = style != target->style;
    done = give(&loaded->workspace, request, style, plot.script, target->options, error);
    database_finish_reading(&loaded->database);
    return picture_end(target->picture, &plot, done, error);
}

static bool run(struct session *session, const struct target *target, const struct words *words,
                struct report_load *loaded, struct compare_request *request, struct error *error) {
    const bool point = is_point(session->arguments);
    struct fail_ifs *fail_ifs =
        fail_ifs_read(session, !point && request->blocks > 0, &loaded->queries, error);
    bool done = fail_ifs != NULL;

    for (int i = 0; done && i < 2; i++) {
        done = take_side(session->arguments, words, &loaded->request, request->blocks, i == 1,
                         &request->sides[i], error);
    }
    done = done && print(session, target, words->report != NULL, loaded, request, error) &&
           fail_ifs_check(fail_ifs, request, &loaded->workspace, point, error);
    fail_ifs_free(fail_ifs);
    return done;
}

static bool compare(struct session *session, const struct target *target, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct compare_request request = {
        .noise = COMPARE_NOISE,
        .blocks = COMPARE_BLOCKS,
        .resamples = COMPARE_RESAMPLES,
        .seed = COMPARE_SEED,
        .confidence = COMPARE_CONFIDENCE,
        .top = arguments_number(arguments, OPTION_TOP, 0),
        .strip_hex = arguments->given[OPTION_STRIP],
        .picture = strcmp(target->style->name, "gnuplot") == 0,
    };
    struct report_load loaded;
    struct words words;

    arguments_set(arguments, TARGET_COMPARE, &request);
    if (!read_sort(arguments, &request, error) || !read_words(session, &words, error) ||
        !read_drawing(arguments, &request, error) ||
        !check_overview(&words, &request, arguments->given[OPTION_ADJUST], error) ||
        !report_load(session, words.report != NULL ? words.report : ANY_REPORT, &loaded,
                     REPORT_BESIDE_OTHERS, error)) {
        return false;
    }
    return report_unload(session, &loaded, run(session, target, &words, &loaded, &request, error),
                         error);
}

bool command_compare(struct session *session, struct error *error) {
    const struct printer_options options = session_printer_options(session);
    const struct target target = {.style = session_style(session, error), .options = &options};

    return target.style != NULL && compare(session, &target, error);
}

bool command_plot_compare(struct session *session, struct error *error) {
    struct picture picture;
    const struct target target = {
        .style = printer_style_find("gnuplot"), .options = &picture.printer, .picture = &picture};
    bool done = picture_read(&picture, session, error) && compare(session, &target, error);

    picture_free(&picture);
    return done;
}
