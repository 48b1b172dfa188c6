#include "scan/correction.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "scan/span_walk.h"

/* What a call of a function costs the calls around it. */
struct cost {
    uint32_t operation;
    int64_t overhead; /* ns */
};

struct correction {
    struct database *database;
    sqlite3_stmt *insert; /* owned */
    struct cost *costs;   /* owned; by operation */
    size_t count, capacity;
    int64_t call_overhead; /* of a call without a probe */
    int64_t cut;           /* calls that would have taken less than nothing */
    bool failed;
    struct error *error;
};

/* A call on the stack. */
struct frame {
    int64_t id, duration, self;
    int64_t overhead; /* its own */
    int64_t inside;   /* of all calls in it */
    int64_t callees;  /* of those that it made itself */
};

static int compare_costs(const void *left, const void *right) {
    uint32_t a = ((const struct cost *)left)->operation,
             b = ((const struct cost *)right)->operation;

    return a < b ? -1 : a > b;
}

static void add_cost(struct correction *correction, const struct cost *cost) {
    correction->costs = array_grow(correction->costs, correction->count, &correction->capacity,
                                   sizeof *correction->costs);
    correction->costs[correction->count++] = *cost;
}

/* Reads what the probes of a trace cost, in order of their names. */
static bool read_costs(struct correction *correction, int64_t trace) {
    sqlite3_stmt *select =
        database_prepare(correction->database,
                         "SELECT name, probe_overhead(origin) FROM main.probe WHERE trace = ?1"
                         " ORDER BY name",
                         correction->error);
    bool row = true, done = select != NULL;

    correction->count = 0;
    if (done) {
        sqlite3_bind_int64(select, 1, trace);
    }
    while (done && row) {
        done = database_step(correction->database, select, &row, correction->error);
        if (done && row) {
            const struct cost cost = {(uint32_t)sqlite3_column_int64(select, 0),
                                      sqlite3_column_int64(select, 1)};

            add_cost(correction, &cost);
        }
    }
    sqlite3_finalize(select);
    return done;
}

static int64_t cost_of(const struct correction *correction, uint32_t operation) {
    const struct cost wanted = {.operation = operation};
    const struct cost *cost =
        correction->count == 0
            ? NULL
            : bsearch(&wanted, correction->costs, correction->count, sizeof wanted, compare_costs);

    return cost == NULL ? correction->call_overhead : cost->overhead;
}

static bool enter_call(void *state, const struct span_row *row, void *call, void *caller,
                       struct error *error) {
    const struct correction *correction = state;
    struct frame *frame = call;

    (void)caller;
    (void)error;
    *frame = (struct frame){
        .id = row->id,
        .duration = row->duration,
        .self = row->self,
        .overhead = cost_of(correction, row->operation),
    };
    return true;
}

/* Corrected times are written when all calls inside are known. */
static void leave_call(void *state, void *call, void *above) {
    struct correction *correction = state;
    const struct frame *frame = call;
    struct frame *caller = above;

    if (caller != NULL) {
        add_saturated(&caller->inside, frame->inside);
        add_saturated(&caller->inside, frame->overhead);
        add_saturated(&caller->callees, frame->overhead);
    }
    if (frame->duration == EVENT_NONE || correction->failed) {
        return;
    }
    correction->cut += frame->duration < frame->inside || frame->self < frame->callees;
    sqlite3_bind_int64(correction->insert, 1, frame->id);
    sqlite3_bind_int64(correction->insert, 2,
                       frame->duration > frame->inside ? frame->duration - frame->inside : 0);
    sqlite3_bind_int64(correction->insert, 3,
                       frame->self > frame->callees ? frame->self - frame->callees : 0);
    correction->failed =
        !database_execute(correction->database, correction->insert, correction->error);
}

static const struct span_visitor visitor = {
    .call_size = sizeof(struct frame), .enter = enter_call, .leave = leave_call};

/* All calls of the trace, whatever the filter leaves out. */
static bool correct_trace(struct correction *correction, const struct selection *selection,
                          const struct catalog_trace *trace) {
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
    return read_costs(correction, trace->id) &&
           span_walk(&whole, &all, false, 0, &visit, 1, correction->error) && !correction->failed;
}

static bool remark(const struct correction *correction, struct selection *selection,
                   struct error *error) {
    return notes_add(&selection->notes, error,
                     "times are corrected: without what measuring the calls inside of a call "
                     "cost") &&
           (correction->cut == 0 ||
            notes_add(&selection->notes, error,
                      "shorter than what the calls inside of them cost, corrected to 0: "
                      "%" PRId64 " calls of the log",
                      correction->cut));
}

bool correction_find(struct selection *selection, struct error *error) {
    struct correction correction = {.database = selection->database, .error = error};
    bool done;

    if (selection->times != CALL_TIMES_CORRECTED) {
        return true;
    }
    correction.insert = temp_schema_prepare(
        selection->temp, "INSERT INTO temp.corrected_time VALUES (?1, ?2, ?3)", error);
    done = correction.insert != NULL;
    for (size_t i = 0; done && i < selection->count; i++) {
        done = correct_trace(&correction, selection, selection->traces[i].trace);
    }
    sqlite3_finalize(correction.insert);
    free(correction.costs);
    return done && remark(&correction, selection, error);
}
