/* How long any I/O was waited for, how long the device had one, and how long one with data:
 * temp.tally_busy. */
#include "analysis/analysis.h"
#include "base/saturate.h"

/* Stretches that are apart, of which one that ends later may still take some in. */
enum { STRETCHES = 256 };

struct stretch {
    int64_t from, to;
};

/* The union of stretches that come in order of their ends. */
struct cover {
    struct stretch open[STRETCHES]; /* a ring; ascending, and apart */
    size_t first, count;
    int64_t closed; /* the sum of those before */
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

/* Adds what ended at `to`, not before any that was added. */
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
            continue; /* of what the device had then nothing is known */
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

/* A row a trace, of I/Os whose issue is known: how long some I/O was on its way, from where it was
 * asked for (Q) to its end; how long one was in the device (D to C); and how long one that is no
 * flush was. */
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
