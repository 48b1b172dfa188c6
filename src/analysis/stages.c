/* How long each stage of a request took, by btt's definitions: the groups of temp.distribution; and
 * what of the trace had no part in that: temp.stage_count. docs/decisions.md says where btt is not
 * followed.
 *
 * What is asked for (Q) is outstanding until all of it has completed (C). Each later step is of
 * sectors, and belongs to what is outstanding there in the same direction:
 *
 *     Q2Q  from a Q of the device to the next
 *     Q2G  from Q to the G at its sectors: a request was had
 *     G2I  from there to I: it was inserted into the queue
 *     Q2M  from Q to M or F: it was merged into a request
 *     I2D  from I to D: it was dispatched
 *     M2D  the same, from M or F, of what was merged
 *     D2C  from the last D to C, for each Q of the request
 *     Q2C  likewise from Q
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "base/pair_numbers.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/text.h"
#include "scan/distribution.h"
#include "select/counted_action.h"
#include "store/devices.h"

#define STAGES_OUTSTANDING 65536 /* Qs; then the oldest is given up */

enum {
    STAGES_DEVICES = 256, /* told apart; further ones share a place */
    SECTOR = 512,
    MOST_REMEMBERED = 262144, /* groups of processes: those looked up are forgotten beyond that */
};

/* What the groups are told apart by, beside the stage. */
enum stages_by { BY_NOTHING, BY_DISK, BY_PROCESS };

enum stage { Q2Q, Q2G, G2I, Q2M, I2D, M2D, D2C, Q2C, STAGES };

/* Actions that are steps. */
enum step { STEP_Q, STEP_G, STEP_I, STEP_D, STEP_C, STEP_M, STEP_F, STEP_X, STEP_R, STEPS };
static const char *const step_letters[STEPS] = {"Q", "G", "I", "D", "C", "M", "F", "X", "R"};

enum direction { DIRECTION_READ, DIRECTION_WRITE, DIRECTION_DISCARD, DIRECTION_OTHER };

/* What was asked for and has not completed. Times are EVENT_NONE as long as they are not known. */
struct asked {
    struct asked *older, *newer; /* over all devices */
    size_t device;               /* its place */
    int64_t start, end, left;    /* sectors; of them not completed yet */
    int64_t q, g, i, m, d;
    int64_t issued_end; /* sector behind the request that was dispatched */
    uint32_t actor;
    enum direction direction;
};

/* A device. What is outstanding there is in order of its first sector, what is older first. */
struct stage_device {
    int64_t device;
    struct asked **asked; /* owned array of borrowed entries */
    size_t count, capacity;
    int64_t longest; /* sectors of one of them, at most */
    bool lossy;      /* events are missing: the newest comes first, and durations tell the pairs */
    int64_t last_q;  /* EVENT_NONE: none yet */
};

struct stage_counts {
    int64_t asked, requeued, issued, split, unasked, forgotten, left, no_q, given_up;
};

struct stage_state {
    struct analysis_context *context;
    struct distribution *distribution; /* owned */
    /* By what stages are of (a device's place, an actor or nothing) and the stage: numbers of
     * groups, from 1. */
    struct pair_numbers groups;
    struct text name;              /* of a group */
    bool counted;                  /* in the first pass */
    int64_t steps[STEPS];          /* name.id of the actions, EVENT_NONE: the trace has none */
    struct devices object_devices; /* owned */
    int64_t lossy[STAGES_DEVICES]; /* devices that main.pairing tells of */
    size_t lossy_count;
    struct stage_device devices[STAGES_DEVICES];
    size_t device_count;
    struct asked *oldest, *newest; /* owned, all of them */
    size_t outstanding;
    struct stage_counts counts;
};

/* A step of some sectors. */
struct request {
    int64_t time, start, end;
    enum direction direction;
    uint32_t actor;
    int64_t duration, response; /* of C */
    int64_t value;              /* of X: the sector where it is split */
};

/* --- what is outstanding -----------------------------------------------------------------------
 */

static bool is_lossy(const struct stage_state *state, int64_t device) {
    for (size_t i = 0; i < state->lossy_count; i++) {
        if (state->lossy[i] == device) {
            return true;
        }
    }
    return false;
}

