#include "annotate/repair.h"

#include <string.h>

#include "analysis/recount.h"
#include "annotate/annotation.h"
#include "base/words.h"
#include "model/tally.h"
#include "store/column_table.h"
#include "store/event_rollups.h"
#include "store/transaction.h"

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

/* Whether there are rollups that the trace does not have: it is of an earlier version, which made
 * fewer, or has too many rows for them. */
static bool lacks_rollups(const struct catalog_trace *trace) {
    size_t i = 0;

    while (event_rollups[i] != NULL && ((event_rollups[i]->kinds >> trace->kind & 1) == 0 ||
                                        word_in(trace->rollups, event_rollups[i]->name))) {
        i++;
    }
    return event_rollups[i] != NULL;
}

/* Touches all that the trace may have. */
static void touch_rollups(struct annotation *annotation) {
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        annotation_touch(annotation, tally_definitions[kind].name);
    }
    annotation_touch(annotation, SPAN_ROLLUP);
    for (size_t i = 0; event_rollups[i] != NULL; i++) {
        annotation_touch(annotation, event_rollups[i]->name);
    }
}

/* Whether the trace has more of them than it had. */
static bool has_gained(struct database *database, const struct catalog_trace *trace, bool *gained,
                       struct error *error) {
    int64_t length = 0;
    bool done = database_integer(database, "SELECT length(rollups) FROM main.trace WHERE id = ?1",
                                 trace->id, 0, &length, error);

    *gained = length > (int64_t)strlen(trace->rollups);
    return done;
}

static bool repair_rollups(struct database *database, const struct config *config,
                           const struct catalog_trace *trace, struct repaired *repaired,
                           struct error *error) {
    bool different = false, gained = false, done;
    const struct store_report report = {.context = &different, .found = differs};
    struct annotation annotation;

    if (!recount_compare(database, config, &trace, 1, &report, error)) {
        return false;
    }
    if (!different && !lacks_rollups(trace)) {
        return true;
    }
    if (!annotation_open(&annotation, database, config, trace->name, error)) {
        return false;
    }
    touch_rollups(&annotation);
    done = annotation_commit(&annotation, error);
    annotation_close(&annotation);
    done = done && has_gained(database, trace, &gained, error);
    repaired->rollups = done && (different || gained);
    return done;
}

bool repair_trace(struct database *database, const struct config *config,
                  const struct catalog_trace *trace, struct repaired *repaired,
                  struct error *error) {
    *repaired = (struct repaired){0};
    return repair_columns(database, trace, repaired, error) &&
           repair_rollups(database, config, trace, repaired, error);
}
