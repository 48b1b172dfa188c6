#include "report/exporting.h"

#include "select/match.h"

/* Whether the trace is of a kind that the format is made of, with sectors where it holds these. */
static bool check_trace(const struct catalog_trace *trace, const struct export_order *order,
                        struct error *error) {
    const struct exporter *exporter = order->exporter;
    bool io = trace->kind == TRACE_IO, of_io = exporter->kinds == 1u << TRACE_IO;

    if (exporter->sectors && (io || of_io) &&
        (!io || catalog_meaning(trace, "address", "sector") == NULL)) {
        return error_set(error, "trace %s has no sectors of block I/O; export as %s needs them",
                         trace->name, exporter->name);
    }
    if (order->real_paths && (!exporter->real_paths || trace->kind != TRACE_CALLS)) {
        return error_set_status(error, EXIT_USAGE,
                                "as %s, trace %s has no names of files: --real-paths is for "
                                "system calls, as fio or mobigen",
                                exporter->name, trace->name);
    }
    return (exporter->kinds >> trace->kind & 1) != 0 ||
           error_set(error,
                     "trace %s holds %s; %s does not export these: `tracetool exports` lists what "
                     "each format needs",
                     trace->name, trace_kind_words(trace->kind), exporter->name);
}

static bool export_trace(struct workspace *workspace, struct temp_schema *temp,
                         const struct report_request *request, const struct catalog_trace *trace,
                         const struct export_order *order, struct export_run *run,
                         struct error *error) {
    const struct selection_request selected = {
        .traces = &trace,
        .count = 1,
        .filter = request->filter,
        .all_actions = order->exporter->steps,
    };
    struct selection selection = {0};
    bool done = request_check_filter(request, trace, error) &&
                workspace_select(workspace, temp, &selected, &selection, error) &&
                export_selection(order, &selection, run, error);

    workspace_deselect(workspace, &selection);
    return done;
}

/* With whole names in the filter. */
static bool export_expanded(struct workspace *workspace, const struct report_request *request,
                            const struct catalog_trace *trace, const struct export_order *order,
                            struct export_run *run, struct error *error) {
    struct report_request expanded = *request;
    struct abbreviations abbreviations = {0};
    struct temp_schema temp = {0};
    bool done = abbreviations_make(&abbreviations, workspace->database, &trace, 1, &request->filter,
                                   error) &&
                match_check(workspace->database, &trace, 1, &abbreviations.filter, error) &&
                workspace_temp(workspace, &temp, error);

    if (done) {
        expanded.filter = abbreviations.filter;
        done = export_trace(workspace, &temp, &expanded, trace, order, run, error);
        workspace_end_temp(workspace, &temp);
    }
    abbreviations_free(&abbreviations);
    return done;
}

bool exporting_run(struct workspace *workspace, const struct report_request *request,
                   const struct export_order *order, struct export_run *run, struct error *error) {
    const struct catalog_trace *trace;
    bool done;

    if (!workspace_begin(workspace, error)) {
        return false;
    }
    trace =
        catalog_choose_kind(&workspace->catalog, request->traces[0], order->exporter->kinds, error);
    done = trace != NULL && check_trace(trace, order, error) &&
           export_expanded(workspace, request, trace, order, run, error);
    workspace_end(workspace);
    return done;
}
