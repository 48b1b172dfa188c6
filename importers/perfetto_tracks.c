/* Converts track events, which programs write to a Perfetto trace, to marks in the form of ftrace:
 *
 *     B|PID|NAME               E|PID                    a call of a thread
 *     I|PID|NAME                                        a moment of a thread
 *     G|PID|TRACK|NAME|DEPTH   H|PID|TRACK|DEPTH        a call on another track
 *     N|PID|TRACK|NAME                                  a moment on another track
 *     C|PID|TRACK|VALUE                                 a counter
 *
 * Packets of a sequence share a default track and clock. A clock of a sequence may count from the
 * previous packet, or in units of more than a nanosecond: a snapshot of clocks says so. Calls nest
 * on a track; DEPTH is the nesting level of the call. In traces of older versions of Chrome, each
 * sequence belongs to one thread. Its events name no track, and their time is in microseconds
 * since the previous event. If packets of a sequence are missing, its names, defaults and clocks
 * are invalid until a packet clears its state. Until then, packets that need them are only
 * counted.
 *
 * Source: google/perfetto, protos/perfetto/trace/track_event and clock_snapshot.proto. */
#include "perfetto.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/time_unit.h"
#include "model/event.h"

enum {
    THREADS_MOST = 1 << 18,
    INTERNED_MOST = 1 << 17,
    INTERNED_BYTES = 256,
    PACKET_SEQUENCE = 10,
    PACKET_INTERNED = 12,
};

/* A name to which packets of a sequence refer by number. */
struct perfetto_interned {
    struct interned_key {
        uint64_t sequence, kind, number;
    } key;
    uint64_t generation;
    size_t length;
    UT_hash_handle hh;
    uint8_t name[];
};

void perfetto_names_copy(char *to, struct wire name) {
    size_t length = (size_t)(name.end - name.at);

    memset(to, 0, PERFETTO_COMM);
    if (length > 0) {
        memcpy(to, name.at, length < PERFETTO_COMM ? length : PERFETTO_COMM - 1);
    }
}

static void set_thread_name(struct perfetto_names *names, uint64_t number, uint64_t pid,
                            struct wire name) {
    struct perfetto_thread *thread;
    int64_t tid = (int64_t)(number & INT32_MAX);

    HASH_FIND(hh, names->threads, &tid, sizeof tid, thread);
    if (thread == NULL && HASH_COUNT(names->threads) < THREADS_MOST) {
        HASH_NEW(names->threads, tid, tid, thread);
    }
    if (thread != NULL) {
        thread->pid = (int64_t)(pid & INT32_MAX);
        perfetto_names_copy(thread->name, name);
    }
}

/* Returns the name that a process has in the kernel, by the first word of its command line: the
 * name of its file. Of a long name of an application, Android takes the last bytes. A kworker has
 * its work behind its numbers. The caller cuts the name. */
static struct wire name_of_command(struct wire word) {
    const size_t most = PERFETTO_COMM - 1, length = (size_t)(word.end - word.at);
    const uint8_t *colon = memchr(word.at, ':', length);

    if (*word.at == '/') {
        word.at = (const uint8_t *)memrchr(word.at, '/', length) + 1;
    } else if (colon != NULL && length > 8 && memcmp(word.at, "kworker/", 8) == 0) {
        while (colon < word.end && *colon != '-' && *colon != '+') {
            colon++;
        }
        word.end = colon;
    } else if (length > most && memchr(word.at, '.', length) != NULL &&
               memchr(word.at, '@', length) == NULL) {
        word.at = word.end - most;
    }
    return word;
}

/* Reads a process of a process tree. */
static void read_process(struct perfetto_names *names, struct wire process) {
    enum { ID = 1, WORD = 3 };
    struct wire_field field;
    struct wire word = {0};
    uint64_t pid = 0;

    while (wire_next(&process, &field)) {
        if (field.number == ID) {
            pid = field.value;
        } else if (field.number == WORD && word.at == NULL) {
            word = field.bytes;
        }
    }
    set_thread_name(names, pid, pid, word.at == word.end ? word : name_of_command(word));
}

void perfetto_names_read_process_tree(struct perfetto_names *names, struct wire message) {
    enum { PROCESS = 1, THREAD, TID = 1, NAME, PID };
    struct wire_field field;

    while (wire_next(&message, &field)) {
        if (field.number == PROCESS) {
            read_process(names, field.bytes);
        } else if (field.number == THREAD) {
            set_thread_name(names, wire_find(field.bytes, TID).value,
                            wire_find(field.bytes, PID).value, wire_find(field.bytes, NAME).bytes);
        }
    }
}

