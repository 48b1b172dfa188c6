/* tracetool compare and tracetool plot compare: show the differences between two traces. */

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/figure_options.h"
#include "cli/logs.h"
#include "cli/picture.h"
#include "cli/report_load.h"
#include "compare/compare.h"
#include "contract/contract.h"
#include "report/choose.h"
#include "select/filter.h"

/* --fail-if: conditions on the results of a comparison. A condition that holds has failed, and
 * makes the command fail. */

/* All conditions of a command line. Zeroed: none. */
struct fail_ifs;

/* A condition of --fail-if: on a figure of the comparison, which has a confidence interval; or on a
 * figure of a contract (condition of `tracetool assert`), which is one number for each side,
 * without an interval. */
struct fail_if {
    bool is_word; /* true: the condition is on a contract's figure: the next in `contracts` */
    /* Unless is_word: the condition on a figure of the comparison. */
    struct compare_condition condition;
};

struct fail_ifs {
    struct session *session; /* borrowed */
    struct fail_if *items;   /* owned */
    size_t count;
    struct contracts contracts;
    struct figure_options figure_options;
    /* Owned, with its strings: conditions on contracts' figures, rewritten for the comparison. */
    char **texts;
};

static void fail_ifs_free(struct fail_ifs *fail_ifs) {
    for (size_t i = 0; fail_ifs != NULL && i < fail_ifs->count; i++) {
        free(fail_ifs->texts[i]);
    }
    if (fail_ifs != NULL) {
        contracts_free(&fail_ifs->contracts);
        figure_options_free(&fail_ifs->figure_options);
        free(fail_ifs->items);
        free(fail_ifs->texts);
        free(fail_ifs);
    }
}

/* Refuses filters given as options: a contract's filters belong in its figure's brackets. */
static bool command_compare_check_filters(const struct arguments *arguments, const char *text,
                                          struct error *error) {
    static const enum option_id windows[] = {OPTION_FROM, OPTION_TO,     OPTION_A_FROM,
                                             OPTION_A_TO, OPTION_B_FROM, OPTION_B_TO};
    const char *given = NULL;

    for (int i = OPTION_FIRST_FILTER; i < OPTION_FIRST_FILTER + FILTER_OPTIONS; i++) {
        given = arguments->given[i] ? option_row(i)->name : given;
    }
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        given = arguments->given[windows[i]] ? option_row(windows[i])->name : given;
    }
    return given == NULL ||
           error_usage(error, "--fail-if '%s': write its filters in brackets, not as --%s", text,
                       given);
}

/* Returns a condition on a contract's figure, rewritten for the comparison's figure, which has an
 * interval: latency."openat".p99 for p99(openat). NULL: no such figure. */
static char *in_other_words(const struct contract *contract) {
    const struct figure *figure = &contract->condition.figure;
    const struct figure_name *name = &figure->names[0];

    return strcmp(figure->sources[0].report, "percentiles") == 0 && figure->name_count == 1 &&
                   figure->given_count == 0 && strpbrk(name->name, "\"*") == NULL
               ? xasprintf("latency.\"%s\".%s %s", name->name, figure->sources[0].column,
                           contract->condition.bound_text)
               : NULL;
}

static bool command_compare_read_word(struct fail_ifs *fail_ifs, size_t index, const char *text,
                                      bool wants_interval, struct error *error) {
    struct fail_if *item = &fail_ifs->items[index];
    struct contracts *contracts = &fail_ifs->contracts;
    struct error ignored = {0};

    if (!contracts_add_limit(contracts, text, error)) {
        return error_context(error, "--fail-if");
    }
    fail_ifs->texts[index] = in_other_words(&contracts->contracts[contracts->count - 1]);
    item->is_word =
        fail_ifs->texts[index] == NULL ||
        !compare_condition_parse(&item->condition, fail_ifs->texts[index], contracts->queries,
                                 &ignored) ||
        (wants_interval && compare_condition_lacks_interval(&item->condition, contracts->queries));
    if (!item->is_word) {
        contracts->count--;
    }
    return !item->is_word ||
           command_compare_check_filters(fail_ifs->session->arguments, text, error);
}

/* Parses a condition on a figure of the comparison. If that fails, tries it as a condition of a
 * contract, which has other operators and units. */
