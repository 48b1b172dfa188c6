/* Durations of the stages of requests, as btt defines them: groups of temp.distribution; and
 * numbers of requests that lack stages: temp.stage_count. docs/decisions.md lists the differences
 * from btt.
 *
 * A queued request (Q) is outstanding until all of its sectors have completed (C). Each later step
 * applies to the outstanding requests in the same direction that have some of its sectors:
 *
 *     Q2Q  from a Q of the device to its next Q
 *     Q2G  from Q to the G at its sectors: a request was allocated
 *     G2I  from G to I: it was inserted into the queue
 *     Q2M  from Q to M or F: it was merged into another request
 *     I2D  from I to D: it was dispatched to the driver
 *     M2D  from M or F to D, if it was merged
 *     D2C  from the last D to C, for each Q of the request
 *     Q2C  from Q to C
 *     S2R  the device's part of D2C, from the command (S) to its response (R), if the log
 *          has the commands */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/outstanding.h"
#include "base/memory.h"
#include "base/pair_numbers.h"
#include "base/saturate.h"
#include "base/text.h"
#include "scan/distribution.h"
#include "select/counted_action.h"
#include "store/devices.h"

#define STAGES_OUTSTANDING                                                                         \
    65536 /* limit of outstanding requests; at the limit the oldest is dropped */

enum {
    SECTOR = 512,
    ANY_KIND = 1U << OUTSTANDING_TO_ISSUE | 1U << OUTSTANDING_ISSUED,
    /* Limit of cached groups by process; at the limit the cache is emptied. */
    MOST_REMEMBERED = 262144,
};

/* What distributions are grouped by, besides the stage. */
enum stages_by { BY_NOTHING, BY_DISK, BY_PROCESS };

enum stage { Q2Q, Q2G, G2I, Q2M, I2D, M2D, D2C, Q2C, S2R, STAGES };

/* Steps of a request: actions of blktrace. */
enum step { STEP_Q, STEP_G, STEP_I, STEP_D, STEP_C, STEP_M, STEP_F, STEP_X, STEP_R, STEPS };
static const char *const step_letters[STEPS] = {"Q", "G", "I", "D", "C", "M", "F", "X", "R"};

struct stage_device {
    int64_t device;
    /* By direction: tree of the outstanding requests. */
    struct outstanding_request *outstanding[OUTSTANDING_DIRECTIONS];
    /* True: the log lacks events. Steps apply to the newest request, and completions are matched by
     * their times. */
    bool lossy;
    int64_t last_q; /* time of the last Q; EVENT_NONE: none yet */
};

struct stage_counts {
    int64_t asked, requeued, issued, split, unasked, forgotten, left, no_q, given_up;
};

struct stage_state {
    struct analysis_context *context;
    struct distribution *distribution; /* owned */
    /* Number of the group in `distribution` + 1, by stage and by device index, actor or 0. */
    struct pair_numbers groups;
    struct text name;              /* buffer for a group's name */
    bool counted;                  /* true: the first pass is over, so `counts` is complete */
    int64_t steps[STEPS];          /* name.id of the actions; EVENT_NONE: not in the trace */
    bool only_queued;              /* true: the trace has no step but Q */
    struct devices object_devices; /* owned */
    struct stage_device *devices;  /* owned; by slot of the device */
    struct outstanding_request *oldest, *newest; /* list of the requests of all devices; owned */
    size_t outstanding;
    uint64_t numbered; /* number of the last request added to a tree */
    struct stage_counts counts;
};

/* A step of a request: a blktrace event, which covers some sectors. */
struct request {
    enum step step;
    int64_t time, start, end;
    enum outstanding_direction direction;
    uint32_t actor;
    /* completion (C): duration: since the issue; response: since queueing */
    int64_t duration, response;
    int64_t device; /* completion (C): time in the device */
    int64_t value;  /* split (X): sector at which the second part begins */
};

/* --- requests that have not completed --------------------------------------------------------- */

static struct outstanding_request **
request_tree_of_device(struct stage_state *state, const struct outstanding_request *asked) {
    return &state->devices[asked->device].outstanding[asked->direction];
}

static void update_request_tree(struct stage_state *state,
                                const struct outstanding_request *asked) {
    outstanding_update(*request_tree_of_device(state, asked), asked);
}

