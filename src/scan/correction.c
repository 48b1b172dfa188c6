#include "scan/correction.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"
#include "scan/span_walk.h"

/* Overhead of a function's calls for their callers. */
struct cost {
    uint32_t operation; /* first member, for compare_uint32() */
    int64_t overhead;   /* ns */
};

struct correction {
    struct temp_rows rows;
    struct cost *costs; /* owned; sorted by operation */
    size_t count, capacity;
    int64_t call_overhead; /* overhead of a call without a probe */
    int64_t cut;           /* calls whose corrected time would be negative */
};

/* A call on the stack. */
struct frame {
    int64_t id, duration, self;
    int64_t overhead; /* its own overhead */
    int64_t inside;   /* overhead of all inner calls */
    int64_t callees;  /* overhead of direct callees */
};

/* Reads the overhead of a trace's probes, in order of name. */
static bool read_costs(struct correction *correction, int64_t trace, struct error *error) {
    struct database_query query = database_query(
        correction->rows.temp->database, error,
        "SELECT name, probe_overhead(origin) FROM main.probe WHERE trace = ?1 ORDER BY name", "i",
        trace);

    correction->count = 0;
    while (database_next(&query)) {
        *ARRAY_NEW(correction->costs, correction->count, correction->capacity) = (struct cost){
            (uint32_t)sqlite3_column_int64(query.row, 0), sqlite3_column_int64(query.row, 1)};
    }
    return database_end(&query);
}

static int64_t cost_of(const struct correction *correction, uint32_t operation) {
    const struct cost wanted = {.operation = operation};
    const struct cost *cost =
        correction->count == 0
            ? NULL
            : bsearch(&wanted, correction->costs, correction->count, sizeof wanted, compare_uint32);

    return cost == NULL ? correction->call_overhead : cost->overhead;
}

static bool correction_enter_call(void *state, const struct span_row *row, void *call, void *caller,
                                  struct error *error) {
    const struct correction *correction = state;
    struct frame *frame = call;

    *frame = (struct frame){
        .id = row->id,
        .duration = row->duration,
        .self = row->self,
        .overhead = cost_of(correction, row->operation),
    };
    return true;
}

/* Writes corrected times once all inner calls are known. */
static void correction_leave_call(void *state, void *call, void *above) {
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
                                            .leave = correction_leave_call};

/* Processes all calls of the trace, regardless of the filter. */
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
    return read_costs(correction, trace->id, error) &&
           span_walk(&whole, &all, false, 0, &visit, 1, error);
}

bool correction_find(struct selection *selection, struct error *error) {
    struct correction correction = {
        .rows = {selection->temp, "corrected_time", error, .columns = 3}};
    bool done = true;

    if (selection->times != CALL_TIMES_CORRECTED) {
        return true;
    }
    for (size_t i = 0; done && i < selection->count; i++) {
        done = correct_trace(&correction, selection, selection->traces[i].trace, error);
    }
    free(correction.costs);
    notes_append(&selection->notes,
                 "times are corrected: without what measuring the calls inside of a call cost");
    if (correction.cut > 0) {
        notes_append(&selection->notes,
                     "shorter than what the calls inside of them cost, corrected to 0: "
                     "%" PRId64 " calls of the log",
                     correction.cut);
    }
    return temp_rows_end(&correction.rows) && done;
}
