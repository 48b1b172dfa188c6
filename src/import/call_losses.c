#include "import/call_losses.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/hash.h"
#include "base/words.h"
#include "import/losses.h"
#include "import/pairing.h"
#include "model/value_bucket.h"
#include "store/column_reader.h"

/* Resolution of the histogram of durations: buckets are 3 % wide. */
enum { BITS = 6, BUCKETS = VALUE_BUCKETS(BITS) };

/* Statistics of all calls of a function name. */
struct call_name {
    uint32_t operation;
    bool waits;      /* true: the call may wait without limit */
    int64_t longest; /* longest time that is known to be spent in a call: in a whole call across no
                        loss, or in a part of another call */
    int64_t calls;   /* number of calls with a duration */
    int64_t doubted; /* calls of at least this duration are doubted; INT64_MAX: none is */
    int64_t buckets[BUCKETS];
    UT_hash_handle hh;
};

/* Identifies a call of the trace by values of its event. Has no padding, since it is compared byte
 * by byte. */
struct call_place {
    int64_t time, duration;
    uint32_t operation, actor;
};

struct judged_call {
    struct call_place place;
    bool parted;
    UT_hash_handle hh;
};

struct judging {
    struct call_losses *calls;
    struct database *database;
    const struct column_range *trace, *part;
    bool reported;
    /* owned; time ranges in which a CPU lacks events; they do not overlap */
    struct loss_gap *holes;
    size_t hole_count;
    struct call_name *names;    /* owned hash table */
    struct judged_call *across; /* owned array: calls across a reported loss */
    struct judged_call *table;  /* hash table of the elements of `across` */
    int64_t first, last;        /* times of the trace's first and last event */
    int64_t events, timed;
    int64_t unbelieved;
    struct duration_updater set;
};

void call_losses_free(struct call_losses *calls) {
    HASH_FREE(calls->stretches);
    free(calls->across);
    *calls = (struct call_losses){0};
}

/* --- names of calls --------------------------------------------------------------------------- */

/* System calls that may wait for threads or events: a long duration does not show a loss. */
static const char may_wait[] =
    "accept accept4 clock_nanosleep connect epoll_pwait epoll_pwait2 epoll_wait "
    "fcntl flock futex futex_wait futex_waitv io_getevents io_pgetevents "
    "io_uring_enter ioctl msgrcv msgsnd mq_timedreceive mq_timedsend nanosleep pause "
    "poll ppoll pselect6 read readv recvfrom recvmmsg recvmsg restart_syscall "
    "rt_sigsuspend rt_sigtimedwait select semop semtimedop sendfile sendmmsg sendmsg "
    "sendto sigsuspend splice tee vfork wait4 waitid waitpid write writev";

/* Finds or adds the statistics of an operation. Sets `*found` to NULL if there are too many
 * operations. Returns false with `error` set on failure. */
static bool call_losses_find_name(struct judging *judging, uint32_t operation,
                                  struct call_name **found, struct error *error) {
    const struct call_stretch *stretch;
    struct call_name *name;

    HASH_FIND(hh, judging->names, &operation, sizeof operation, name);
    *found = name;
    if (name != NULL || HASH_COUNT(judging->names) == CALL_NAMES) {
        return true;
    }
    name = xcalloc(1, sizeof *name);
    name->operation = operation;
    name->doubted = INT64_MAX;
    HASH_FIND(hh, judging->calls->stretches, &operation, sizeof operation, stretch);
    name->longest = stretch == NULL ? 0 : stretch->longest;
    HASH_ADD(hh, judging->names, operation, sizeof name->operation, name);
    *found = name;
    struct database_query query = database_query(
        judging->database, error, "SELECT text FROM main.name WHERE id = ?1", "u", name->operation);

    name->waits = database_next(&query) && word_in(may_wait, database_column_text(query.row, 0));
    return database_end(&query);
}

