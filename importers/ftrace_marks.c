#include "ftrace_marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/partition.h"

enum {
    NAME_BYTES = 96,
    HIBERNATE_ENTER = 0x17,
    HIBERNATE_EXIT = 0x18,
    MOST_MICROSECONDS = 1000000000,
};

/* Reasons (ledger.reason) for marks, and for events of F2FS and UFS. */
static const char bad_storage[] = "fields are not those of the event of F2FS or UFS";
static const char step_within[] = "step inside an operation of F2FS or UFS";
static const char beginless_step[] = "end of an F2FS or UFS operation without a begin in the log";

/* A line about background work, and the imports that receive its events. */
struct storage_line {
    struct import *spans, *samples;
    struct ftrace_marks *marks;
    const struct ftrace_line *line;
    int64_t offset, bytes;
};

/* A buffer for the name of a track or call. */
struct made {
    char text[NAME_BYTES];
};

static struct word ftrace_storage_make(struct made *made, const char *what, struct word of) {
    int length = snprintf(made->text, sizeof made->text, "%s %.*s", what,
                          (int)(of.length < NAME_BYTES ? of.length : NAME_BYTES), of.bytes);

    return (struct word){made->text, (size_t)(length < NAME_BYTES ? length : NAME_BYTES - 1)};
}

/* Adds a mark on the track `what of`, of a letter as in struct ftrace_mark. */
static struct ftrace_outcome ftrace_storage_add(const struct storage_line *at, const char *kind,
                                                char letter, const char *what, struct word of,
                                                struct word name, int64_t duration) {
    struct made track;
    const struct ftrace_mark mark = {.letter = letter,
                                     .track = ftrace_storage_make(&track, what, of),
                                     .name = name,
                                     .duration = duration,
                                     .kind = kind};
    const struct ftrace_outcome outcome = ftrace_marks_add(
        at->spans, at->marks, &mark, at->line->time - duration, at->offset, at->bytes);

    return outcome.taken == FTRACE_IGNORED ? ftrace_ignored(beginless_step) : outcome;
}

/* --- background work of F2FS ------------------------------------------------------------------ */

/* Returns the device of a line, as `254:44`; length 0 if the line has none. */
static struct word device_of(const struct ftrace_line *line, struct made *made) {
    int64_t device;
    int length = 0;

    if (ftrace_field_device(line->fields, &device)) {
        length = snprintf(made->text, sizeof made->text, "%d:%d", device_major(device),
                          device_minor(device));
    }
    return (struct word){made->text, (size_t)length};
}

/* Returns the value of a key in a line, up to the comma. */
static struct word ftrace_storage_value_of(const struct ftrace_line *line, const char *key) {
    struct word value = {"", 0};

    ftrace_field(line->fields, key, &value);
    return word_trim(word_field(&value, ','));
}

static struct ftrace_outcome parse_f2fs(const struct storage_line *at, char letter,
                                        const char *what, struct word name) {
    struct made device;
    struct word of = device_of(at->line, &device);

    return of.length == 0 ? ftrace_damaged(bad_storage)
                          : ftrace_storage_add(at, "background", letter, what, of, name, 0);
}

static struct ftrace_outcome ftrace_storage_parse_checkpoint(const struct storage_line *at) {
    struct word state = ftrace_storage_value_of(at->line, "state"),
                why = ftrace_storage_value_of(at->line, "for");
    struct made name;

    if (why.length == 0 || state.length == 0) {
        return ftrace_damaged(bad_storage);
    }
    if (word_begins(state, "start")) {
        return parse_f2fs(at, 'G', "checkpoint", ftrace_storage_make(&name, "checkpoint for", why));
    }
    return word_is(state, "finish checkpoint") ? parse_f2fs(at, 'H', "checkpoint", why)
                                               : ftrace_ignored(step_within);
}

