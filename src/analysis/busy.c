/* Times during which any I/O was waiting or in flight: temp.tally_busy. */
#include "analysis/analysis.h"
#include "base/saturate.h"

/* Limit of separate intervals that may still merge with a later one. */
enum { STRETCHES = 256 };

struct stretch {
    int64_t from, to;
};

/* Union of intervals, added in order of their ends. */
struct cover {
    struct stretch open[STRETCHES]; /* a ring; sorted and disjoint */
    size_t first, count;
    int64_t closed; /* total length of earlier intervals */
};

enum covered { ASKED, DEVICE, WITH_DATA, COVERS };

struct busy_state {
    struct analysis_context *context;
    struct cover covers[COVERS];
};

static struct stretch *last_of(struct cover *cover) {
    return &cover->open[(cover->first + cover->count - 1) % STRETCHES];
}

static void close_first(struct cover *cover) {
    const struct stretch *stretch = &cover->open[cover->first];

    add_saturated(&cover->closed, subtract_saturated(stretch->to, stretch->from));
    cover->first = (cover->first + 1) % STRETCHES;
    cover->count--;
}

/* Adds an interval that ends at `to`, no earlier than those before. */
static void add_stretch(struct cover *cover, int64_t to, int64_t length) {
    int64_t from = subtract_saturated(to, length);

    if (length < 0) {
        return;
    }
    while (cover->count > 0 && last_of(cover)->to >= from) {
        from = last_of(cover)->from < from ? last_of(cover)->from : from;
        cover->count--;
    }
    if (cover->count == STRETCHES) {
        close_first(cover);
    }
    cover->count++;
    *last_of(cover) = (struct stretch){from, to};
}

static void visit(void *busy_state, const struct event_columns *columns, size_t count) {
    struct busy_state *state = busy_state;

    for (size_t i = 0; i < count; i++) {
        const int64_t time = columns->time[i];

        if (columns->duration[i] < 0) {
            continue; /* time in the device unknown */
        }
        add_stretch(&state->covers[ASKED], time, columns->response[i]);
        add_stretch(&state->covers[DEVICE], time, columns->duration[i]);
        if (io_class_of(columns->flags[i]) != IO_FLUSH) {
            add_stretch(&state->covers[WITH_DATA], time, columns->duration[i]);
        }
    }
}

static void end_trace(void *busy_state) {
    struct busy_state *state = busy_state;
    int64_t *closed[COVERS];

    for (int i = 0; i < COVERS; i++) {
        struct cover *cover = &state->covers[i];

        while (cover->count > 0) {
            close_first(cover);
        }
        closed[i] = &cover->closed;
    }
    TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id, *closed[ASKED],
             *closed[DEVICE], *closed[WITH_DATA]);
    for (int i = 0; i < COVERS; i++) {
        state->covers[i] = (struct cover){.count = 0};
    }
}

/* One row per trace, for I/Os with a known issue: time with any I/O between queue (Q) and
 * completion; time with any in the device (D to C); the same without flushes. */
const struct analysis analysis_busy = {
    .name = "busy",
    .tables = {{"tally_busy", "trace, asked, device, data", NULL}},
    .issued = true,
    .pass = PASS_IN_ORDER,
    .apart = true,
    .fields = EVENT_FLAGS | EVENT_DURATION | EVENT_RESPONSE,
    .state_size = sizeof(struct busy_state),
    .visit = visit,
    .end_trace = end_trace,
};