void perfetto_names_describe_thread(struct perfetto_names *names, struct wire thread) {
    enum { PID = 1, TID, NAME = 5 };

    if (thread.at != thread.end) {
        set_thread_name(names, wire_find(thread, TID).value, wire_find(thread, PID).value,
                        wire_find(thread, NAME).bytes);
    }
}

void perfetto_names_describe_process(struct perfetto_names *names, struct wire process) {
    enum { PID = 1, NAME = 6 };
    uint64_t pid = wire_find(process, PID).value;
    const struct perfetto_thread *thread = perfetto_names_thread(names, (int64_t)(pid & INT32_MAX));

    if (thread == NULL || *thread->name == '\0') {
        set_thread_name(names, pid, pid, wire_find(process, NAME).bytes);
    }
}

static void store_interned_name(struct perfetto_names *names, uint64_t kind, struct wire message) {
    enum { NUMBER = 1, NAME };
    const struct interned_key key = {names->sequence, kind, wire_find(message, NUMBER).value};
    struct wire name = wire_find(message, NAME).bytes;
    size_t length = (size_t)(name.end - name.at);
    struct perfetto_interned *interned;

    HASH_FIND(hh, names->interned, &key, sizeof key, interned);
    if (interned != NULL) {
        HASH_DEL(names->interned, interned);
        free(interned);
    }
    if (HASH_COUNT(names->interned) < INTERNED_MOST && length > 0) {
        length = length < INTERNED_BYTES ? length : INTERNED_BYTES;
        interned = xcalloc(1, sizeof *interned + length);
        interned->key = key;
        interned->generation = names->generation;
        interned->length = length;
        memcpy(interned->name, name.at, length);
        HASH_ADD(hh, names->interned, key, sizeof key, interned);
    }
}

void perfetto_names_read_packet(struct perfetto_names *names, struct wire packet) {
    struct wire interned = wire_find(packet, PACKET_INTERNED).bytes;
    struct wire_field field;

    names->sequence = wire_find(packet, PACKET_SEQUENCE).value;
    while (wire_next(&interned, &field)) {
        if (field.number == PERFETTO_EVENT || field.number == PERFETTO_FUNCTION) {
            store_interned_name(names, field.number, field.bytes);
        }
    }
}

const struct perfetto_thread *perfetto_names_thread(const struct perfetto_names *names,
                                                    int64_t tid) {
    const struct perfetto_thread *thread;

    HASH_FIND(hh, names->threads, &tid, sizeof tid, thread);
    return thread;
}

struct wire perfetto_names_find(const struct perfetto_names *names, enum perfetto_name_kind kind,
                                uint64_t number) {
    const struct interned_key key = {names->sequence, kind, number};
    const struct perfetto_interned *found;

    HASH_FIND(hh, names->interned, &key, sizeof key, found);
    return found != NULL && found->generation == names->generation
               ? wire_of_bytes(found->name, found->length)
               : (struct wire){0};
}

void perfetto_names_free(struct perfetto_names *names) {
    HASH_FREE(names->threads);
    HASH_FREE(names->interned);
}

enum {
    TRACKS_MOST = 1 << 16,
    CLOCKS_MOST = 1 << 12,
    SEQUENCES_MOST = 1 << 16,
    NAME_BYTES = 64,
    ANCESTORS = 8,
    OF_SEQUENCE = 64, /* from this number on, a clock belongs to a single sequence */
    MONOTONIC_CLOCK = 3,
    BOOT_CLOCK = 6,
};

/* Field numbers of a packet (TracePacket). */
enum {
    PACKET_CLOCKS = 6,
    PACKET_TIME = 8,
    PACKET_EVENT = 11,
    PACKET_FLAGS = 13,
    PACKET_CLEARED = 41, /* an older form of PACKET_FLAGS with FLAG_CLEARED */
    PACKET_DROPPED = 42,
    PACKET_THREAD = 44,
    PACKET_CLOCK = 58,
    PACKET_DEFAULTS = 59,
};

enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };

#define NO_MICROS UINT64_MAX