/* Imports a garbage collection. Older kernels print `background = 1` in place of the type. */
static struct ftrace_outcome parse_collection(const struct storage_line *at) {
    int64_t background = 0;
    struct word type = ftrace_storage_value_of(at->line, "gc_type");

    if (!ftrace_field_number(at->line->fields, "background", 0, 1, &background)) {
        return ftrace_damaged(bad_storage);
    }
    return parse_f2fs(at, 'G', "collection",
                      background != 0 || word_begins(type, "Background")
                          ? word_of("collection, background")
                          : word_of("collection, foreground"));
}

static struct ftrace_outcome parse_collected(const struct storage_line *at) {
    return parse_f2fs(at, 'H', "collection", (struct word){"", 0});
}

static struct ftrace_outcome parse_discard(const struct storage_line *at) {
    return parse_f2fs(at, 'N', "discard", word_of("discard"));
}

/* A sum of bytes in a line of f2fs_iostat: `GROUP [KEY=0 (PART=0, …), …]`. */
struct iostat {
    bool reads; /* true: after the word `read`; numbers are of reads, not writes */
    struct word group, parent, key;
};

static void ftrace_storage_count_bytes(const struct storage_line *at, struct word device,
                                       const struct iostat *iostat, int64_t value) {
    struct made name;

    snprintf(name.text, sizeof name.text, "f2fs %s%.*s %.*s%s%.*s", iostat->reads ? "read " : "",
             WORD_TEXT(iostat->group), WORD_TEXT(iostat->parent),
             iostat->parent.length > 0 ? " " : "", WORD_TEXT(iostat->key));
    ftrace_marks_add_value(at->samples, EVENT_NONE, EVENT_NONE, device, word_of(name.text),
                           at->line->time, value);
}

static struct ftrace_outcome parse_iostat(const struct storage_line *at) {
    struct made device;
    struct word of = device_of(at->line, &device), rest = at->line->fields;
    struct iostat iostat = {.group = {"", 0}, .parent = {"", 0}, .key = {"", 0}};
    bool any = false;
    int64_t value;

    word_field(&rest, ')'); /* skip the device */
    while (rest.length > 0) {
        struct word word = rest;
        char mark;

        for (word.length = 0;
             word.length < rest.length && strchr(" [](),=", rest.bytes[word.length]) == NULL;) {
            word.length++;
        }
        mark = word.length < rest.length ? rest.bytes[word.length] : ' ';
        word_skip(&rest, word.length + (word.length < rest.length));
        iostat.key = word.length > 0 ? word : iostat.key;
        if (mark == '[') {
            iostat.group = iostat.key;
        } else if (mark == '(' || mark == ')') {
            iostat.parent = mark == '(' ? iostat.key : (struct word){"", 0};
        } else if (mark == '=') {
            iostat.reads |= word_is(iostat.key, "read");
            if (!word_next_number(&rest, INT64_MAX, &value)) {
                return ftrace_damaged(bad_storage);
            }
            if (any) {
                import_count_extra_event(at->samples, "a line has several sums", at->offset);
            }
            ftrace_storage_count_bytes(at, of, &iostat, value);
            any = true;
        }
    }
    return any && of.length > 0 ? ftrace_taken : ftrace_damaged(bad_storage);
}

/* --- states of UFS drivers -------------------------------------------------------------------- */

/* Consumes the name of a host up to `: `. The name of a PCI device has colons, too. */
static struct word cut_host(struct word *rest) {
    struct word host = *rest;

    if (!word_cut_first(rest, ": ", &host)) {
        word_skip(rest, rest->length);
    }
    return word_trim(host);
}

static struct ftrace_outcome parse_gating(const struct storage_line *at) {
    static const struct {
        const char *ends, *name;
    } states[] = {{"REQ_OFF", "clocks to be switched off"},
                  {"REQ_CLKS_OFF", "clocks to be switched off"},
                  {"REQ_ON", "clocks to be switched on"},
                  {"REQ_CLKS_ON", "clocks to be switched on"},
                  {"OFF", "clocks off"},
                  {"ON", "clocks on"}};
    struct word rest = at->line->fields, host = cut_host(&rest), state = word_last(&rest);
    size_t i = 0;

