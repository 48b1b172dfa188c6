/* speedscope's JSON: a profile of begin and end events for each thread.
 *
 *     {"$schema":"https://www.speedscope.app/file-format-schema.json","name":"shop.trace",
 *     "exporter":"tracetool","profiles":[
 *     {"type":"evented","name":"main (7)","unit":"nanoseconds","startValue":0,"events":[
 *     {"type":"O","frame":0,"at":12345},
 *     {"type":"C","frame":0,"at":12595}
 *     ],"endValue":12595}
 *     ],"shared":{"frames":[
 *     {"name":"draw()"}
 *     ]}}
 *
 * - In a profile, times never decrease, and the last begun call ends first. A call that outlasts
 * its caller ends with it. One that overlaps another of its thread without nesting is omitted.
 * - I/Os overlap: each takes the first free lane of its block device, and a lane is a profile. They
 *   are buffered in a table until the end.
 * - Events without a duration cannot be shown, and are omitted. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/saturate.h"
#include "export/export.h"
#include "model/event.h"
#include "model/partition.h"
#include "model/thread.h"
#include "output/printer.h"
#include "select/functions.h"
#include "base/memory.h"

static const char no_duration[] = "events without a duration";
static const char overlapping[] =
    "calls that overlap another one of their thread without nesting, or nest deeper than 256";
static const char outlasting[] = "times of calls beyond the ends of their callers";
static const char too_deep[] = "I/Os beyond 4096 under way at once on a device";

/* Frame of all calls with the same name. */
struct frame {
    int64_t name; /* id of the calls' name (name.id) */
    size_t number;
    UT_hash_handle hh;
};

/* A call that has begun but not ended. */
struct open_frame {
    size_t frame;
    int64_t depth;
    struct export_slice slice;
};

struct speedscope_state {
    struct text line;
    bool several;   /* true: the trace has several processes */
    bool begun;     /* true: `origin` is set */
    int64_t origin; /* time of the trace that is written as 0 */
    /* The current profile: */
    bool inside;    /* true: a profile is open */
    bool has_event; /* true: the profile has events */
    size_t profiles;
    int64_t key;  /* thread index of the profile; for I/Os: device index * LANES_MOST + lane */
    int64_t last; /* time of the profile's last event */
    struct open_frame *open; /* owned; calls begun but not ended, outermost first */
    size_t open_count, open_capacity;
    struct frame *frames; /* owned hash table by name id */
    /* Lanes of I/Os, by device. Frames of I/Os are named by class. */
    sqlite3_stmt *insert; /* owned */
};

/* Returns a time relative to the origin, which is at most 0. */
static int64_t speedscope_time_in_file(const struct speedscope_state *state, int64_t time) {
    add_saturated(&time, -state->origin);
    return time;
}

static void speedscope_append_event(struct speedscope_state *state, char type, size_t frame,
                                    int64_t time) {
    text_append_format(&state->line, "%s\n{\"type\":\"%c\",\"frame\":%zu,\"at\":%lld}",
                       state->has_event ? "," : "", type, frame,
                       (long long)speedscope_time_in_file(state, time));
    state->has_event = true;
    state->last = time;
}

static void begin_profile(struct export_run *run, struct speedscope_state *state, int64_t key,
                          const char *name, size_t length) {
    const struct catalog_trace *trace = run->trace->trace;

    text_append_format(&state->line,
                       "%s\n{\"type\":\"evented\",\"name\":", state->profiles++ > 0 ? "," : "");
    json_append_string(&state->line, name, length);
    text_append_format(&state->line, ",\"unit\":\"%s\",\"startValue\":0,\"events\":[",
                       catalog_has_real_clock(trace) ? "nanoseconds" : "none");
    state->inside = true;
    state->has_event = false;
    state->key = key;
    state->last = state->origin;
    state->open_count = 0;
}

/* Writes the end of the innermost call. */
static void speedscope_end_innermost(struct speedscope_state *state) {
    const struct open_frame *innermost = &state->open[--state->open_count];

    speedscope_append_event(state, 'C', innermost->frame, innermost->slice.end);
}

static void end_profile(struct speedscope_state *state) {
    while (state->open_count > 0) {
        speedscope_end_innermost(state);
    }
    if (state->inside) {
        text_append_format(&state->line, "\n],\"endValue\":%lld}",
                           (long long)speedscope_time_in_file(state, state->last));
        state->inside = false;
    }
}

static size_t find_or_add_frame(struct speedscope_state *state, int64_t name) {
    struct frame *frame;

    HASH_FIND(hh, state->frames, &name, sizeof name, frame);
    if (frame == NULL) {
        frame = xcalloc(1, sizeof *frame);
        frame->name = name;
        frame->number = HASH_COUNT(state->frames);
        HASH_ADD(hh, state->frames, name, sizeof frame->name, frame);
    }
    return frame->number;
}