struct perfetto_track {
    uint64_t uuid, parent;
    int64_t pid, tid; /* 0: unknown */
    unsigned depth;   /* number of calls that have begun and not ended */
    bool delta;       /* true: the counter's values are differences from the previous value */
    int64_t unit;     /* factor for the counter's values */
    char name[NAME_BYTES];
    UT_hash_handle hh;
};

struct perfetto_clock {
    struct clock_key {
        uint64_t sequence, number; /* sequence 0: a clock of all sequences */
    } key;
    uint64_t unit;  /* nanoseconds per unit of the clock */
    int64_t offset; /* ns to add to this clock's times to get the boot clock's */
    int64_t last;   /* last time read, ns; times of an `incremental` clock count from it */
    bool incremental;
    UT_hash_handle hh;
};

struct perfetto_sequence {
    uint64_t number, track, clock;
    uint64_t thread; /* number of the track made for the sequence's thread; 0: none */
    uint64_t micros; /* traces of old Chrome: time of the last event in microseconds; NO_MICROS:
                        unknown */
    uint64_t generation;
    bool begun, lost; /* begun: a packet was read; lost: packets are missing, state is void */
    UT_hash_handle hh;
};

/* --- clocks ----------------------------------------------------------------------------------- */

static struct perfetto_clock *find_clock(const struct perfetto_tracks *tracks, uint64_t sequence,
                                         uint64_t number) {
    const struct clock_key key = {number < OF_SEQUENCE ? 0 : sequence, number};
    struct perfetto_clock *clock;

    HASH_FIND(hh, tracks->clocks, &key, sizeof key, clock);
    return clock;
}

/* Converts a clock's time to nanoseconds; EVENT_NONE if it is out of range. */
static int64_t scale_to_nanoseconds(uint64_t time, uint64_t unit) {
    return unit > 0 && time <= PERFETTO_TIME_MOST / unit ? (int64_t)(time * unit) : EVENT_NONE;
}

struct reading {
    uint64_t number, time, unit, incremental;
};

static struct reading read_reading(struct wire clock) {
    enum { NUMBER = 1, TIME, INCREMENTAL, UNIT };
    struct reading reading = {
        .number = wire_find(clock, NUMBER).value,
        .time = wire_find(clock, TIME).value,
        .unit = wire_find(clock, UNIT).value,
        .incremental = wire_find(clock, INCREMENTAL).value,
    };

    reading.unit = reading.unit == 0 ? 1 : reading.unit;
    return reading;
}

/* Sets a clock's offset when it is first read, not later: corrections must not change durations. */
static void set_clock(struct perfetto_tracks *tracks, uint64_t sequence,
                      const struct reading *reading, int64_t boot) {
    struct perfetto_clock *clock = find_clock(tracks, sequence, reading->number);
    int64_t time = scale_to_nanoseconds(reading->time, clock == NULL ? reading->unit : clock->unit);

    if (time == EVENT_NONE || (clock == NULL && HASH_COUNT(tracks->clocks) >= CLOCKS_MOST)) {
        return;
    }
    if (clock == NULL) {
        HASH_NEW(
            tracks->clocks, key,
            ((struct clock_key){reading->number < OF_SEQUENCE ? 0 : sequence, reading->number}),
            clock);
        clock->offset = boot - time;
        clock->unit = reading->unit;
        clock->incremental = reading->incremental != 0;
    }
    clock->last = time;
}

/* Reads a snapshot of clocks. Without the boot clock, computes boot time from another clock. */
static void perfetto_tracks_read_clocks(struct perfetto_tracks *tracks, uint64_t sequence,
                                        struct wire snapshot) {
    enum { CLOCK = 1 };
    struct wire rest = snapshot;
    struct wire_field field;
    int64_t boot = EVENT_NONE;
    bool is_boot = false;

    while (wire_next(&rest, &field)) {
        struct reading reading = read_reading(field.bytes);
        const struct perfetto_clock *known = find_clock(tracks, 0, reading.number);

        if (field.number == CLOCK && reading.number < OF_SEQUENCE && !is_boot &&
            reading.time <= PERFETTO_TIME_MOST) {
            is_boot = reading.number == BOOT_CLOCK;
            if (is_boot || boot == EVENT_NONE) {
                boot = (int64_t)reading.time + (known == NULL ? 0 : known->offset);
            }
        }
    }
    if (boot < 0 || boot > (int64_t)PERFETTO_TIME_MOST) {
        return; /* no known clock (EVENT_NONE), or sums of offsets could overflow */
    }
    while (wire_next(&snapshot, &field)) {
        struct reading reading = read_reading(field.bytes);

        if (field.number == CLOCK && reading.number != BOOT_CLOCK) {
            set_clock(tracks, sequence, &reading, boot);
        }
    }
}

