#include "import/outlying.h"

#include <stdbool.h>

static bool far_apart(const struct outlying_event *left, const struct outlying_event *right) {
    uint64_t distance = left->time < right->time ? (uint64_t)right->time - (uint64_t)left->time
                                                 : (uint64_t)left->time - (uint64_t)right->time;

    return distance > OUTLYING_DISTANCE;
}

/* Counts one that is far from two that are not far from one another. */
static void judge(struct outlying *state, const struct outlying_event *event,
                  const struct outlying_event *one, const struct outlying_event *other) {
    if (!far_apart(event, one) || !far_apart(event, other) || far_apart(one, other)) {
        return;
    }
    if (state->found < OUTLYING_REMARKS) {
        state->events[state->found] = *event;
    }
    state->found++;
}

void outlying_open(struct outlying *state, size_t source, int64_t number) {
    state->last[0] = state->last[1];
    state->last[1] = state->last[2];
    state->last[2] = (struct outlying_event){.source = source, .number = number};
}

void outlying_note(struct outlying *state, int64_t time) {
    struct outlying_event *last = state->last;

    last[2].time = time;
    state->seen++;
    if (state->seen == 3) {
        judge(state, &last[0], &last[1], &last[2]);
    }
    if (state->seen >= 3) {
        judge(state, &last[1], &last[0], &last[2]);
    }
}

void outlying_end(struct outlying *state) {
    if (state->seen >= 3) {
        judge(state, &state->last[2], &state->last[0], &state->last[1]);
    }
}
