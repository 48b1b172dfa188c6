/* RMP (Reconfigurable Multi-Resolution Profiling): execution-time profiles of Android applications
 * and framework (Lin and others, IEICE Trans. E96-D, 2013). The paper describes probes and events
 * but no file format: the layout is the project's own (tracetool-formats(7)).
 *
 * A trace has two kinds of text file, with fields separated by one TAB:
 *
 * The time log, one event per line: time in nanoseconds, pid, tid, E (entry) or X (exit), probe,
 * caller (`-`: none). Its first line may give the wall clock and the profiling round:
 *
 *     #rmp 1 start=2012-05-01T10:00:00+0800 round=3
 *     87123458289012  1507  1507  E  com.android.browser.TabControl.restoreState  -
 *
 * The list of probes: name, resolution, origin, status in the profiled round:
 *
 *     com.android.browser.TabControl.restoreState#loop1  loop  app  on
 *
 * Blank lines and lines that begin with `#` are skipped. Order of columns and separator are keys of
 * the section `rmp:` of the configuration.
 *
 * Quirks: probes may fire that are in no list; their properties are guessed from their names. The
 * parent of a call is the enclosing call of its thread. The caller in the log may have no probe, so
 * it is stored separately.
 *
 * Tables filled (through span.c): event (time, duration, self, operation, actor, object, flags,
 * parent, depth); name (kinds class and probe); actor (pid and tid); object (callers); probe. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dated_log.h"
#include "rmp_settings.h"
#include "syscalls.h"
#include "base/memory.h"

enum {
    MOST_ROUNDS = 1000000000,
};

static const char magic[] = "#rmp ";

static const char bad_fields[] = "not as many fields as an event has";
static const char bad_time[] = "time is not a number of nanoseconds in range";
static const char bad_number[] = "pid or tid is not a number in range";
static const char bad_point[] = "point is neither E nor X";
static const char no_name[] = "no name of a probe or caller";
static const char bad_probe_fields[] = "not as many fields as a probe has";
static const char bad_resolution[] = "resolution is not process, thread, method or loop";
static const char bad_origin[] = "origin is neither app nor framework";
static const char bad_status[] = "status is neither on nor off";

struct rmp {
    struct rmp_columns event_columns, probe_columns;
    struct dated_log log;
    int64_t round;     /* profiling round; 0: unknown */
    bool logs, probes; /* logs: a time log was read; probes: a list of probes was read */
    bool other_rounds;
    /* Highest id in table name before this import: all probes up to this id are in table probe. */
    uint32_t known_names;
    int64_t last_name; /* largest id of a probe's name */
    /* enum probe_state of each probe that is new in this import, by id from `first_name` on. */
    uint32_t first_name;
    uint8_t *probe_states; /* owned */
    size_t probe_state_size;
    int64_t guessed, repeated; /* number of guessed probes; of repeated names in lists */
};

enum probe_state { UNKNOWN, GUESSED, LISTED };

/* --- parsing one line ------------------------------------------------------------------------- */

struct event_line {
    int64_t time, pid, tid;
    bool entry;
    struct word probe, caller; /* names; caller has length 0 if the line gives none */
};

struct probe_line {
    struct word name;
    struct probe_entry probe;
};

/* Splits a line into fields, in the order of enum rmp_column. False if their number is wrong. */
static bool rmp_split(struct word line, const struct rmp_columns *columns, struct word *fields) {
    struct word split[RMP_MOST_COLUMNS];

    if (word_split(line, columns->separator, split, columns->count) != columns->count) {
        return false;
    }
    for (size_t i = 0; i < columns->count; i++) {
        fields[columns->order[i]] = split[i];
    }
    return true;
}

