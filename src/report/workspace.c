#include "report/workspace.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/recount.h"
#include "base/saturate.h"
#include "base/text.h"
#include "scan/event_filter.h"
#include "scan/span_walk.h"
#include "select/selection.h"

/* Call times without measurement overhead: temp.corrected_time. Logging the entry and exit of a
 * call delays its callers. The corrected duration excludes the overhead of all calls inside the
 * call, but not the call's own. The corrected self time excludes the overhead of direct callees.
 * Neither is negative. The overhead is configured for the origin of the call's probe or, if the
 * trace has no probes, for the log. */

struct correction {
    struct temp_rows rows;
    /* By function: ns by which measuring one call of it lengthens its callers. */
    struct id_values costs;
    int64_t call_overhead; /* ns by which measuring a call without a probe lengthens its callers */
    int64_t cut; /* number of calls whose corrected time would be negative and was set to 0 */
};

/* A call that is open during the walk, and what measuring it and the calls inside it has cost. */
struct frame {
    int64_t id, duration, self;
    int64_t overhead; /* ns that measuring this call takes */
    int64_t inside;   /* ns that measuring all calls inside this one takes, at any depth */
    int64_t callees;  /* ns that measuring this call's direct callees takes */
};

static bool correction_enter_call(void *state, const struct span_row *row, void *call, void *caller,
                                  struct error *error) {
    const struct correction *correction = state;
    struct frame *frame = call;

    *frame = (struct frame){
        .id = row->id,
        .duration = row->duration,
        .self = row->self,
        .overhead = correction->call_overhead,
    };
    id_values_find(&correction->costs, row->operation, &frame->overhead);
    return true;
}

/* Writes the corrected times of a call at its end, when costs of all calls inside it are known. */
static void correction_exit_call(void *state, void *call, void *above) {
    struct correction *correction = state;
    const struct frame *frame = call;
    struct frame *caller = above;

    if (caller != NULL) {
        add_saturated(&caller->inside, frame->inside);
        add_saturated(&caller->inside, frame->overhead);
        add_saturated(&caller->callees, frame->overhead);
    }
    if (frame->duration != EVENT_NONE) {
        correction->cut += frame->duration < frame->inside || frame->self < frame->callees;
        TEMP_ROW(&correction->rows, frame->id,
                 frame->duration > frame->inside ? frame->duration - frame->inside : 0,
                 frame->self > frame->callees ? frame->self - frame->callees : 0);
    }
}

static const struct span_visitor visitor = {.call_size = sizeof(struct frame),
                                            .enter = correction_enter_call,
                                            .leave = correction_exit_call};

/* Corrects the times of all calls of the trace, regardless of the filter. */
static bool correct_trace(struct correction *correction, const struct selection *selection,
                          const struct catalog_trace *trace, struct error *error) {
    struct selection whole = *selection;
    const struct selected_trace all = {
        .trace = trace, .first = trace->first_event, .last = trace->last_event};
    const struct span_visit visit = {&visitor, correction};

    whole.filter = (struct filter){0};
    whole.times = CALL_TIMES_FIRST;
    whole.merges_operations = false;
    correction->call_overhead =
        trace->probes || selection->correct == CORRECT_PROBED || trace->call_overhead == EVENT_NONE
            ? 0
            : trace->call_overhead;
    return id_values_query(&correction->costs, selection->database,
                           "SELECT name, probe_overhead(origin) FROM main.probe WHERE trace = ?1"
                           " ORDER BY name",
                           trace->id, error) &&
           span_walk(&whole, &all, false, 0, &visit, 1, error);
}

/* With CALL_TIMES_CORRECTED, fills temp.corrected_time for all calls with a duration, regardless of
 * the filter. Called once per selection, before its events are read. Adds notes. */
static bool correction_find(struct selection *selection, struct error *error) {
    struct correction correction = {
        .rows = {selection->temp, "corrected_time", error, .columns = 3}};
    bool done = true;

    if (selection->times != CALL_TIMES_CORRECTED) {
        return true;
    }
    for (size_t i = 0; done && i < selection->count; i++) {
        done = correct_trace(&correction, selection, selection->traces[i].trace, error);
    }
    id_values_free(&correction.costs);
    notes_append(&selection->notes,
                 "times are corrected: the cost of measuring nested calls is subtracted");
    notes_append_count(&selection->notes, correction.cut,
                       "corrected to 0, as measuring the calls inside {it|them} cost more than "
                       "{its|their} whole time: %" PRId64 " call{s} of the log",
                       correction.cut);
    return temp_rows_end(&correction.rows) && done;
}

