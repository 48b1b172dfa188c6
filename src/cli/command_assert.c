/* tracetool assert and tracetool baseline: contracts on traces, for test suites. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/assert.h"
#include "cli/command.h"
#include "cli/figure_options.h"
#include "cli/import_paths.h"
#include "cli/logs.h"
#include "cli/report_load.h"
#include "contract/baseline.h"
#include "contract/contract.h"
#include "contract/print.h"
#include "import/importer.h"
#include "input/input.h"
#include "input/members.h"

/* --- places in logs of the calls that break contracts ----------------------------------------- */

/* Finds the places in logs of calls that break contracts, for messages like `app.strace:1204: `. */

/* The calls that break contracts. */
struct wanted {
    const struct config *config;
    struct outcomes *outcomes;
    /* Owned array of borrowed pointers: calls with a known offset in a text log. */
    struct violating_call **calls;
    size_t count;
    bool found; /* true: a database has byte offsets of calls in their log */
};

/* Reads a call's file and offset in the log (EVENT_PLACE_FILE) from a database. If the database has
 * another event with this id and time, both remain unknown. */
static bool find_offset(struct wanted *wanted, struct database *database, const char *trace,
                        struct violating_call *call, struct error *error) {
    struct database_query find =
        database_query(database, error,
                       "SELECT n.text, (-1 - e.response) % ?4, t.format, t.variant"
                       " FROM main.trace AS t, main.event AS e, main.name AS n"
                       " WHERE t.name = ?1 AND t.kind = 'calls' AND e.id = ?2 AND e.time = ?3"
                       " AND e.response < 0 AND n.id = (-1 - e.response) / ?4",
                       "siii", trace, call->event, call->time, EVENT_PLACE_FILE);

    if (database_next(&find)) {
        const struct importer *importer =
            importer_find(wanted->config, database_column_text(find.row, 2));

        wanted->found = true;
        call->file = xstrdup(database_column_text(find.row, 0));
        call->offset = sqlite3_column_int64(find.row, 1);
        /* Only text has lines. If a format has a variant `text`, its other variants are binary. */
        if (importer != NULL && importer->line != NULL &&
            (strstr(importer->variants, "text") == NULL ||
             strcmp(database_column_text(find.row, 3), "text") == 0)) {
            wanted->calls[wanted->count++] = call;
        }
    }
    return database_end(&find);
}

static bool find_offsets(void *context, struct database *database, struct error *error) {
    struct wanted *wanted = context;
    bool done = true;

    for (size_t i = 0; i < wanted->outcomes->count; i++) {
        struct outcome *outcome = &wanted->outcomes->outcomes[i];

        for (size_t k = 0; done && outcome->state == CONTRACT_BROKEN && k < outcome->call_count;
             k++) {
            done = find_offset(wanted, database, outcome->trace->name, &outcome->calls[k], error);
        }
    }
    return done;
}

static int compare_calls(const void *left, const void *right) {
    const struct violating_call *a = *(struct violating_call *const *)left,
                                *b = *(struct violating_call *const *)right;
    const int files = strcmp(a->file, b->file);

    return files != 0 ? files : a->offset < b->offset ? -1 : a->offset > b->offset;
}

