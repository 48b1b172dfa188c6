/* tracetool assert and tracetool baseline: contracts on traces, for test suites. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/file.h"
#include "cli/assert.h"
#include "cli/figure_options.h"
#include "cli/log_places.h"
#include "cli/logs.h"
#include "cli/report_load.h"
#include "contract/baseline.h"
#include "contract/print.h"

bool assert_is_condition(const char *word) {
    struct stat status;

    return (word[strcspn(word, "<>=(")] != '\0' && stat(word, &status) != 0) || baseline_is(word);
}

void set_exit_status(const struct command *command, struct error *error) {
    if (command_bit(command) == ON_ASSERT) {
        error->status = error->status == EXIT_HOLDS ? EXIT_FAILED
                        : error->status == EXIT_FAILED || error->status == EXIT_REJECTED
                            ? EXIT_UNDECIDED
                            : error->status;
    }
}

/* --- the list --------------------------------------------------------------------------------- */

static bool command_assert_print_list(struct session *session) {
    static const char *const units[] = {
        [COLUMN_DURATION] = "time", [COLUMN_BYTES] = "bytes", [COLUMN_SHARE] = "%"};

    for (const struct figure_word *word = figure_words; word->name != NULL; word++) {
        fprintf(session->output, "%-23s %-15s %-6s %s (%s)\n", word->name,
                word->argument == NULL ? "" : word->argument,
                units[word->kind] == NULL ? "" : units[word->kind], word->help,
                word->sources[0].report);
    }
    fputs("REPORT(ROW, FILTER=VALUE).COLUMN, REPORT.ROW.COLUMN    any figure of a report\n",
          session->output);
    return true;
}

/* --- parsing ---------------------------------------------------------------------------------- */

/* Reads conditions. With --baseline on logs, other words are their traces; else they are errors. */
static bool command_assert_read_words(struct session *session, struct contracts *contracts,
                                      struct report_request *request, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char **traces =
        pool_allocate(&contracts->pool, (arguments->word_count + 1) * sizeof(const char *));
    size_t count = 0;

    for (size_t i = 0; i < arguments->word_count; i++) {
        const char *word = arguments->words[i];

        if (assert_is_condition(word)) {
            if (!(baseline_is(word) ? baseline_read(contracts, word, error)
                                    : contracts_add(contracts, word, 0, error))) {
                return false;
            }
        } else if (arguments->given[OPTION_BASELINE] && logs_typed(session) != NULL) {
            traces[count++] = word;
        } else {
            return error_usage(error, "'%s' is no condition, no log and no trace", word);
        }
    }
    if (count > 0) {
        request->traces = traces;
        request->trace_count = count;
    }
    return (!arguments->given[OPTION_CONTRACTS] ||
            contracts_read(contracts, arguments->values[OPTION_CONTRACTS], error)) &&
           (contracts->count > 0 ||
            error_usage(error,
                        "give a condition: assert LOG 'calls(fsync) <= 3', or --contracts FILE"));
}

/* --- printing --------------------------------------------------------------------------------- */

static bool write_junit(const char *path, const struct outcomes *outcomes,
                        struct outcome_style style, struct error *error) {
    struct placed_file placed = {0};
    bool done = placed_file_open(&placed, path, error);

    style.form = OUTCOMES_JUNIT;
    if (done) {
        outcomes_print(outcomes, &style, placed.file);
        done = placed_file_commit(&placed, error);
    }
    placed_file_close(&placed);
    return done;
}

struct rows {
    const struct outcomes *outcomes;
    const struct outcome_style *style;
};

static bool command_assert_print_rows(struct printer *printer, void *context, struct error *error) {
    const struct rows *rows = context;

    return outcomes_print_rows(rows->outcomes, rows->style, printer, error);
}

/* Prints the outcomes. Commands for GitHub go to stderr, which GitHub reads, too, so that they do
 * not break TAP. */
static bool print_outcomes(struct session *session, const struct outcomes *outcomes,
                           struct outcome_style style, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *actions = getenv("GITHUB_ACTIONS");

    style.form = arguments->given[OPTION_TAP] ? OUTCOMES_TAP : OUTCOMES_PLAIN;
    if (arguments->given[OPTION_FORMAT]) {
        if (!session_print(session, false, command_assert_print_rows,
                           &(struct rows){outcomes, &style}, error)) {
            return false;
        }
    } else {
        outcomes_print(outcomes, &style, session->output);
    }
    if (actions != NULL && strcmp(actions, "true") == 0) {
        style.form = OUTCOMES_GITHUB;
        outcomes_print(outcomes, &style, stderr);
    }
    return !arguments->given[OPTION_JUNIT] ||
           write_junit(arguments->values[OPTION_JUNIT], outcomes, style, error);
}

