#include "select/counted_action.h"

bool counted_action_has(struct database *database, const struct catalog_trace *trace,
                        const char *letters, bool *has, struct error *error) {
    int64_t action;
    bool done = action_find(database, trace->id, letters, &action, error);

    *has = done && action != EVENT_NONE;
    return done;
}

/* Used if a trace has none of the known actions C, D, I, G and Q. If it has other actions, all
 * events count; otherwise none: deletions in a log of file life spans, for example, are no I/O. */
static bool count_other_events(struct database *database, const struct catalog_trace *trace,
                               int64_t *action, struct notes *notes, struct error *error) {
    int64_t actions;

    if (!database_query_integer(database,
                                "SELECT count(*) FROM name WHERE trace = ?1 AND kind = 'action'",
                                trace->id, 0, &actions, error)) {
        return false;
    }
    *action = actions > 0 ? EVENT_NONE : ACTION_NOTHING;
    notes_append(
        notes,
        actions > 0 ? "trace %s has no events with a known action (such as D or C): all are counted"
                    : "trace %s has no I/O, only other records",
        trace->name);
    return true;
}

bool counted_action_find(struct database *database, const struct catalog_trace *trace,
                         const char *letters, int64_t *action, struct notes *notes,
                         struct error *error) {
    static const char *const stages[] = {"C", "D", "I", "G", "Q"};

    if (letters != NULL) {
        notes_append(notes, "trace %s: I/Os with action %s are counted", trace->name, letters);
        return action_find(database, trace->id, letters, action, error) &&
               (*action != EVENT_NONE ||
                error_set(error, "trace %s has no I/O with action %s", trace->name, letters));
    }
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        if (!action_find(database, trace->id, stages[i], action, error)) {
            return false;
        }
        if (*action != EVENT_NONE && i > 0) {
            notes_append(notes,
                         "trace %s has no completed I/Os (C): events with action %s are counted",
                         trace->name, stages[i]);
        }
        if (*action != EVENT_NONE) {
            return true;
        }
    }
    return count_other_events(database, trace, action, notes, error);
}
