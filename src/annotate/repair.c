#include "annotate/repair.h"

#include <string.h>

#include "analysis/recount.h"
#include "annotate/annotation.h"
#include "base/words.h"
#include "model/tally.h"
#include "store/check.h"
#include "store/column_table.h"
#include "store/rollup_tables.h"
#include "store/store.h"

/* Sets `*agree` if the trace has event columns (column_table.h) that are equal to its rows. */
static bool columns_agree(struct database *database, const struct column_range *range, bool *agree,
                          struct error *error) {
    enum column_state state;
    struct text what = {0};
    bool done = column_table_state(database, range, &state, error) &&
                column_table_compare(database, range, &what, error);

    *agree = done && what.length == 0 && (state != COLUMNS_NONE || range->last < range->first);
    text_free(&what);
    return done;
}

/* Makes a trace's event columns (column_table.h) again, under the write lock, if the trace exists
 * and still needs it. */
static bool remake_columns(struct database *database, const struct catalog_trace *trace,
                           struct repair_result *repaired, struct error *error) {
    struct catalog catalog;
    const struct catalog_trace *now;
    struct column_range range;
    bool agree = true, done;

    if (!catalog_load(&catalog, database, error)) {
        return false;
    }
    now = catalog_find_id(&catalog, trace->id);
    done = now == NULL || strcmp(now->name, trace->name) != 0;
    if (!done) {
        range = (struct column_range){now->id, now->first_event, now->last_event};
        done = columns_agree(database, &range, &agree, error) &&
               (agree || column_table_rebuild(database, &range, error));
    }
    catalog_free(&catalog);
    repaired->columns = done && !agree;
    return done;
}

static bool repair_columns(struct database *database, const struct catalog_trace *trace,
                           struct repair_result *repaired, struct error *error) {
    struct store store;
    bool done;

    if (!store_begin_change(&store, database, error)) {
        return false;
    }
    done = remake_columns(database, trace, repaired, error) && store_commit(&store, error);
    store_end(&store);
    repaired->columns = repaired->columns && done;
    return done;
}

static void note_difference(void *context, const char *trace, const char *what) {
    *(bool *)context = true;
}

/* Returns whether a trace has no rollups (tables of counts). After an import, it has some, so
 * another program must have removed them. */
static bool lacks_tallies(const struct catalog_trace *trace) {
    bool may = false;

    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        if (word_in(trace->rollups, tally_definitions[kind].name)) {
            return false;
        }
        may |= (tally_definitions[kind].rollup_kinds >> trace->kind & 1) != 0;
    }
    return may;
}

/* Sets `*gained` if the database's trace has more rollups than `trace` lists. */
static bool gained_rollups(struct database *database, const struct catalog_trace *trace,
                           bool *gained, struct error *error) {
    int64_t length = 0;
    bool done =
        database_query_integer(database, "SELECT length(rollups) FROM main.trace WHERE id = ?1",
                               trace->id, 0, &length, error);

    *gained = length > (int64_t)strlen(trace->rollups);
    return done;
}

/* Begins to change a trace. `*gone`: true if the trace no longer exists; then nothing is open. */
static bool open_annotation(struct annotation *annotation, struct database *database,
                            const struct config *config, const struct catalog_trace *trace,
                            bool *gone, struct error *error) {
    int64_t id;

    *gone = false;
    if (annotation_open(annotation, database, config, trace->name, error)) {
        *gone = annotation->trace->id != trace->id;
        if (*gone) {
            annotation_close(annotation);
        }
        return true;
    }
    *gone = database_query_integer(database, "SELECT id FROM main.trace WHERE id = ?1", trace->id,
                                   0, &id, &(struct error){0}) &&
            id == 0;
    if (*gone) {
        *error = (struct error){0};
    }
    return *gone;
}

static bool repair_rollups(struct database *database, const struct config *config,
                           const struct catalog_trace *trace, bool different,
                           struct repair_result *repaired, struct error *error) {
    struct annotation annotation;
    bool gone, gained = false, done;

    if (!open_annotation(&annotation, database, config, trace, &gone, error)) {
        return false;
    }
    if (gone) {
        return true;
    }
    /* Marks all rollups of the trace, to be counted again. */
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        annotation_mark_rollup(&annotation, tally_definitions[kind].name);
    }
    annotation_mark_rollup(&annotation, SPAN_ROLLUP);
    annotation_mark_rollup(&annotation, LATENCY_ROLLUP);
    annotation.missing = lacks_tallies(annotation.trace);
    done = annotation_commit(&annotation, error);
    annotation_close(&annotation);
    done = done && gained_rollups(database, trace, &gained, error);
    repaired->rollups = done && (different || gained);
    return done;
}

/* Result of checking a trace. */
struct look {
    /* columns: the event columns differ from the events; rollups: the rollups do */
    bool columns, rollups;
    bool lacking; /* true: rollups are missing that the trace could have */
};

static bool inspect_trace(struct database *database, const struct config *config,
                          const struct catalog_trace *trace, struct look *look,
                          struct error *error) {
    const struct column_range range = {trace->id, trace->first_event, trace->last_event};
    const struct store_report report = {.context = &look->rollups, .found = note_difference};
    bool agree;

    if (!columns_agree(database, &range, &agree, error)) {
        return false;
    }
    look->columns = !agree;
    /* Rollups are missing if they would have too many rows, or another program removed them. */
    look->lacking = lacks_tallies(trace) ||
                    ((trace->kind == TRACE_IO || trace->kind == TRACE_CALLS) &&
                     !word_in(trace->rollups, LATENCY_ROLLUP)) ||
                    (trace->kind == TRACE_CALLS && !word_in(trace->rollups, CALL_ROLLUP));
    /* Wrong columns are repaired first, since rollups are counted from them. */
    return look->columns || recount_compare(database, config, &trace, 1, &report, error);
}

/* Checks the trace in its current state. A removed trace needs no repair. */
static bool check_current_trace(struct database *database, const struct config *config,
                                const struct catalog_trace *trace, struct look *look,
                                struct error *error) {
    struct catalog catalog;
    const struct catalog_trace *now;
    struct error ignored = {0};
    bool done;

    *look = (struct look){0};
    if (!database_run(database, "BEGIN", error)) {
        return false;
    }
    done = catalog_load(&catalog, database, error);
    if (done) {
        now = catalog_find_id(&catalog, trace->id);
        done = now == NULL || inspect_trace(database, config, now, look, error);
        catalog_free(&catalog);
    }
    return database_run(database, "COMMIT", done ? error : &ignored) && done;
}

bool repair_trace(struct database *database, const struct config *config,
                  const struct catalog_trace *trace, struct repair_result *repaired,
                  struct error *error) {
    struct look found;

    *repaired = (struct repair_result){0};
    return check_current_trace(database, config, trace, &found, error) &&
           (!found.columns || (repair_columns(database, trace, repaired, error) &&
                               check_current_trace(database, config, trace, &found, error))) &&
           (!(found.rollups || found.lacking) ||
            repair_rollups(database, config, trace, found.rollups, repaired, error));
}

bool repair_orphans(struct database *database, int64_t *count, struct error *error) {
    struct type_check types;
    struct store store;
    bool done;

    if (!store_begin_change(&store, database, error)) {
        return false;
    }
    done = type_check_open(&types, database, error) &&
           type_check_remove_orphans(&types, count, error) && store_commit(&store, error);
    type_check_close(&types);
    store_end(&store);
    return done;
}