/* Parses an event of a time log. Returns NULL, or why the line is bad. */
static const char *rmp_parse_event(struct word line, const struct rmp_columns *columns,
                                   struct event_line *event) {
    /* default values of columns that are not in the configuration */
    struct word fields[RMP_COLUMNS] = {
        [RMP_PID] = {"0", 1},
        [RMP_CALLER] = {"-", 1},
    };

    if (!rmp_split(line, columns, fields)) {
        return bad_fields;
    }
    if (!word_number(fields[RMP_TIME], INT64_MAX, &event->time)) {
        return bad_time;
    }
    if (!word_number(fields[RMP_PID], UINT32_MAX, &event->pid) ||
        !word_number(fields[RMP_TID], UINT32_MAX, &event->tid)) {
        return bad_number;
    }
    event->entry = word_is(fields[RMP_POINT], "E");
    if (!event->entry && !word_is(fields[RMP_POINT], "X")) {
        return bad_point;
    }
    event->probe = fields[RMP_PROBE];
    event->caller = fields[RMP_CALLER];
    if (event->probe.length == 0 || event->caller.length == 0) {
        return no_name;
    }
    if (word_is(event->caller, "-")) {
        event->caller.length = 0;
    }
    return NULL;
}

/* Returns the name of a probe without a suffix #loop…. */
static struct word name_without_loop(struct word name) {
    const char *sign = memchr(name.bytes, '#', name.length);

    if (sign != NULL) {
        struct word rest = {sign, (size_t)(name.bytes + name.length - sign)};

        name.length = word_begins(rest, "#loop") ? (size_t)(sign - name.bytes) : name.length;
    }
    return name;
}

/* Guesses a probe's properties from its name. Probes of processes cannot be told from those of
 * methods. */
static struct probe_entry guess_probe_from_name(struct word name) {
    static const char *const framework[] = {
        "android.", "java.",    "javax.",      "com.android.internal.",
        "dalvik.",  "libcore.", "org.apache.",
    };
    struct probe_entry probe = {.resolution = "method", .origin = "app", .on = true};

    if (name_without_loop(name).length < name.length) {
        probe.resolution = "loop";
    } else if (word_ends(name, ".run")) {
        probe.resolution = "thread";
    }
    for (size_t i = 0; i < sizeof framework / sizeof framework[0]; i++) {
        if (word_begins(name, framework[i])) {
            probe.origin = "framework";
        }
    }
    return probe;
}

/* Parses a line of a list of probes. Returns NULL, or why the line is bad. */
static const char *parse_probe(struct word line, const struct rmp_columns *columns,
                               struct probe_line *probe) {
    static const char *const resolutions[] = {"process", "thread", "method", "loop"};
    static const char *const origins[] = {"app", "framework"};
    struct word fields[RMP_COLUMNS] = {{NULL, 0}};
    const struct word *resolution = &fields[RMP_RESOLUTION];
    const struct word *origin = &fields[RMP_ORIGIN];
    const struct word *status = &fields[RMP_STATUS];

    if (!rmp_split(line, columns, fields)) {
        return bad_probe_fields;
    }
    probe->name = fields[RMP_NAME];
    if (probe->name.length == 0) {
        return no_name;
    }
    /* First guess all properties; those with a column are then replaced. */
    probe->probe = guess_probe_from_name(probe->name);
    if (resolution->bytes != NULL) {
        probe->probe.resolution = word_among(*resolution, resolutions, 4);
    }
    if (origin->bytes != NULL) {
        probe->probe.origin = word_among(*origin, origins, 2);
    }
    if (status->bytes != NULL) {
        probe->probe.on = word_is(*status, "on");
    }
    return probe->probe.resolution == NULL                                         ? bad_resolution
           : probe->probe.origin == NULL                                           ? bad_origin
           : status->bytes != NULL && !probe->probe.on && !word_is(*status, "off") ? bad_status
                                                                                   : NULL;
}

/* --- kinds of files --------------------------------------------------------------------------- */

