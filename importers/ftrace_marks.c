#include "ftrace_marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

const struct event_meaning ftrace_marks_meanings[] = {
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_VALUE, "", "counter", ""},
    {0},
};

/* Open calls of one name, to find a free lane. */
struct ftrace_mark_track {
    uint32_t actor; /* key: actor of the first lane */
    uint64_t used;  /* a bit per lane */
    UT_hash_handle hh;
};

struct open_mark {
    struct pending pending;
    struct ftrace_mark_track *track;
    unsigned lane;
    uint32_t operation, actor;
    int64_t time, process;
};

void ftrace_marks_end(struct ftrace_marks *marks) {
    struct ftrace_mark_track *track, *next;

    HASH_ITER(hh, marks->lanes, track, next) {
        HASH_DEL(marks->lanes, track);
        free(track);
    }
    pending_free(&marks->open);
    text_free(&marks->name);
}

/* --- parsing ---------------------------------------------------------------------------------- */

/* Cuts off the text after the last bar. False if there is none. */
static bool ftrace_marks_cut_last(struct word *rest, struct word *last) {
    const char *bar = rest->length == 0 ? NULL : memrchr(rest->bytes, '|', rest->length);

    if (bar == NULL) {
        return false;
    }
    *last = word_trim(word_between(bar + 1, rest->bytes + rest->length));
    *rest = word_between(rest->bytes, bar);
    return true;
}

static bool ftrace_marks_cut_number(struct word *rest, int64_t *number) {
    struct word last;

    return ftrace_marks_cut_last(rest, &last) && word_signed(last, -INT64_MAX, INT64_MAX, number);
}

/* Parses `X|PID|` with one of the letters. */
static bool ftrace_marks_parse_head(struct word *rest, const char *letters,
                                    struct ftrace_mark *mark) {
    struct word letter = word_field(rest, '|'), pid = word_field(rest, '|');

    if (letter.length != 1 || strchr(letters, *letter.bytes) == NULL) {
        return false;
    }
    mark->letter = *letter.bytes;
    return word_number(pid, INT32_MAX, &mark->pid);
}

static bool ftrace_marks_parse(struct word rest, struct ftrace_mark *mark) {
    if (!ftrace_marks_parse_head(&rest, "SFGHN", mark) ||
        (mark->letter != 'N' && !ftrace_marks_cut_number(&rest, &mark->cookie))) {
        return false;
    }
    mark->track = mark->name = rest;
    if (strchr("GHN", mark->letter) != NULL) {
        /* Some versions also write the name at the end. */
        mark->track = word_field(&rest, '|');
        mark->name = rest;
    }
    return true;
}

/* --- calls ------------------------------------------------------------------------------------ */

/* pending_key.stage: what identifies an open call in addition to its cookie. */
enum { BY_TRACK, BY_NAMED_TRACK, BY_COOKIE };

static int stage_of(char letter) {
    return strchr("GH", letter) != NULL   ? BY_NAMED_TRACK
           : strchr("be", letter) != NULL ? BY_COOKIE
                                          : BY_TRACK;
}

/* Finds the actor of a lane: `NAME`, `NAME (2)`, … */
static uint32_t ftrace_marks_find_lane(struct import *spans, struct ftrace_marks *marks,
                                       const struct ftrace_mark *mark, unsigned lane) {
    struct word name = mark->track;

    if (lane > 0) {
        text_clear(&marks->name);
        text_append(&marks->name, name.bytes, name.length);
        text_append_format(&marks->name, " (%u)", lane + 1);
        name = (struct word){text_string(&marks->name), marks->name.length};
    }
    return import_thread(spans, mark->pid, EVENT_NONE, name);
}

/* Finds or adds the track. NULL if there are too many. */
static struct ftrace_mark_track *ftrace_marks_find_track(struct ftrace_marks *marks,
                                                         uint32_t actor) {
    struct ftrace_mark_track *track;

    HASH_FIND(hh, marks->lanes, &actor, sizeof actor, track);
    if (track == NULL && HASH_COUNT(marks->lanes) < FTRACE_MARKS_TRACKS) {
        track = xcalloc(1, sizeof *track);
        track->actor = actor;
        HASH_ADD(hh, marks->lanes, actor, sizeof track->actor, track);
    }
    return track;
}

static struct span_record ftrace_marks_record_of(const struct open_mark *call, int64_t time) {
    return (struct span_record){
        .operation = call->operation,
        .actor = call->actor,
        .process = call->process,
        .time = time,
        .cpu = EVENT_NONE,
        .size = EVENT_NONE,
        .value = EVENT_NONE,
    };
}

static enum ftrace_graph_taken
ftrace_marks_begin_call(struct import *spans, struct ftrace_marks *marks,
                        const struct ftrace_mark *mark, const struct pending_key *key,
                        struct open_mark *call, int64_t offset, int64_t bytes) {
    struct ftrace_mark_track *track = ftrace_marks_find_track(marks, call->actor);
    struct span_record record;

    if (track == NULL || ~track->used == 0 || marks->open.count == FTRACE_MARKS_OPEN) {
        return GRAPH_TOO_DEEP;
    }
    call->track = track;
    call->lane = (unsigned)__builtin_ctzll(~track->used);
    call->actor = ftrace_marks_find_lane(spans, marks, mark, call->lane);
    track->used |= UINT64_C(1) << call->lane;
    marks->open.size = sizeof *call;
    pending_add(&marks->open, key, PENDING_LAST, &call->pending);
    record = ftrace_marks_record_of(call, call->time);
    import_entry(spans, &record, offset, bytes);
    return GRAPH_TAKEN;
}

