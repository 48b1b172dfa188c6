/* CPU and memory use of processes over time, as the authors of RMP show it (Lin and others, IEICE
 * Trans. E96-D, 2013, table 4, figures 6 and 7). They describe no file format. The layout is the
 * project's own (tracetool-formats(7)); a script around top or /proc can write it.
 *
 * One sample per line, fields separated by one TAB: time in nanoseconds, pid, process, use of
 * processors since the process's previous sample in per cent (two processors are 200), and memory
 * in bytes or, with a suffix K, M or G, in powers of 1024. `-` means unknown, in the last two
 * fields. The first line may give the wall clock:
 *
 *     #samples 1 start=2012-05-01T10:00:00+0800
 *     87123458289012  1507  com.android.browser  12.5  45678K
 *
 * Blank lines and lines that begin with `#` are skipped. Time 0 is the first sample read, as in
 * RMP's logs.
 *
 * Tables filled: event (time, actor, value: millionths of a processor, size: bytes); actor (pid
 * and process). */
#include "dated_log.h"

enum {
    FIELDS = 5,
    MOST_PERCENT = 1000000, /* maximum CPU use in per cent: ten thousand CPUs */
    DECIMALS = 4,
};
/* Maximum memory of a process, in bytes. */
#define MEMORY_LIMIT (INT64_MAX / 2)
/* Number of billionths of a per cent in a millionth of a processor. */
#define PERCENT_PARTS 100000

static const char magic[] = "#samples ";

static const char bad_fields[] = "not 5 fields separated by TABs";
static const char bad_time[] = "time is not a number of nanoseconds in range";
static const char bad_pid[] = "pid is not a number in range";
static const char no_process[] = "no name of a process";
static const char bad_share[] = "CPU share is neither per cent with up to 4 decimals nor -";
static const char bad_memory[] = "memory is neither bytes, perhaps with K, M or G, nor -";
static const char nothing[] = "neither CPU share nor memory";

enum { TIME, PID, PROCESS, SHARE, MEMORY };

struct samples {
    struct dated_log log;
};

struct sample {
    int64_t time, pid;
    struct word process;
    int64_t share, memory; /* share: millionths of a CPU; memory: bytes; EVENT_NONE: unknown */
};

/* --- parsing one line ------------------------------------------------------------------------- */

static bool parse_share(struct word field, int64_t *share) {
    int64_t parts;

    *share = EVENT_NONE;
    if (word_is(field, "-")) {
        return true;
    }
    if (!word_seconds(field, 0, DECIMALS, MOST_PERCENT, &parts)) {
        return false;
    }
    *share = parts / PERCENT_PARTS;
    return true;
}

static bool parse_memory(struct word field, int64_t *memory) {
    static const char units[] = "KMG";
    int64_t unit = 1;

    *memory = EVENT_NONE;
    if (word_is(field, "-")) {
        return true;
    }
    for (size_t i = 0; field.length > 0 && units[i] != '\0'; i++) {
        if (field.bytes[field.length - 1] == units[i]) {
            unit = INT64_C(1024) << 10 * i;
            field.length--;
            break;
        }
    }
    return word_number(field, MEMORY_LIMIT / unit, memory) && (*memory *= unit, true);
}

/* Parses a line with a sample. Returns NULL, or why the line is not imported. */
static const char *parse_sample(struct word line, struct sample *sample) {
    struct word fields[FIELDS];

    if (word_split(line, '\t', fields, FIELDS) != FIELDS) {
        return bad_fields;
    }
    if (!word_number(fields[TIME], INT64_MAX, &sample->time)) {
        return bad_time;
    }
    if (!word_number(fields[PID], UINT32_MAX, &sample->pid)) {
        return bad_pid;
    }
    sample->process = fields[PROCESS];
    if (sample->process.length == 0) {
        return no_process;
    }
    if (!parse_share(fields[SHARE], &sample->share)) {
        return bad_share;
    }
    if (!parse_memory(fields[MEMORY], &sample->memory)) {
        return bad_memory;
    }
    return sample->share == EVENT_NONE && sample->memory == EVENT_NONE ? nothing : NULL;
}

/* --- detection of the format ------------------------------------------------------------------ */

struct survey {
    bool any;
    int64_t time; /* time of the first sample in the file, ns */
};

