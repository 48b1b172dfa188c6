#include "report/wanted_part.h"

#include <stdlib.h>

#include "report/prepare.h"
#include "select/counted_action.h"
#include "select/expansion.h"
#include "select/match.h"
#include "select/window.h"
#include "base/memory.h"

/* Ids that a statement lists; what more of them choose is filtered here. Events of a trace of which
 * a time leaves out little, so that to ask for its ends takes longer than to fetch them. */
enum { MOST_IDS = 1000, MOST_LEFT_IN = 10000 };

/* Reads the ids of a table that match_select() made; none at all where they are too many. */
static bool read_ids(const struct selection *selection, const char *sql, struct database_ids *ids,
                     struct error *error) {
    sqlite3_stmt *select = scratch_prepare(selection->scratch, sql, error);
    int64_t *read = xcalloc(MOST_IDS + 1, sizeof *read);
    bool row = true, done = select != NULL && (read != NULL || error_no_memory(error));
    size_t count = 0;

    while (done && row && count <= MOST_IDS) {
        done = database_step(selection->database, select, &row, error);
        if (done && row) {
            read[count++] = sqlite3_column_int64(select, 0);
        }
    }
    sqlite3_finalize(select);
    if (!done || count > MOST_IDS) {
        free(read);
        return done;
    }
    *ids = (struct database_ids){read, count};
    return true;
}

/* What the filter has named, and the action that is counted. */
static bool take_ids(const struct selection *selection, bool all_actions,
                     struct database_part *part, struct error *error) {
    const struct filter *filter = &selection->filter;

    if (!all_actions && selection->traces[0].action > 0) {
        part->action = selection->traces[0].action;
    }
    return (!filter_by_operation(filter) ||
            read_ids(selection, "SELECT id FROM temp.selected_operation", &part->operations,
                     error)) &&
           (!filter_by_actor(filter) ||
            read_ids(selection, "SELECT id FROM temp.selected_actor", &part->actors, error)) &&
           /* A call may be chosen by what it copied from, too. */
           (!filter_by_object(filter) || selection->traces[0].trace->kind == TRACE_CALLS ||
            read_ids(selection, "SELECT id FROM temp.selected_object", &part->objects, error));
}

/* Finds them in the names of the trace, as a selection of it does. */
static bool find_ids(struct workspace *workspace, const struct filter *filter,
                     const struct choice *choice, bool all_actions, struct database_part *part,
                     struct error *error) {
    struct selection_request request = {
        .traces = &choice->trace,
        .count = 1,
        .filter = *filter,
        .all_actions = choice->query->all_actions,
    };
    struct selection selection = {0};
    struct scratch scratch = {0};
    bool done;

    request.filter.from = request.filter.to = (struct time_bound){0}; /* of events */
    request.filter.hours = (struct day_hours){0};
    done = workspace_scratch(workspace, &scratch, error) &&
           workspace_select(workspace, &scratch, &request, &selection, error) &&
           take_ids(&selection, all_actions, part, error);
    workspace_deselect(workspace, &selection);
    workspace_end_scratch(workspace, &scratch);
    return done;
}

/* Whether the trace has no more than so many events. */
static bool has_only(const struct catalog_trace *trace, int64_t events) {
    return trace->last_event - trace->first_event < events;
}

/* Whether bounds of time are all that was chosen by, and these leave out less than a quarter of the
 * time that a short trace takes. */
static bool comes_whole(const struct catalog_trace *trace, const struct database_part *part) {
    const double length = (double)trace->last_time - (double)trace->first_time,
                 before = (double)part->from - (double)trace->first_time,
                 behind = (double)trace->last_time - (double)part->to;

    return (part->from != INT64_MIN || part->to != INT64_MAX) && has_only(trace, MOST_LEFT_IN) &&
           part->operations.ids == NULL && part->actors.ids == NULL && part->objects.ids == NULL &&
           part->classes_out == 0 && part->values == NULL &&
           (before > 0 ? before : 0) + (behind > 0 ? behind : 0) < length / 4;
}

/* Calls are looked at with those that they are made by, and in which they end. */
static bool find_part(struct workspace *workspace, const struct filter *filter,
                      const struct choice *choice, struct database_part *part,
                      struct error *error) {
    struct window window;
    bool all_actions;

    if (has_only(choice->trace, DATABASE_FEW_EVENTS) || choice->trace->kind == TRACE_SPANS ||
        !prepare_takes_part(choice->query, &all_actions)) {
        return true;
    }
    part->some = true;
    part->classes_out = filter->classes_out;
    if (!window_times(choice->trace, filter, &window, error)) {
        return false;
    }
    part->from = window.from;
    part->to = window.to;
    /* Calls that began before the window have parts in it. All of them come: those that something
     * chooses would not show where the window begins. */
    if (choice->trace->kind != TRACE_IO && filter_cuts_calls(filter) &&
        prepare_counts_parts(choice->query)) {
        part->from = INT64_MIN;
        part->classes_out = 0;
    } else if (!find_ids(workspace, filter, choice, all_actions, part, error)) {
        return false;
    } else if (filter_by_value(filter)) {
        struct text values = {0};

        filter_append_values(filter, choice->trace, "duration", &values);
        part->values = values.bytes;
    }
    part->some = part->from <= part->to && !comes_whole(choice->trace, part);
    return true;
}

bool wanted_parts_find(struct workspace *workspace, const struct report_request *request,
                       const struct choice *choices, size_t choice_count, const int64_t *traces,
                       size_t count, struct database_part **parts, struct error *error) {
    const struct catalog_trace **chosen = xcalloc(choice_count + 1, sizeof(const void *));
    struct expansion expansion = {0};
    size_t place = 0;
    bool done;

    *parts = xcalloc(count + 1, sizeof **parts);
    done = (chosen != NULL && *parts != NULL) || error_no_memory(error);
    for (size_t i = 0; done && i < choice_count; i++) {
        chosen[i] = choices[i].trace;
    }
    done = done && expansion_make(&expansion, workspace->database, chosen, choice_count,
                                  &request->filter, error);
    for (size_t i = 0; done && i < count; i++) {
        (*parts)[i] =
            (struct database_part){.from = INT64_MIN, .to = INT64_MAX, .action = EVENT_NONE};
        while (place < choice_count && choices[place].trace->id != traces[i]) {
            place++;
        }
        done = place == choice_count ||
               find_part(workspace, &expansion.filter, &choices[place], &(*parts)[i], error);
    }
    /* Of two mistakes the report would say first that a name is none of its traces'. */
    done =
        done ||
        (match_check(workspace->database, chosen, choice_count, &expansion.filter, error) && false);
    expansion_free(&expansion);
    free(chosen);
    return done;
}

void wanted_parts_free(struct database_part *parts, size_t count) {
    for (size_t i = 0; parts != NULL && i < count; i++) {
        free((void *)parts[i].operations.ids);
        free((void *)parts[i].actors.ids);
        free((void *)parts[i].objects.ids);
        free(parts[i].values);
    }
    free(parts);
}