static bool command_compare_read_figure(struct fail_ifs *fail_ifs, size_t index, const char *text,
                                        bool wants_interval, struct error *error) {
    struct fail_if *item = &fail_ifs->items[index];
    struct contracts *contracts = &fail_ifs->contracts;
    const size_t before = contracts->count;
    const bool done = compare_condition_parse(&item->condition, text, contracts->queries, error);
    struct error ignored = {0};

    item->is_word = contracts_add_limit(contracts, text, &ignored);
    if (done) {
        /* For a figure that is a share, 20 % is the limit itself; else an increase by 20 %. */
        if (item->is_word && item->condition.of == OF_PER_CENT && !item->condition.is_signed &&
            contracts->contracts[before].condition.figure.kind == COLUMN_SHARE) {
            item->condition.of = OF_B;
            item->condition.threshold = contracts->contracts[before].condition.bound.number;
        }
        item->is_word = false;
        contracts->count = before;
        return !wants_interval ||
               !compare_condition_lacks_interval(&item->condition, contracts->queries) ||
               error_usage(error, "--fail-if '%s': %s has no interval: --certainty point", text,
                           item->condition.metric);
    }
    if (!item->is_word) {
        if (!item->condition.is_read) {
            *error = ignored;
            error_context(error, "--fail-if");
        }
        return false;
    }
    *error = ignored;
    return command_compare_check_filters(fail_ifs->session->arguments, text, error);
}

/* Parses the conditions; NULL with `error` set if one is wrong. `wants_interval`: figures that
 * never have a confidence interval are errors. Freed by fail_ifs_free(). */
static struct fail_ifs *fail_ifs_read(struct session *session, bool wants_interval,
                                      const struct query_set *queries, struct error *error) {
    const struct option_list *list = &session->arguments->lists[OPTION_FAIL_IF];
    struct fail_ifs *fail_ifs = xcalloc(1, sizeof *fail_ifs);
    bool done = true;

    *fail_ifs = (struct fail_ifs){.session = session, .count = list->count};
    fail_ifs->items = xcalloc(list->count + 1, sizeof *fail_ifs->items);
    fail_ifs->texts = xcalloc(list->count + 1, sizeof *fail_ifs->texts);
    fail_ifs->figure_options = (struct figure_options){.session = session, .queries = queries};
    fail_ifs->contracts = (struct contracts){.queries = queries,
                                             .take_options = figure_options_parse,
                                             .context = &fail_ifs->figure_options};
    for (size_t i = 0; done && i < list->count; i++) {
        const char *text = list->values[i] + strspn(list->values[i], " ");

        done = figure_is_word(text)
                   ? command_compare_read_word(fail_ifs, i, text, wants_interval, error)
                   : command_compare_read_figure(fail_ifs, i, text, wants_interval, error);
    }
    if (!done) {
        fail_ifs_free(fail_ifs);
        return NULL;
    }
    return fail_ifs;
}

/* Prints a line like `FAILED calls(fsync) > +10%: 204; baseline 8`. */
static void command_compare_print_outcome(struct session *session, const struct outcome *outcome) {
    static const char *const words[] = {"passed", "FAILED", "undecided"};
    const char *number = text_string(&outcome->number), *why = text_string(&outcome->why);
    struct text line = {0};

    text_append_escaped(&line, outcome->contract->name, strlen(outcome->contract->name));
    text_append_format(&line, ": %s%s", number, *number != '\0' && *why != '\0' ? "; " : "");
    text_append_escaped(&line, why, strlen(why));
    session_print_line(session, "%s %s", words[outcome->state], text_string(&line));
    text_free(&line);
}

/* Checks the contracts on side B, with side A as baseline. */
static bool command_compare_check_words(const struct fail_ifs *fail_ifs,
                                        const struct compare_request *request,
                                        struct workspace *workspace, bool point, size_t states[3],
                                        struct error *error) {
    const struct judging judging = {.workspace = workspace,
                                    .request = &request->sides[SIDE_B],
                                    .baseline = &request->sides[SIDE_A],
                                    .point = point};
    struct outcomes outcomes = {0};
    bool done;

    if (fail_ifs->contracts.count == 0) {
        return true;
    }
    if (!workspace_begin(workspace, error)) {
        return false;
    }
    done = contracts_judge(&fail_ifs->contracts, &judging, &outcomes, error);
    workspace_end(workspace);
    for (size_t i = 0; done && i < outcomes.count; i++) {
        command_compare_print_outcome(fail_ifs->session, &outcomes.outcomes[i]);
    }
    states[CONDITION_PASSED] += outcomes.states[CONTRACT_HOLDS];
    states[CONDITION_FAILED] += outcomes.states[CONTRACT_BROKEN];
    states[CONDITION_UNDECIDED] += outcomes.states[CONTRACT_UNDECIDED];
    outcomes_free(&outcomes);
    return done;
}