static void unlink_queued_request(struct stage_state *state, struct outstanding_request *asked) {
    outstanding_remove(request_tree_of_device(state, asked), asked);
    *(asked->older == NULL ? &state->oldest : &asked->older->newer) = asked->newer;
    *(asked->newer == NULL ? &state->newest : &asked->newer->older) = asked->older;
    state->outstanding--;
    free(asked);
}

/* Adds a copy of a request as the newest outstanding one. */
static void link_queued_request(struct stage_state *state, const struct outstanding_request *from) {
    struct outstanding_request *asked;

    if (state->outstanding == STAGES_OUTSTANDING) {
        state->counts.forgotten++;
        unlink_queued_request(state, state->oldest);
    }
    asked = xmalloc(sizeof *asked);
    *asked = *from;
    asked->older = state->newest;
    asked->newer = NULL;
    *(state->newest == NULL ? &state->oldest : &state->newest->newer) = asked;
    state->newest = asked;
    state->outstanding++;
    outstanding_add(request_tree_of_device(state, asked), asked, state->numbered++);
}

static void stages_clear_all(struct stage_state *state) {
    for (struct outstanding_request *asked = state->oldest, *newer; asked != NULL; asked = newer) {
        newer = asked->newer;
        free(asked);
    }
    state->oldest = state->newest = NULL;
    state->outstanding = 0;
}

/* Returns criteria for requests to which a step may apply: in stages `kinds`, at its sectors. */
static struct outstanding_bounds search_bounds_for_step(const struct request *request,
                                                        unsigned kinds) {
    return (struct outstanding_bounds){.from = INT64_MIN,
                                       .before = request->end,
                                       .beyond = request->start,
                                       .kinds = kinds,
                                       .q_least = INT64_MIN,
                                       .q_most = INT64_MAX,
                                       .d_least = INT64_MIN,
                                       .d_most = INT64_MAX,
                                       .issued_end = INT64_MIN};
}

static struct outstanding_request *outstanding_requests_of_device(const struct stage_state *state,
                                                                  size_t place,
                                                                  const struct request *request) {
    return state->devices[place].outstanding[request->direction];
}

/* --- groups of the distribution --------------------------------------------------------------- */

/* Returns the group of a request's stage, named by the stage's digit and the device or process. */
static size_t stages_find_group(struct stage_state *state, const struct outstanding_request *asked,
                                enum stage stage) {
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
        /* appends the name of the actor's process, if it has one */
        struct analysis_context *context = state->context;
        struct database_query query =
            database_query(context->database, &context->error,
                           "SELECT name FROM main.actor WHERE id = ?1", "u", asked->actor);

        if (database_next(&query) && sqlite3_column_type(query.row, 0) != SQLITE_NULL) {
            text_append(&state->name, (const char *)sqlite3_column_text(query.row, 0),
                        (size_t)sqlite3_column_bytes(query.row, 0));
        }
        database_end(&query);
    }
    group = distribution_group(state->distribution, text_string(&state->name), state->name.length,
                               &state->context->error);
    pair_numbers_add(&state->groups, of, stage, (uint32_t)group + 1);
    return group;
}

/* Adds the time from an earlier step, unless unknown. As in btt, a time of 0 counts as 1 ns. */
static void add_time_since_step(struct stage_state *state, const struct outstanding_request *asked,
                                enum stage stage, int64_t from, int64_t to) {
    if (from != EVENT_NONE) {
        int64_t taken = difference_saturated(to, from);

        distribution_count(state->distribution, stages_find_group(state, asked, stage),
                           taken > 0 ? taken : 1);
    }
}

/* --- applying the steps to requests ----------------------------------------------------------- */

