#include "import/timestamp_outliers.h"

#include <stdbool.h>

static bool far_apart(const struct timestamp_outlier *left, const struct timestamp_outlier *right) {
    uint64_t distance = left->time < right->time ? (uint64_t)right->time - (uint64_t)left->time
                                                 : (uint64_t)left->time - (uint64_t)right->time;

    return distance > OUTLIERS_DISTANCE;
}

/* Counts one that is far from two that are not far from one another. */
static void judge(struct timestamp_outliers *state, const struct timestamp_outlier *event,
                  const struct timestamp_outlier *one, const struct timestamp_outlier *other) {
    if (!far_apart(event, one) || !far_apart(event, other) || far_apart(one, other)) {
        return;
    }
    if (state->found < OUTLIERS_REMARKS) {
        state->events[state->found] = *event;
    }
    state->found++;
}

void outliers_open(struct timestamp_outliers *state, size_t source, int64_t number) {
    state->last[0] = state->last[1];
    state->last[1] = state->last[2];
    state->last[2] = (struct timestamp_outlier){.source = source, .number = number};
}

void outliers_note(struct timestamp_outliers *state, int64_t time) {
    struct timestamp_outlier *last = state->last;

    last[2].time = time;
    state->seen++;
    if (state->seen == 3) {
        judge(state, &last[0], &last[1], &last[2]);
    }
    if (state->seen >= 3) {
        judge(state, &last[1], &last[0], &last[2]);
    }
}

void outliers_end(struct timestamp_outliers *state) {
    if (state->seen >= 3) {
        judge(state, &state->last[2], &state->last[0], &state->last[1]);
    }
}