static size_t find_device(struct stage_state *state, int64_t device) {
    for (size_t i = 0; i < state->device_count; i++) {
        if (state->devices[i].device == device || i == STAGES_DEVICES - 1) {
            return i;
        }
    }
    state->devices[state->device_count] = (struct stage_device){
        .device = device, .lossy = is_lossy(state, device), .last_q = EVENT_NONE};
    return state->device_count++;
}

/* How many of the device's begin before the sector. */
static size_t count_before(const struct stage_device *device, int64_t sector) {
    size_t low = 0, high = device->count;

    SEARCH(low, high, middle, device->asked[middle]->start < sector);
    return low;
}

/* The first that may reach to the sector. */
static size_t first_at(const struct stage_device *device, int64_t sector) {
    return count_before(device, sector - device->longest + 1);
}

static void unlink_asked(struct stage_state *state, struct asked *asked) {
    struct stage_device *device = &state->devices[asked->device];
    size_t at = count_before(device, asked->start);

    while (at < device->count && device->asked[at] != asked) {
        at++;
    }
    if (at < device->count) {
        device->count--;
        memmove(&device->asked[at], &device->asked[at + 1],
                (device->count - at) * sizeof(struct asked *));
    }
    device->longest = device->count == 0 ? 0 : device->longest;
    *(asked->older == NULL ? &state->oldest : &asked->older->newer) = asked->newer;
    *(asked->newer == NULL ? &state->newest : &asked->newer->older) = asked->older;
    state->outstanding--;
    free(asked);
}

/* Adds a copy as the newest. */
static void link_asked(struct stage_state *state, const struct asked *from) {
    struct stage_device *device = &state->devices[from->device];
    int64_t length = from->end - from->start;
    struct asked *asked;
    size_t at;

    if (state->outstanding == STAGES_OUTSTANDING) {
        state->counts.forgotten++;
        unlink_asked(state, state->oldest);
    }
    device->asked =
        array_grow(device->asked, device->count, &device->capacity, sizeof(struct asked *));
    asked = xmalloc(sizeof *asked);
    *asked = *from;
    asked->older = state->newest;
    asked->newer = NULL;
    *(state->newest == NULL ? &state->oldest : &state->newest->newer) = asked;
    state->newest = asked;
    state->outstanding++;
    at = count_before(device, asked->start + 1);
    memmove(&device->asked[at + 1], &device->asked[at],
            (device->count - at) * sizeof(struct asked *));
    device->asked[at] = asked;
    device->count++;
    device->longest = length > device->longest ? length : device->longest;
}

static void forget_all(struct stage_state *state) {
    while (state->oldest != NULL) {
        unlink_asked(state, state->oldest);
    }
    for (size_t i = 0; i < state->device_count; i++) {
        free(state->devices[i].asked);
    }
    state->device_count = 0;
}

/* --- groups ------------------------------------------------------------------------------------
 */

/* Appends the name of the process that an actor is of, nothing where it has none. */
static void append_process(struct stage_state *state, uint32_t actor) {
    struct analysis_context *context = state->context;
    struct database_query query =
        database_query(context->database, &context->error,
                       "SELECT name FROM main.actor WHERE id = ?1", "u", actor);

    if (database_next(&query) && sqlite3_column_type(query.row, 0) != SQLITE_NULL) {
        text_append(&state->name, (const char *)sqlite3_column_text(query.row, 0),
                    (size_t)sqlite3_column_bytes(query.row, 0));
    }
    database_end(&query);
}

/* A group is called by the digit of the stage and, behind it, what it is of. */
static size_t find_group(struct stage_state *state, const struct asked *asked, enum stage stage) {
    const enum stages_by by = (enum stages_by)state->context->analysis->variant;
    const int64_t device = state->devices[asked->device].device;
    const uint32_t of = by == BY_DISK      ? (uint32_t)asked->device
                        : by == BY_PROCESS ? asked->actor
                                           : 0;
    const uint32_t known = pair_numbers_find(&state->groups, of, stage);
    size_t group;

    if (known != 0) {
        return known - 1;
    }
    if (state->groups.count == MOST_REMEMBERED) {
        pair_numbers_clear(&state->groups);
    }
    text_clear(&state->name);
    text_append_integer(&state->name, stage);
    if (by == BY_DISK && device >= 0) {
        text_append_format(&state->name, "%lld:%lld", (long long)(device >> 20),
                           (long long)(device & ((1 << 20) - 1)));
    } else if (by == BY_PROCESS) {
        append_process(state, asked->actor);
    }
    group = distribution_group(state->distribution, text_string(&state->name), state->name.length,
                               &state->context->error);
    pair_numbers_add(&state->groups, of, stage, (uint32_t)group + 1);
    return group;
}