/* Sets exit status 1 if a contract is broken, else 2 if one is undecided. */
static bool conclude(const struct outcomes *outcomes, size_t count, bool lenient,
                     struct error *error) {
    const size_t broken = outcomes->states[CONTRACT_BROKEN],
                 undecided = outcomes->states[CONTRACT_UNDECIDED];

    if (broken > 0) {
        return error_set_status(error, EXIT_HOLDS, "%zu of %zu contracts broken", broken, count);
    }
    return undecided == 0 || lenient ||
           error_set(error, "%zu of %zu contracts undecided", undecided, count);
}

static bool evaluate_contracts(struct session *session, struct report_load *loaded,
                               struct contracts *contracts, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *typed = logs_typed(session);
    const size_t count = arguments->lists[OPTION_BASELINE].count;
    struct report_request baseline = loaded->request;
    const struct outcome_style style = {.suite = typed != NULL ? typed : session->database_path,
                                        .lenient = arguments->given[OPTION_LENIENT],
                                        .quiet = arguments->given[OPTION_QUIET]};
    const struct judging judging = {.workspace = &loaded->workspace,
                                    .request = &loaded->request,
                                    .baseline = count > 0 ? &baseline : NULL,
                                    .point = arguments_choice(arguments, OPTION_CERTAINTY, 0) == 1};
    struct outcomes outcomes = {0};
    bool done = workspace_begin(&loaded->workspace, error);

    baseline.traces = arguments->lists[OPTION_BASELINE].values;
    baseline.trace_count = count;
    if (done) {
        done = contracts_judge(contracts, &judging, &outcomes, error) &&
               log_places_find(session, &outcomes, error) &&
               print_outcomes(session, &outcomes, style, error) &&
               conclude(&outcomes, contracts->count, style.lenient, error);
        workspace_end(&loaded->workspace);
    }
    outcomes_free(&outcomes);
    return done;
}

/* --- baselines -------------------------------------------------------------------------------- */

/* Writes the baseline of the traces to a file; to stdout if `path` is NULL. */
static bool write_baseline(struct session *session, struct report_load *loaded, const char *path,
                           struct error *error) {
    const int64_t slack = arguments_number(session->arguments, OPTION_SLACK, 10);
    struct placed_file placed = {.file = session->output};
    struct text text = {0};
    bool done = workspace_begin(&loaded->workspace, error);

    if (done) {
        done = baseline_make(&loaded->workspace, &loaded->queries, &loaded->request, slack,
                             session->arguments->given[OPTION_ALLOW_TIMES], &text, error);
        workspace_end(&loaded->workspace);
    }
    done = done && (path == NULL || placed_file_open(&placed, path, error));
    if (done) {
        fwrite(text_string(&text), 1, text.length, placed.file);
    }
    if (path != NULL) {
        done = done && placed_file_commit(&placed, error);
        placed_file_close(&placed);
    }
    text_free(&text);
    return done;
}

/* --update: rewrites the baseline that is the only word. */
static bool update(struct session *session, struct report_load *loaded, struct error *error) {
    const struct arguments *arguments = session->arguments;

    if (arguments->word_count != 1 || !baseline_is(arguments->words[0])) {
        return error_usage(error, "--update needs the file of a baseline, and no conditions");
    }
    return write_baseline(session, loaded, arguments->words[0], error);
}

bool command_assert(struct session *session, struct error *error) {
    struct report_load loaded;
    struct figure_givens givens = {.session = session, .queries = &loaded.queries};
    struct contracts contracts = {
        .queries = &loaded.queries, .take_options = figure_givens_read, .context = &givens};
    bool done;

    if (session->arguments->given[OPTION_LIST]) {
        return command_assert_print_list(session);
    }
    if (!report_load(session, "summary", &loaded, REPORT_BESIDE_OTHERS, error)) {
        return false;
    }
    done = session->arguments->given[OPTION_UPDATE]
               ? update(session, &loaded, error)
               : command_assert_read_words(session, &contracts, &loaded.request, error) &&
                     evaluate_contracts(session, &loaded, &contracts, error);
    contracts_free(&contracts);
    figure_givens_free(&givens);
    return report_unload(session, &loaded, done, error);
}

bool command_baseline(struct session *session, struct error *error) {
    const char *path = session->arguments->values[OPTION_OUTPUT];
    struct report_load loaded;

    if (path != NULL && strcmp(path, "-") == 0) {
        path = NULL;
    }
    return report_load(session, "summary", &loaded, REPORT_BESIDE_OTHERS, error) &&
           report_unload(session, &loaded, write_baseline(session, &loaded, path, error), error);
}