    while (i < sizeof states / sizeof states[0] && !word_ends(state, states[i].ends)) {
        i++;
    }
    if (i == sizeof states / sizeof states[0] || rest.length == 0) {
        return ftrace_damaged(bad_storage);
    }
    if (ftrace_storage_add(at, "device", 'H', "clocks", host, state, 0).taken == FTRACE_TAKEN) {
        import_count_extra_event(at->spans, "a line ends a state and begins another", at->offset);
    }
    return ftrace_storage_add(at, "device", 'G', "clocks", host, word_of(states[i].name), 0);
}

/* Imports a step that has ended: `HOST: enter: took 400 usecs, err 0`. The name of the step,
 * `enter`, may be missing. */
static struct ftrace_outcome parse_profile(const struct storage_line *at) {
    struct word rest = at->line->fields, host = cut_host(&rest), step, event;
    struct made name;
    int64_t taken;

    if (!word_cut_first(&rest, "took ", &step) ||
        !word_next_number(&rest, MOST_MICROSECONDS, &taken)) {
        return ftrace_damaged(bad_storage);
    }
    step = word_trim(step);
    step.length -= word_ends(step, ":");
    event = at->line->event;
    word_skip(&event, word_begins(event, "ufshcd_profile_") ? sizeof "ufshcd_profile_" - 1
                                                            : sizeof "ufshcd_" - 1);
    snprintf(name.text, sizeof name.text, "%.*s%s%.*s",
             (int)(event.length < NAME_BYTES / 2 ? event.length : NAME_BYTES / 2), event.bytes,
             step.length > 0 ? " " : "",
             (int)(step.length < NAME_BYTES / 4 ? step.length : NAME_BYTES / 4), step.bytes);
    return ftrace_storage_add(at, "device", 'N', "steps", host, word_of(name.text),
                              taken * (MILLISECOND / 1000));
}

static struct ftrace_outcome ftrace_storage_parse_link(const struct storage_line *at) {
    struct word rest = at->line->fields, step = word_field(&rest, ':'), host = cut_host(&rest);
    bool ends = word_has(step, "comp");
    uint64_t command;

    if (!word_accept(&rest, "cmd:") ||
        !word_hex(word_trim(word_field(&rest, ',')), UINT32_MAX, &command)) {
        return ftrace_damaged(bad_storage);
    }
    if (command == HIBERNATE_ENTER && ends) {
        return ftrace_storage_add(at, "device", 'G', "link", host, word_of("hibernated"), 0);
    }
    return command == HIBERNATE_EXIT && !ends
               ? ftrace_storage_add(at, "device", 'H', "link", host, step, 0)
               : ftrace_ignored(step_within);
}

/* Imports a query to the UFS device, `query_send: HOST: HDR:16 00 …, OSF:03 07 …`: an operation and
 * its target. Other lines of the event repeat commands that ufshcd_command logs. */
static struct ftrace_outcome parse_query(const struct storage_line *at) {
    static const char *const operations[] = {
        "no operation", "read descriptor", "write descriptor", "read attribute", "write attribute",
        "read flag",    "set flag",        "clear flag",       "toggle flag"};
    struct word rest = at->line->fields, step = word_field(&rest, ':'), host = cut_host(&rest);
    uint64_t operation, number;
    struct made name;