struct survey {
    struct rmp_columns event_columns, probe_columns;
    bool magic;
    int events, probes, lines; /* number of valid events, valid probes, and lines read */
    int64_t time;              /* time of the first event in the file, ns */
};

static enum line_verdict rmp_judge(void *context, struct word line) {
    struct survey *survey = context;
    struct event_line event;
    struct probe_line probe;

    if (dated_log_is_empty(line)) {
        return LINE_NOTHING;
    }
    survey->lines++;
    if (rmp_parse_event(line, &survey->event_columns, &event) == NULL) {
        survey->time = survey->events++ == 0 ? event.time : survey->time;
        return LINE_GOOD;
    }
    if (parse_probe(line, &survey->probe_columns, &probe) == NULL) {
        survey->probes++;
        return LINE_GOOD;
    }
    return LINE_BAD;
}

static struct survey rmp_survey(const uint8_t *bytes, size_t length, bool whole,
                                const struct rmp_settings *settings) {
    struct survey survey = {
        .event_columns = settings->events,
        .probe_columns = settings->probes,
        .magic = word_begins((struct word){(const char *)bytes, length}, magic),
    };

    lines_judge(bytes, length, whole, rmp_judge, &survey);
    return survey;
}

static enum sniff_score sniff_rmp(const struct sniff *sniff) {
    struct survey survey =
        rmp_survey(sniff->bytes, sniff->length, sniff->whole, rmp_section.defaults);

    return survey.magic                                                           ? SNIFF_MAGIC
           : 2 * survey.events > survey.lines || 2 * survey.probes > survey.lines ? SNIFF_LIKELY
                                                                                  : SNIFF_NO;
}

/* Returns a time to order files by: lists of probes come before logs, so that the properties of
 * listed probes are not guessed. */
static int64_t first_time_rmp(const struct sniff *sniff, const struct config *config,
                              int64_t *range) {
    struct survey survey =
        rmp_survey(sniff->bytes, sniff->length, sniff->whole, rmp_settings(config));

    *range = 0;
    return survey.events > 0 && survey.events >= survey.probes ? survey.time : EVENT_NONE;
}

/* --- names of probes and classes -------------------------------------------------------------- */

/* Finds the class of a probe: the part of its name before the last point; 0 if it has no point. */
static uint32_t find_class(struct import *import, struct word name) {
    struct word method = name_without_loop(name);
    const char *point = memrchr(method.bytes, '.', method.length);

    return point == NULL || point == method.bytes
               ? 0
               : import_simple_name(import, "class", word_between(method.bytes, point));
}

/* --- what is known of probes ------------------------------------------------------------------ */

/* Returns the enum probe_state of a name that is new in this import. */
static uint8_t *find_probe_state(struct rmp *state, uint32_t name) {
    size_t index = name - state->first_name;
    size_t size = state->probe_state_size == 0 ? 1024 : state->probe_state_size;

    while (size <= index) {
        size *= 2;
    }
    if (size > state->probe_state_size) {
        state->probe_states = xrealloc(state->probe_states, size);
        memset(state->probe_states + state->probe_state_size, UNKNOWN,
               size - state->probe_state_size);
        state->probe_state_size = size;
    }
    return &state->probe_states[index];
}

/* Finds the id of a probe's name. `*probe_state` is NULL if an earlier import stored the probe. */
static uint32_t rmp_find_name(struct import *import, struct rmp *state, struct word name,
                              uint8_t **probe_state) {
    uint32_t id = import_name(import, &(struct name_entry){.kind = "probe",
                                                           .code = EVENT_NONE,
                                                           .text = name.bytes,
                                                           .length = name.length,
                                                           .component = find_class(import, name)});

    *probe_state = NULL;
    if (state->first_name == 0 && id > state->known_names) {
        state->first_name = id; /* the lowest new id, since ids ascend */
    }
    if (id > state->known_names) {
        *probe_state = find_probe_state(state, id);
    }
    state->last_name = id > state->last_name ? id : state->last_name;
    return id;
}