/* --- reported losses -------------------------------------------------------------------------- */

static int by_begin(const void *left, const void *right) {
    const struct loss_gap *a = left, *b = right;

    return (a->from > b->from) - (a->from < b->from);
}

/* Computes `holes`: the times in which events of any CPU are missing. */
static void find_holes(struct judging *judging, const struct losses *losses) {
    int64_t since = losses_complete_since(losses);
    struct loss_gap *holes = xmalloc((losses->gap_count + 1) * sizeof *holes);
    size_t count = 0, joined = 0;

    judging->holes = holes;
    if (since != EVENT_NONE) {
        holes[count++] = (struct loss_gap){EVENT_NONE, INT64_MIN, since};
    }
    for (size_t i = 0; i < losses->gap_count; i++) {
        const struct loss_gap *gap = &losses->gaps[i];

        holes[count++] =
            (struct loss_gap){EVENT_NONE, gap->from == EVENT_NONE ? INT64_MIN : gap->from,
                              gap->to == EVENT_NONE ? INT64_MAX : gap->to};
    }
    qsort(holes, count, sizeof *holes, by_begin);
    for (size_t i = 0; i < count; i++) {
        if (joined > 0 && holes[i].from <= holes[joined - 1].to) {
            holes[joined - 1].to =
                holes[i].to > holes[joined - 1].to ? holes[i].to : holes[joined - 1].to;
        } else {
            holes[joined++] = holes[i];
        }
    }
    judging->hole_count = joined;
}

/* Returns the longest time that the call spent in one of `holes`; 0: it overlaps none. If it
 * overlaps more than CALL_LOSSES_EACH of them, examines only the first ones. */
static int64_t part_in_hole(const struct judging *judging, const struct call_place *call) {
    const struct loss_gap *holes = judging->holes;
    int64_t end = call->time + call->duration, most = 0;
    size_t low = 0, high = judging->hole_count;

    SEARCH(low, high, middle, holes[middle].to <= call->time);
    for (size_t i = low;
         i < judging->hole_count && holes[i].from < end && i < low + CALL_LOSSES_EACH; i++) {
        int64_t from = holes[i].from > call->time ? holes[i].from : call->time;
        int64_t to = holes[i].to < end ? holes[i].to : end;

        most = to - from > most ? to - from : most;
    }
    return most;
}

/* --- calls of the trace ----------------------------------------------------------------------- */

static struct judged_call *find_across(const struct judging *judging, const struct call_place *at) {
    struct judged_call *found;

    HASH_FIND(hh, judging->table, at, sizeof *at, found);
    return found;
}

static struct call_place call_losses_place_of(const struct event_columns *columns, size_t i) {
    return (struct call_place){columns->time[i], columns->duration[i], columns->operation[i],
                               columns->actor[i]};
}

static bool count_calls_by_place(void *context, const struct event_columns *columns, size_t events,
                                 struct error *error) {
    struct judging *judging = context;

    for (size_t i = 0; i < events; i++) {
        struct call_place place = call_losses_place_of(columns, i);
        struct call_name *name;

        judging->first = place.time < judging->first ? place.time : judging->first;
        judging->last = place.time > judging->last ? place.time : judging->last;
        judging->events++;
        if (place.duration < 0 || place.operation == 0) {
            continue;
        }
        judging->timed++;
        if (judging->calls->counted) {
            continue;
        }
        if (!call_losses_find_name(judging, place.operation, &name, error)) {
            return false;
        }
        if (name == NULL) {
            continue;
        }
        name->calls++;
        name->buckets[value_bucket(place.duration, BITS)]++;
        if (place.duration > name->longest && part_in_hole(judging, &place) == 0) {
            name->longest = place.duration;
        }
    }
    return true;
}

/* Returns whether an unpaired begin or end proves a loss: it does if it is farther from both ends
 * of the log than the longest known call of its name took. */
