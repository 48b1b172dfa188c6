/* --mark: what another trace counts of its operations, beside which a report's are marked. */
#ifndef TRACETOOL_MARK_H
#define TRACETOOL_MARK_H

#include "report/query.h"
#include "report/request.h"
#include "report/workspace.h"
#include "select/remarks.h"

/* What is marked for the results of one query; zeroed at first. */
struct mark {
    const struct query *query; /* the one for which temp.marked_operation is filled */
    bool made;                 /* temp.marked_operation is there */
    struct remarks remarks;    /* owned; what the reader must know of the marked trace */
};

/* Fills temp.marked_operation (operation, actor, count) with the events of the trace of --mark that
 * pass the filters, where the query counts operations, and adds to `remarks`. To be called before
 * the selection of the query's own traces is open. */
bool mark_select(struct mark *mark, struct workspace *workspace, struct scratch *scratch,
                 const struct query *query, const struct report_request *request,
                 struct remarks *remarks, struct error *error);
void mark_free(struct mark *mark);

#endif