/* Where it is known since when. As btt has it, what took no time took 1 ns. */
static void add_since(struct stage_state *state, const struct asked *asked, enum stage stage,
                      int64_t from, int64_t to) {
    if (from != EVENT_NONE) {
        int64_t taken = difference_saturated(to, from);

        distribution_count(state->distribution, find_group(state, asked, stage),
                           taken > 0 ? taken : 1);
    }
}

/* --- steps -------------------------------------------------------------------------------------
 */

/* What a request asks for, in a device's place, and nothing has been done for. */
static struct asked new_asked(size_t place, const struct request *request) {
    return (struct asked){
        .device = place,
        .start = request->start,
        .end = request->end,
        .left = request->end - request->start,
        .q = EVENT_NONE,
        .g = EVENT_NONE,
        .i = EVENT_NONE,
        .m = EVENT_NONE,
        .d = EVENT_NONE,
        .actor = request->actor,
        .direction = request->direction,
    };
}

static void ask(struct stage_state *state, size_t place, const struct request *request) {
    struct stage_device *device = &state->devices[place];
    struct asked asked = new_asked(place, request);

    asked.q = request->time;
    state->counts.asked++;
    add_since(state, &asked, Q2Q, device->last_q, request->time);
    device->last_q = request->time;
    link_asked(state, &asked);
}

/* The oldest, or newest where events are missing, that a step of one Q is about: its first sector
 * lies in it, and it has not gone that way. NULL: there is none. */
static struct asked *find_asked(const struct stage_state *state, size_t place,
                                const struct request *request) {
    const struct stage_device *device = &state->devices[place];
    struct asked *found = NULL;

    for (size_t at = first_at(device, request->start);
         at < device->count && device->asked[at]->start <= request->start; at++) {
        struct asked *asked = device->asked[at];

        if (asked->end > request->start && asked->direction == request->direction &&
            asked->g == EVENT_NONE && asked->m == EVENT_NONE && asked->d == EVENT_NONE &&
            (found == NULL || (device->lossy ? asked->q >= found->q : asked->q < found->q))) {
            found = asked;
        }
    }
    return found;
}

static void get(struct stage_state *state, size_t place, const struct request *request) {
    struct asked *asked = find_asked(state, place, request);

    if (asked != NULL) {
        asked->g = request->time;
        add_since(state, asked, Q2G, asked->q, request->time);
    }
}

static void merge_into(struct stage_state *state, size_t place, const struct request *request) {
    struct asked *asked = find_asked(state, place, request);

    if (asked != NULL) {
        asked->m = request->time;
        add_since(state, asked, Q2M, asked->q, request->time);
    }
}

/* What was asked for in one piece goes on in two. */
static void split(struct stage_state *state, size_t place, const struct request *request) {
    const int64_t sector = request->value;
    struct asked *asked = find_asked(state, place, request);
    struct asked rest;

    state->counts.split++;
    if (asked == NULL || sector <= asked->start || sector >= asked->end) {
        return;
    }
    rest = *asked;
    rest.start = sector;
    rest.left = rest.end - sector;
    asked->end = sector;
    asked->left = sector - asked->start;
    link_asked(state, &rest);
}

/* Whether a step may be of what is outstanding. */
typedef bool may_be(const struct asked *asked);

static bool waits_for_insert(const struct asked *asked) {
    return asked->i == EVENT_NONE && asked->m == EVENT_NONE && asked->d == EVENT_NONE;
}

static bool waits_for_issue(const struct asked *asked) {
    return asked->d == EVENT_NONE;
}

static bool is_issued(const struct asked *asked) {
    return asked->d != EVENT_NONE;
}

static bool is_any(const struct asked *asked) {
    return true;
}

static bool fits_request(const struct asked *asked, const struct request *request, may_be *fits) {
    return asked->end > request->start && asked->direction == request->direction && fits(asked);
}

/* Where events are missing, the newest that begins where the one at `*at` does. */
static void go_to_newest(const struct stage_device *device, const struct request *request,
                         may_be *fits, size_t *at) {
    size_t newest = *at;

    for (size_t next = *at + 1; device->lossy && next < device->count &&
                                device->asked[next]->start == device->asked[*at]->start;
         next++) {
        newest = fits_request(device->asked[next], request, fits) ? next : newest;
    }
    *at = newest;
}