/* Finds an event's probe. If no list has it so far, guesses its properties, which a list may
 * replace. */
static uint32_t find_fired(struct import *import, struct rmp *state, struct word name) {
    uint8_t *probe_state;
    uint32_t id = rmp_find_name(import, state, name, &probe_state);

    if (probe_state != NULL && *probe_state == UNKNOWN) {
        struct probe_entry probe = guess_probe_from_name(name);

        *probe_state = GUESSED;
        state->guessed++;
        import_probe(import, id, &probe);
    }
    return id;
}

static void add_probe(struct import *import, struct rmp *state, const struct probe_line *probe) {
    uint8_t *probe_state;
    uint32_t id = rmp_find_name(import, state, probe->name, &probe_state);

    if (probe_state != NULL) {
        state->guessed -= *probe_state == GUESSED;
        state->repeated += *probe_state == LISTED;
        *probe_state = LISTED;
    }
    import_probe(import, id, &probe->probe);
}

static void handle_word(struct import *import, void *context, const char *word) {
    struct rmp *state = context;
    int64_t round;

    if (strncmp(word, "round=", 6) != 0) {
        return;
    }
    if (!word_number(word_of(word + 6), MOST_ROUNDS, &round) || round == 0) {
        import_remark(import, "%s: round= is not followed by a number from 1 to %d, and is ignored",
                      import_source_name(import), MOST_ROUNDS);
    } else if (state->round == 0) {
        state->round = round;
        import_set_profiling_round(import, round);
    } else if (state->round != round && !state->other_rounds) {
        state->other_rounds = true;
        import_remark(import,
                      "%s is from round %" PRId64 ", the files before it from round %" PRId64
                      ": import each round as a trace of its own",
                      import_source_name(import), round, state->round);
    }
}

/* --- adding events ---------------------------------------------------------------------------- */

static void rmp_add_event(struct import *import, struct rmp *state, const struct event_line *event,
                          const struct line *line) {
    struct span_record span = {.cpu = EVENT_NONE, .size = EVENT_NONE, .value = EVENT_NONE};

    if (!dated_log_time(&state->log, event->time, &span.time)) {
        lines_reject(import, line, dated_log_far);
        return;
    }
    span.operation = find_fired(import, state, event->probe);
    span.actor = import_thread(import, event->pid, event->tid, (struct word){NULL, 0});
    span.process = event->pid;
    if (!event->entry) {
        import_exit(import, &span, line->offset, line->bytes);
        return;
    }
    if (event->caller.length > 0) {
        span.object = import_object(import, &(struct object_entry){
                                                .name = event->caller.bytes,
                                                .length = event->caller.length,
                                                .device = EVENT_NONE,
                                            });
    }
    import_entry(import, &span, line->offset, line->bytes);
}

static void rmp_read_line(struct import *import, struct rmp *state, const struct line *line,
                          bool is_log) {
    struct event_line event;
    struct probe_line probe;
    const char *damage = is_log ? rmp_parse_event(line->text, &state->event_columns, &event)
                                : parse_probe(line->text, &state->probe_columns, &probe);

    if (damage != NULL) {
        lines_reject(import, line, damage);
    } else if (is_log) {
        rmp_add_event(import, state, &event, line);
    } else {
        add_probe(import, state, &probe);
    }
}

/* Detects whether a file is a time log or a list of probes. Returns false if it is neither. */
static bool find_kind(struct import *import, struct reader *reader, bool *is_log) {
    size_t length = reader_fill(reader, SNIFF_LENGTH);
    bool whole = length < SNIFF_LENGTH;
    struct survey survey = rmp_survey(reader_bytes(reader), whole ? length : SNIFF_LENGTH, whole,
                                      rmp_settings(import_config(import)));

    *is_log = survey.magic || survey.events >= survey.probes;
    return survey.magic || survey.events + survey.probes > 0 || reader_failed(reader) ||
           import_fail_file(import,
                            "neither an RMP log nor a list of its probes: none of its first "
                            "lines is an event or a probe");
}