/* Prints the result of each condition. Fails if any condition has failed or is undecided. */
static bool fail_ifs_check(const struct fail_ifs *fail_ifs, const struct compare_request *request,
                           struct workspace *workspace, bool point, struct error *error) {
    size_t states[3] = {0};

    for (size_t i = 0; i < fail_ifs->count; i++) {
        enum condition_state state = CONDITION_UNDECIDED;
        struct text line = {0};
        bool done = fail_ifs->items[i].is_word ||
                    compare_condition_check(&fail_ifs->items[i].condition, workspace, request,
                                            point, &state, &line, error);

        if (done && !fail_ifs->items[i].is_word) {
            session_print_line(fail_ifs->session, "%s", text_string(&line));
            states[state]++;
        }
        text_free(&line);
        if (!done) {
            return false;
        }
    }
    if (!command_compare_check_words(fail_ifs, request, workspace, point, states, error)) {
        return false;
    }
    if (states[CONDITION_FAILED] > 0) {
        return error_set_status(error, EXIT_HOLDS, "%zu of %zu --fail-if failed",
                                states[CONDITION_FAILED], fail_ifs->count);
    }
    return states[CONDITION_UNDECIDED] == 0 ||
           error_set(error, "%zu of %zu --fail-if are undecided", states[CONDITION_UNDECIDED],
                     fail_ifs->count);
}

/* The name of any report, since loading needs one. The overview of differences chooses its own. */
#define ANY_REPORT "summary"

/* Reads the options --shift, --weight and --widths. */
static bool read_drawing(const struct arguments *arguments, struct compare_request *request,
                         struct error *error) {
    bool shift = arguments->given[OPTION_SHIFT], weight = arguments->given[OPTION_WEIGHT];
    bool widths = arguments->given[OPTION_WIDTHS];

    if (shift && weight) {
        return error_usage(error,
                           "--shift and --weight draw different pictures: give only one of them");
    }
    if ((shift || weight || widths) && !request->picture) {
        return error_usage(error, "--%s is for pictures only: tracetool plot compare",
                           shift    ? "shift"
                           : weight ? "weight"
                                    : "widths");
    }
    request->drawing = shift ? DRAWING_SHIFT : weight ? DRAWING_BYTES : DRAWING_USUAL;
    return true;
}

/* Sets the time window of a side: --a-from etc. take precedence over --from. */
static bool read_side_window(const struct arguments *arguments, enum option_id from,
                             enum option_id to, struct filter *filter, struct error *error) {
    const enum option_id begin = arguments->given[from] ? from : OPTION_FROM,
                         end = arguments->given[to] ? to : OPTION_TO;

    return filter_take_window(filter, option_row(begin)->name, arguments->values[begin],
                              option_row(end)->name, arguments->values[end], error);
}

/* Reads --sort, which takes a fixed word here (for reports, a column). */
static bool read_sort(const struct arguments *arguments, struct compare_request *request,
                      struct error *error) {
    const char *given = arguments->values[OPTION_SORT];
    int sort = given == NULL ? SORT_USUAL : parse_choice(option_row(OPTION_SORT), given, error);

    request->sort = sort < 0 ? SORT_USUAL : (enum compare_sort)sort;
    return sort >= 0;
}

/* The words of the command line: traces of both sides, and a report. */
struct words {
    const char *const *traces[2]; /* by side: names of traces; with --studies, of studies */
    size_t counts[2];
    const char *report; /* report to compare; NULL: overview of all differences */
};

/* Checks that the options suit the overview, which has fixed measures and a fixed order. `adjusts`:
 * --adjust was given. */
static bool check_overview(const struct words *words, const struct compare_request *request,
                           bool adjusts, struct error *error) {
    const char *option = request->drawing == DRAWING_SHIFT   ? "--shift"
                         : request->drawing == DRAWING_BYTES ? "--weight"
                         : request->widths != WIDTHS_MAX     ? "--widths"
                         : request->per != PER_USUAL         ? "--per"
                         : request->sort != SORT_USUAL       ? "--sort"
                         : request->only != ONLY_ALL && request->only != ONLY_CHANGED
                             ? "--only NAMES other than changed"
                             : NULL;

    if (words->report != NULL) {
        return !adjusts || error_usage(error, "--adjust works only without a report: compare A B");
    }
    return option == NULL || error_usage(error, "%s needs a report: compare A B REPORT", option);
}

