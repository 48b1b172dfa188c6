/* Where reports are made: a database, a configuration and the queries. Any number of reports, and
 * of selections, live in it at once or one after another, on the one connection. */
#ifndef TRACETOOL_WORKSPACE_H
#define TRACETOOL_WORKSPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"
#include "report/query_set.h"
#include "report/rows.h"
#include "select/selection.h"
#include "store/catalog.h"
#include "store/database.h"

/* Most reports and selections at once. */
#define WORKSPACE_SCRATCHES 32

struct workspace {
    struct database *database; /* borrowed, as is all but the catalog */
    const struct config *config;
    const struct query_set *queries; /* NULL: there are none, and no reports */
    struct catalog catalog;          /* owned; as workspace_begin() found it */
    unsigned begun;                  /* how many want the transaction */
    bool own_transaction;
    unsigned scratches;    /* bit set of those that are used */
    struct rows_list rows; /* that are being read */
};

/* Registers the SQL functions: once a connection, before any statement runs on it. Ended by
 * workspace_close() in any case, before the database is closed. */
bool workspace_open(struct workspace *workspace, struct database *database,
                    const struct config *config, const struct query_set *queries,
                    struct error *error);
void workspace_close(struct workspace *workspace);

/* From the first one to its end all that is read is of one moment: loads the catalog, and begins a
 * transaction unless there is one. For each that succeeds there is one end. */
bool workspace_begin(struct workspace *workspace, struct error *error);
void workspace_end(struct workspace *workspace);

/* Temporary tables of a user's own, until workspace_end_scratch(). False when too many are used. */
bool workspace_scratch(struct workspace *workspace, struct scratch *scratch, struct error *error);
void workspace_end_scratch(struct workspace *workspace, struct scratch *scratch);

/* Makes a selection whose events can be read, which workspace_deselect() ends in any case. What
 * rows other reports have still to give is put aside first. */
bool workspace_select(struct workspace *workspace, struct scratch *scratch,
                      const struct selection_request *request, struct selection *selection,
                      struct error *error);
void workspace_deselect(struct workspace *workspace, struct selection *selection);

#endif