static void read_rmp(struct import *import, void *context, struct reader *reader) {
    struct rmp *state = context;
    struct line line;
    int64_t begin;
    bool is_log;

    reader_skip_mark(reader);
    if (!find_kind(import, reader, &is_log)) {
        return;
    }
    *(is_log ? &state->logs : &state->probes) = true;
    begin = reader_offset(reader);
    while (lines_next(import, reader, lines_too_long, &line)) {
        if (is_log && line.offset == begin &&
            !dated_log_read_header(&state->log, import, line.text, magic, "an RMP log", handle_word,
                                   state)) {
            return;
        }
        if (!dated_log_is_empty(line.text)) {
            rmp_read_line(import, state, &line, is_log);
        }
    }
}

/* --- reading a whole file --------------------------------------------------------------------- */

static void begin_rmp(struct import *import, void *context) {
    const struct rmp_settings *settings = rmp_settings(import_config(import));
    struct rmp *state = context;

    state->event_columns = settings->events;
    state->probe_columns = settings->probes;
    state->known_names = (uint32_t)state->last_name;
}

static void end_rmp(struct import *import, void *context, bool failed) {
    struct rmp *state = context;

    free(state->probe_states);
    if (!failed && !state->logs) {
        import_fail_file(
            import,
            "holds probes but no events: import it together with the log of events, with --join");
    }
    if (!failed) {
        import_variant(import, "bare");
        import_remark_count(
            import, state->guessed,
            "%lld probe{s} fired that {is|are} in no list of probes: resolution and "
            "origin are guessed from {its name|their names}");
        import_remark_count(
            import, state->repeated,
            "%lld line{s} of lists of probes {names|name} a probe that an earlier line names: "
            "the last one counts");
    }
}

/* Implements dump_span(). Shows the caller named in the log, even if the caller has no probe. */
static void dump_span_rmp(const struct dump_event *dump, enum dump_moment moment,
                          struct text *out) {
    if (moment == DUMP_ENTRY) {
        dump_bytes(out, " from ", dump->object, dump->object_length);
    }
}

/* --- definition of the importer --------------------------------------------------------------- */

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"},
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_OBJECT, "", "caller", ""},
    {EVENT_PLACE_SELF, "", "call", "clock"},
    {0},
};

static const struct resume_value resume[] = {
    {"begun", offsetof(struct rmp, log.begun), 0, 1, false},
    {"first", offsetof(struct rmp, log.first), 0, INT64_MAX, false},
    {"round", offsetof(struct rmp, round), 0, MOST_ROUNDS, false},
    {"names", offsetof(struct rmp, last_name), 0, UINT32_MAX, false},
    {0},
};

extern const struct importer rmp_importer;

const struct importer rmp_importer = {
    .name = "rmp",
    .in_pieces = true,
    .description = "execution-time profiles of Android applications (Lin and others, 2013)",
    .line = "87123456789012\t1507\t1507\tE\tcom.android.browser.TabControl.restoreState\t-",
    .made_of = "lines of 6 fields between TABs: nanoseconds, pid, tid, E or X, name, caller",
    .variants = "with start, bare",
    .kinds = 1u << TRACE_SPANS,
    .meanings = {[TRACE_SPANS] = meanings},
    .facts = {[TRACE_SPANS] = FACTS_ALL},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
               EVENT_PARENT | EVENT_DEPTH | EVENT_SELF,
    .state_size = sizeof(struct rmp),
    .resume = resume,
    .resume_begun = offsetof(struct rmp, logs),
    .sniff = sniff_rmp,
    .begin = begin_rmp,
    .read = read_rmp,
    .end = end_rmp,
    .first_time = first_time_rmp,
    .dump_span = dump_span_rmp,
};