/* Returns a packet's time on the boot clock; EVENT_NONE if its clock's offset is unknown. */
static int64_t packet_time_by_boot_clock(const struct perfetto_tracks *tracks, uint64_t sequence,
                                         uint64_t number, uint64_t value) {
    struct perfetto_clock *clock = find_clock(tracks, sequence, number);
    int64_t time = scale_to_nanoseconds(value, clock == NULL ? 1 : clock->unit);

    if (time == EVENT_NONE || (clock == NULL && number >= OF_SEQUENCE)) {
        return EVENT_NONE;
    }
    if (clock != NULL && clock->incremental) {
        time += clock->last;
        time = time <= PERFETTO_TIME_MOST ? time : PERFETTO_TIME_MOST;
        clock->last = time;
    }
    time += clock == NULL ? 0 : clock->offset;
    return time >= 0 && time <= PERFETTO_TIME_MOST ? time : EVENT_NONE;
}

/* Finds a sequence, or adds it; NULL if there are too many. */
static struct perfetto_sequence *find_sequence(struct perfetto_tracks *tracks, uint64_t number) {
    struct perfetto_sequence *sequence;

    HASH_FIND(hh, tracks->sequences, &number, sizeof number, sequence);
    if (sequence == NULL && HASH_COUNT(tracks->sequences) < SEQUENCES_MOST) {
        HASH_NEW(tracks->sequences, number, number, sequence);
        sequence->clock = BOOT_CLOCK;
        sequence->micros = NO_MICROS;
    }
    return sequence;
}

/* Updates the state of a packet's sequence: whether packets before this one are missing, and
 * whether this one clears the state. Returns whether the packet needs state that is missing. */
static bool perfetto_tracks_read_state(struct perfetto_tracks *tracks,
                                       struct perfetto_sequence *sequence, struct wire packet) {
    uint64_t flags = wire_find(packet, PACKET_FLAGS).value;
    bool cleared = (flags & FLAG_CLEARED) != 0 || wire_find(packet, PACKET_CLEARED).value != 0;
    bool dropped = wire_find(packet, PACKET_DROPPED).value != 0;

    tracks->dropped = dropped && sequence->begun;
    sequence->lost = (sequence->lost || dropped) && !cleared;
    sequence->begun = true;
    if (cleared || dropped) {
        sequence->generation++;
        sequence->track = sequence->thread = 0;
        sequence->micros = NO_MICROS;
        sequence->clock = BOOT_CLOCK;
    }
    tracks->generation = sequence->generation;
    return sequence->lost && (flags & FLAG_NEEDS_STATE) != 0;
}

/* Finds a track, or adds it. NULL if there are too many. */
static struct perfetto_track *perfetto_tracks_find_track(struct perfetto_tracks *tracks,
                                                         uint64_t uuid) {
    struct perfetto_track *track;

    HASH_FIND(hh, tracks->tracks, &uuid, sizeof uuid, track);
    if (track == NULL && HASH_COUNT(tracks->tracks) < TRACKS_MOST) {
        HASH_NEW(tracks->tracks, uuid, uuid, track);
        track->unit = 1;
        snprintf(track->name, sizeof track->name, "track %llx", (unsigned long long)uuid);
    }
    return track;
}

/* Reads the thread of a sequence in a trace of old Chrome, and makes a track for its events. */
static void perfetto_tracks_read_thread(struct perfetto_tracks *tracks,
                                        struct perfetto_sequence *sequence, struct wire thread) {
    enum { PID = 1, TID, REFERENCE = 6 };
    struct perfetto_track *track;

    sequence->thread = UINT64_MAX - sequence->number;
    sequence->micros = wire_find(thread, REFERENCE).value;
    track = perfetto_tracks_find_track(tracks, sequence->thread);
    if (track != NULL) {
        track->pid = (int64_t)(wire_find(thread, PID).value & INT32_MAX);
        track->tid = (int64_t)(wire_find(thread, TID).value & INT32_MAX);
    }
}