/* Returns a new request of a device, which has had no step yet. */
static struct outstanding_request new_queued_request(size_t place, const struct request *request) {
    return (struct outstanding_request){
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

static void stages_queue_request(struct stage_state *state, size_t place,
                                 const struct request *request) {
    struct stage_device *device = &state->devices[place];
    struct outstanding_request asked = new_queued_request(place, request);

    asked.q = request->time;
    state->counts.asked++;
    add_time_since_step(state, &asked, Q2Q, device->last_q, request->time);
    device->last_q = request->time;
    if (!state->only_queued) {
        link_queued_request(state, &asked);
    } else if (state->outstanding < STAGES_OUTSTANDING) {
        state->outstanding++; /* no step will look for the request: it only counts */
    } else {
        state->counts.forgotten++;
    }
}

/* Returns the queued request to which a step of a single Q applies: it has the step's first sector,
 * and no step after Q. Of several, the oldest, or the newest if events are missing; NULL: none. */
static struct outstanding_request *
find_queued_request(const struct stage_state *state, size_t place, const struct request *request) {
    const bool lossy = state->devices[place].lossy;
    struct outstanding_request *tree = outstanding_requests_of_device(state, place, request),
                               *found = NULL, *better;
    struct outstanding_bounds bounds = search_bounds_for_step(request, 1U << OUTSTANDING_UNTOUCHED);

    bounds.before = request->start + 1;
    while ((better = (lossy ? outstanding_last : outstanding_first)(tree, &bounds)) != NULL) {
        found = better;
        if (lossy) {
            bounds.q_least = found->q + 1;
        } else if (found->q == EVENT_NONE) {
            break;
        } else {
            bounds.q_most = found->q - 1;
        }
    }
    return found;
}

/* Handles a step after Q of a single queued request: G, M or F. */
static void step_after_queue(struct stage_state *state, size_t place,
                             const struct request *request) {
    struct outstanding_request *asked = find_queued_request(state, place, request);
    const bool get = request->step == STEP_G;

    if (asked != NULL) {
        *(get ? &asked->g : &asked->m) = request->time;
        update_request_tree(state, asked);
        add_time_since_step(state, asked, get ? Q2G : Q2M, asked->q, request->time);
    }
}

/* Handles a split (X) of a queued request into two. */
static void split_queued_request(struct stage_state *state, size_t place,
                                 const struct request *request) {
    const int64_t sector = request->value;
    struct outstanding_request *asked = find_queued_request(state, place, request);
    struct outstanding_request rest;

    state->counts.split++;
    if (asked == NULL || sector <= asked->start || sector >= asked->end) {
        return;
    }
    rest = *asked;
    rest.start = sector;
    rest.left = rest.end - sector;
    asked->end = sector;
    asked->left = sector - asked->start;
    update_request_tree(state, asked);
    link_queued_request(state, &rest);
}

/* Returns the next request at the step's sectors. Of requests with the same first sector it is the
 * oldest, or the newest if events are missing, so that each sector counts for one request. */
static struct outstanding_request *next_request_at_sectors(const struct stage_state *state,
                                                           size_t place,
                                                           const struct request *request,
                                                           struct outstanding_bounds *bounds) {
    struct outstanding_request *tree = outstanding_requests_of_device(state, place, request);
    struct outstanding_request *asked = outstanding_first(tree, bounds);

    if (asked != NULL && state->devices[place].lossy) {
        struct outstanding_bounds same = *bounds;

        same.from = asked->start;
        same.before = asked->start + 1;
        asked = outstanding_last(tree, &same);
    }
    if (asked != NULL) {
        bounds->from = asked->end;
    }
    return asked;
}

/* Handles an insertion (I). It also applies to requests merged into this one, which have no I. */
static void stages_insert_request(struct stage_state *state, size_t place,
                                  const struct request *request) {
    struct outstanding_bounds bounds = search_bounds_for_step(request, 1U << OUTSTANDING_TO_INSERT);
    struct outstanding_request *asked;

    while ((asked = next_request_at_sectors(state, place, request, &bounds)) != NULL) {
        asked->i = request->time;
        update_request_tree(state, asked);
        add_time_since_step(state, asked, G2I, asked->g, request->time);
    }
}

static void issue_request(struct stage_state *state, size_t place, const struct request *request) {
    struct outstanding_bounds bounds = search_bounds_for_step(request, 1U << OUTSTANDING_TO_ISSUE);
    struct outstanding_request *asked;
    bool found = false;

    state->counts.issued++;
    while ((asked = next_request_at_sectors(state, place, request, &bounds)) != NULL) {
        found = true;
        asked->d = request->time;
        asked->issued_end = request->end;
        update_request_tree(state, asked);
        if (asked->i != EVENT_NONE) {
            add_time_since_step(state, asked, I2D, asked->i, request->time);
        } else {
            add_time_since_step(state, asked, M2D, asked->m, request->time);
        }
    }
    state->counts.unasked += !found;
    /* without any Q in the log, requests begin with D */
    if (!found && state->steps[STEP_Q] == EVENT_NONE) {
        struct outstanding_request unasked = new_queued_request(place, request);

        unasked.d = request->time;
        unasked.issued_end = request->end;
        link_queued_request(state, &unasked);
    }
}

/* Handles a requeue: the newest request at these sectors waits for an issue (D) again. Its stages
 * up to the first issue have been counted, and are not counted again. */
static void stages_requeue_request(struct stage_state *state, size_t place,
                                   const struct request *request) {
    struct outstanding_request *tree = outstanding_requests_of_device(state, place, request),
                               *asked;
    struct outstanding_bounds bounds = search_bounds_for_step(request, 1U << OUTSTANDING_ISSUED);
    int64_t newest = EVENT_NONE;

    state->counts.requeued++;
    while ((asked = outstanding_last(tree, &bounds)) != NULL) {
        newest = asked->d;
        bounds.d_least = newest + 1;
    }
    bounds.d_least = bounds.d_most = newest;
    while ((asked = outstanding_first(tree, &bounds)) != NULL) {
        asked->d = asked->i = asked->m = EVENT_NONE;
        update_request_tree(state, asked);
    }
}

/* Adds the last stages of a request, all sectors of which have completed, and removes it. */
static void end_queued_request(struct stage_state *state, struct outstanding_request *asked,
                               const struct request *request) {
    add_time_since_step(state, asked, D2C, asked->d, request->time);
    add_time_since_step(state, asked, Q2C, asked->q, request->time);
    if (request->device != EVENT_NONE) {
        add_time_since_step(state, asked, S2R, 0, request->device);
    }
    unlink_queued_request(state, asked);
}

/* Completes the sectors of requests in stages `kinds`. Returns whether there were any. */
static bool complete_requests_of_kinds(struct stage_state *state, size_t place,
                                       const struct request *request, unsigned kinds) {
    struct outstanding_bounds bounds = search_bounds_for_step(request, kinds);
    struct outstanding_request *asked;
    bool found = false;

    while ((asked = next_request_at_sectors(state, place, request, &bounds)) != NULL) {
        int64_t from = asked->start > request->start ? asked->start : request->start;
        int64_t to = asked->end < request->end ? asked->end : request->end;

        found = true;
        asked->left -= to - from;
        if (asked->left <= 0) {
            end_queued_request(state, asked, request);
        }
    }
    return found;
}

/* Removes older requests at a completed one's sectors: their completions are not in the log. */
static void drop_older_requests(struct stage_state *state, size_t place,
                                const struct request *request, int64_t asked_at,
                                int64_t issued_at) {
    struct outstanding_bounds bounds = search_bounds_for_step(request, ANY_KIND);
    struct outstanding_request *asked;

    bounds.q_most = asked_at;
    bounds.d_most = issued_at - 1;
    while ((asked = outstanding_first(outstanding_requests_of_device(state, place, request),
                                      &bounds)) != NULL) {
        state->counts.given_up++;
        unlink_queued_request(state, asked);
    }
}

/* Returns the next request, from `sector` on, that the import has matched with the completion. Of
 * requests with the same first sector it is the newest. A partial completion that is not the last
 * belongs to a larger request. */
static struct outstanding_request *next_imported_pair(const struct stage_state *state, size_t place,
                                                      const struct request *request,
                                                      int64_t sector) {
    struct outstanding_bounds issued = search_bounds_for_step(request, 1U << OUTSTANDING_ISSUED),
                              waiting = issued;
    struct outstanding_request *pair, *unissued = NULL;

    issued.from = waiting.from = sector;
    if (request->duration != EVENT_NONE) {
        issued.d_least = issued.d_most = request->time - request->duration;
        return next_request_at_sectors(state, place, request, &issued);
    }
    issued.issued_end = request->end + 1;
    pair = next_request_at_sectors(state, place, request, &issued);
    if (request->response != EVENT_NONE) {
        waiting.kinds = 1U << OUTSTANDING_TO_ISSUE;
        waiting.q_least = waiting.q_most = request->time - request->response;
        unissued = next_request_at_sectors(state, place, request, &waiting);
    }
    if (pair == NULL || unissued == NULL) {
        return pair == NULL ? unissued : pair;
    }
    return (pair->start != unissued->start ? pair->start < unissued->start
                                           : pair->number > unissued->number)
               ? pair
               : unissued;
}

/* With missing events: completes the requests that the import has matched (import/pairing.h). */
static void complete_imported_pairs(struct stage_state *state, size_t place,
                                    const struct request *request) {
    int64_t sector = INT64_MIN, asked_at = INT64_MIN, issued_at = INT64_MIN;
    struct outstanding_request *asked;

    while ((asked = next_imported_pair(state, place, request, sector)) != NULL) {
        sector = asked->end;
        if (request->duration == EVENT_NONE && asked->end > request->end) {
            break; /* a partial completion: the request counts at its last completion */
        }
        asked_at = asked->q > asked_at ? asked->q : asked_at;
        issued_at = asked->d > issued_at ? asked->d : issued_at;
        end_queued_request(state, asked, request);
    }
    if (request->duration != EVENT_NONE && sector != INT64_MIN) {
        drop_older_requests(state, place, request, asked_at, issued_at);
    }
}

/* Handles a completion (C). Stacked devices may complete requests that had no D. */
static void stages_complete_request(struct stage_state *state, size_t place,
                                    const struct request *request) {
    if (state->devices[place].lossy) {
        complete_imported_pairs(state, place, request);
    } else if (!complete_requests_of_kinds(state, place, request, 1U << OUTSTANDING_ISSUED)) {
        complete_requests_of_kinds(state, place, request, ANY_KIND);
    }
}

/* --- reading steps from events ---------------------------------------------------------------- */

static enum outstanding_direction direction_of(uint32_t flags) {
    switch (io_class_of(flags)) {
    case IO_READ:
    case IO_READSYNC:
        return OUTSTANDING_READ;
    case IO_WRITE:
    case IO_WRITESYNC:
        return OUTSTANDING_WRITE;
    default:
        return flags & IO_FLAG_DISCARD ? OUTSTANDING_DISCARD : OUTSTANDING_OTHER;
    }
}

static void stages_visit(void *stage_state, const struct event_columns *columns, size_t count) {
    static void (*const takes[STEPS])(struct stage_state *, size_t, const struct request *) = {
        [STEP_Q] = stages_queue_request,    [STEP_G] = step_after_queue,
        [STEP_M] = step_after_queue,        [STEP_F] = step_after_queue,
        [STEP_I] = stages_insert_request,   [STEP_D] = issue_request,
        [STEP_C] = stages_complete_request, [STEP_R] = stages_requeue_request,
        [STEP_X] = split_queued_request,
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
                                  .device = columns->self[i],
                                  .value = columns->value[i]};

        while (step < STEPS && state->steps[step] != columns->operation[i]) {
            step++;
        }
        /* Skips events that are not steps of a request, or have no sectors; only a split (X) needs
         * no length. */
        if (step == STEPS || address < 0 || address > INT64_MAX / 2 ||
            (step == STEP_X ? request.value == EVENT_NONE : size < SECTOR)) {
            continue;
        }
        request.step = step;
        request.end = address + (step == STEP_X ? 1 : size / SECTOR);
        takes[step](state, devices_find_slot(&state->object_devices, columns->object[i]), &request);
    }
}

static void stages_begin(void *stage_state) {
    struct stage_state *state = stage_state;

    if (state->context->selection->filter.action != NULL) {
        error_usage_absent(&state->context->error,
                           "report stages follows all steps of a request; omit --action");
    }
    state->distribution = distribution_new((struct distribution_shape){0});
}

/* Reads the devices of the trace, and for which of them the import found missing events. */
static void stages_read_devices(struct stage_state *state) {
    struct analysis_context *context = state->context;
    const int64_t trace = context->trace->trace->id;
    struct devices *objects = &state->object_devices;
    struct database_query query;

    devices_free(objects);
    free(state->devices);
    devices_read(objects, context->database, trace, &context->error);
    state->devices = xcalloc(objects->slot_count + 1, sizeof *state->devices);
    for (size_t slot = 0; slot < objects->slot_count; slot++) {
        state->devices[slot].device = objects->numbers[slot];
        state->devices[slot].last_q = EVENT_NONE;
    }
    query =
        database_query(context->database, &context->error,
                       "SELECT min(o.id) FROM main.pairing AS p"
                       " LEFT JOIN main.object AS o ON o.trace = p.trace AND o.device = p.device"
                       " WHERE p.trace = ?1 AND (p.device IS NULL OR o.id NOT NULL)"
                       " GROUP BY p.device",
                       "i", trace);
    while (database_next(&query)) {
        const uint32_t object = (uint32_t)sqlite3_column_int64(query.row, 0);

        state->devices[devices_find_slot(objects, object)].lossy = true;
    }
    database_end(&query);
}

static void stages_begin_trace(void *stage_state) {
    struct stage_state *state = stage_state;
    struct analysis_context *context = state->context;
    int64_t trace = context->trace->trace->id;

    state->counts = (struct stage_counts){0};
    state->only_queued = true;
    for (size_t i = 0; i < STEPS; i++) {
        action_find(context->database, trace, step_letters[i], &state->steps[i], &context->error);
        state->only_queued &= i == STEP_Q || state->steps[i] == EVENT_NONE;
    }
    state->counts.no_q = state->steps[STEP_Q] == EVENT_NONE;
    if (context->analysis->variant == BY_DISK) {
        pair_numbers_clear(&state->groups); /* device indexes differ between traces */
    }
    stages_read_devices(state);
}

static void stages_end_trace(void *stage_state) {
    struct stage_state *state = stage_state;
    const struct stage_counts *counts = &state->counts;

    if (!state->counted) {
        TEMP_ROW(&state->context->tables[1], state->context->trace->trace->id, counts->asked,
                 counts->requeued, counts->issued, counts->split, counts->unasked,
                 counts->forgotten, (int64_t)state->outstanding, counts->no_q, counts->given_up);
    }
    stages_clear_all(state);
}

static bool stages_again(void *stage_state) {
    struct stage_state *state = stage_state;

    state->counted = true;
    return distribution_end_pass(state->distribution);
}

static void stages_write_times(void *stage_state) {
    struct stage_state *state = stage_state;

    distribution_write(state->distribution, state->context->temp, &state->context->error);
}

static void stages_free_state(void *stage_state) {
    struct stage_state *state = stage_state;

    distribution_free(state->distribution);
    pair_numbers_free(&state->groups);
    text_free(&state->name);
    stages_clear_all(state);
    free(state->devices);
    devices_free(&state->object_devices);
}

/* temp.distribution: durations of each stage (0 Q2Q, 1 Q2G, 2 G2I, 3 Q2M, 4 I2D, 5 M2D, 6 D2C, 7
 * Q2C, 8 S2R) in ns, at least 1. A group's name is the digit of the stage, followed by the device
 * ("": unknown) or the process that queued the request. temp.stage_count: a row per trace with the
 * numbers of requests queued, requeued, dispatched and split. `unasked`: dispatches without a
 * queued request; `forgotten`: requests dropped at the limit; `left`: requests not completed at the
 * end; `no_q`: 1 if the trace has no Q; `given_up`: requests dropped because a later one completed.
 * Requests without a length do not count. */
#define STAGES_OF(what, by)                                                                        \
    {                                                                                              \
        .name = (what),                                                                            \
        .tables = {{"distribution", DISTRIBUTION_COLUMNS, "name"},                                 \
                   {"stage_count",                                                                 \
                    "trace, asked, requeued, issued, split, unasked, forgotten, \"left\", no_q,"   \
                    " given_up",                                                                   \
                    NULL}},                                                                        \
        .issued = true, .pass = PASS_ALL_ACTIONS, .variant = (by),                                 \
        .fields = EVENT_DURATION | EVENT_SELF | EVENT_RESPONSE | EVENT_OPERATION | EVENT_OBJECT |  \
                  EVENT_ACTOR | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE | EVENT_VALUE,            \
        .real_clock = true, .state_size = sizeof(struct stage_state), .begin = stages_begin,       \
        .begin_trace = stages_begin_trace, .visit = stages_visit, .end_trace = stages_end_trace,   \
        .again = stages_again, .write = stages_write_times, .free = stages_free_state              \
    }
const struct analysis analysis_stage = STAGES_OF("stage", BY_NOTHING);
const struct analysis analysis_stage_disk = STAGES_OF("stage_disk", BY_DISK);
const struct analysis analysis_stage_process = STAGES_OF("stage_process", BY_PROCESS);