static enum ftrace_graph_taken ftrace_marks_end_call(struct import *spans,
                                                     struct ftrace_marks *marks,
                                                     const struct pending_key *key, int64_t time,
                                                     int64_t offset, int64_t bytes) {
    struct open_mark *call = (struct open_mark *)pending_find(
        &marks->open, key, key->stage == BY_COOKIE ? PENDING_LAST : PENDING_FIRST);
    struct span_record record;

    if (call == NULL) {
        return GRAPH_STRAY;
    }
    record = ftrace_marks_record_of(call, time > call->time ? time : call->time);
    call->track->used &= ~(UINT64_C(1) << call->lane);
    pending_remove(&marks->open, &call->pending);
    import_exit(spans, &record, offset, bytes);
    return GRAPH_TAKEN;
}

enum ftrace_graph_taken ftrace_marks_keep(struct import *spans, struct ftrace_marks *marks,
                                          const struct ftrace_mark *mark, int64_t time,
                                          int64_t offset, int64_t bytes) {
    struct open_mark call = {.time = time, .process = mark->pid};
    struct pending_key key = {.stage = stage_of(mark->letter), .sector = mark->cookie};
    struct span_record record;

    if (mark->letter != 'e') {
        call.actor = ftrace_marks_find_lane(spans, marks, mark, 0);
    }
    key.device = key.stage == BY_COOKIE ? mark->pid : call.actor;
    if (strchr("FHe", mark->letter) != NULL) {
        return ftrace_marks_end_call(spans, marks, &key, time, offset, bytes);
    }
    call.operation = import_word(spans, mark->kind, mark->name);
    if (mark->letter != 'N') {
        return ftrace_marks_begin_call(spans, marks, mark, &key, &call, offset, bytes);
    }
    record = ftrace_marks_record_of(&call, time);
    import_entry(spans, &record, offset, bytes);
    record.time += mark->duration;
    import_exit(spans, &record, offset, bytes);
    return GRAPH_TAKEN;
}

enum ftrace_graph_taken ftrace_marks_take(struct import *spans, struct ftrace_marks *marks,
                                          const struct ftrace_line *line, bool *is_mark,
                                          int64_t offset, int64_t bytes) {
    struct ftrace_mark mark = {.kind = "mark"};

    *is_mark = ftrace_marks_parse(line->fields, &mark);
    return *is_mark ? ftrace_marks_keep(spans, marks, &mark, line->time, offset, bytes)
                    : GRAPH_TAKEN;
}

/* --- counters --------------------------------------------------------------------------------- */

static void keep(struct import *samples, int64_t time, uint32_t operation, uint32_t actor,
                 int64_t value) {
    struct event *event = import_event(samples);

    event->time = time;
    event->operation = operation;
    event->actor = actor;
    event->value = value;
}

bool ftrace_marks_counter(struct import *samples, struct ftrace_marks *marks,
                          const struct ftrace_line *line) {
    struct word rest = line->fields;
    struct ftrace_mark mark;
    char made[FTRACE_IDLE_NAME];
    int64_t value;

    if (!ftrace_marks_parse_head(&rest, "C", &mark) || !ftrace_marks_cut_number(&rest, &value)) {
        return false;
    }
    keep(samples, line->time, import_word(samples, COUNTER_NAME_KIND, rest),
         import_thread(samples, mark.pid, line->tid, ftrace_line_thread(line, made)), value);
    return true;
}

void ftrace_marks_count(struct import *samples, struct ftrace_marks *marks, struct word actor,
                        struct word counter, int64_t time, int64_t value) {
    keep(samples, time, import_word(samples, COUNTER_NAME_KIND, counter),
         import_thread(samples, EVENT_NONE, EVENT_NONE, actor), value);
}

/* cpu_idle prints -1 in 32 bits when a processor is no longer idle. */
bool ftrace_marks_processor(struct import *samples, struct ftrace_marks *marks,
                            const struct ftrace_line *line) {
    struct word rest = line->fields, name;
    int64_t value, cpu;
    char made[FTRACE_IDLE_NAME];

    if ((!word_is(line->event, "cpu_frequency") && !word_is(line->event, "cpu_idle")) ||
        !word_accept(&rest, "state=") || !word_next_number(&rest, UINT32_MAX, &value) ||
        !word_accept(&rest, "cpu_id=") || !word_next_number(&rest, INT32_MAX, &cpu)) {
        return false;
    }
    name.bytes = made;
    name.length = (size_t)snprintf(made, sizeof made, "CPU %lld", (long long)cpu);
    ftrace_marks_count(samples, marks, name, line->event, line->time,
                       value == UINT32_MAX ? -1 : value);
    return true;
}

void ftrace_marks_dump(const struct dump_event *dump, struct text *out) {
    text_append_char(out, '[');
    if (dump->pid != EVENT_NONE) {
        text_append_format(out, dump->tid == EVENT_NONE ? "%lld " : "%lld/%lld ",
                           (long long)dump->pid, (long long)dump->tid);
    }
    text_append_escaped(out, dump->actor, dump->actor_length);
    text_append_string(out, "] ");
    text_append_escaped(out, dump->operation, dump->operation_length);
    text_append_format(out, " = %lld", (long long)dump->event.value);
}