static void begin_thread(struct export_run *run, struct speedscope_state *state,
                         const struct export_event *event) {
    struct text name = {0};

    thread_label_append(&name, state->several || event->tid == EVENT_NONE ? event->pid : EVENT_NONE,
                        event->tid, event->process, event->process_length, text_append);
    begin_profile(run, state, event->thread, text_string(&name), name.length);
    text_free(&name);
}

/* Returns whether a call is nested in `outer`: for spans by depth, for others by times. A span
 * whose caller is not in the file may be nested in one further out. */
static bool speedscope_lies_inside(const struct export_event *event, const struct open_frame *call,
                                   const struct open_frame *outer, bool spans) {
    return spans ? export_may_lie_in(event, &outer->slice) ||
                       (outer->depth < call->depth - 1 && outer->slice.end > call->slice.begin)
                 : outer->slice.end > call->slice.begin && outer->slice.end >= call->slice.end;
}

/* Writes the ends of open calls in which the new call is not nested. Returns false if one of them
 * ends after the new call begins; the new call then cannot be written. */
static bool speedscope_end_others(struct speedscope_state *state, const struct export_event *event,
                                  const struct open_frame *call, bool spans) {
    while (state->open_count > 0) {
        const struct open_frame *innermost = &state->open[state->open_count - 1];

        if (speedscope_lies_inside(event, call, innermost, spans)) {
            return spans || state->open_count < EXPORT_NESTED;
        }
        if (innermost->slice.end > call->slice.begin) {
            return false;
        }
        speedscope_end_innermost(state);
    }
    return true;
}

static void speedscope_write_call(struct export_run *run, struct speedscope_state *state,
                                  const struct export_event *event) {
    struct open_frame call = {
        .depth = event->depth == EVENT_NONE ? 0 : event->depth,
        .slice = {event->time, run->trace->trace->last_time, INT64_MAX, event->id}};
    bool spans = run->trace->trace->kind == TRACE_SPANS;

    if ((spans && !span_is_call(event->flags)) ||
        (event->duration == EVENT_NONE && !(spans && (event->flags & SPAN_OPEN) != 0))) {
        export_exclude(run, no_duration);
        return;
    }
    if (!state->inside || state->key != event->thread) {
        end_profile(state);
        begin_thread(run, state, event);
    }
    if (event->duration != EVENT_NONE) {
        call.slice.end = event->time;
        add_saturated(&call.slice.end, event->duration);
    }
    call.slice.end = call.slice.end < event->time ? event->time : call.slice.end;
    call.slice.log_end = call.slice.end;
    if (!speedscope_end_others(state, event, &call, spans)) {
        export_exclude(run, overlapping);
        export_write_text(run, &state->line);
        return;
    }
    if (state->open_count > 0) {
        const struct export_slice *caller = &state->open[state->open_count - 1].slice;

        /* Shifts the call to be within its caller's time. */
        export_shift_into_caller(&call.slice, caller, state->last);
        if (call.slice.end > caller->end) {
            call.slice.begin = call.slice.begin < caller->end ? call.slice.begin : caller->end;
            call.slice.end = caller->end;
            export_exclude(run, outlasting);
        }
    }
    call.frame = find_or_add_frame(state, event->operation);
    run->written++;
    state->open =
        array_grow(state->open, state->open_count, &state->open_capacity, sizeof *state->open);
    speedscope_append_event(state, 'O', call.frame, call.slice.begin);
    state->open[state->open_count++] = call;
    export_write_text(run, &state->line);
}

static void speedscope_write_io(struct export_run *run, struct speedscope_state *state,
                                const struct export_event *event) {
    struct export_device *device = export_find_device(run, event->device);
    size_t lane = 0;
    bool ignored;

    if (event->response == EVENT_NONE || event->response < 0) {
        export_exclude(run, no_duration);
        return;
    }
    if (!lanes_choose(&device->lanes, event->arrival, event->time, &lane, &ignored)) {
        export_exclude(run, too_deep);
        return;
    }
    run->written++;
    sqlite3_bind_int64(state->insert, 1, (int64_t)(device->index * LANES_MOST + lane));
    sqlite3_bind_int(state->insert, 2, (int)io_class_of(event->flags));
    sqlite3_bind_int64(state->insert, 3, event->arrival);
    sqlite3_bind_int64(state->insert, 4, event->time);
    export_insert(run, state->insert);
}

static void speedscope_begin_lane(struct export_run *run, struct speedscope_state *state,
                                  int64_t key) {
    int64_t device = run->devices[key / LANES_MOST]->number;
    char name[96];
    int length;

    length =
        device == EVENT_NONE || device < 0
            ? snprintf(name, sizeof name, "block device, lane %lld",
                       (long long)(key % LANES_MOST + 1))
            : snprintf(name, sizeof name, "block device %d:%d, lane %lld", device_major(device),
                       device_minor(device), (long long)(key % LANES_MOST + 1));
    begin_profile(run, state, key, name, (size_t)length);
}

