#include "analysis/slow_calls.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"

bool slow_calls_is_slow(const struct slow_calls *slow, int64_t duration) {
    return slow->count < slow->most || duration > slow->calls[slow->count - 1].duration;
}

void slow_call_add_step(const struct slow_calls *slow, struct slow_call *call,
                        const struct slow_step *step) {
    if (call->count == slow->steps) {
        struct slow_step *last = &call->steps[call->count - 1];

        call->is_cut = true;
        last->end = step->end;
        last->request = (struct io_request)NO_REQUEST;
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

/* --- finding the request that ended a wait ---------------------------------------------------- */

bool requests_open(struct request_reader *reader, struct database *database, int64_t states,
                   struct error *error) {
    struct event_pass pass = {.database = database,
                              .fields = EVENT_OPERATION | EVENT_OBJECT | EVENT_ADDRESS |
                                        EVENT_DURATION | EVENT_RESPONSE};
    struct database_query query =
        database_query(database, error,
                       "SELECT io.id, io.first_event, io.last_event FROM main.trace AS io WHERE"
                       " io.kind = 'io' AND io.log = (SELECT log FROM main.trace WHERE id = ?1)"
                       " LIMIT 1",
                       "i", states);

    reader->at = reader->count = reader->completed = 0;
    if (!database_next(&query)) {
        return database_end(&query);
    }
    pass.range = (struct column_range){sqlite3_column_int64(query.row, 0),
                                       sqlite3_column_int64(query.row, 1),
                                       sqlite3_column_int64(query.row, 2)};
    return database_end(&query) &&
           id_values_query(&reader->completions, database,
                           "SELECT id, 1 FROM main.name WHERE trace = ?1 AND kind = 'action' AND"
                           " text = 'C' ORDER BY id",
                           pass.range.trace, error) &&
           id_values_query(&reader->devices, database,
                           "SELECT id, device FROM main.object WHERE trace = ?1 AND"
                           " device IS NOT NULL ORDER BY id",
                           pass.range.trace, error) &&
           event_stream_open(&reader->stream, &pass, error);
}

/* If event `i` is a completion, stores it in the ring of the latest completions. */
static void requests_store(struct request_reader *reader, size_t i) {
    const struct event_columns *columns = &reader->stream.columns;
    int64_t device, completes, issued = EVENT_NONE, queued = EVENT_NONE;

    if (!id_values_find(&reader->completions, columns->operation[i], &completes) ||
        !id_values_find(&reader->devices, columns->object[i], &device)) {
        return;
    }
    if (columns->duration[i] >= 0) {
        issued = columns->time[i] - columns->duration[i];
        if (columns->response[i] >= columns->duration[i]) {
            queued = columns->response[i] - columns->duration[i];
        }
    }
    reader->latest[reader->completed++ % REQUESTS_LATEST] = (struct io_request){
        .device = device,
        .sector = columns->address[i],
        .response = issued == EVENT_NONE ? EVENT_NONE : columns->duration[i],
        .issued = issued,
        .queued = queued,
        .row = columns->id[i],
        .object = columns->object[i],
    };
}

void requests_find(struct request_reader *reader, int64_t time, struct io_request *request,
                   struct error *error) {
    size_t kept;

    for (;;) {
        if (reader->at == reader->count) {
            reader->at = reader->count = 0;
            if (!event_stream_next(&reader->stream, &reader->count, error) || reader->count == 0) {
                break;
            }
        }
        if (reader->stream.columns.time[reader->at] > time) {
            break;
        }
        requests_store(reader, reader->at++);
    }
    kept = reader->completed < REQUESTS_LATEST ? reader->completed : REQUESTS_LATEST;
    for (size_t back = 1; back <= kept; back++) {
        const struct io_request *found =
            &reader->latest[(reader->completed - back) % REQUESTS_LATEST];

        if (found->device == request->device && found->sector == request->sector) {
            request->response =
                /* as computed by the import; known even if the log lacks events */
                found->response;
            request->issued = found->issued;
            request->queued = found->queued;
            request->row = found->row;
            request->object = found->object;
            return;
        }
    }
}

bool requests_close(struct request_reader *reader) {
    id_values_free(&reader->completions);
    id_values_free(&reader->devices);
    return event_stream_close(&reader->stream);
}

/* --- describing the steps in words ------------------------------------------------------------ */

/* Appends a duration in a fitting unit, such as `1.23 ms`. */
static void slow_calls_append_time(struct text *out, int64_t nanoseconds) {
    static const char *const units[] = {"ns", "\302\265s", "ms", "s"};
    double value = (double)nanoseconds;
    size_t unit = 0;

    for (; value >= 1000 && unit < 3; unit++) {
        value /= 1000;
    }
    text_append_format(out, "%.3g %s", value, units[unit]);
}

/* Appends a description of a request, such as ` (sector 64, 280 µs, /data/a.db)`. */
static bool append_request(const struct io_request *request, struct database *database,
                           struct text *out, struct error *error) {
    struct database_query query;

    text_append_format(out, " (sector %lld", (long long)request->sector);
    if (request->response != EVENT_NONE) {
        text_append_string(out, ", ");
        slow_calls_append_time(out, request->response);
    }
    if (request->queued != EVENT_NONE && request->queued > 0) {
        text_append_string(out, " after ");
        slow_calls_append_time(out, request->queued);
        text_append_string(out, " in the queue");
    }
    query = database_query(database, error,
                           "SELECT name FROM main.object WHERE id = ?1 AND name NOT NULL", "i",
                           (int64_t)request->object);
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
        if (step->request.sector != EVENT_NONE && !step->request.is_flush &&
            !append_request(&step->request, database, out, error)) {
            return false;
        }
    }
    return true;
}
