/* Template of an importer: make a copy of this file, then change the copy.
 *
 * It compiles with the rest, so it cannot rot, but it is not in importers/list.c, so nothing is
 * ever imported by it. docs/adding-an-importer.md goes through the steps.
 *
 * The comment at the top of an importer says what the format is and where the facts come from, then
 * the layout with an example, the quirks, and which tables and columns it fills. This one's:
 *
 * A tiny text format. One call a line, words separated by blanks or TABs:
 *
 *     # seconds name size
 *     0.000000000 open 12
 *     0.004210000 read 4096
 *
 * seconds since the start of the trace with one to nine decimals, the name of the call, the size of
 * its arguments in bytes. Blank lines and lines that begin with `#` are not records. A name `-` is
 * a call that nobody is interested in.
 *
 * Quirks: every file begins at 0 again. The pieces of one trace follow one another: a file's calls
 * come after the last call of the file before it.
 *
 * Fills: event (time, operation, size), name (kind function).
 */
#include "base/time_unit.h"
#include "lines.h"

enum {
    SECONDS_LIMIT = 2000000000, /* 63 years: nanoseconds fit into 63 bits, twice over */
    SIZE_LIMIT = 1 << 30,
};

/* Reasons in the ledger. They are constant strings: the ledger keeps the pointer. Write them for
 * somebody who looks at the file at the offset that stands beside them, and use few of them. */
static const char bad_line[] = "not a call: seconds, name, size";
static const char bad_time[] = "time beyond 63 years";
static const char of_no_interest[] = "call without a name";

/* What the importer remembers from one record to the next, over all files of the trace. It is
 * zeroed before begin(). What hangs on it is freed in end(). Static variables are not allowed: the
 * state belongs to one import. */
struct template {
    int64_t base; /* time at which the file that is being read began */
    int64_t last; /* time of the latest call */
};

/* Parsing is kept apart from importing, so that sniff() can use it too and tests can be small.
 * Nothing is allocated: words point into the line. input/word.h has what lines are taken apart
 * with: words, fields between separators, numbers, times. Input is hostile: each number has its
 * bounds, and is checked against them before it can overflow. */
struct call {
    int64_t time; /* nanoseconds */
    int64_t size;
    struct word name;
};

static bool parse_line(struct word line, struct call *call) {
    struct word rest = line, time = word_next(&rest), size;

    call->name = word_next(&rest);
    size = word_next(&rest);
    return word_seconds(time, 1, 9, SECONDS_LIMIT, &call->time) &&
           word_number(size, SIZE_LIMIT, &call->size) &&
           word_next(&rest).length == 0; /* nothing may follow */
}

/* How likely the file is of this format. Only the first SNIFF_LENGTH bytes are there; `whole` tells
 * whether these are all. A score that is too high takes files away from other importers; one that
 * is too strict refuses a log for one damaged line. A magic number is SNIFF_MAGIC; text most of
 * whose lines are records is SNIFF_LIKELY, which lines_sniff() finds out; a format that nearly any
 * text would fit is SNIFF_GREEDY. No import_…() function may be called from here. */
static enum line_verdict judge(void *context, struct word line) {
    struct call call;

    return lines_is_nothing(line) ? LINE_NOTHING : parse_line(line, &call) ? LINE_GOOD : LINE_BAD;
}

static enum sniff_score sniff_template(const struct sniff *sniff) {
    return lines_sniff(sniff, judge, NULL);
}

/* Makes an event of a call. The order matters: first ask for all names, actors, objects and labels,
 * then call import_event(), then fill it in; the event is only valid until the next import_…() call
 * but import_arguments(). Where the import has ended, all of it goes nowhere. */
static void keep_call(struct import *import, int64_t time, const struct call *call) {
    /* The same name always gets the same id, so a call need not be remembered here. An importer of
     * a format with millions of events a second may keep the ids of its most frequent names. */
    uint32_t operation = import_word(import, "function", call->name);
    struct event *event = import_event(import);

    event->time = time; /* nanoseconds since the start of the trace */
    event->operation = operation;
    event->size = call->size; /* bytes */
    /* Fields that are not set stay NULL in the database. Only those named in `columns` below are
     * stored. Argument bytes would be attached with import_arguments() now. */
}

