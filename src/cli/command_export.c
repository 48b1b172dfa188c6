/* tracetool export and exports. */
#include <string.h>

#include "base/placed_file.h"
#include "cli/command.h"
#include "cli/selection_options.h"
#include "output/printer.h"
#include "report/exporting.h"

static void say_exported(const struct session *session, const struct exporter *exporter,
                         const struct export_run *run) {
    session_say(session, "exported as %s: %lld of the trace's events", exporter->name,
                (long long)run->written);
    for (size_t i = 0; i < EXPORT_REASONS && run->left_out[i].reason != NULL; i++) {
        session_say(session, "  not in it, %lld times: %s", (long long)run->left_out[i].count,
                    run->left_out[i].reason);
    }
}

/* Where no file is named, to where results go. */
static bool export_to(struct session *session, struct workspace *workspace,
                      const struct report_request *request, const struct exporter *exporter,
                      struct export_run *run, struct error *error) {
    const char *path = session->arguments->values[OPTION_OUTPUT];
    struct placed_file placed = {0};
    bool done;

    if (path == NULL || strcmp(path, "-") == 0) {
        return exporting_run(workspace, request, exporter, session->output, run, error);
    }
    done = placed_file_open(&placed, path, error) &&
           exporting_run(workspace, request, exporter, placed.file, run, error) &&
           placed_file_commit(&placed, error);
    placed_file_close(&placed);
    return done;
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

    if (!arguments->given[OPTION_AS]) {
        return error_set_status(
            error, EXIT_USAGE, "--as FORMAT says what to export as; `tracetool exports` lists all");
    }
    exporter = exporter_choose(arguments->values[OPTION_AS], error);
    if (exporter == NULL || !selection_options(session, options, &request, error) ||
        !session_open(session, &database, DATABASE_READ, error)) {
        return false;
    }
    request.traces = &trace;
    request.trace_count = 1;
    done = workspace_open(&workspace, &database, &session->config, NULL, error) &&
           export_to(session, &workspace, &request, exporter, &run, error);
    workspace_close(&workspace);
    done = session_close(session, &database, done, error);
    if (done) {
        say_exported(session, exporter, &run);
    }
    return done;
}

static bool exporter_rows(struct printer *printer, struct error *error) {
    for (size_t i = 0; exporters[i] != NULL; i++) {
        const char *texts[] = {exporters[i]->name, exporters[i]->description};
        struct value values[2];

        for (size_t column = 0; column < 2; column++) {
            values[column] = (struct value){
                .type = VALUE_TEXT,
                .bytes = texts[column],
                .length = strlen(texts[column]),
            };
        }
        if (!printer_row(printer, values, error)) {
            return false;
        }
    }
    return true;
}

static bool print_exporters(struct printer *printer, void *context, struct error *error) {
    static const struct column columns[] = {{"name", "", COLUMN_TEXT},
                                            {"description", "", COLUMN_TEXT}};
    static const struct result result = {
        .report = "exports",
        .title = "Export formats",
        .clock_unit = "ns",
        .prose = "description",
        .columns = columns,
        .column_count = 2,
    };

    (void)context;
    return printer_begin(printer, &result, error) && exporter_rows(printer, error) &&
           printer_end(printer, error);
}

bool command_exports(struct session *session, struct error *error) {
    return session_print(session, false, print_exporters, NULL, error);
}
