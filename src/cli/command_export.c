/* tracetool export: writes the events of a trace in another format. */
#include <string.h>

#include "base/file.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/selection_options.h"
#include "output/sanitize.h"
#include "report/print.h"

static void print_exported(const struct session *session, const struct exporter *exporter,
                           const struct export_run *run) {
    if (strcmp(exporter->name, "columns") == 0) {
        return; /* this format describes columns: it has no events to count */
    }
    session_print_line(session, "exported as %s: %lld of the trace's %lld events", exporter->name,
                       (long long)run->written, (long long)run->events);
    for (size_t i = 0; i < EXPORT_REASONS && run->left_out[i].reason != NULL; i++) {
        session_print_line(session, "  not in it, %lld time%s: %s",
                           (long long)run->left_out[i].count,
                           run->left_out[i].count == 1 ? "" : "s", run->left_out[i].reason);
    }
    if (exporter->note != NULL) {
        session_print_line(session, "  %s", exporter->note);
    }
}

/* Exports to a terminal, with names escaped so that the terminal cannot interpret them. In a file,
 * names have their exact bytes, so that a replay finds the files. */
static bool export_to_terminal(struct workspace *workspace, const struct report_request *request,
                               struct export_order order, struct export_run *run,
                               struct error *error) {
    struct error closing = {0};
    struct sanitizer *sanitizer = sanitizer_open(order.file);
    bool done;

    order.file = sanitizer_stream(sanitizer);
    done = run_export(workspace, request, &order, run, error);
    if (!sanitizer_close(sanitizer, &closing) && done) {
        *error = closing;
        done = false;
    }
    return done;
}

/* Exports to a file, or to the session's output. */
static bool export_to(struct session *session, struct workspace *workspace,
                      const struct report_request *request, struct export_order order,
                      struct export_run *run, struct error *error) {
    const char *path = session->arguments->values[OPTION_OUTPUT];
    struct atomic_file output_file = {0};
    bool done;

    if (path == NULL || strcmp(path, "-") == 0) {
        return session->stdout_is_terminal
                   ? export_to_terminal(workspace, request, order, run, error)
                   : run_export(workspace, request, &order, run, error);
    }
    done = atomic_file_open(&output_file, path, error);
    if (done) {
        order.file = output_file.file;
        done = run_export(workspace, request, &order, run, error) &&
               atomic_file_commit(&output_file, error);
    }
    atomic_file_close(&output_file);
    return done;
}

static bool export_ordered(struct session *session, struct workspace *workspace,
                           const struct report_request *request, const struct exporter *exporter,
                           struct export_run *run, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct export_order order = {
        .exporter = exporter,
        .file = session->output,
        .real_paths = arguments->given[OPTION_REAL_PATHS],
    };
    bool done;

    if (arguments->given[OPTION_PSEUDONYMISE]) {
        order.pseudonyms = session_pseudonyms(session, error);
        if (order.pseudonyms == NULL) {
            return false;
        }
    }
    done = export_to(session, workspace, request, order, run, error);
    pseudonyms_close(order.pseudonyms);
    return done;
}

static bool goes_to_terminal(const struct session *session) {
    const char *path = session->arguments->values[OPTION_OUTPUT];

    return session->stdout_is_terminal && (path == NULL || strcmp(path, "-") == 0);
}

/* Sets an error if a binary format would be written to a terminal. */
static bool check_target(const struct session *session, const struct exporter *exporter,
                         struct error *error) {
    return !exporter->binary || !goes_to_terminal(session) ||
           error_usage(error,
                       "%s is binary and not printed to a terminal: write it to a file with -o",
                       exporter->name);
}

static bool command_export_check_options(const struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;

    if (!arguments->given[OPTION_AS]) {
        return error_usage(
            error, "give the format to export to: --as FORMAT; `tracetool exports` lists them");
    }
    return session_check_key(session, error);
}

/* Returns the exporter with this name or unique prefix; NULL with `error` set. */
static const struct exporter *choose_exporter(const char *typed, struct error *error) {
    struct word_list names = {0};
    const char *chosen;
    size_t i = 0;

    for (; exporters[i] != NULL; i++) {
        word_list_add(&names, exporters[i]->name);
    }
    chosen = word_list_choose(&names, "export format", typed,
                              strcasecmp(typed, "perfetto") == 0
                                  ? "Perfetto (ui.perfetto.dev) opens chrome: --as chrome"
                                  : NULL,
                              error);
    for (i = 0; chosen != NULL && exporters[i] != NULL && strcmp(exporters[i]->name, chosen) != 0;
         i++) {
    }
    word_list_free(&names);
    return chosen == NULL ? NULL : exporters[i];
}

bool command_export(struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct report_option options[OPTION_MOST];
    const struct exporter *exporter;
    struct report_request request;
    struct workspace workspace;
    struct database database;
    struct export_run run = {0};
    const char *trace = arguments->words[0];
    bool done;

    if (!command_export_check_options(session, error)) {
        return false;
    }
    exporter = choose_exporter(arguments->values[OPTION_AS], error);
    if (exporter == NULL || !check_target(session, exporter, error) ||
        !selection_fill_request(session, options, &request, error) ||
        !session_open(session, &database, DATABASE_READ, error)) {
        return false;
    }
    request.traces = &trace;
    request.trace_count = 1;
    done = workspace_open(&workspace, &database, &session->config, NULL, error) &&
           export_ordered(session, &workspace, &request, exporter, &run, error);
    workspace_close(&workspace);
    done = session_close(session, &database, done, error);
    if (done) {
        print_exported(session, exporter, &run);
    }
    return done;
}