/* The next of a request's, from `*at` on: of those at the same sectors the oldest, so that each
 * sector belongs to one. `*sector` is how far it is told. */
static struct asked *next_of(const struct stage_state *state, size_t place,
                             const struct request *request, may_be *fits, size_t *at,
                             int64_t *sector) {
    const struct stage_device *device = &state->devices[place];

    for (; *at < device->count && device->asked[*at]->start < request->end; ++*at) {
        struct asked *asked = device->asked[*at];

        if (asked->start >= *sector && fits_request(asked, request, fits)) {
            go_to_newest(device, request, fits, at);
            asked = device->asked[(*at)++];
            *sector = asked->end;
            return asked;
        }
    }
    return NULL;
}

/* Merged ones go with the request, but were not inserted themselves. */
static void insert(struct stage_state *state, size_t place, const struct request *request) {
    size_t at = first_at(&state->devices[place], request->start);
    int64_t sector = INT64_MIN;
    struct asked *asked;

    while ((asked = next_of(state, place, request, waits_for_insert, &at, &sector)) != NULL) {
        asked->i = request->time;
        add_since(state, asked, G2I, asked->g, request->time);
    }
}

static void issue(struct stage_state *state, size_t place, const struct request *request) {
    size_t at = first_at(&state->devices[place], request->start);
    int64_t sector = INT64_MIN;
    struct asked *asked;
    bool found = false;

    state->counts.issued++;
    while ((asked = next_of(state, place, request, waits_for_issue, &at, &sector)) != NULL) {
        found = true;
        asked->d = request->time;
        asked->issued_end = request->end;
        if (asked->i != EVENT_NONE) {
            add_since(state, asked, I2D, asked->i, request->time);
        } else {
            add_since(state, asked, M2D, asked->m, request->time);
        }
    }
    state->counts.unasked += !found;
    /* Where no Q is told of at all, the time since D is. */
    if (!found && state->steps[STEP_Q] == EVENT_NONE) {
        struct asked unasked = new_asked(place, request);

        unasked.d = request->time;
        unasked.issued_end = request->end;
        link_asked(state, &unasked);
    }
}

/* The newest request there waits for its D again; how long it waited before is told already. */
static void requeue(struct stage_state *state, size_t place, const struct request *request) {
    const struct stage_device *device = &state->devices[place];
    size_t first = first_at(device, request->start), last = count_before(device, request->end);
    int64_t newest = EVENT_NONE;

    state->counts.requeued++;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t at = first; at < last; at++) {
            struct asked *asked = device->asked[at];

            if (asked->d == EVENT_NONE || asked->end <= request->start ||
                asked->direction != request->direction) {
                continue;
            }
            if (pass == 0) {
                newest = asked->d > newest ? asked->d : newest;
            } else if (asked->d == newest) {
                asked->d = asked->i = asked->m = EVENT_NONE;
            }
        }
    }
}

/* It has completed as a whole, and is forgotten. */
static void end_asked(struct stage_state *state, struct asked *asked, int64_t time) {
    add_since(state, asked, D2C, asked->d, time);
    add_since(state, asked, Q2C, asked->q, time);
    unlink_asked(state, asked);
}

/* Whether something that fits was outstanding. */
static bool complete_those(struct stage_state *state, size_t place, const struct request *request,
                           may_be *fits) {
    size_t at = first_at(&state->devices[place], request->start);
    int64_t sector = INT64_MIN;
    struct asked *asked;
    bool found = false;

    while ((asked = next_of(state, place, request, fits, &at, &sector)) != NULL) {
        int64_t from = asked->start > request->start ? asked->start : request->start;
        int64_t to = asked->end < request->end ? asked->end : request->end;

        found = true;
        asked->left -= to - from;
        if (asked->left <= 0) {
            end_asked(state, asked, request->time);
            at--;
        }
    }
    return found;
}

/* Whether the import has found out that the completion is of that one. It says nothing of a part
 * but the last, which then is of a request that reaches further. */
static bool is_pair(const struct asked *asked, const struct request *request) {
    if (asked->end <= request->start || asked->direction != request->direction) {
        return false;
    }
    if (request->duration != EVENT_NONE) {
        return asked->d != EVENT_NONE && request->time - request->duration == asked->d;
    }
    if (asked->d != EVENT_NONE) {
        return asked->issued_end > request->end;
    }
    return request->response != EVENT_NONE && request->time - request->response == asked->q;
}