/* SQL function people(value, kind, clock unit): formats a value of that kind as in human-readable
 * tables. Times in a unit other than ns get the unit appended. Returns NULL for NULL. */
static void sql_people(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *kind = (const char *)sqlite3_value_text(values[1]);
    const char *text = (const char *)sqlite3_value_text(values[2]);
    const char *clock_unit = text == NULL ? "ns" : text;
    struct column column = {.name = "", .unit = "", .kind = COLUMN_ANY};
    struct value value = value_integer(sqlite3_value_int64(values[0]));
    struct text out = {0};

    if (sqlite3_value_type(values[0]) == SQLITE_FLOAT) {
        value = value_real(sqlite3_value_double(values[0]));
    } else if (sqlite3_value_type(values[0]) != SQLITE_INTEGER) {
        sqlite3_result_value(context, values[0]);
        return;
    }
    if (kind != NULL) {
        query_column_kind_find(kind, strlen(kind), &column.kind);
    }
    printer_append_human(&out, &value, &column, clock_unit);
    if (column.kind == COLUMN_DURATION && strcmp(clock_unit, "ns") != 0) {
        text_append_format(&out, " %.*s", (int)strlen(clock_unit) - (value.integer == 1),
                           clock_unit);
    }
    sqlite3_result_text(context, text_string(&out), (int)out.length, SQLITE_TRANSIENT);
    text_free(&out);
}

bool workspace_open(struct workspace *workspace, struct database *database,
                    const struct config *config, const struct query_set *queries,
                    struct error *error) {
    *workspace = (struct workspace){.database = database, .config = config, .queries = queries};
    return recount_register(database, config, error) &&
           (sqlite3_create_function_v2(database->handle, "people", 3,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
                                       sql_people, NULL, NULL, NULL) == SQLITE_OK ||
            database_set_error(database, error));
}

void workspace_close(struct workspace *workspace) {
    catalog_free(&workspace->catalog);
    *workspace = (struct workspace){0};
}

bool workspace_begin(struct workspace *workspace, struct error *error) {
    struct error ignored;

    if (workspace->begun == 0) {
        /* Without a transaction, SQLite would commit each write to a temporary table. */
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

bool workspace_select(struct temp_schema *temp, const struct selection_request *request,
                      struct selection *selection, struct error *error) {
    return selection_open(selection, temp, request, error) && correction_find(selection, error) &&
           span_ranges_find(selection, error);
}

void row_value(sqlite3_stmt *statement, int column, struct value *value) {
    sqlite3_value *cell = sqlite3_column_value(statement, column);

    *value = (struct value){.type = VALUE_NULL};
    switch (sqlite3_value_type(cell)) {
    case SQLITE_INTEGER:
        value->type = VALUE_INTEGER;
        value->integer = sqlite3_value_int64(cell);
        break;
    case SQLITE_FLOAT:
        value->type = VALUE_REAL;
        value->real = sqlite3_value_double(cell);
        break;
    case SQLITE_TEXT:
        value->type = VALUE_TEXT;
        value->bytes = (const char *)sqlite3_value_text(cell);
        value->length = (size_t)sqlite3_value_bytes(cell);
        break;
    case SQLITE_BLOB:
        value->type = VALUE_BLOB;
        value->bytes = sqlite3_value_blob(cell);
        value->length = (size_t)sqlite3_value_bytes(cell);
        break;
    default:
        break;
    }
}

void row_set_kind(sqlite3_stmt *statement, int column, struct value *value) {
    const char *name = (const char *)sqlite3_column_text(statement, column);
    size_t length = name == NULL ? 0 : strcspn(name, " ");

    if (name != NULL && query_column_kind_find(name, length, &value->kind)) {
        value->unit = name[length] == '\0' ? NULL : name + length + 1;
    }
}

int row_kind_column(sqlite3_stmt *statement) {
    int last = sqlite3_column_count(statement) - 1;

    return last >= 0 && strcmp(sqlite3_column_name(statement, last), "_kind") == 0 ? last : -1;
}

int row_find_more_column(sqlite3_stmt *statement) {
    int column = sqlite3_column_count(statement) - 1;

    while (column >= 0 && strcmp(sqlite3_column_name(statement, column), "_more") != 0) {
        column--;
    }
    return column;
}
