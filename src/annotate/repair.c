#include "annotate/repair.h"

#include "analysis/recount.h"
#include "annotate/annotation.h"
#include "model/tally.h"
#include "store/column_table.h"

/* Whether the columns are there and say what the rows say. */
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

static bool repair_columns(struct database *database, const struct catalog_trace *trace,
                           struct repaired *repaired, struct error *error) {
    const struct column_range range = {trace->id, trace->first_event, trace->last_event};
    struct store store;
    bool done, agree;

    if (!columns_agree(database, &range, &agree, error)) {
        return false;
    }
    if (agree) {
        return true;
    }
    if (!store_begin_change(&store, database, error)) {
        return false;
    }
    done = column_table_make(database, &range, error) && store_commit(&store, error);
    store_end(&store);
    repaired->columns = done;
    return done;
}

static void differs(void *context, const char *trace, const char *what) {
    (void)trace;
    (void)what;
    *(bool *)context = true;
}

static bool repair_rollups(struct database *database, const struct config *config,
                           const struct catalog_trace *trace, struct repaired *repaired,
                           struct error *error) {
    bool different = false, done;
    const struct store_report report = {.context = &different, .found = differs};
    struct annotation annotation;

    if (!recount_compare(database, config, &trace, 1, &report, error)) {
        return false;
    }
    if (!different) {
        return true;
    }
    if (!annotation_open(&annotation, database, config, trace->name, error)) {
        return false;
    }
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        annotation_touch(&annotation, tally_definitions[kind].name);
    }
    annotation_touch(&annotation, SPAN_ROLLUP);
    done = annotation_commit(&annotation, error);
    annotation_close(&annotation);
    repaired->rollups = done;
    return done;
}

bool repair_trace(struct database *database, const struct config *config,
                  const struct catalog_trace *trace, struct repaired *repaired,
                  struct error *error) {
    *repaired = (struct repaired){0};
    return repair_columns(database, trace, repaired, error) &&
           repair_rollups(database, config, trace, repaired, error);
}