static bool call_losses_is_proven(const struct judging *judging) {
    const struct call_losses *calls = judging->calls;
    size_t kept = calls->unpaired_count < CALLS_UNPAIRED ? calls->unpaired_count : CALLS_UNPAIRED;

    for (size_t i = 0; i < kept; i++) {
        const struct call_unpaired *unpaired = &calls->unpaired[i];
        const struct call_name *name;
        int64_t longest;

        HASH_FIND(hh, judging->names, &unpaired->operation, sizeof unpaired->operation, name);
        longest = name == NULL ? 0 : name->longest;
        if (unpaired->time - judging->first > longest && judging->last - unpaired->time > longest) {
            return true;
        }
    }
    return false;
}

/* Sets name->doubted, the least duration at which calls of a name are doubted (rule 3 in
 * call_losses.h). */
static void find_doubted(struct call_name *name) {
    int64_t rank = name->calls - name->calls / 100, seen = 0, below = INT64_MAX;
    double p99 = 0;

    for (size_t i = 0; i < BUCKETS; i++) {
        if (name->buckets[i] == 0) {
            continue;
        }
        if (seen >= rank && (double)value_bucket_least(i, BITS) > CALLS_BELIEVED * p99 &&
            value_bucket_least(i, BITS) / CALLS_APART >= below) {
            name->doubted = value_bucket_least(i, BITS);
            return;
        }
        seen += name->buckets[i];
        below = i + 1 < BUCKETS ? value_bucket_least(i + 1, BITS) : INT64_MAX;
        p99 = seen >= rank && p99 == 0 ? (double)below : p99;
    }
}

/* Sets `longest` of names without a known duration to the longest of all names. */
static void complete_longest(const struct judging *judging) {
    struct call_name *name;
    int64_t any = 0;

    for (name = judging->names; name != NULL; name = name->hh.next) {
        any = name->longest > any ? name->longest : any;
    }
    for (name = judging->names; name != NULL; name = name->hh.next) {
        name->longest = name->longest > 0 ? name->longest : any;
    }
}

/* Sets `parted` of each call in `across` that is false by rule 1 or doubted by rule 3 of
 * call_losses.h. */
static void find_false_calls(struct judging *judging) {
    const struct call_losses *calls = judging->calls;
    const struct call_name *name;

    for (size_t i = 0; i < calls->across_count; i++) {
        const struct call_across *across = &calls->across[i];
        const struct call_place place = {across->time, across->duration, across->operation,
                                         across->actor};
        struct judged_call *judged = find_across(judging, &place);

        HASH_FIND(hh, judging->names, &across->operation, sizeof across->operation, name);
        if (judged != NULL && name != NULL) {
            judged->parted =
                across->loss > name->longest || (!name->waits && across->duration >= name->doubted);
        }
    }
}

/* Returns whether a call is false (joined from two calls). A call across a reported loss is false
 * if find_false_calls() said so; any other call by rule 2 of call_losses.h. */
static bool is_parted(const struct judging *judging, const struct call_place *place,
                      const struct call_name *name) {
    const struct judged_call *across = find_across(judging, place);
    int64_t times;

    if (across != NULL) {
        return across->parted;
    }
    if (name->waits && name->calls < CALLS_BELIEVED) {
        return false;
    }
    times = name->waits ? 2 * CALLS_IN_LOSS : CALLS_IN_LOSS;
    return place->duration / times > name->longest &&
           part_in_hole(judging, place) / times > name->longest;
}

static bool call_losses_judge(void *context, const struct event_columns *columns, size_t events,
                              struct error *error) {
    struct judging *judging = context;

    for (size_t i = 0; i < events; i++) {
        struct call_place place = call_losses_place_of(columns, i);
        const struct call_name *name;
        bool parted = false;

        if (place.duration < 0) {
            continue;
        }
        HASH_FIND(hh, judging->names, &place.operation, sizeof place.operation, name);
        if (name != NULL) {
            parted = judging->reported ? is_parted(judging, &place, name)
                                       : !name->waits && place.duration >= name->doubted;
        }
        if (parted) {
            const struct event_change none = {.id = columns->id[i], .duration = EVENT_NONE};

            judging->unbelieved++;
            if (!duration_updater_set(&judging->set, &none, error)) {
                return false;
            }
        }
    }
    return true;
}