static enum line_verdict samples_judge(void *context, struct word line) {
    struct survey *survey = context;
    struct sample sample;

    if (dated_log_is_empty(line)) {
        return LINE_NOTHING;
    }
    if (parse_sample(line, &sample) != NULL) {
        return LINE_BAD;
    }
    survey->time = survey->any ? survey->time : sample.time;
    survey->any = true;
    return LINE_GOOD;
}

static enum sniff_score sniff_samples(const struct sniff *sniff) {
    struct survey survey = {0};

    return word_begins((struct word){(const char *)sniff->bytes, sniff->length}, magic)
               ? SNIFF_MAGIC
               : lines_sniff(sniff, samples_judge, &survey);
}

static int64_t first_time_samples(const struct sniff *sniff, const struct config *config,
                                  int64_t *range) {
    struct survey survey = {0};

    *range = 0;
    lines_judge(sniff->bytes, sniff->length, sniff->whole, samples_judge, &survey);
    return survey.any ? survey.time : EVENT_NONE;
}

/* --- reading a file --------------------------------------------------------------------------- */

static void add_sample(struct import *import, struct samples *state, const struct sample *sample,
                       const struct line *line) {
    struct event *event;
    uint32_t actor;
    int64_t since;

    if (!dated_log_time(&state->log, sample->time, &since)) {
        lines_reject(import, line, dated_log_far);
        return;
    }
    actor = import_thread(import, sample->pid, EVENT_NONE, sample->process);
    event = import_event(import);
    event->time = since;
    event->actor = actor;
    event->value = sample->share;
    event->size = sample->memory;
}

static void read_samples(struct import *import, void *context, struct reader *reader) {
    struct samples *state = context;
    struct line line;
    int64_t begin;

    reader_skip_mark(reader);
    begin = reader_offset(reader);
    while (lines_next(import, reader, lines_too_long, &line)) {
        struct sample sample;
        const char *damage;

        if (line.offset == begin && !dated_log_read_header(&state->log, import, line.text, magic,
                                                           "a log of samples", NULL, NULL)) {
            return;
        }
        if (dated_log_is_empty(line.text)) {
            continue;
        }
        damage = parse_sample(line.text, &sample);
        if (damage != NULL) {
            lines_reject(import, &line, damage);
        } else {
            add_sample(import, state, &sample, &line);
        }
    }
}

static void end_samples(struct import *import, void *context, bool failed) {
    const struct samples *state = context;

    if (!failed && !state->log.begun) {
        import_fail_file(import, "holds no samples");
    }
    import_variant(import, "bare");
}

/* Implements dump(): shows a sample as its line in the log, without the time. */
static void dump_samples(const struct dump_event *dump, struct text *out) {
    text_append_integer(out, dump->pid);
    text_append_char(out, ' ');
    text_append_escaped(out, dump->actor, dump->actor_length);
    if (dump->event.value != EVENT_NONE) {
        text_append_format(out, " cpu %lld.%04lld %%", (long long)(dump->event.value / 10000),
                           (long long)(dump->event.value % 10000));
    }
    if (dump->event.size != EVENT_NONE) {
        text_append_format(out, " memory %lld", (long long)dump->event.size);
    }
}

/* --- definition of the importer --------------------------------------------------------------- */

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_ACTOR, "", "process", ""},
    {EVENT_PLACE_VALUE, "", "load", "millionths"},
    {EVENT_PLACE_SIZE, "", "memory", "bytes"},
    {0},
};

static const struct resume_value resume[] = {
    {"begun", offsetof(struct samples, log.begun), 0, 1, false},
    {"first", offsetof(struct samples, log.first), 0, INT64_MAX, false},
    {0},
};

extern const struct importer samples_importer;

const struct importer samples_importer = {
    .name = "samples",
    .description = "samples of the CPU load and memory of processes, taken with a profile",
    .variants = "with start, bare",
    .kinds = 1u << TRACE_SAMPLES,
    .meanings = {[TRACE_SAMPLES] = meanings},
    .facts = {[TRACE_SAMPLES] = FACTS_ALL},
    .columns = EVENT_ACTOR | EVENT_VALUE | EVENT_SIZE,
    .state_size = sizeof(struct samples),
    .sniff = sniff_samples,
    .resume = resume,
    .read = read_samples,
    .end = end_samples,
    .first_time = first_time_samples,
    .dump = dump_samples,
};
