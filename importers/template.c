/* Template of an importer: make a copy of this file, then change the copy.
 *
 * It is compiled, so it cannot rot. But it is not in importers/list.c, so it is never used.
 * docs/adding-an-importer.md explains the steps.
 *
 * The comment at the top of an importer gives the format and the sources of its facts, the layout
 * with an example, the quirks, and the tables and columns that it fills. For this template:
 *
 * A tiny text format. One call per line, words separated by blanks or TABs:
 *
 *     # seconds name size
 *     0.000000000 open 12
 *     0.004210000 read 4096
 *
 * seconds since the start of the trace with one to nine decimals, the name of the call, the size of
 * its arguments in bytes. Blank lines and lines that begin with `#` are skipped. A call named `-`
 * is ignored.
 *
 * Quirks: every file starts at 0 again. Files of a trace are consecutive: a file's calls come after
 * the last call of the file before.
 *
 * Tables filled: event (time, operation, size); name (kind function). */
#include "base/time_unit.h"
#include "lines.h"

enum {
    SECONDS_LIMIT = 2000000000, /* 63 years: nanoseconds fit into 63 bits, even doubled */
    SIZE_LIMIT = 1 << 30,
};

/* Reasons in the ledger, which shows each with an offset in the file. Write them for a user who
 * looks there; use few. They must be constants: the ledger stores the pointer. */
static const char bad_line[] = "not a call: seconds, name, size";
static const char bad_time[] = "time beyond 63 years";
static const char of_no_interest[] = "call without a name";

/* State of an import, over all files of the trace. It is zeroed before begin(); free its memory in
 * end(). Do not use static variables: the state belongs to one import. */
struct template {
    int64_t base; /* time at which the current file starts, ns */
    int64_t last; /* time of the latest call */
};

/* A parsed line. Parsing is separate from importing, so that sniff() can use it and tests can be
 * small. Nothing is allocated: words point into the line. input/word.h splits lines into words,
 * fields, numbers and times. Input is untrusted: give each number its bounds, and check them before
 * it can overflow. */
struct call {
    int64_t time; /* time of the call, nanoseconds */
    int64_t size;
    struct word name;
};

static bool template_parse_line(struct word line, struct call *call) {
    struct word rest = line, time = word_next(&rest), size;

    call->name = word_next(&rest);
    size = word_next(&rest);
    return word_seconds(time, 1, 9, SECONDS_LIMIT, &call->time) &&
           word_number(size, SIZE_LIMIT, &call->size) &&
           word_next(&rest).length == 0; /* nothing may follow the size */
}

/* Judges a line, to score how likely the file has this format. Only the first SNIFF_LENGTH bytes
 * are available; `whole` means that they are all bytes of the file. A score that is too high takes
 * files from other importers. A test that is too strict refuses a log for one damaged line. Use
 * SNIFF_MAGIC for a magic number, SNIFF_LIKELY for text with mostly valid lines (by lines_sniff()),
 * SNIFF_GREEDY for a format that nearly any text fits. Do not call import_…() functions here. */
static enum line_verdict template_judge(void *context, struct word line) {
    struct call call;

    return lines_is_blank_or_comment(line)    ? LINE_NOTHING
           : template_parse_line(line, &call) ? LINE_GOOD
                                              : LINE_BAD;
}

static enum sniff_score sniff_template(const struct sniff *sniff) {
    return lines_sniff(sniff, template_judge, NULL);
}

/* Creates the event of a call. The order matters: first get all names, actors, objects and labels,
 * then call import_event(), then fill in the event. The event is valid until the next import_…()
 * call except import_arguments(). If the import has failed, these functions do nothing. */
static void template_add_call(struct import *import, int64_t time, const struct call *call) {
    /* Equal names get the same id. An importer needs no cache, since import_simple_name() has one.
     */
    uint32_t operation = import_simple_name(import, "function", call->name);
    struct event *event = import_event(import);

    event->time = time; /* nanoseconds since the start of the trace */
    event->operation = operation;
    event->size = call->size; /* bytes */
    /* Fields not set are NULL in the database. Only the fields in `columns` below are stored. To
     * add arguments to the event, call import_arguments() now. */
}

