/* Counts I/Os by the background work that they overlapped: checkpoints and collections of F2FS,
 * from another trace of the log, and discards, which are I/Os of the trace itself. The first pass
 * collects the work as disjoint intervals; the following ones count I/Os. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "model/event.h"

enum activity { CHECKPOINT, COLLECTION, DISCARD, ACTIVITIES };

/* What I/Os are counted by: an activity that they overlapped, none, or all I/Os. */
enum { NO_ACTIVITY = ACTIVITIES, ALL_IOS, GROUPS };

static const char *const group_labels[GROUPS] = {
    [CHECKPOINT] = "checkpoint", [COLLECTION] = "collection", [DISCARD] = "discard",
    [NO_ACTIVITY] = "none",      [ALL_IOS] = "all",
};

struct work_interval {
    int64_t from, to;
};

/* Disjoint intervals, sorted by time. */
struct work {
    struct work_interval *intervals; /* owned */
    size_t count, capacity;
    size_t begun; /* number of intervals that began before the I/O that is visited */
};

/* The work of a trace, and its I/Os. */
struct background_trace {
    int64_t trace;
    struct work work[ACTIVITIES];
    int64_t first, last; /* begin of the first I/O, end of the last; no I/O: first > last */
};

struct background_state {
    struct analysis_context *context;
    struct background_trace *traces; /* owned */
    size_t trace_count, capacity;
    struct background_trace *current; /* trace of the current pass */
    struct distribution *distribution;
    size_t numbers[GROUPS]; /* groups of the distribution */
    int64_t bytes[GROUPS];
    int64_t ios, unissued; /* I/Os, and those whose issue is not in the log */
    bool collected;        /* true: all work is known, and I/Os are counted */
    bool summed;           /* true: `bytes` is complete */
};

static void background_begin(void *background_state) {
    struct background_state *state = background_state;

    state->distribution = distribution_new((struct distribution_shape){0});
    for (size_t i = 0; i < GROUPS; i++) {
        state->numbers[i] = distribution_group(state->distribution, group_labels[i],
                                               strlen(group_labels[i]), &state->context->error);
    }
}

/* Adds an interval. Intervals come in order of begin, or in order of end. */
static void add_work(struct work *work, int64_t from, int64_t to) {
    while (work->count > 0 && work->intervals[work->count - 1].to > from) {
        const struct work_interval *last = &work->intervals[--work->count];

        from = last->from < from ? last->from : from;
        to = last->to > to ? last->to : to;
    }
    *ARRAY_NEW(work->intervals, work->count, work->capacity) = (struct work_interval){from, to};
}

/* Reads checkpoints and collections. Those without an end last until the end of their trace. */
static void read_work_of_file_system(struct background_state *state) {
    struct database_query query = database_query(
        state->context->database, &state->context->error,
        "SELECT n.text GLOB 'collection*', e.time,"
        " e.time + ifnull(e.duration, o.last_time - e.time) AS \"end\""
        " FROM main.trace AS t JOIN main.trace AS o ON o.log = t.log AND o.kind = 'spans'"
        " CROSS JOIN main.event AS e ON e.id BETWEEN o.first_event AND o.last_event"
        " CROSS JOIN main.name AS n ON n.id = e.operation"
        " WHERE t.id = ?1 AND n.kind = 'background'"
        " AND (n.text GLOB 'checkpoint*' OR n.text GLOB 'collection*')"
        " AND EXISTS (SELECT 1 FROM main.name AS b WHERE b.trace = o.id AND b.kind = 'background')"
        " ORDER BY e.time",
        "i", state->current->trace);

    while (database_next(&query)) {
        const bool collects = sqlite3_column_int(query.row, 0) != 0;

        add_work(&state->current->work[collects ? COLLECTION : CHECKPOINT],
                 sqlite3_column_int64(query.row, 1), sqlite3_column_int64(query.row, 2));
    }
    database_end(&query);
}

static void background_begin_trace(void *background_state) {
    struct background_state *state = background_state;
    const int64_t trace = state->context->trace->trace->id;

    if (state->collected) {
        state->current = state->traces;
        while (state->current->trace != trace) {
            state->current++;
        }
        for (size_t i = 0; i < ACTIVITIES; i++) {
            state->current->work[i].begun = 0;
        }
        return;
    }
    state->current = ARRAY_NEW(state->traces, state->trace_count, state->capacity);
    *state->current =
        (struct background_trace){.trace = trace, .first = INT64_MAX, .last = INT64_MIN};
    read_work_of_file_system(state);
}

/* Takes an I/O in the first pass: a discard is work of its trace. */
static void collect_io(struct background_trace *trace, bool is_discard, int64_t from, int64_t to) {
    if (!is_discard) {
        trace->first = from < trace->first ? from : trace->first;
        trace->last = to;
    } else if (from < to) {
        add_work(&trace->work[DISCARD], from, to);
    }
}

