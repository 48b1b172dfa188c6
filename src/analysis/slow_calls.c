#include "analysis/slow_calls.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"

bool slow_calls_is_slow(const struct slow_calls *slow, int64_t duration) {
    return slow->count < slow->most || duration > slow->calls[slow->count - 1].duration;
}

void slow_call_add(const struct slow_calls *slow, struct slow_call *call,
                   const struct slow_step *step) {
    if (call->count == slow->steps) {
        struct slow_step *last = &call->steps[call->count - 1];

        call->is_cut = true;
        last->end = step->end;
        last->device = last->sector = last->response = last->queued = EVENT_NONE;
        return;
    }
    *ARRAY_NEW(call->steps, call->count, call->capacity) = *step;
}

void slow_calls_store(struct slow_calls *slow, struct slow_call *call) {
    size_t at;

    if (slow->calls == NULL) {
        slow->calls = xcalloc(slow->most, sizeof *slow->calls);
    }
    if (slow->count == slow->most) {
        free(slow->calls[--slow->count].steps);
    }
    for (at = slow->count++; at > 0 && slow->calls[at - 1].duration < call->duration; at--) {
        slow->calls[at] = slow->calls[at - 1];
    }
    slow->calls[at] = *call;
}

void slow_calls_free(struct slow_calls *slow) {
    for (size_t i = 0; i < slow->count; i++) {
        free(slow->calls[i].steps);
    }
    free(slow->calls);
}

/* --- requests ----------------------------------------------------------------------------------
 */

/* Search for completions in a trace of kind io. */
struct request_search {
    struct slow_step **steps; /* owned; sorted by device, sector and end */
    size_t count;
    int64_t shift;
    struct id_values completions, devices; /* operations; devices by object */
};

static int compare_request(const struct slow_step *step, int64_t device, int64_t sector,
                           int64_t end) {
    return step->device != device   ? ORDER(step->device, device)
           : step->sector != sector ? ORDER(step->sector, sector)
                                    : ORDER(step->woken, end);
}

static int compare_steps(const void *left, const void *right) {
    const struct slow_step *a = *(struct slow_step *const *)left,
                           *b = *(struct slow_step *const *)right;

    return compare_request(a, b->device, b->sector, b->woken);
}

