#include "scan/queue_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "model/event.h"
#include "select/counted_action.h"
#include "base/memory.h"

enum {
    CAPACITY = 2 * QUEUE_SWEEP_WAITING,
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS,
};

/* An I/O whose issue was not reported yet. A negative duration d means that the I/O never counts as
 * in flight; its duration is ~d. */
struct waiting {
    int64_t time, duration;
};

struct queue_sweep {
    struct queue_visitor visitor;
    /* Owned, CAPACITY elements each; I/Os not reported yet, and a buffer for sorting them. */
    struct waiting *issues, *sorted;
    /* Owned, CAPACITY elements; unreported completion times of I/Os in flight, ascending. */
    int64_t *completions;
    size_t issue_count, completion_count;
    int64_t reported; /* everything up to this time was reported; INT64_MIN: nothing */
    int64_t since;    /* time of the last change of `depth` */
    int64_t depth;
    bool begun;
    int64_t late;
};

struct queue_sweep *queue_sweep_new(const struct queue_visitor *visitor) {
    struct queue_sweep *sweep = xcalloc(1, sizeof *sweep);

    sweep->visitor = *visitor;
    sweep->reported = INT64_MIN;
    sweep->issues = xmalloc(CAPACITY * sizeof *sweep->issues);
    sweep->sorted = xmalloc(CAPACITY * sizeof *sweep->sorted);
    sweep->completions = xmalloc(CAPACITY * sizeof *sweep->completions);
    return sweep;
}

void queue_sweep_free(struct queue_sweep *sweep) {
    if (sweep != NULL) {
        free(sweep->issues);
        free(sweep->sorted);
        free(sweep->completions);
        free(sweep);
    }
}

int64_t queue_sweep_count_late(const struct queue_sweep *sweep) {
    return sweep->late;
}

/* Sorts issues, stably, by one digit of their time since `first`. */
static void sort_by_digit(struct queue_sweep *sweep, int64_t first, int shift) {
    size_t places[DIGITS] = {0}, place = 0;
    struct waiting *sorted = sweep->sorted;

    for (size_t i = 0; i < sweep->issue_count; i++) {
        places[((uint64_t)sweep->issues[i].time - (uint64_t)first) >> shift & (DIGITS - 1)]++;
    }
    for (size_t i = 0; i < DIGITS; i++) {
        size_t count = places[i];

        places[i] = place;
        place += count;
    }
    for (size_t i = 0; i < sweep->issue_count; i++) {
        uint64_t distance = (uint64_t)sweep->issues[i].time - (uint64_t)first;

        sorted[places[distance >> shift & (DIGITS - 1)]++] = sweep->issues[i];
    }
    sweep->sorted = sweep->issues;
    sweep->issues = sorted;
}

static void sort_issues(struct queue_sweep *sweep) {
    int64_t first = INT64_MAX, last = INT64_MIN;
    uint64_t range;
    bool in_order = true;

    for (size_t i = 0; i < sweep->issue_count; i++) {
        int64_t time = sweep->issues[i].time;

        in_order = in_order && time >= last;
        first = time < first ? time : first;
        last = time > last ? time : last;
    }
    range = (uint64_t)last - (uint64_t)first;
    for (int shift = 0; !in_order && shift < 64 && range >> shift != 0; shift += DIGIT_BITS) {
        sort_by_digit(sweep, first, shift);
    }
}

static void emit_time(struct queue_sweep *sweep, int64_t time) {
    int64_t since = sweep->since;

    if (!sweep->begun || time <= since) {
        return;
    }
    sweep->since = time;
    if (sweep->visitor.lasted != NULL) {
        sweep->visitor.lasted(sweep->visitor.context, since, time, sweep->depth);
    }
}

static void emit_issue(struct queue_sweep *sweep, const struct waiting *waiting) {
    bool flies = waiting->duration >= 0;
    struct queue_issue issue = {waiting->time, flies ? waiting->duration : ~waiting->duration,
                                sweep->depth, 0};

    if (!sweep->begun) {
        issue.idle = EVENT_NONE;
        sweep->begun = true;
        sweep->since = waiting->time;
    } else if (sweep->depth == 0) {
        issue.idle = subtract_saturated(waiting->time, sweep->since);
    }
    emit_time(sweep, waiting->time);
    sweep->depth += flies;
    sweep->visitor.issued(sweep->visitor.context, &issue);
}

/* Reports all issues and completions up to `time`, inclusive. */
static void emit_until(struct queue_sweep *sweep, int64_t time) {
    size_t issue = 0, completion = 0;

    sort_issues(sweep);
    for (;;) {
        bool issues = issue < sweep->issue_count && sweep->issues[issue].time <= time;
        bool completes =
            completion < sweep->completion_count && sweep->completions[completion] <= time;

        if (completes && (!issues || sweep->completions[completion] <= sweep->issues[issue].time)) {
            emit_time(sweep, sweep->completions[completion++]);
            sweep->depth--;
        } else if (issues) {
            emit_issue(sweep, &sweep->issues[issue++]);
        } else {
            break;
        }
    }
    sweep->issue_count -= issue;
    sweep->completion_count -= completion;
    memmove(sweep->issues, sweep->issues + issue, sweep->issue_count * sizeof *sweep->issues);
    memmove(sweep->completions, sweep->completions + completion,
            sweep->completion_count * sizeof *sweep->completions);
    sweep->reported = time;
}

void queue_sweep_add(struct queue_sweep *sweep, int64_t time, int64_t duration) {
    int64_t from;

    /* If one of the buffers is full, reports up to the time in its middle, to free half of it. */
    if (sweep->completion_count == CAPACITY) {
        emit_until(sweep, sweep->completions[CAPACITY / 2 - 1]);
    }
    if (sweep->issue_count == CAPACITY) {
        sort_issues(sweep);
        emit_until(sweep, sweep->issues[CAPACITY / 2 - 1].time);
    }
    /* Only in a damaged database are completions unsorted, or durations longer than times allow. */
    if (sweep->completion_count > 0 && time < sweep->completions[sweep->completion_count - 1]) {
        time = sweep->completions[sweep->completion_count - 1];
    }
    time = time < sweep->reported ? sweep->reported : time;
    from = difference_saturated(time, duration);
    if (from < sweep->reported) {
        from = sweep->reported;
        sweep->late++;
    }
    sweep->issues[sweep->issue_count++] =
        (struct waiting){from, from < time ? duration : ~duration};
    if (from < time) {
        sweep->completions[sweep->completion_count++] = time;
    }
}

void queue_sweep_end(struct queue_sweep *sweep) {
    emit_until(sweep, INT64_MAX);
    sweep->issue_count = sweep->completion_count = 0;
    sweep->reported = INT64_MIN;
    sweep->depth = 0;
    sweep->begun = false;
}

bool queue_sweep_check(const struct selection *selection, const struct selected_trace *trace,
                       struct error *error) {
    const char *action = selection->filter.action;
    int64_t completed;

    if (action == NULL) {
        return true;
    }
    return action_find(selection->database, trace->trace->id, "C", &completed, error) &&
           (completed == EVENT_NONE || trace->action == completed ||
            error_usage_absent(error,
                               "--action %s: only a completion (C) shows how long an I/O was in "
                               "flight; omit --action",
                               action));
}

void queue_sweep_note(int64_t late, struct notes *notes) {
    notes_append_count(
        notes, late,
        "%lld I/O{s} {was|were} in flight while more than %zu others began or completed: {it "
        "counts|they count} only from a later time on, not from {its|their} begin",
        (long long)late, QUEUE_SWEEP_WAITING);
}