/* Gives up what is older than a request that has completed: it lacks a step. */
static void give_up_older(struct stage_state *state, size_t place, const struct request *request,
                          int64_t asked_at, int64_t issued_at) {
    const struct stage_device *device = &state->devices[place];

    for (size_t at = first_at(device, request->start);
         at < device->count && device->asked[at]->start < request->end;) {
        struct asked *asked = device->asked[at];

        if (asked->end > request->start && asked->direction == request->direction &&
            asked->q <= asked_at && (asked->d == EVENT_NONE || asked->d < issued_at)) {
            state->counts.given_up++;
            unlink_asked(state, asked);
        } else {
            at++;
        }
    }
}

/* The next of a completion, from `*at` on: of those that begin together the newest. */
static struct asked *next_pair(const struct stage_device *device, const struct request *request,
                               size_t *at, int64_t sector) {
    struct asked *found = NULL;

    for (; *at < device->count && device->asked[*at]->start < request->end; ++*at) {
        struct asked *asked = device->asked[*at];

        if (found != NULL && asked->start != found->start) {
            break;
        }
        if (asked->start >= sector && is_pair(asked, request)) {
            found = asked;
        }
    }
    return found;
}

/* Where events are missing: the pairs of the import (import/pairing.h). */
static void complete_pairs(struct stage_state *state, size_t place, const struct request *request) {
    const struct stage_device *device = &state->devices[place];
    int64_t sector = INT64_MIN, asked_at = INT64_MIN, issued_at = INT64_MIN;
    size_t at = first_at(device, request->start);
    struct asked *asked;

    while ((asked = next_pair(device, request, &at, sector)) != NULL) {
        sector = asked->end;
        if (request->duration == EVENT_NONE && asked->end > request->end) {
            break; /* a part of a single Q: the last one tells */
        }
        asked_at = asked->q > asked_at ? asked->q : asked_at;
        issued_at = asked->d > issued_at ? asked->d : issued_at;
        end_asked(state, asked, request->time);
        at = first_at(device, sector);
    }
    if (request->duration != EVENT_NONE && sector != INT64_MIN) {
        give_up_older(state, place, request, asked_at, issued_at);
    }
}

/* A device over others completes what nobody dispatched. */
static void complete(struct stage_state *state, size_t place, const struct request *request) {
    if (state->devices[place].lossy) {
        complete_pairs(state, place, request);
    } else if (!complete_those(state, place, request, is_issued)) {
        complete_those(state, place, request, is_any);
    }
}

/* --- events ------------------------------------------------------------------------------------
 */

static enum direction direction_of(uint32_t flags) {
    switch (io_class_of(flags)) {
    case IO_READ:
    case IO_READSYNC:
        return DIRECTION_READ;
    case IO_WRITE:
    case IO_WRITESYNC:
        return DIRECTION_WRITE;
    default:
        return flags & IO_FLAG_DISCARD ? DIRECTION_DISCARD : DIRECTION_OTHER;
    }
}

static void visit(void *stage_state, const struct event_columns *columns, size_t count) {
    static void (*const takes[STEPS])(struct stage_state *, size_t, const struct request *) = {
        [STEP_Q] = ask,        [STEP_G] = get,     [STEP_M] = merge_into,
        [STEP_F] = merge_into, [STEP_I] = insert,  [STEP_D] = issue,
        [STEP_C] = complete,   [STEP_R] = requeue, [STEP_X] = split,
    };
    struct stage_state *state = stage_state;

    for (size_t i = 0; i < count; i++) {
        int64_t address = columns->address[i], size = columns->size[i];
        enum step step = STEP_Q;
        struct request request = {.time = columns->time[i],
                                  .start = address,
                                  .direction = direction_of(columns->flags[i]),
                                  .actor = columns->actor[i],
                                  .duration = columns->duration[i],
                                  .response = columns->response[i],
                                  .value = columns->value[i]};

        while (step < STEPS && state->steps[step] != columns->operation[i]) {
            step++;
        }
        /* A split has no length, but a place. */
        if (step == STEPS || address < 0 || address > INT64_MAX / 2 ||
            (step == STEP_X ? request.value == EVENT_NONE : size < SECTOR)) {
            continue;
        }
        request.end = address + (step == STEP_X ? 1 : size / SECTOR);
        takes[step](state,
                    find_device(state, devices_find(&state->object_devices, columns->object[i])),
                    &request);
    }
}