/* Reads an event's time if it is in microseconds. Returns false if the event has no such time. */
static bool perfetto_tracks_read_micros(struct perfetto_sequence *sequence, struct wire event,
                                        uint64_t *time) {
    enum { DELTA = 1, ABSOLUTE = 16 };
    struct wire_field delta = wire_find(event, DELTA), absolute = wire_find(event, ABSOLUTE);
    uint64_t micros = delta.number == 0               ? absolute.value
                      : sequence->micros == NO_MICROS ? NO_MICROS
                                                      : sequence->micros + delta.value;

    if (delta.number == 0 && absolute.number == 0) {
        return false;
    }
    sequence->micros = delta.number != 0 ? micros : sequence->micros;
    *time = micros <= PERFETTO_TIME_MOST / 1000 ? micros * 1000 : UINT64_MAX;
    return true;
}

void perfetto_tracks_begin_packet(struct perfetto_tracks *tracks, struct wire packet) {
    enum { DEFAULTS_OF_EVENTS = 11, DEFAULT_TRACK = 11 };
    struct wire_field field, time = {0}, clock = {0};
    const uint64_t sequence = wire_find(packet, PACKET_SEQUENCE).value;
    struct perfetto_sequence *defaults = find_sequence(tracks, sequence);
    struct wire event = {0};
    bool needs;

    tracks->dropped = false;
    tracks->generation = 0;
    needs = defaults != NULL && perfetto_tracks_read_state(tracks, defaults, packet);
    while (wire_next(&packet, &field)) {
        if (field.number == PACKET_CLOCKS) {
            perfetto_tracks_read_clocks(tracks, sequence, field.bytes);
        } else if (field.number == PACKET_DEFAULTS && defaults != NULL) {
            struct wire_field by = wire_find(field.bytes, PACKET_CLOCK);

            defaults->clock = by.number != 0 ? by.value : BOOT_CLOCK;
            defaults->track =
                wire_find(wire_find(field.bytes, DEFAULTS_OF_EVENTS).bytes, DEFAULT_TRACK).value;
        } else if (field.number == PACKET_THREAD && defaults != NULL) {
            perfetto_tracks_read_thread(tracks, defaults, field.bytes);
        } else if (field.number == PACKET_EVENT) {
            event = field.bytes;
        } else if (field.number == PACKET_TIME) {
            time = field;
        } else if (field.number == PACKET_CLOCK) {
            clock = field;
        }
    }
    /* An event's own time takes precedence over its packet's. */
    if (defaults != NULL && perfetto_tracks_read_micros(defaults, event, &time.value)) {
        time.number = PACKET_TIME;
        clock = (struct wire_field){.number = PACKET_CLOCK, .value = MONOTONIC_CLOCK};
    }
    if (clock.number == 0) {
        clock.value = defaults == NULL ? BOOT_CLOCK : defaults->clock;
    }
    tracks->default_track = defaults == NULL       ? 0
                            : defaults->track != 0 ? defaults->track
                                                   : defaults->thread;
    tracks->time = time.number == 0 || needs
                       ? EVENT_NONE
                       : packet_time_by_boot_clock(tracks, sequence, clock.value, time.value);
}

/* --- tracks ----------------------------------------------------------------------------------- */

/* Sets the name of a track, with _ for bars and newlines: in a mark, a bar would end the name. */
static void name_track(struct perfetto_track *track, struct wire name) {
    size_t length = (size_t)(name.end - name.at);

    length = length < NAME_BYTES ? length : NAME_BYTES - 1;
    for (size_t i = 0; i < length; i++) {
        char byte = (char)name.at[i];

        track->name[i] = byte == '|' || byte == '\n' || byte == '\0' ? '_' : byte;
    }
    track->name[length] = '\0';
}

void perfetto_tracks_describe(struct perfetto_tracks *tracks, struct wire message) {
    enum { UUID = 1, NAME, PROCESS, THREAD, PARENT, COUNTER = 8, STATIC_NAME = 10 };
    enum { PID = 1, TID, UNIT = 4, DELTA };
    struct perfetto_track *track =
        perfetto_tracks_find_track(tracks, wire_find(message, UUID).value);
    struct wire_field field, unit;

    while (track != NULL && wire_next(&message, &field)) {
        switch (field.number) {
        case NAME:
        case STATIC_NAME:
            name_track(track, field.bytes);
            break;
        case PROCESS:
            track->pid = (int64_t)(wire_find(field.bytes, PID).value & INT32_MAX);
            break;
        case THREAD:
            track->pid = (int64_t)(wire_find(field.bytes, PID).value & INT32_MAX);
            track->tid = (int64_t)(wire_find(field.bytes, TID).value & INT32_MAX);
            break;
        case PARENT:
            track->parent = field.value;
            break;
        case COUNTER:
            track->delta = wire_find(field.bytes, DELTA).value != 0;
            unit = wire_find(field.bytes, UNIT);
            track->unit = unit.value != 0 ? (int64_t)unit.value : 1;
            break;
        }
    }
}