    if (!word_begins(step, "query_")) {
        return ftrace_other;
    }
    if (!word_ends(step, "send")) {
        return ftrace_storage_add(at, "device", 'H', "queries", host, step, 0);
    }
    if (!word_cut_first(&rest, ", ", NULL)) {
        return ftrace_damaged(bad_storage);
    }
    word_field(&rest, ':');
    if (!word_hex(word_next(&rest), UINT8_MAX, &operation) ||
        !word_hex(word_next(&rest), UINT8_MAX, &number)) {
        return ftrace_damaged(bad_storage);
    }
    if (operation < sizeof operations / sizeof operations[0]) {
        snprintf(name.text, sizeof name.text, "%s 0x%02x", operations[operation], (unsigned)number);
    } else {
        snprintf(name.text, sizeof name.text, "query 0x%02x 0x%02x", (unsigned)operation,
                 (unsigned)number);
    }
    return ftrace_storage_add(at, "device", 'G', "queries", host, word_of(name.text), 0);
}

/* --- choosing the function for a line --------------------------------------------------------- */

static const struct storage_event {
    const char *name;
    struct ftrace_outcome (*take)(const struct storage_line *at);
} events[] = {
    /* The list must be sorted by name, for a binary search. */
    {"f2fs_gc_begin", parse_collection},
    {"f2fs_gc_end", parse_collected},
    {"f2fs_iostat", parse_iostat},
    {"f2fs_issue_discard", parse_discard},
    {"f2fs_write_checkpoint", ftrace_storage_parse_checkpoint},
    {"ufshcd_clk_gating", parse_gating},
    {"ufshcd_init", parse_profile},
    {"ufshcd_profile_clk_gating", parse_profile},
    {"ufshcd_profile_clk_scaling", parse_profile},
    {"ufshcd_profile_hibern8", parse_profile},
    {"ufshcd_runtime_resume", parse_profile},
    {"ufshcd_runtime_suspend", parse_profile},
    {"ufshcd_system_resume", parse_profile},
    {"ufshcd_system_suspend", parse_profile},
    {"ufshcd_uic_command", ftrace_storage_parse_link},
    {"ufshcd_upiu", parse_query},
    {"ufshcd_wl_resume", parse_profile},
    {"ufshcd_wl_runtime_resume", parse_profile},
    {"ufshcd_wl_runtime_suspend", parse_profile},
    {"ufshcd_wl_suspend", parse_profile},
};

struct ftrace_outcome ftrace_storage_handle(struct import *spans, struct import *samples,
                                            struct ftrace_marks *marks,
                                            const struct ftrace_line *line, int64_t offset,
                                            int64_t bytes) {
    const struct storage_event *event =
        ftrace_line_event(line, events, sizeof events / sizeof events[0], sizeof events[0]);
    const struct storage_line at = {spans, samples, marks, line, offset, bytes};

    return event == NULL ? ftrace_other : event->take(&at);
}

const struct event_meaning ftrace_marks_meanings[] = {
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_VALUE, "", "counter", ""},
    {0},
};

/* Tracks which lanes of a name have open calls. Calls of one name that overlap are stored on
 * different lanes; each lane is an actor. A new call gets the first free lane. */
struct ftrace_mark_track {
    uint32_t actor; /* hash key: actor of the name's first lane */
    uint64_t *used; /* owned; a bit per lane: 1 if it has an open call */
    size_t count;   /* number of elements of `used` */
    size_t full;    /* number of its first elements without a free lane, or fewer */
    UT_hash_handle hh;
};

enum { LANES_EACH = 64 /* lanes of an element of `used` */ };

/* Returns the first lane without an open call, and marks it as used. */
static size_t ftrace_marks_take_lane(struct ftrace_mark_track *track) {
    size_t lane;

    while (track->full < track->count && ~track->used[track->full] == 0) {
        track->full++;
    }
    if (track->full == track->count) {
        const size_t more = track->count == 0 ? 1 : 2 * track->count;

        track->used = xrealloc(track->used, more * sizeof *track->used);
        memset(track->used + track->count, 0, (more - track->count) * sizeof *track->used);
        track->count = more;
    }
    lane = (size_t)__builtin_ctzll(~track->used[track->full]);
    track->used[track->full] |= UINT64_C(1) << lane;
    return track->full * LANES_EACH + lane;
}