/* A completion belongs to the first of its steps that ends after it. */
static bool visit_requests(void *request_search, const struct event_columns *columns, size_t count,
                           struct error *error) {
    const struct request_search *search = request_search;

    (void)error;
    for (size_t i = 0; i < count; i++) {
        int64_t device, completes, time = columns->time[i] + search->shift;
        size_t from = 0, to = search->count;

        if (!id_values_find(&search->completions, columns->operation[i], &completes) ||
            !id_values_find(&search->devices, columns->object[i], &device)) {
            continue;
        }
        while (from < to) {
            size_t middle = (from + to) / 2;

            if (compare_request(search->steps[middle], device, columns->address[i], time) < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        if (from < search->count &&
            compare_request(search->steps[from], device, columns->address[i],
                            search->steps[from]->woken) == 0) {
            search->steps[from]->row = columns->id[i];
            search->steps[from]->object = columns->object[i];
            search->steps[from]->queued =
                columns->response[i] == EVENT_NONE || columns->duration[i] == EVENT_NONE
                    ? EVENT_NONE
                    : columns->response[i] - columns->duration[i];
        }
    }
    return true;
}

static bool find_completions_of_trace(struct request_search *search, const struct event_pass *pass,
                                      struct error *error) {
    return id_values_query(&search->completions, pass->database,
                           "SELECT id, 1 FROM main.name WHERE trace = ?1 AND kind = 'action' AND"
                           " text = 'C' ORDER BY id",
                           pass->range.trace, error) &&
           id_values_query(&search->devices, pass->database,
                           "SELECT id, device FROM main.object WHERE trace = ?1 AND"
                           " device IS NOT NULL ORDER BY id",
                           pass->range.trace, error) &&
           event_pass_run(pass, search, error);
}

bool slow_calls_find(struct slow_calls *slow, struct database *database, int64_t states,
                     int64_t shift, struct error *error) {
    struct request_search search = {.shift = shift};
    struct event_pass pass = {.database = database,
                              .fields = EVENT_OPERATION | EVENT_OBJECT | EVENT_ADDRESS |
                                        EVENT_DURATION | EVENT_RESPONSE,
                              .visit = visit_requests};
    struct database_query query;
    bool done, found;
    size_t capacity = 0;

    for (size_t i = 0; i < slow->count; i++) {
        struct slow_call *call = &slow->calls[i];

        for (size_t j = 0; j < call->count && !call->is_searched; j++) {
            if (call->steps[j].sector != EVENT_NONE) {
                *ARRAY_NEW(search.steps, search.count, capacity) = &call->steps[j];
            }
        }
        call->is_searched = true;
    }
    if (search.count == 0) {
        return true;
    }
    qsort(search.steps, search.count, sizeof *search.steps, compare_steps);
    query = database_query(database, error,
                           "SELECT io.id, io.first_event, io.last_event FROM main.trace AS io WHERE"
                           " io.kind = 'io' AND io.log = (SELECT log FROM main.trace WHERE id = ?1)"
                           " LIMIT 1",
                           "i", states);
    found = database_next(&query);
    if (found) {
        pass.range = (struct column_range){sqlite3_column_int64(query.row, 0),
                                           sqlite3_column_int64(query.row, 1),
                                           sqlite3_column_int64(query.row, 2)};
    }
    done = database_end(&query) && (!found || find_completions_of_trace(&search, &pass, error));
    /* A completion may have ended several waits. */
    for (size_t i = 1; i < search.count; i++) {
        struct slow_step *step = search.steps[i], *before = search.steps[i - 1];

        if (step->row == EVENT_NONE && before->row != EVENT_NONE &&
            compare_request(before, step->device, step->sector, before->woken) == 0) {
            step->row = before->row;
            step->object = before->object;
            step->queued = before->queued;
        }
    }
    id_values_free(&search.completions);
    id_values_free(&search.devices);
    free(search.steps);
    return done;
}

/* --- steps in words --------------------------------------------------------------------------- */

/* 1.23 ms */
static void slow_calls_append_time(struct text *out, int64_t nanoseconds) {
    static const char *const units[] = {"ns", "\302\265s", "ms", "s"};
    double value = (double)nanoseconds;
    size_t unit = 0;

    for (; value >= 1000 && unit < 3; unit++) {
        value /= 1000;
    }
    text_append_format(out, "%.3g %s", value, units[unit]);
}

/* (sector 64, 280 µs, /data/a.db) */
static bool append_request(const struct slow_step *step, struct database *database,
                           struct text *out, struct error *error) {
    struct database_query query;

    text_append_format(out, " (sector %lld", (long long)step->sector);
    if (step->response != EVENT_NONE) {
        text_append_string(out, ", ");
        slow_calls_append_time(out, step->response);
    }
    if (step->queued != EVENT_NONE && step->queued > 0) {
        text_append_string(out, " after ");
        slow_calls_append_time(out, step->queued);
        text_append_string(out, " in the queue");
    }
    query = database_query(database, error,
                           "SELECT name FROM main.object WHERE id = ?1 AND name NOT NULL", "i",
                           (int64_t)step->object);
    if (database_next(&query)) {
        text_append_format(out, ", %s", database_column_text(query.row, 0));
    }
    text_append_char(out, ')');
    return database_end(&query);
}

bool slow_call_describe(const struct slow_call *call, const struct wait_causes *causes,
                        struct database *database, struct text *out, struct error *error) {
    for (size_t i = 0; i < call->count; i++) {
        const struct slow_step *step = &call->steps[i];

        text_append_string(out, i == 0 ? "" : ", ");
        if (call->is_cut && i + 1 == call->count) {
            text_append_string(out, "\342\200\246");
            break;
        }
        text_append_format(out, "%s ", wait_cause_text(causes, step->cause));
        slow_calls_append_time(out, step->end - step->begin);
        if (step->waker != 0) {
            text_append_format(out, " (%s)", wait_cause_text(causes, step->waker));
        }
        if (step->sector != EVENT_NONE && !step->is_flush &&
            !append_request(step, database, out, error)) {
            return false;
        }
    }
    return true;
}
