#include "report/exporting.h"

#include "select/expansion.h"
#include "select/match.h"

/* Whether the trace is of a kind that the format is made of, with sectors where it holds these. */
static bool check_trace(const struct catalog_trace *trace, const struct exporter *exporter,
                        struct error *error) {
    bool io = trace->kind == TRACE_IO;

    if (exporter->sectors && (!io || catalog_meaning(trace, "address", "sector") == NULL)) {
        return error_set(error, "trace %s has no sectors of block I/O, of which %s is made",
                         trace->name, exporter->name);
    }
    return (exporter->kinds >> trace->kind & 1) != 0 ||
           error_set(error,
                     "trace %s holds %s, of which %s is not made: `tracetool exports` says what "
                     "each format is made of",
                     trace->name, trace_kind_words(trace->kind), exporter->name);
}

static bool export_trace(struct workspace *workspace, struct scratch *scratch,
                         const struct report_request *request, const struct catalog_trace *trace,
                         const struct exporter *exporter, FILE *file, struct export_run *run,
                         struct error *error) {
    const struct selection_request selected = {
        .traces = &trace,
        .count = 1,
        .filter = request->filter,
        .all_actions = exporter->steps,
    };
    struct selection selection = {0};
    bool done = request_check_filter(request, trace, error) &&
                workspace_select(workspace, scratch, &selected, &selection, error) &&
                export_selection(exporter, &selection, file, run, error);

    workspace_deselect(workspace, &selection);
    return done;
}

/* With whole names in the filter. */
static bool export_expanded(struct workspace *workspace, const struct report_request *request,
                            const struct catalog_trace *trace, const struct exporter *exporter,
                            FILE *file, struct export_run *run, struct error *error) {
    struct report_request expanded = *request;
    struct expansion expansion = {0};
    struct scratch scratch = {0};
    bool done =
        expansion_make(&expansion, workspace->database, &trace, 1, &request->filter, error) &&
        match_check(workspace->database, &trace, 1, &expansion.filter, error) &&
        workspace_scratch(workspace, &scratch, error);

    if (done) {
        expanded.filter = expansion.filter;
        done = export_trace(workspace, &scratch, &expanded, trace, exporter, file, run, error);
        workspace_end_scratch(workspace, &scratch);
    }
    expansion_free(&expansion);
    return done;
}

bool exporting_run(struct workspace *workspace, const struct report_request *request,
                   const struct exporter *exporter, FILE *file, struct export_run *run,
                   struct error *error) {
    const struct catalog_trace *trace;
    bool done;

    if (!workspace_begin(workspace, error)) {
        return false;
    }
    trace = catalog_choose(&workspace->catalog, request->traces[0], error);
    done = trace != NULL && check_trace(trace, exporter, error) &&
           export_expanded(workspace, request, trace, exporter, file, run, error);
    workspace_end(workspace);
    return done;
}