static int64_t count_newlines(const char *bytes, size_t length) {
    int64_t count = 0;

    for (const char *at = bytes, *end = bytes + length;
         (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++) {
        count++;
    }
    return count;
}

/* Sets the line numbers of the calls in one file; `calls` are sorted by offset. */
static bool number_lines(struct violating_call *const *calls, size_t count, struct error *error) {
    enum { AT_ONCE = 256 * 1024 };
    struct import_paths paths = {0};
    struct input *input = NULL;
    char *bytes = xmalloc(AT_ONCE);
    int64_t line = 1, offset = 0;
    size_t got = 1, from, numbered = 0;
    bool done = member_find(calls[0]->file) != NULL || import_paths_archive(calls[0]->file) == 0 ||
                import_paths_unpack(&paths, calls[0]->file, interruption_stop(), error);

    if (done) {
        input = input_open(calls[0]->file, interruption_stop(), error);
        done = input != NULL;
    }
    while (done && got > 0 && numbered < count) {
        done = input_read(input, bytes, AT_ONCE, &got, error);
        for (from = 0; done && numbered < count && calls[numbered]->offset < offset + (int64_t)got;
             numbered++) {
            const size_t to = (size_t)(calls[numbered]->offset - offset);

            line += count_newlines(bytes + from, to - from);
            calls[numbered]->line = line;
            from = to;
        }
        line += done ? count_newlines(bytes + from, got - from) : 0;
        offset += (int64_t)got;
    }
    input_close(input);
    import_paths_free(&paths);
    free(bytes);
    return done;
}

/* Sets the line numbers of all calls, but not in files that changed or cannot be read again. */
static bool log_places_number_all(const struct wanted *wanted, struct error *error) {
    size_t next;

    qsort(wanted->calls, wanted->count, sizeof(struct violating_call *), compare_calls);
    for (size_t i = 0; i < wanted->count; i = next) {
        for (next = i + 1;
             next < wanted->count && strcmp(wanted->calls[next]->file, wanted->calls[i]->file) == 0;
             next++) {
        }
        if (!number_lines(wanted->calls + i, next - i, error)) {
            if (*interruption_flag()) {
                return error_set_status(error, EXIT_INTERRUPTED, "interrupted");
            }
            *error = (struct error){0};
        }
    }
    return true;
}

/* Prepends FILE:LINE to the first lines of an outcome, which name its calls. */
static void prepend_places(struct outcome *outcome) {
    const char *line = text_string(&outcome->places);
    struct text places = {0};

    for (size_t i = 0; *line != '\0'; i++) {
        const size_t length = strcspn(line, "\n") + 1;
        const struct violating_call *call = &outcome->calls[i];

        if (i < outcome->call_count && call->file != NULL) {
            text_append_escaped(&places, call->file, strlen(call->file));
            text_append_format(&places, call->line > 0 ? ":%lld: " : ", byte %lld: ",
                               (long long)(call->line > 0 ? call->line : call->offset));
        }
        text_append(&places, line, length);
        line += length;
    }
    text_free(&outcome->places);
    outcome->places = places;
}

/* Finds the calls that break contracts in the session's logs, if these can be read again, and
 * prepends their places to the outcomes' lines. A place is FILE:LINE in the unpacked file, where
 * the call returned; in a binary log, the offset. */
static bool log_places_find(struct session *session, struct database *database,
                            struct outcomes *outcomes, struct error *error) {
    struct wanted wanted = {.config = &session->config, .outcomes = outcomes};
    size_t calls = 0;
    bool done = true;

    for (size_t i = 0; i < outcomes->count; i++) {
        calls +=
            outcomes->outcomes[i].state == CONTRACT_BROKEN ? outcomes->outcomes[i].call_count : 0;
    }
    if (calls > 0) {
        wanted.calls = xcalloc(calls, sizeof(struct violating_call *));
        done = find_offsets(&wanted, database, error) &&
               (wanted.found || logs_import_with_places(session, find_offsets, &wanted, error)) &&
               log_places_number_all(&wanted, error);
        /* If a log no longer exists, places (FILE:LINE) are omitted; this is no error. */
        if (!done && error->status != EXIT_INTERRUPTED) {
            *error = (struct error){0};
            done = true;
        }
        for (size_t i = 0; done && i < outcomes->count; i++) {
            prepend_places(&outcomes->outcomes[i]);
        }
        free(wanted.calls);
    }
    return done;
}

bool assert_is_condition(const char *word) {
    struct stat status;

    return (word[strcspn(word, "<>=(")] != '\0' && stat(word, &status) != 0) || is_baseline(word);
}

bool assert_is_baseline(const char *path) {
    return is_baseline(path);
}

static bool command_assert_print_list(struct session *session) {
    static const char *const units[] = {
        [COLUMN_DURATION] = "time", [COLUMN_BYTES] = "bytes", [COLUMN_SHARE] = "%"};

    for (const struct figure_word *word = figure_words; word->name != NULL; word++) {
        struct text kinds = {0};

        figure_append_kinds(&kinds, word->kinds);
        fprintf(session->output, "%-23s %-15s %-6s %s; of %s (%s)\n", word->name,
                word->argument == NULL ? "" : word->argument,
                units[word->kind] == NULL ? "" : units[word->kind], word->help, text_string(&kinds),
                word->sources[0].report);
        text_free(&kinds);
    }
    fputs("REPORT(ROW, FILTER=VALUE).COLUMN, REPORT.ROW.COLUMN    any figure of a report\n",
          session->output);
    return true;
}

/* --- reading conditions ----------------------------------------------------------------------- */

/* Reads the conditions among the words. Other words are errors, except with --baseline and logs:
 * then they are names of traces made from the logs. */
static bool command_assert_read_words(struct session *session, struct contracts *contracts,
                                      struct report_request *request, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char **traces =
        pool_allocate(&contracts->pool, (arguments->word_count + 1) * sizeof(const char *));
    size_t count = 0;

    for (size_t i = 0; i < arguments->word_count; i++) {
        const char *word = arguments->words[i];

        if (assert_is_condition(word)) {
            if (!(is_baseline(word) ? baseline_read(contracts, word, error)
                                    : contracts_add(contracts, word, 0, error))) {
                return false;
            }
        } else if (arguments->given[OPTION_BASELINE] && logs_as_typed(session) != NULL) {
            traces[count++] = word;
        } else {
            return error_usage(error, "'%s' is neither a condition nor a log nor a trace", word);
        }
    }
    if (count > 0) {
        request->traces = traces;
        request->trace_count = count;
    }
    return (!arguments->given[OPTION_CONTRACTS] ||
            contracts_read(contracts, arguments->values[OPTION_CONTRACTS], error)) &&
           (contracts->count > 0 || arguments->given[OPTION_CONTRACTS] ||
            error_usage(error,
                        "give a condition: assert LOG 'calls(fsync) <= 3', or --contracts FILE"));
}

/* --- printing outcomes ------------------------------------------------------------------------ */

static bool write_junit(const char *path, const struct outcomes *outcomes,
                        struct outcome_style style, struct error *error) {
    struct atomic_file output_file = {0};
    bool done = atomic_file_open(&output_file, path, error);

    style.form = OUTCOMES_JUNIT;
    if (done) {
        outcomes_print(outcomes, &style, output_file.file);
        done = atomic_file_commit(&output_file, error);
    }
    atomic_file_close(&output_file);
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

/* Prints the outcomes. Workflow commands for GitHub go to stderr, so that they do not break TAP on
 * stdout; GitHub reads both. */
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

/* Sets the exit status: 1 if a contract is broken, or else 2 if one cannot be decided. */
static bool set_status_of_outcomes(const struct outcomes *outcomes, size_t count, bool lenient,
                                   struct error *error) {
    const size_t broken = outcomes->states[CONTRACT_BROKEN],
                 undecided = outcomes->states[CONTRACT_UNDECIDED];

    if (broken > 0) {
        return error_set_status(error, EXIT_HOLDS, "%zu of %zu contract%s broken", broken, count,
                                count == 1 ? "" : "s");
    }
    return undecided == 0 || lenient ||
           error_set(error, "%zu of %zu contract%s undecided", undecided, count,
                     count == 1 ? "" : "s");
}

/* Returns the baselines without duplicates, as an array in the pool. */
static const char **list_baselines(const struct option_list *list, struct pool *pool,
                                   size_t *count) {
    const char **names = pool_allocate(pool, (list->count + 1) * sizeof *names);

    for (size_t i = 0; i < list->count; i++) {
        const size_t k = string_index(names, *count, list->values[i]);

        names[k] = list->values[i];
        *count += k == *count;
    }
    return names;
}

static bool evaluate_contracts(struct session *session, struct report_load *loaded,
                               struct contracts *contracts, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *typed = logs_as_typed(session);
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

    baseline.trace_count = 0;
    baseline.traces =
        list_baselines(&arguments->lists[OPTION_BASELINE], &contracts->pool, &baseline.trace_count);
    if (done) {
        done = contracts_judge(contracts, &judging, &outcomes, error) &&
               log_places_find(session, loaded->workspace.database, &outcomes, error) &&
               print_outcomes(session, &outcomes, style, error) &&
               set_status_of_outcomes(&outcomes, contracts->count, style.lenient, error);
        workspace_end(&loaded->workspace);
    }
    outcomes_free(&outcomes);
    return done;
}

/* --- writing baselines ------------------------------------------------------------------------ */

/* Writes the baseline of the traces to the file `path`; NULL: to stdout. */
static bool write_baseline(struct session *session, struct report_load *loaded, const char *path,
                           struct error *error) {
    struct figure_options figure_options = {.session = session, .queries = &loaded->queries};
    struct contracts contracts = {.queries = &loaded->queries,
                                  .take_options = figure_options_parse,
                                  .context = &figure_options};
    const int64_t slack = arguments_number(session->arguments, OPTION_SLACK, 10);
    struct atomic_file output_file = {.file = session->output};
    struct text text = {0};
    bool done = workspace_begin(&loaded->workspace, error);

    if (done) {
        done = baseline_make(&loaded->workspace, &contracts, &loaded->request, slack,
                             session->arguments->given[OPTION_ALLOW_TIMES], &text, error);
        workspace_end(&loaded->workspace);
    }
    contracts_free(&contracts);
    figure_options_free(&figure_options);
    done = done && (path == NULL || atomic_file_open(&output_file, path, error));
    if (done) {
        fwrite(text_string(&text), 1, text.length, output_file.file);
    }
    if (path != NULL) {
        done = done && atomic_file_commit(&output_file, error);
        atomic_file_close(&output_file);
    }
    text_free(&text);
    return done;
}

/* Options of how a baseline is written change no contract, so they are wrong without --update. */
static bool check_baseline_options(const struct arguments *arguments, struct error *error) {
    const bool slack = arguments->given[OPTION_SLACK];

    if (arguments->given[OPTION_UPDATE] || !(slack || arguments->given[OPTION_ALLOW_TIMES])) {
        return true;
    }
    return error_usage(error,
                       "%s is for writing a baseline: `tracetool baseline`, or assert --update; "
                       "without --update assert uses the bounds in the file",
                       slack ? "--slack" : "--allow-times");
}

/* --update: replaces the baseline file given as the only word. */
static bool update_baseline(struct session *session, struct report_load *loaded,
                            struct error *error) {
    const struct arguments *arguments = session->arguments;
    char *path;
    bool done;

    if (arguments->word_count != 1 || arguments->given[OPTION_CONTRACTS] ||
        !is_baseline(arguments->words[0])) {
        return error_usage(error, "--update needs the file of a baseline, and no conditions");
    }
    /* If the file is a symbolic link, replaces its target. */
    path = realpath(arguments->words[0], NULL);
    done = write_baseline(session, loaded, path != NULL ? path : arguments->words[0], error);
    free(path);
    return done;
}

bool command_assert(struct session *session, struct error *error) {
    struct report_load loaded;
    struct figure_options figure_options = {.session = session, .queries = &loaded.queries};
    struct contracts contracts = {.queries = &loaded.queries,
                                  .take_options = figure_options_parse,
                                  .context = &figure_options};
    bool done;

    if (session->arguments->given[OPTION_LIST]) {
        return command_assert_print_list(session);
    }
    if (session->arguments->given[OPTION_TAP] && session->arguments->given[OPTION_FORMAT]) {
        return error_usage(error, "--tap and --format exclude each other");
    }
    if (!check_baseline_options(session->arguments, error)) {
        return false;
    }
    if (!report_load(session, "summary", &loaded, REPORT_BESIDE_OTHERS, error)) {
        return false;
    }
    done = session->arguments->given[OPTION_UPDATE]
               ? update_baseline(session, &loaded, error)
               : command_assert_read_words(session, &contracts, &loaded.request, error) &&
                     evaluate_contracts(session, &loaded, &contracts, error);
    contracts_free(&contracts);
    figure_options_free(&figure_options);
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