static void append_frame(struct text *line, const char *name, size_t length, bool first) {
    text_append_string(line, first ? "\n{\"name\":" : ",\n{\"name\":");
    json_append_string(line, name, length);
}

static void write_call_frames(struct export_run *run, struct speedscope_state *state) {
    struct text sql = {0};

    text_append_format(&sql,
                       "SELECT %s, %s FROM main.name AS n LEFT JOIN main.name AS c"
                       " ON c.id = n.component WHERE n.id = ?1",
                       export_name_sql(run, EXPORT_OPERATION),
                       export_name_sql(run, EXPORT_COMPONENT));
    for (const struct frame *frame = state->frames; !run->failed && frame != NULL;
         frame = frame->hh.next) {
        struct database_query query =
            database_query(run->database, run->error, text_string(&sql), "i", frame->name);
        bool row = database_next(&query);

        append_frame(&state->line, row ? (const char *)sqlite3_column_text(query.row, 0) : "",
                     row ? (size_t)sqlite3_column_bytes(query.row, 0) : 0, frame->number == 0);
        if (row && sqlite3_column_type(query.row, 1) != SQLITE_NULL) {
            text_append_string(&state->line, ",\"file\":");
            json_append_string(&state->line, (const char *)sqlite3_column_text(query.row, 1),
                               (size_t)sqlite3_column_bytes(query.row, 1));
        }
        text_append_char(&state->line, '}');
        run->failed = !database_end(&query);
        export_write_text(run, &state->line);
    }
    text_free(&sql);
}

static void speedscope_begin(struct export_run *run, void *context) {
    const struct catalog_trace *trace = run->trace->trace;
    struct speedscope_state *state = context;

    text_append_string(&state->line,
                       "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
                       "\"name\":");
    json_append_string(&state->line, run->trace_name, strlen(run->trace_name));
    text_append_string(&state->line, ",\"exporter\":\"tracetool\",\"profiles\":[");
    if (trace->kind == TRACE_IO) {
        state->insert = export_create_table(
            run, "export_slice", "(number INTEGER PRIMARY KEY, lane, frame, first, last)",
            "INSERT INTO temp.export_slice (lane, frame, first, last) VALUES (?1, ?2, ?3, ?4)");
    }
    run->failed |= !select_several_processes(run->database, trace->id, &state->several, run->error);
    export_write_text(run, &state->line);
}

static void speedscope_write(struct export_run *run, void *context,
                             const struct export_event *event) {
    const struct catalog_trace *trace = run->trace->trace;
    struct speedscope_state *state = context;

    /* The origin is the start of the trace, or the first event if it is earlier. */
    if (!state->begun) {
        state->begun = true;
        state->origin = trace->first_time < 0 ? trace->first_time : 0;
        state->origin = event->arrival < state->origin ? event->arrival : state->origin;
    }
    (trace->kind == TRACE_IO ? speedscope_write_io : speedscope_write_call)(run, state, event);
}

static void speedscope_end(struct export_run *run, void *context) {
    struct speedscope_state *state = context;
    bool io = run->trace->trace->kind == TRACE_IO;

    if (io) {
        sqlite3_stmt *rows = export_query_rows(
            run, "SELECT lane, frame, first, last FROM temp.export_slice ORDER BY lane, number");

        while (export_next(run, rows)) {
            int64_t lane = sqlite3_column_int64(rows, 0);
            size_t frame = (size_t)sqlite3_column_int(rows, 1);

            if (!state->inside || state->key != lane) {
                end_profile(state);
                speedscope_begin_lane(run, state, lane);
            }
            speedscope_append_event(state, 'O', frame, sqlite3_column_int64(rows, 2));
            speedscope_append_event(state, 'C', frame, sqlite3_column_int64(rows, 3));
            export_write_text(run, &state->line);
        }
    }
    end_profile(state);
    text_append_string(&state->line, "\n],\"shared\":{\"frames\":[");
    for (size_t i = 0; io && i < IO_CLASSES; i++) {
        append_frame(&state->line, io_class_words[i], strlen(io_class_words[i]), i == 0);
        text_append_char(&state->line, '}');
    }
    export_write_text(run, &state->line);
    if (!io) {
        write_call_frames(run, state);
    }
    export_print(run, "\n]}}\n");
}

static void speedscope_free_state(void *context) {
    struct speedscope_state *state = context;

    sqlite3_finalize(state->insert);
    free(state->open);
    HASH_FREE(state->frames);
    text_free(&state->line);
}

const struct exporter speedscope_exporter = {
    .name = "speedscope",
    .description = "speedscope's JSON, a profile a thread",
    .kinds = 1u << TRACE_CALLS | 1u << TRACE_IO | 1u << TRACE_SPANS,
    .by_thread = true,
    .state_size = sizeof(struct speedscope_state),
    .begin = speedscope_begin,
    .take = speedscope_write,
    .end = speedscope_end,
    .free = speedscope_free_state,
};