static void ftrace_marks_leave_lane(struct ftrace_mark_track *track, size_t lane) {
    const size_t at = lane / LANES_EACH;

    track->used[at] &= ~(UINT64_C(1) << lane % LANES_EACH);
    track->full = at < track->full ? at : track->full;
}

struct open_mark {
    struct pending pending;
    struct ftrace_mark_track *track;
    size_t lane;
    uint32_t operation, actor;
    int64_t time, process;
};

void ftrace_marks_end(struct ftrace_marks *marks) {
    struct ftrace_mark_track *track, *next;

    HASH_ITER(hh, marks->lanes, track, next) {
        HASH_DEL(marks->lanes, track);
        free(track->used);
        free(track);
    }
    pending_free(&marks->open);
    text_free(&marks->name);
}

/* --- parsing marks ---------------------------------------------------------------------------- */

static bool ftrace_marks_cut_number(struct word *rest, int64_t *number) {
    struct word last;

    return word_cut_last(rest, "|", &last) &&
           word_signed(word_trim(last), -INT64_MAX, INT64_MAX, number);
}

/* Parses the beginning of a mark, `X|PID|`, where X is one of `letters`. */
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
        /* An H (end) needs no name, but some versions of Android write one. */
        mark->track = word_field(&rest, '|');
        mark->name = rest;
    }
    return true;
}

/* --- calls from marks ------------------------------------------------------------------------- */

/* Values of pending_key.stage. By them and the cookie, an end finds its open call. */
enum { BY_TRACK, BY_NAMED_TRACK, BY_COOKIE };

/* Finds the actor of lane 0, 1, … of a name: `NAME`, `NAME (2)`, … */
static uint32_t ftrace_marks_find_lane(struct import *spans, struct ftrace_marks *marks,
                                       const struct ftrace_mark *mark, size_t lane) {
    struct word name = mark->track;

    if (lane > 0) {
        text_clear(&marks->name);
        text_append(&marks->name, name.bytes, name.length);
        text_append_format(&marks->name, " (%zu)", lane + 1);
        name = (struct word){text_string(&marks->name), marks->name.length};
    }
    return import_thread(spans, mark->pid, EVENT_NONE, name);
}

/* Finds the lanes of a name by the actor of the first one, or adds them. NULL: too many names. */
static struct ftrace_mark_track *ftrace_marks_find_track(struct ftrace_marks *marks,
                                                         uint32_t actor) {
    struct ftrace_mark_track *track;

    HASH_FIND(hh, marks->lanes, &actor, sizeof actor, track);
    if (track == NULL && HASH_COUNT(marks->lanes) < FTRACE_MARKS_TRACKS) {
        HASH_NEW(marks->lanes, actor, actor, track);
    }
    return track;
}

static struct ftrace_outcome
ftrace_marks_begin_call(struct import *spans, struct ftrace_marks *marks,
                        const struct ftrace_mark *mark, const struct pending_key *key,
                        struct open_mark *call, int64_t offset, int64_t bytes) {
    struct ftrace_mark_track *track = ftrace_marks_find_track(marks, call->actor);
    struct span_record record;

    if (track == NULL || marks->open.count == FTRACE_MARKS_OPEN) {
        return ftrace_damaged(ftrace_too_deep);
    }
    call->track = track;
    call->lane = ftrace_marks_take_lane(track);
    call->actor = ftrace_marks_find_lane(spans, marks, mark, call->lane);
    marks->open.size = sizeof *call;
    pending_add(&marks->open, key, PENDING_LAST, &call->pending);
    record = span_record_of(call->operation, call->actor, call->process, call->time);
    import_entry(spans, &record, offset, bytes);
    return ftrace_taken;
}