/* Reads one file. Called once a file, in the order of the pieces of the trace; the cursor stands at
 * its first byte. However many records were bad, it goes on to the end; import_refuse() when the
 * file is not of this format at all. That reading failed need not be looked at: the caller does. */
static void read_template(struct import *import, void *state, struct reader *reader) {
    struct template *template = state;
    struct line line;

    template->base = template->last;
    reader_skip_mark(reader); /* a byte order mark */
    /* Lines that are too long are rejected on the way. */
    while (lines_next(import, reader, lines_too_long, &line)) {
        struct call call;

        if (lines_is_nothing(line.text)) {
            continue;
        }
        /* Every record ends up in exactly one column of the ledger: kept (import_event), merged
         * into another one, ignored by rule, or rejected with the offset where it begins and the
         * number of bytes that are lost with it. */
        if (!parse_line(line.text, &call)) {
            lines_reject(import, &line, bad_line);
        } else if (word_is(call.name, "-")) {
            import_ignored(import, of_no_interest, line.offset);
        } else if (call.time > SECONDS_LIMIT * SECOND - template->base) {
            /* A sum of numbers from a log is checked for overflow. */
            lines_reject(import, &line, bad_time);
        } else {
            keep_call(import, template->base + call.time, &call);
            template->last = template->base + call.time;
        }
    }
}

/* What a later --append needs to go on: numbers of the state with their bounds, for what comes back
 * may be anybody's database. They are read before begin() and kept behind end(). */
static const struct resume_value resume[] = {
    {"last", offsetof(struct template, last), 0, SECONDS_LIMIT *SECOND, false},
    {0},
};

/* Once before the first file. What is known of the whole trace is said here or as soon as it is
 * known: import_variant(); import_start() for a format with wall clock, before the first event;
 * import_sessions(). */
static void begin_template(struct import *import, void *state) {
    import_variant(import, "text");
}

/* Once after the last file, and after a failure. Gives events that were held back (unless
 * `failed`), says what a reader of the reports must know (import_remark), frees what the state
 * owns.
 */
static void end_template(struct import *import, void *state, bool failed) {
}

/* What `tracetool dump` shows of an event behind its time, without a newline. Everything that comes
 * from the log must be escaped. NULL instead of this function shows actor, operation, object and
 * size. */
static void dump_template(const struct dump_event *dump, struct text *out) {
    text_append_escaped(out, dump->operation, dump->operation_length);
    text_append_char(out, ' ');
    text_append_integer(out, dump->event.size);
}

/* --- the importer ----------------------------------------------------------------------------- */

/* The only thing with a name outside this file. importers/list.c is the one place to add it to. */
extern const struct importer template_importer;

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_SIZE, "", "arguments", "bytes"},
    {0},
};

const struct importer template_importer = {
    .name = "template",                             /* after -f; testdata/NAME; man page section */
    .description = "seconds, name and size a line", /* for `tracetool formats` */
    .line = "1.5 read 4096",
    .made_of = "lines of seconds, name and size",
    .variants = "text",         /* what import_variant() may be told */
    .kinds = 1u << TRACE_CALLS, /* what the events are: enum trace_kind */
    .meanings = {[TRACE_CALLS] = meanings},
    /* What its logs can state of their events, out of facts_to_declare() (model/meaning.h): a log
     * of calls might name files and threads, and this one does not. What is not declared is left
     * out of reports, where 0 would be wrong. */
    .facts = {[TRACE_CALLS] = FACTS_OF_LOG(0)},
    .columns = EVENT_OPERATION | EVENT_SIZE, /* the event fields that are ever set */
    .state_size = sizeof(struct template),
    .resume = resume,
    .sniff = sniff_template,
    .begin = begin_template, /* may be NULL, as may be end, dump and loggable */
    .read = read_template,
    .end = end_template,
    .dump = dump_template,
    /* .loggable, .known: only where it is known which operations there are, and which of them could
     * have been logged: see palmist_settings.c. */
};