/* Reads the words A B [REPORT]; with --with, which names the traces of B: A… [REPORT]. */
static bool command_compare_read_words(struct session *session, struct words *words,
                                       struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *const *given = (const char *const *)arguments->words;
    const struct option_list *with = &arguments->lists[OPTION_WITH];
    size_t count = arguments->word_count;

    *words = (struct words){.traces = {given, given + 1}, .counts = {1, 1}};
    if (with->count == 0) {
        words->report = count == 3 ? given[2] : NULL;
        if (count == 2 ||
            (count == 3 && (!log_is_word(given[2]) || session_has_report(session, given[2])))) {
            return true;
        }
        return session_check_unknown_options(session, error) &&
               error_usage(error, count < 2 ? "compare needs A B [REPORT]"
                                            : "compare: one argument too many; further traces of B "
                                              "are given by --with");
    }
    if (arguments->given[OPTION_STUDIES]) {
        return error_usage(error, "--studies takes two studies, and no --with");
    }
    if (count > 1 && session_has_report(session, given[count - 1])) {
        words->report = given[--count];
    }
    words->traces[1] = with->values;
    words->counts[1] = with->count;
    words->counts[0] = count;
    return true;
}

/* Makes the request for a side's report: as on the command line, but with this side's traces and
 * with all rows. */
static bool make_side_request(const struct arguments *arguments, const struct words *words,
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
        return error_usage(error, "compare takes two sides, but --by %s makes more",
                           group_names[common->group]);
    }
    return read_side_window(arguments, is_b ? OPTION_B_FROM : OPTION_A_FROM,
                            is_b ? OPTION_B_TO : OPTION_A_TO, &side->filter, error);
}

/* Destination of the comparison: a picture or the output. */
struct target {
    const struct printer_style *style;
    const struct printer_options *options;
    struct picture *picture; /* picture to draw; NULL: print to the output */
};

static bool command_compare_print(struct session *session, const struct target *target,
                                  bool has_report, struct report_load *loaded,
                                  struct compare_request *request, struct error *error) {
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
    style = picture_begin(
        target->picture,
        has_report && compare_report_has_call_trees(&loaded->queries, loaded->request.report),
        &plot, error);
    if (style == NULL) {
        return false;
    }
    request->own_svg = style != target->style;
    done = give(&loaded->workspace, request, style, plot.script, target->options, error);
    database_end_read_transaction(&loaded->database);
    return picture_end(target->picture, &plot, done, error);
}

static bool command_compare_run(struct session *session, const struct target *target,
                                const struct words *words, struct report_load *loaded,
                                struct compare_request *request, struct error *error) {
    const bool point = arguments_choice(session->arguments, OPTION_CERTAINTY, 0) == 1;
    struct fail_ifs *fail_ifs =
        fail_ifs_read(session, !point && request->blocks > 0, &loaded->queries, error);
    bool done = fail_ifs != NULL;

    for (int i = 0; done && i < 2; i++) {
        done = make_side_request(session->arguments, words, &loaded->request, request->blocks,
                                 i == 1, &request->sides[i], error);
    }
    done = done &&
           command_compare_print(session, target, words->report != NULL, loaded, request, error) &&
           fail_ifs_check(fail_ifs, request, &loaded->workspace, point, error);
    fail_ifs_free(fail_ifs);
    return done;
}

static bool command_compare_compare(struct session *session, const struct target *target,
                                    struct error *error) {
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

    arguments_fill_structure(arguments, TARGET_COMPARE, &request);
    return read_sort(arguments, &request, error) &&
           command_compare_read_words(session, &words, error) &&
           read_drawing(arguments, &request, error) &&
           check_overview(&words, &request, arguments->given[OPTION_ADJUST], error) &&
           report_load(session, words.report != NULL ? words.report : ANY_REPORT, &loaded,
                       REPORT_BESIDE_OTHERS, error) &&
           report_unload(session, &loaded,
                         command_compare_run(session, target, &words, &loaded, &request, error),
                         error);
}

bool command_compare(struct session *session, struct error *error) {
    const struct printer_options options = session_printer_options(session);
    const struct target target = {.style = session_style(session, error), .options = &options};

    return target.style != NULL && command_compare_compare(session, &target, error);
}

bool command_plot_compare(struct session *session, struct error *error) {
    struct picture picture;
    const struct target target = {
        .style = printer_style_find("gnuplot"), .options = &picture.printer, .picture = &picture};
    bool done =
        picture_read(&picture, session, error) && command_compare_compare(session, &target, error);

    picture_free(&picture);
    return done;
}