/* Returns whether an I/O overlaps work. I/Os come in order of `to`. */
static bool overlaps_work(struct work *work, int64_t from, int64_t to) {
    while (work->begun < work->count && work->intervals[work->begun].from < to) {
        work->begun++;
    }
    return work->begun > 0 && work->intervals[work->begun - 1].to > from;
}

static void count_io(struct background_state *state, int64_t from, int64_t to, int64_t size) {
    bool counts[GROUPS] = {[NO_ACTIVITY] = true, [ALL_IOS] = true};

    for (size_t i = 0; i < ACTIVITIES; i++) {
        counts[i] = overlaps_work(&state->current->work[i], from, to);
        counts[NO_ACTIVITY] &= !counts[i];
    }
    for (size_t i = 0; i < GROUPS; i++) {
        if (counts[i]) {
            distribution_count(state->distribution, state->numbers[i], to - from);
            add_saturated(&state->bytes[i], state->summed ? 0 : size);
        }
    }
}

static void background_visit(void *background_state, const struct event_columns *columns,
                             size_t count) {
    struct background_state *state = background_state;

    for (size_t i = 0; i < count; i++) {
        const int64_t to = columns->time[i], from = subtract_saturated(to, columns->duration[i]);
        const bool is_discard = (columns->flags[i] & IO_FLAG_DISCARD) != 0;
        const bool has_issue = columns->duration[i] >= 0;

        state->ios += !state->collected;
        state->unissued += !state->collected && !has_issue;
        if (has_issue && !state->collected) {
            collect_io(state->current, is_discard, from, to);
        } else if (has_issue && !is_discard) {
            count_io(state, from, to, columns->size[i] > 0 ? columns->size[i] : 0);
        }
    }
}

static bool background_again(void *background_state) {
    struct background_state *state = background_state;

    if (state->collected) {
        state->summed = true;
        return distribution_end_pass(state->distribution);
    }
    state->collected = true;
    for (size_t i = 0; i < state->trace_count; i++) {
        for (size_t k = 0; k < ACTIVITIES; k++) {
            if (state->traces[i].work[k].count > 0) {
                return true;
            }
        }
    }
    return false;
}

static void background_write(void *background_state) {
    struct background_state *state = background_state;
    struct analysis_context *context = state->context;

    for (size_t i = 0; i < state->trace_count; i++) {
        const struct background_trace *trace = &state->traces[i];

        for (size_t k = 0; k < ACTIVITIES && trace->first <= trace->last; k++) {
            temp_rows_text(&context->tables[1], 2, group_labels[k], strlen(group_labels[k]));
            for (size_t at = 0; at < trace->work[k].count; at++) {
                TEMP_ROW(&context->tables[1], trace->trace, trace->work[k].intervals[at].from,
                         trace->work[k].intervals[at].to, trace->first, trace->last);
            }
        }
    }
    for (size_t i = 0; i < GROUPS; i++) {
        temp_rows_text(&context->tables[2], 1, group_labels[i], strlen(group_labels[i]));
        temp_rows_add(&context->tables[2], &state->bytes[i], 1);
    }
    TEMP_ROW(&context->tables[3], state->unissued, state->ios);
    distribution_write(state->distribution, context->temp, &context->error);
}

static void background_free(void *background_state) {
    struct background_state *state = background_state;

    for (size_t i = 0; i < state->trace_count; i++) {
        for (size_t k = 0; k < ACTIVITIES; k++) {
            free(state->traces[i].work[k].intervals);
        }
    }
    free(state->traces);
    distribution_free(state->distribution);
}

/* temp.distribution: durations of I/Os other than discards, by the activity that they overlapped
 * (checkpoint, collection, discard), `none` or `all`. An I/O can be in several groups.
 * temp.background_bytes: bytes of each group. temp.background_work: disjoint intervals of each
 * activity, with the begin of the trace's first I/O and the end of its last one; without I/Os it
 * has no rows. temp.background_count: a row with the number of I/Os, discards included, and of
 * those whose issue is not in the log. */
const struct analysis analysis_background = {
    .name = "background",
    .tables = {{"distribution", DISTRIBUTION_COLUMNS, "name"},
               {"background_work", "trace, activity, begin, \"end\", first, last", NULL},
               {"background_bytes", "activity, bytes", NULL},
               {"background_count", "unissued, ios", NULL}},
    .pass = PASS_IN_ORDER,
    .leaves_out = true,
    .apart = true,
    .fields = EVENT_FLAGS | EVENT_DURATION | EVENT_SIZE,
    .state_size = sizeof(struct background_state),
    .begin = background_begin,
    .begin_trace = background_begin_trace,
    .visit = background_visit,
    .again = background_again,
    .write = background_write,
    .free = background_free,
};