/* --- end of the import ------------------------------------------------------------------------ */

static bool call_losses_pass(struct judging *judging,
                             bool (*visit)(void *context, const struct event_columns *columns,
                                           size_t count, struct error *error),
                             struct error *error) {
    const struct event_pass pass = {
        .database = judging->database,
        .range = *judging->part,
        .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR,
        .visit = visit,
    };

    return event_pass_run(&pass, judging, error);
}

static void call_losses_make_table(struct judging *judging) {
    const struct call_losses *calls = judging->calls;

    judging->across = xcalloc(calls->across_count + 1, sizeof *judging->across);
    for (size_t i = 0; i < calls->across_count; i++) {
        const struct call_across *from = &calls->across[i];
        struct judged_call *judged = &judging->across[i];

        judged->place =
            (struct call_place){from->time, from->duration, from->operation, from->actor};
        if (find_across(judging, &judged->place) == NULL) {
            HASH_ADD(hh, judging->table, place, sizeof judged->place, judged);
        }
    }
}

static bool find_doubted_calls(struct judging *judging, bool *changed, struct error *error) {
    bool done;

    for (struct call_name *name = judging->names; name != NULL; name = name->hh.next) {
        find_doubted(name);
    }
    complete_longest(judging);
    find_false_calls(judging);
    duration_updater_begin(&judging->set, judging->database, judging->trace, EVENT_DURATION);
    done = duration_updater_end(&judging->set, call_losses_pass(judging, call_losses_judge, error),
                                error);
    *changed = judging->unbelieved > 0;
    return done;
}

/* Writes the numbers of paired and unpaired calls to the table pairing. Does not count calls that
 * lack a begin or end because the log starts or stops there. */
static bool call_losses_write_numbers(const struct judging *judging, bool proven,
                                      struct error *error) {
    const struct call_losses *calls = judging->calls;

    return database_run_bound(
        judging->database, error,
        "INSERT INTO main.pairing VALUES (?1, NULL, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
        " ?9)",
        "iiiiiiiii", judging->trace->trace, judging->events, judging->timed + calls->without_begin,
        judging->timed - judging->unbelieved, calls->without_end, calls->without_begin,
        judging->unbelieved, (int64_t)proven, (int64_t)judging->reported);
}

bool call_losses_finish(struct call_losses *calls, const struct losses *losses,
                        struct database *database, const struct column_range *trace,
                        const struct column_range *part, bool *changed, struct error *error) {
    struct judging judging = {.calls = calls,
                              .database = database,
                              .trace = trace,
                              .part = part,
                              .reported = losses->reported && !calls->counted,
                              .first = INT64_MAX,
                              .last = INT64_MIN};
    bool proven = false, done;

    *changed = false;
    if (!losses->reported && calls->without_end == 0 && calls->without_begin == 0) {
        return true;
    }
    find_holes(&judging, losses);
    call_losses_make_table(&judging);
    done = call_losses_pass(&judging, count_calls_by_place, error);
    if (done && !calls->counted) {
        proven = call_losses_is_proven(&judging);
        done = (!proven && !judging.reported) || find_doubted_calls(&judging, changed, error);
    }
    done = done && ((!proven && judging.unbelieved == 0 && !judging.reported && !calls->counted) ||
                    call_losses_write_numbers(&judging, proven, error));
    HASH_FREE(judging.names);
    HASH_CLEAR(hh, judging.table);
    free(judging.across);
    free(judging.holes);
    return done;
}