/* --- from beginning to end ---------------------------------------------------------------------
 */

static void begin(void *stage_state) {
    struct stage_state *state = stage_state;

    state->distribution = distribution_new((struct distribution_shape){0});
}

/* Devices that lack events, as the import has found out. */
static void read_lossy(struct stage_state *state) {
    struct analysis_context *context = state->context;
    struct database_query query =
        database_query(context->database, &context->error,
                       "SELECT DISTINCT device FROM main.pairing WHERE trace = ?1", "i",
                       context->trace->trace->id);

    state->lossy_count = 0;
    while (state->lossy_count < STAGES_DEVICES && database_next(&query)) {
        state->lossy[state->lossy_count++] = database_column_optional(query.row, 0);
    }
    database_end(&query);
}

static void begin_trace(void *stage_state) {
    struct stage_state *state = stage_state;
    struct analysis_context *context = state->context;
    int64_t trace = context->trace->trace->id;

    state->counts = (struct stage_counts){0};
    for (size_t i = 0; i < STEPS; i++) {
        action_find(context->database, trace, step_letters[i], &state->steps[i], &context->error);
    }
    state->counts.no_q = state->steps[STEP_Q] == EVENT_NONE;
    if (context->analysis->variant == BY_DISK) {
        pair_numbers_clear(&state->groups); /* places are the trace's own */
    }
    read_lossy(state);
    devices_free(&state->object_devices);
    devices_read(&state->object_devices, context->database, trace, &context->error);
}

static void end_trace(void *stage_state) {
    struct stage_state *state = stage_state;
    const struct stage_counts *counts = &state->counts;

    if (!state->counted) {
        TEMP_ROW(&state->context->tables[1], state->context->trace->trace->id, counts->asked,
                 counts->requeued, counts->issued, counts->split, counts->unasked,
                 counts->forgotten, (int64_t)state->outstanding, counts->no_q, counts->given_up);
    }
    forget_all(state);
}

static bool again(void *stage_state) {
    struct stage_state *state = stage_state;

    state->counted = true;
    return distribution_end_pass(state->distribution);
}

static void write_times(void *stage_state) {
    struct stage_state *state = stage_state;

    distribution_write(state->distribution, state->context->temp, &state->context->error);
}

static void free_state(void *stage_state) {
    struct stage_state *state = stage_state;

    distribution_free(state->distribution);
    pair_numbers_free(&state->groups);
    text_free(&state->name);
    forget_all(state);
    devices_free(&state->object_devices);
}

/* How long each stage (0 Q2Q, 1 Q2G, 2 G2I, 3 Q2M, 4 I2D, 5 M2D, 6 D2C, 7 Q2C) of what was asked
 * for took, in ns, at least 1: groups called by the digit of the stage and, behind it, the device
 * ("": not known) or the process that asked. By trace, how much was asked for, requeued, dispatched
 * and split; how many dispatches were of nothing that was seen asked for; how many Qs were given up
 * for others, and were left at the end; and whether the trace has no Q at all. What has no length
 * does not count. */
#define STAGES_OF(what, by)                                                                        \
    {                                                                                              \
        .name = (what),                                                                            \
        .tables = {{"distribution", DISTRIBUTION_COLUMNS, "name"},                                 \
                   {"stage_count",                                                                 \
                    "trace, asked, requeued, issued, split, unasked, forgotten, \"left\", no_q,"   \
                    " given_up",                                                                   \
                    NULL}},                                                                        \
        .issued = true, .pass = PASS_ALL_ACTIONS, .variant = (by),                                 \
        .fields = EVENT_DURATION | EVENT_RESPONSE | EVENT_OPERATION | EVENT_OBJECT | EVENT_ACTOR | \
                  EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE | EVENT_VALUE,                          \
        .real_clock = true, .state_size = sizeof(struct stage_state), .begin = begin,              \
        .begin_trace = begin_trace, .visit = visit, .end_trace = end_trace, .again = again,        \
        .write = write_times, .free = free_state                                                   \
    }
const struct analysis analysis_stage = STAGES_OF("stage", BY_NOTHING);
const struct analysis analysis_stage_disk = STAGES_OF("stage_disk", BY_DISK);
const struct analysis analysis_stage_process = STAGES_OF("stage_process", BY_PROCESS);
