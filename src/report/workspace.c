#include "report/workspace.h"

#include "analysis/recount.h"
#include "scan/correction.h"
#include "scan/span_ranges.h"

bool workspace_open(struct workspace *workspace, struct database *database,
                    const struct config *config, const struct query_set *queries,
                    struct error *error) {
    *workspace = (struct workspace){.database = database, .config = config, .queries = queries};
    return recount_register(database, config, error);
}

void workspace_close(struct workspace *workspace) {
    catalog_free(&workspace->catalog);
    *workspace = (struct workspace){0};
}

bool workspace_begin(struct workspace *workspace, struct error *error) {
    struct error ignored;

    if (workspace->begun == 0) {
        /* In a transaction temporary rows cost less, too. */
        workspace->own_transaction = sqlite3_get_autocommit(workspace->database->handle) != 0;
        catalog_free(&workspace->catalog);
        if (workspace->own_transaction && !database_run(workspace->database, "BEGIN", error)) {
            return false;
        }
        if (!catalog_load(&workspace->catalog, workspace->database, error)) {
            if (workspace->own_transaction) {
                database_run(workspace->database, "COMMIT", &ignored);
            }
            return false;
        }
    }
    workspace->begun++;
    return true;
}

void workspace_end(struct workspace *workspace) {
    struct error ignored;

    if (--workspace->begun == 0 && workspace->own_transaction) {
        database_run(workspace->database, "COMMIT", &ignored);
    }
}

bool workspace_scratch(struct workspace *workspace, struct scratch *scratch, struct error *error) {
    unsigned number = 0;

    while (number < WORKSPACE_SCRATCHES && (workspace->scratches >> number & 1) != 0) {
        number++;
    }
    *scratch = (struct scratch){0};
    if (number == WORKSPACE_SCRATCHES) {
        return error_set(error, "more than %d reports at once", WORKSPACE_SCRATCHES);
    }
    workspace->scratches |= 1u << number;
    scratch_init(scratch, workspace->database, number);
    return true;
}

void workspace_end_scratch(struct workspace *workspace, struct scratch *scratch) {
    if (scratch->database != NULL) {
        rows_put_aside(&workspace->rows);
        workspace->scratches &= ~(1u << scratch->number);
        scratch_free(scratch);
    }
}

bool workspace_select(struct workspace *workspace, struct scratch *scratch,
                      const struct selection_request *request, struct selection *selection,
                      struct error *error) {
    rows_put_aside(&workspace->rows);
    return selection_open(selection, scratch, request, error) &&
           correction_find(selection, error) && span_ranges_find(selection, error);
}

void workspace_deselect(struct workspace *workspace, struct selection *selection) {
    rows_put_aside(&workspace->rows);
    selection_close(selection);
}
