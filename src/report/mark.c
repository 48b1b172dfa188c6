#include "report/mark.h"

#include <string.h>

#include "report/prepare.h"
#include "select/match.h"

static bool counts_operations(const struct query *query) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        if (strcmp(query->wanted[i].analysis->name, "operation") == 0) {
            return true;
        }
    }
    return false;
}

/* Counts with a selection as the query is to have of its own traces afterwards. */
static bool count_events(struct mark *mark, struct workspace *workspace, struct scratch *scratch,
                         const struct query *query, const struct report_request *request,
                         const struct catalog_trace *trace, struct error *error) {
    struct selection selection = {0};
    bool done =
        prepare_selection(workspace, scratch, query, request, &trace, 1, &selection, error) &&
        scratch_run(scratch,
                    "INSERT INTO temp.marked_operation"
                    " SELECT operation, actor, sum(count) FROM temp.tally_operation"
                    " GROUP BY operation, actor",
                    error) &&
        remarks_add_all(&mark->remarks, &selection.remarks, error);

    workspace_deselect(workspace, &selection);
    return done;
}

static bool fill(struct mark *mark, struct workspace *workspace, struct scratch *scratch,
                 const struct query *query, const struct report_request *request,
                 const struct catalog_trace *trace, struct error *error) {
    struct text missing = {0};
    bool done = request_check_filter(request, trace, error) &&
                scratch_run(scratch, "DELETE FROM temp.marked_operation", error) &&
                match_missing(workspace->database, trace, &request->filter, &missing, error);

    if (done && missing.length > 0) {
        done = remarks_add(&mark->remarks, error, "nothing is marked: %s", text_string(&missing));
    } else if (done) {
        done = count_events(mark, workspace, scratch, query, request, trace, error);
    }
    text_free(&missing);
    return done;
}

bool mark_select(struct mark *mark, struct workspace *workspace, struct scratch *scratch,
                 const struct query *query, const struct report_request *request,
                 struct remarks *remarks, struct error *error) {
    const struct report_option *option = request_option(request, "mark");
    const struct catalog_trace *trace;

    if (!counts_operations(query)) {
        return true;
    }
    if (!mark->made && !scratch_table(scratch, "marked_operation",
                                      "(operation INTEGER, actor INTEGER, count INTEGER)", error)) {
        return false;
    }
    mark->made = true;
    if (option == NULL) {
        return true;
    }
    trace = catalog_choose_kind(&workspace->catalog, option->value, query->kinds, error);
    if (trace == NULL) {
        return false;
    }
    if (mark->query != query) {
        remarks_free(&mark->remarks);
        mark->query = query;
        if (!fill(mark, workspace, scratch, query, request, trace, error)) {
            return false;
        }
    }
    return remarks_add_all(remarks, &mark->remarks, error);
}

void mark_free(struct mark *mark) {
    remarks_free(&mark->remarks);
}