/* Reads one file. Called once per file, in the order of the trace; the cursor is at the first byte.
 * It must read to the end, however many records are bad. Call import_fail_file() if the file does
 * not have this format at all. The caller checks for read errors. */
static void read_template(struct import *import, void *state, struct reader *reader) {
    struct template *template = state;
    struct line line;

    template->base = template->last;
    reader_skip_mark(reader); /* skip a byte order mark */
    /* lines_next() itself rejects lines that are too long. */
    while (lines_next(import, reader, lines_too_long, &line)) {
        struct call call;

        if (lines_is_blank_or_comment(line.text)) {
            continue;
        }
        /* Every record counts in exactly one column of the ledger: kept (import_event), merged into
         * another record, ignored by rule, or rejected with its offset and the number of bytes
         * lost. */
        if (!template_parse_line(line.text, &call)) {
            lines_reject(import, &line, bad_line);
        } else if (word_is(call.name, "-")) {
            import_ignored(import, of_no_interest, line.offset);
        } else if (call.time > SECONDS_LIMIT * SECOND - template->base) {
            /* Check sums of numbers from a log for overflow. */
            lines_reject(import, &line, bad_time);
        } else {
            template_add_call(import, template->base + call.time, &call);
            template->last = template->base + call.time;
        }
    }
}

/* State that a later --append needs: numbers with their bounds, as the database may be untrusted.
 * They are read before begin() and stored after end(). */
static const struct resume_value resume[] = {
    {"last", offsetof(struct template, last), 0, SECONDS_LIMIT *SECOND, false},
    {0},
};

/* Called once before the first file. Set facts of the whole trace here, or as soon as they are
 * known: import_variant(); import_set_start_time() for a format with wall clock, before the first
 * event; import_sessions(). */
static void begin_template(struct import *import, void *state) {
    import_variant(import, "text");
}

/* Called once after the last file, and after a failure. Adds events still buffered (unless
 * `failed`), adds remarks for readers of reports (import_remark), and frees the state's memory. */
static void end_template(struct import *import, void *state, bool failed) {
}

/* Shows an event in `tracetool dump`, after its time, without a newline. Escape everything from the
 * log. If the function pointer is NULL, dump shows actor, operation, object and size. */
static void dump_template(const struct dump_event *dump, struct text *out) {
    text_append_escaped(out, dump->operation, dump->operation_length);
    text_append_char(out, ' ');
    text_append_integer(out, dump->event.size);
}

/* --- definition of the importer --------------------------------------------------------------- */

/* The importer, the only name visible outside this file. Add it to importers/list.c. */
extern const struct importer template_importer;

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_SIZE, "", "arguments", "bytes"},
    {0},
};

const struct importer template_importer = {
    .name = "template", /* name for -f, of testdata/NAME and of the man page's section */
    .description = "seconds, name and size a line", /* for `tracetool formats` */
    .line = "1.5 read 4096",
    .made_of = "lines of seconds, name and size",
    .variants = "text",         /* values that import_variant() may get */
    .kinds = 1u << TRACE_CALLS, /* kinds of its traces: bits of enum trace_kind */
    .meanings = {[TRACE_CALLS] = meanings},
    /* Facts that logs of the format state (facts_to_declare(), model/meaning.h). A log of calls
       might name files and threads, but this one does not. Where a report needs a fact that is not
       declared, it leaves out the column: 0 would be wrong. */
    .facts = {[TRACE_CALLS] = FACTS_OF_LOG(0)},
    .columns = EVENT_OPERATION | EVENT_SIZE, /* columns of events that may be set */
    .state_size = sizeof(struct template),
    .resume = resume,
    .sniff = sniff_template,
    .begin = begin_template, /* may be NULL, like end, dump and loggable */
    .read = read_template,
    .end = end_template,
    .dump = dump_template,
    /* Set .loggable and .known only if the set of operations is known, and also which of them
     * can be logged; see palmist_settings.c. */
};