static struct ftrace_outcome ftrace_marks_end_call(struct import *spans, struct ftrace_marks *marks,
                                                   const struct pending_key *key, int64_t time,
                                                   int64_t offset, int64_t bytes) {
    struct open_mark *call = (struct open_mark *)pending_find(
        &marks->open, key, key->stage == BY_COOKIE ? PENDING_LAST : PENDING_FIRST);
    struct span_record record;

    if (call == NULL) {
        return ftrace_ignored(ftrace_beginless_mark);
    }
    record = span_record_of(call->operation, call->actor, call->process,
                            time > call->time ? time : call->time);
    ftrace_marks_leave_lane(call->track, call->lane);
    pending_remove(&marks->open, &call->pending);
    import_exit(spans, &record, offset, bytes);
    return ftrace_taken;
}

struct ftrace_outcome ftrace_marks_add(struct import *spans, struct ftrace_marks *marks,
                                       const struct ftrace_mark *mark, int64_t time, int64_t offset,
                                       int64_t bytes) {
    struct open_mark call = {.time = time, .process = mark->pid};
    struct pending_key key = {.stage = strchr("GH", mark->letter) != NULL   ? BY_NAMED_TRACK
                                       : strchr("be", mark->letter) != NULL ? BY_COOKIE
                                                                            : BY_TRACK,
                              .sector = mark->cookie};
    struct span_record record;

    if (mark->letter != 'e') {
        call.actor = ftrace_marks_find_lane(spans, marks, mark, 0);
    }
    key.device = key.stage == BY_COOKIE ? mark->pid : call.actor;
    if (strchr("FHe", mark->letter) != NULL) {
        return ftrace_marks_end_call(spans, marks, &key, time, offset, bytes);
    }
    call.operation = import_simple_name(spans, mark->kind, mark->name);
    if (mark->letter != 'N') {
        return ftrace_marks_begin_call(spans, marks, mark, &key, &call, offset, bytes);
    }
    record = span_record_of(call.operation, call.actor, call.process, time);
    import_count_extra_event(spans, ftrace_both_ends, offset);
    import_entry(spans, &record, offset, bytes);
    record.time += mark->duration;
    import_exit(spans, &record, offset, bytes);
    return ftrace_taken;
}

struct ftrace_outcome ftrace_marks_handle(struct import *spans, struct ftrace_marks *marks,
                                          const struct ftrace_line *line, int64_t offset,
                                          int64_t bytes) {
    struct ftrace_mark mark = {.kind = "mark"};

    return ftrace_marks_parse(line->fields, &mark)
               ? ftrace_marks_add(spans, marks, &mark, line->time, offset, bytes)
               : ftrace_other;
}

/* --- values of counters ----------------------------------------------------------------------- */

void ftrace_marks_add_value(struct import *samples, int64_t pid, int64_t tid, struct word actor,
                            struct word counter, int64_t time, int64_t value) {
    uint32_t operation = import_simple_name(samples, COUNTER_NAME_KIND, counter);
    uint32_t thread = import_thread(samples, pid, tid, actor);
    struct event *event = import_event(samples);

    event->time = time;
    event->operation = operation;
    event->actor = thread;
    event->value = value;
}

bool ftrace_marks_read_counter(struct import *samples, const struct ftrace_line *line) {
    struct word rest = line->fields;
    struct ftrace_mark mark;
    char made[FTRACE_IDLE_NAME];
    int64_t value;

    if (!ftrace_marks_parse_head(&rest, "C", &mark) || !ftrace_marks_cut_number(&rest, &value)) {
        return false;
    }
    ftrace_marks_add_value(samples, mark.pid, line->tid, ftrace_line_thread_name(line, made), rest,
                           line->time, value);
    return true;
}

/* cpu_idle prints -1 in 32 bits when a processor is no longer idle. */
bool ftrace_marks_read_cpu_counter(struct import *samples, const struct ftrace_line *line) {
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
    ftrace_marks_add_value(samples, EVENT_NONE, EVENT_NONE, name, line->event, line->time,
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
