#include "cli/fail_if.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/figure_options.h"
#include "contract/contract.h"

/* A condition of the command line: on a figure of a comparison, which has an interval, or on a
 * figure of a contract, which is one number for each side. */
struct fail_if {
    bool is_word;
    struct compare_condition condition; /* unset if is_word */
    size_t contract;                    /* if is_word: index of its contract */
};

struct fail_ifs {
    struct session *session; /* borrowed */
    struct fail_if *items;   /* owned */
    size_t count;
    struct contracts contracts;
    struct figure_givens givens;
    char **texts; /* owned array of owned strings: conditions rewritten as figures of comparisons */
};

void fail_ifs_free(struct fail_ifs *fail_ifs) {
    for (size_t i = 0; fail_ifs != NULL && i < fail_ifs->count; i++) {
        free(fail_ifs->texts[i]);
    }
    if (fail_ifs != NULL) {
        contracts_free(&fail_ifs->contracts);
        figure_givens_free(&fail_ifs->givens);
        free(fail_ifs->items);
        free(fail_ifs->texts);
        free(fail_ifs);
    }
}

/* Refuses filter options: a contract's figure has its filters in brackets. */
static bool check_filters(const struct arguments *arguments, const char *text,
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

/* Rewrites p99(openat) as latency."openat".p99, which has an interval; NULL if that is not
 * possible. */
static char *in_other_words(const struct contract *contract) {
    const struct figure *figure = &contract->condition.figure;
    const struct figure_name *name = &figure->names[0];

    return strcmp(figure->sources[0].report, "percentiles") == 0 && figure->name_count == 1 &&
                   figure->given_count == 0 && strpbrk(name->name, "\"*") == NULL
               ? xasprintf("latency.\"%s\".%s %s", name->name, figure->sources[0].column,
                           contract->condition.bound_text)
               : NULL;
}

static bool read_word(struct fail_ifs *fail_ifs, size_t index, const char *text,
                      bool wants_interval, struct error *error) {
    struct fail_if *item = &fail_ifs->items[index];
    struct contracts *contracts = &fail_ifs->contracts;
    struct error ignored = {0};

    item->contract = contracts->count;
    if (!contracts_add_limit(contracts, text, error)) {
        return error_context(error, "--fail-if");
    }
    fail_ifs->texts[index] = in_other_words(&contracts->contracts[item->contract]);
    item->is_word = fail_ifs->texts[index] == NULL ||
                    !compare_condition_parse(&item->condition, fail_ifs->texts[index],
                                             wants_interval, contracts->queries, &ignored);
    if (!item->is_word) {
        contracts->count--;
    }
    return !item->is_word || check_filters(fail_ifs->session->arguments, text, error);
}

struct fail_ifs *fail_ifs_read(struct session *session, bool wants_interval,
                               const struct query_set *queries, struct error *error) {
    const struct option_list *list = &session->arguments->lists[OPTION_FAIL_IF];
    struct fail_ifs *fail_ifs = xcalloc(1, sizeof *fail_ifs);
    bool done = true;

    *fail_ifs = (struct fail_ifs){.session = session, .count = list->count};
    fail_ifs->items = xcalloc(list->count + 1, sizeof *fail_ifs->items);
    fail_ifs->texts = xcalloc(list->count + 1, sizeof *fail_ifs->texts);
    fail_ifs->givens = (struct figure_givens){.session = session, .queries = queries};
    fail_ifs->contracts = (struct contracts){
        .queries = queries, .take_options = figure_givens_take, .context = &fail_ifs->givens};
    for (size_t i = 0; done && i < list->count; i++) {
        const char *text = list->values[i] + strspn(list->values[i], " ");

        done = figure_is_word(text) ? read_word(fail_ifs, i, text, wants_interval, error)
                                    : compare_condition_parse(&fail_ifs->items[i].condition, text,
                                                              wants_interval, queries, error);
    }
    if (!done) {
        fail_ifs_free(fail_ifs);
        return NULL;
    }
    return fail_ifs;
}

/* Prints a line such as `FAILED calls(fsync) > +10%: 204; baseline 8`. */
static void say_outcome(struct session *session, const struct outcome *outcome) {
    static const char *const words[] = {"passed", "FAILED", "undecided"};
    const char *number = text_string(&outcome->number), *why = text_string(&outcome->why);
    struct text line = {0};

    text_append_escaped(&line, outcome->contract->name, strlen(outcome->contract->name));
    text_append_format(&line, ": %s%s", number, *number != '\0' && *why != '\0' ? "; " : "");
    text_append_escaped(&line, why, strlen(why));
    session_say(session, "%s %s", words[outcome->state], text_string(&line));
    text_free(&line);
}

/* Judges the contracts with A as baseline of B. */
static bool check_words(const struct fail_ifs *fail_ifs, const struct compare_request *request,
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
        say_outcome(fail_ifs->session, &outcomes.outcomes[i]);
    }
    states[CONDITION_PASSED] += outcomes.states[CONTRACT_HOLDS];
    states[CONDITION_FAILED] += outcomes.states[CONTRACT_BROKEN];
    states[CONDITION_UNDECIDED] += outcomes.states[CONTRACT_UNDECIDED];
    outcomes_free(&outcomes);
    return done;
}

bool fail_ifs_check(const struct fail_ifs *fail_ifs, const struct compare_request *request,
                    struct workspace *workspace, bool point, struct error *error) {
    size_t states[3] = {0};

    for (size_t i = 0; i < fail_ifs->count; i++) {
        enum condition_state state = CONDITION_UNDECIDED;
        struct text line = {0};
        bool done = fail_ifs->items[i].is_word ||
                    compare_condition_check(&fail_ifs->items[i].condition, workspace, request,
                                            point, &state, &line, error);

        if (done && !fail_ifs->items[i].is_word) {
            session_say(fail_ifs->session, "%s", text_string(&line));
            states[state]++;
        }
        text_free(&line);
        if (!done) {
            return false;
        }
    }
    if (!check_words(fail_ifs, request, workspace, point, states, error)) {
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
