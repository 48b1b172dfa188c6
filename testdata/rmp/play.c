#include "play.h"

#include <stdlib.h>
#include <string.h>

static bool overloaded(const struct program *program, int function) {
    const struct function *one = &program->functions[function];

    for (size_t i = 0; one->signature != NULL && i < program->function_count; i++) {
        const struct function *other = &program->functions[i];

        if (other->signature != NULL && strcmp(one->group, other->group) == 0 &&
            strcmp(one->method, other->method) == 0 &&
            strcmp(one->signature, other->signature) != 0) {
            return true;
        }
    }
    return false;
}

void function_name(const struct program *program, int function, char *name, size_t size) {
    const struct function *one = &program->functions[function];

    if (one->method == NULL) {
        snprintf(name, size, "%s", one->group);
        return;
    }
    snprintf(name, size, "%s%s%s%s", one->group, one->group[0] == '\0' ? "" : ".", one->method,
             overloaded(program, function) ? one->signature : "");
}

void play_begin(struct play *play, const struct program *program) {
    *play = (struct play){.program = program, .thread = -1};
}

void play_thread(struct play *play, int thread, int64_t wall) {
    play->thread = thread;
    play->depth = 0;
    play->now = (struct moment){.wall = wall, .cpu = 0};
}

static void add_event(struct play *play, enum action action, int function, int call) {
    struct event *event;
    int parent = call < 0 ? -1 : play->calls[call].parent;

    play->events = grow(play->events, play->event_count, &play->event_capacity, sizeof *event);
    event = &play->events[play->event_count];
    *event = (struct event){.action = action,
                            .function = function,
                            .thread = play->thread,
                            .caller = parent < 0 ? -1 : play->calls[parent].function,
                            .call = call,
                            .at = play->now,
                            .back = play->back,
                            .order = play->event_count};
    play->event_count++;
    play->back = 0;
}

void play_enter(struct play *play, int function) {
    struct call *call;

    play->calls = grow(play->calls, play->count, &play->capacity, sizeof *call);
    call = &play->calls[play->count];
    *call = (struct call){.function = function,
                          .thread = play->thread,
                          .parent = play->depth == 0 ? -1 : play->stack[play->depth - 1],
                          .state = OPEN,
                          .begin = play->now};
    if (play->depth == STACK) {
        die("the stack is full");
    }
    play->stack[play->depth++] = (int)play->count;
    add_event(play, ENTRY, function, (int)play->count);
    play->count++;
}

static int end_call(struct play *play, int state) {
    int call = play->stack[--play->depth];

    play->calls[call].end = play->now;
    play->calls[call].state = state;
    return call;
}

static void leave(struct play *play, enum action action) {
    int call = end_call(play, COMPLETE);

    add_event(play, action, play->calls[call].function, call);
}

void play_leave(struct play *play) {
    leave(play, EXIT);
}

void play_throw(struct play *play) {
    leave(play, THROWN);
}

void play_unwind(struct play *play, int function) {
    while (play->calls[play->stack[play->depth - 1]].function != function) {
        end_call(play, MISSING);
    }
    play_leave(play);
}

void play_stray(struct play *play, int function) {
    add_event(play, EXIT, function, -1);
}

void play_spend(struct play *play, int64_t microseconds) {
    play->now.wall += microseconds * MICROSECOND;
    play->now.cpu += (microseconds - microseconds / 8) * MICROSECOND;
}

void play_wait(struct play *play, int64_t microseconds) {
    play->now.wall += microseconds * MICROSECOND;
}

void play_back(struct play *play, int64_t microseconds) {
    play->back = microseconds * MICROSECOND;
}

static int compare_events(const void *left, const void *right) {
    const struct event *one = left, *other = right;

    if (one->at.wall != other->at.wall) {
        return one->at.wall < other->at.wall ? -1 : 1;
    }
    return one->order < other->order ? -1 : 1;
}

void play_end(struct play *play) {
    qsort(play->events, play->event_count, sizeof *play->events, compare_events);
}

void play_free(struct play *play) {
    free(play->calls);
    free(play->events);
    *play = (struct play){0};
}

/* Callers in between with their probes off are not seen: the calls of theirs are their callers'.
 * Events keep naming the true caller. */
void play_select(struct play *seen, const struct play *whole, const bool *on) {
    int *nearest = allocate(whole->count, sizeof *nearest); /* seen call at or around each */

    play_begin(seen, whole->program);
    for (size_t i = 0; i < whole->count; i++) {
        struct call call = whole->calls[i];
        int parent = call.parent < 0 ? -1 : nearest[call.parent];

        nearest[i] = parent;
        if (on[call.function]) {
            nearest[i] = (int)seen->count;
            call.parent = parent;
            seen->calls = grow(seen->calls, seen->count, &seen->capacity, sizeof call);
            seen->calls[seen->count++] = call;
        }
    }
    for (size_t i = 0; i < whole->event_count; i++) {
        struct event event = whole->events[i];

        if (on[event.function]) {
            event.call = event.call < 0 ? -1 : nearest[event.call];
            seen->events =
                grow(seen->events, seen->event_count, &seen->event_capacity, sizeof event);
            seen->events[seen->event_count++] = event;
        }
    }
    free(nearest);
}

int64_t play_sum(const struct play *play, int function) {
    int64_t sum = 0;

    for (size_t i = 0; i < play->count; i++) {
        if (play->calls[i].function == function) {
            sum += play->calls[i].end.wall - play->calls[i].begin.wall;
        }
    }
    return sum;
}