/* Returns the process of a track, or of its nearest parent that has one; 0: unknown. */
static int64_t perfetto_tracks_process_of(const struct perfetto_tracks *tracks,
                                          const struct perfetto_track *track) {
    for (int i = 0; i < ANCESTORS && track != NULL && track->pid == 0; i++) {
        const uint64_t parent = track->parent;

        HASH_FIND(hh, tracks->tracks, &parent, sizeof parent, track);
    }
    return track == NULL ? 0 : track->pid;
}

/* --- track events as lines -------------------------------------------------------------------- */

enum event_type { EVENT_BEGINS = 1, EVENT_ENDS, EVENT_MOMENT, EVENT_COUNTER };

struct track_event {
    uint64_t type, track;
    struct wire_field name, number; /* name of the event, or the number of an interned name */
    struct wire_field value;        /* value of a counter, an integer */
};

static struct track_event perfetto_tracks_read_event(struct wire message, uint64_t track) {
    enum { TYPE = 9, NUMBER = 10, TRACK = 11, NAME = 23, VALUE = 30 };
    struct track_event event = {.track = track};
    struct wire_field field;

    while (wire_next(&message, &field)) {
        switch (field.number) {
        case TYPE:
            event.type = field.value;
            break;
        case NUMBER:
            event.number = field;
            break;
        case TRACK:
            event.track = field.value;
            break;
        case NAME:
            event.name = field;
            break;
        case VALUE:
            event.value = field;
            break;
        }
    }
    return event;
}

bool perfetto_tracks_append_event(struct perfetto_tracks *tracks,
                                  const struct perfetto_names *names, struct wire message,
                                  struct text *line) {
    /* Letters of marks, by type of event: begin, end, moment, counter. First row: events on a track
     * that is not a thread; second row: on a thread. */
    static const char letters[][5] = {" GHNC", " BEIC"};
    const struct track_event event = perfetto_tracks_read_event(message, tracks->default_track);
    struct perfetto_track *track = perfetto_tracks_find_track(tracks, event.track);
    bool of_thread = track != NULL && track->tid != 0;
    int64_t value = 0, process = perfetto_tracks_process_of(tracks, track);

    if (track == NULL || tracks->time == EVENT_NONE || event.type < EVENT_BEGINS ||
        event.type > EVENT_COUNTER ||
        (event.type == EVENT_COUNTER &&
         (event.value.number == 0 || track->delta ||
          __builtin_mul_overflow((int64_t)event.value.value, track->unit, &value)))) {
        return false;
    }
    track->depth -= event.type == EVENT_ENDS && track->depth > 0;
    text_append_format(line, " <...>-%lld %lld.%09lld: tracing_mark_write: %c|%lld",
                       (long long)(of_thread ? track->tid : process),
                       (long long)(tracks->time / SECOND), (long long)(tracks->time % SECOND),
                       letters[of_thread][event.type], (long long)process);
    if (!of_thread || event.type == EVENT_COUNTER) {
        text_append_char(line, '|');
        text_append_string(line, track->name);
    }
    if (event.type == EVENT_BEGINS || event.type == EVENT_MOMENT) {
        struct wire name = event.name.number != 0
                               ? event.name.bytes
                               : perfetto_names_find(names, PERFETTO_EVENT, event.number.value);

        text_append_char(line, '|');
        if (name.at == name.end) {
            text_append_format(line, "event %llu", (unsigned long long)event.number.value);
        }
        perfetto_string_append(line, name);
    }
    if (event.type == EVENT_COUNTER) {
        text_append_format(line, "|%lld", (long long)value);
    } else if (!of_thread && event.type != EVENT_MOMENT) {
        text_append_format(line, "|%u", track->depth);
    }
    track->depth += event.type == EVENT_BEGINS;
    return true;
}

void perfetto_tracks_free(struct perfetto_tracks *tracks) {
    HASH_FREE(tracks->tracks);
    HASH_FREE(tracks->clocks);
    HASH_FREE(tracks->sequences);
}
