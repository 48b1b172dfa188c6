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
#include <stdio.h>
#include <string.h>

#include "import/importer.h"

enum {
    SNIFF_LINES = 50,
    SECONDS_LIMIT = 2000000000, /* 63 years: nanoseconds fit into 63 bits, twice over */
    SIZE_LIMIT = 1 << 30,
};

/* Reasons in the ledger. They are constant strings: the ledger keeps the pointer. Write them for
 * somebody who looks at the file at the offset that stands beside them, and use few of them. */
static const char bad_line[] = "not a call: seconds, name, size";
static const char long_line[] = "line longer than 262144 bytes";
static const char bad_time[] = "time beyond 63 years";
static const char of_no_interest[] = "call without a name";

/* What the importer remembers from one record to the next, over all files of the trace. It is
 * zeroed before begin(). What hangs on it is freed in end(). Static variables are not allowed: the
 * state belongs to one import. */
struct template {
    int64_t base; /* time at which the file that is being read began */
    int64_t last; /* time of the latest call */
};

/* --- one line ------------------------------------------------------------------------------ */

/* Parsing is kept apart from importing, so that sniff() can use it too and tests can be small.
 * Nothing is allocated: strings point into the line. */
struct call {
    int64_t time; /* nanoseconds */
    int64_t size;
    const char *name;
    size_t name_length;
};

struct words {
    const char *at, *end;
};

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* The next word of the line; false at its end. */
static bool next_word(struct words *words, const char **word, size_t *length) {
    while (words->at < words->end && is_blank(*words->at)) {
        words->at++;
    }
    *word = words->at;
    while (words->at < words->end && !is_blank(*words->at)) {
        words->at++;
    }
    *length = (size_t)(words->at - *word);
    return *length > 0;
}

/* Input is hostile: a number is checked against its limit digit by digit, before it can overflow.
 */
static bool parse_number(const char *digits, size_t length, int64_t limit, int64_t *number) {
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9') {
            return false;
        }
        *number = *number * 10 + (digits[i] - '0');
        if (*number > limit) {
            return false;
        }
    }
    return length > 0;
}

/* Seconds with one to nine decimals. Times are handed over in nanoseconds, always. */
static bool parse_time(const char *word, size_t length, int64_t *time) {
    const char *point = memchr(word, '.', length);
    size_t decimals = point == NULL ? 0 : (size_t)(word + length - point - 1);
    int64_t seconds, fraction;

    if (decimals < 1 || decimals > 9 ||
        !parse_number(word, (size_t)(point - word), SECONDS_LIMIT, &seconds) ||
        !parse_number(point + 1, decimals, 999999999, &fraction)) {
        return false;
    }
    for (; decimals < 9; decimals++) {
        fraction *= 10;
    }
    *time = seconds * 1000000000 + fraction;
    return true;
}

static bool parse_line(const char *line, size_t length, struct call *call) {
    struct words words = {line, line + length};
    const char *word;

    if (!next_word(&words, &word, &length) || !parse_time(word, length, &call->time) ||
        !next_word(&words, &call->name, &call->name_length) || !next_word(&words, &word, &length) ||
        !parse_number(word, length, SIZE_LIMIT, &call->size)) {
        return false;
    }
    return !next_word(&words, &word, &length); /* nothing may follow */
}

/* Blank lines and comments are not records: the ledger does not count them. */
static bool is_empty_line(const char *line, size_t length) {
    struct words words = {line, line + length};
    const char *word;

    return !next_word(&words, &word, &length) || word[0] == '#';
}

/* --- what it is ---------------------------------------------------------------------------- */

/* How likely the file is of this format. Only the first SNIFF_LENGTH bytes are there; `whole` tells
 * whether these are all. A score that is too high takes files away from other importers; one that
 * is too strict refuses a log for one damaged line. A magic number is SNIFF_MAGIC; text most of
 * whose lines are records is SNIFF_LIKELY; a format that nearly any text would fit is SNIFF_GREEDY.
 * No import_…() function may be called from here. */
static enum sniff_score sniff_template(const struct sniff *sniff) {
    const char *line = (const char *)sniff->bytes, *end = line + sniff->length;
    int good = 0, bad = 0;

    while (line < end && good + bad < SNIFF_LINES) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((newline == NULL ? end : newline) - line);
        struct call call;

        if (newline == NULL && !sniff->whole) {
            break; /* the line is cut off where the window ends: it says nothing */
        }
        if (!is_empty_line(line, length)) {
            if (parse_line(line, length, &call)) {
                good++;
            } else {
                bad++;
            }
        }
        line = newline == NULL ? end : newline + 1;
    }
    return good > bad ? SNIFF_LIKELY : SNIFF_NO;
}

/* --- events -------------------------------------------------------------------------------- */

/* Makes an event of a call. The order matters: first ask for all names, actors, objects and labels,
 * then call import_event(), then fill it in; the event is only valid until the next import_…() call
 * but import_arguments(). 0 and NULL mean that the import has ended: return false at once; the
 * error is set already or will be. */
static bool keep_call(struct import *import, int64_t time, const struct call *call) {
    /* The same name always gets the same id, so a call need not be remembered here. An importer of
     * a format with millions of events a second may keep the ids of its most frequent names. */
    uint32_t operation = import_name(import, &(struct name_entry){
                                                 .kind = "function",
                                                 .code = EVENT_NONE, /* no number behind it */
                                                 .text = call->name,
                                                 .length = call->name_length,
                                             });
    struct event *event;

    if (operation == 0 || (event = import_event(import)) == NULL) {
        return false;
    }
    event->time = time; /* nanoseconds since the start of the trace */
    event->operation = operation;
    event->size = call->size; /* bytes */
    /* Fields that are not set stay NULL in the database. Only those named in `columns` below are
     * stored. Argument bytes would be attached with import_arguments() now. */
    return true;
}

/* Reads one file. Called once a file, in the order of the pieces of the trace; the cursor stands at
 * its first byte. True at its end, however many records were bad. False with `error` set when the
 * file is not of this format at all; false without more ado when an import_…() function said so.
 * That reading failed need not be looked at: the caller does. */
static bool read_template(struct import *import, void *state, struct reader *reader,
                          struct error *error) {
    struct template *template = state;
    const char *line;
    size_t length;
    int64_t offset;
    enum reader_line kind;

    (void)error;
    template->base = template->last;
    while ((kind = reader_line(reader, &line, &length, &offset)) != READER_END) {
        int64_t lost = reader_offset(reader) - offset;
        struct call call;

        if (kind == READER_LINE && is_empty_line(line, length)) {
            continue;
        }
        /* Every record ends up in exactly one column of the ledger: kept (import_event), merged
         * into another one, ignored by rule, or rejected with the offset where it begins and the
         * number of bytes that are lost with it. */
        if (kind == READER_LONG_LINE) {
            import_rejected(import, long_line, offset, lost);
        } else if (!parse_line(line, length, &call)) {
            import_rejected(import, bad_line, offset, lost);
        } else if (call.name_length == 1 && call.name[0] == '-') {
            import_ignored(import, of_no_interest, offset);
        } else if (call.time > SECONDS_LIMIT * INT64_C(1000000000) - template->base) {
            /* Sums of numbers from outside are checked before they are made. */
            import_rejected(import, bad_time, offset, lost);
        } else if (!keep_call(import, template->base + call.time, &call)) {
            return false;
        } else {
            template->last = template->base + call.time;
        }
    }
    return true;
}

/* --- before the first file and after the last ------------------------------------------------ */

/* Once before the first file. What is known of the whole trace is said here or as soon as it is
 * known: import_variant(); import_start() for a format with wall clock, before the first event;
 * import_sessions(). With `import --append`, import_kept() gives the line that end() kept when the
 * trace was imported, NULL otherwise. */
static bool begin_template(struct import *import, void *state, struct error *error) {
    struct template *template = state;
    const char *kept = import_kept(import);
    long long last = 0;

    import_variant(import, "text");
    if (kept != NULL && (sscanf(kept, "last %lld", &last) != 1 || last < 0)) {
        return error_set(error, "what was kept to go on with the trace is damaged: %s", kept);
    }
    template->last = last;
    return true;
}

/* Once after the last file, and after a failure. Gives events that were held back (unless
 * `failed`), says what a reader of the reports must know (import_remark), keeps what a later
 * --append needs, frees what the state owns. */
static bool end_template(struct import *import, void *state, bool failed, struct error *error) {
    const struct template *template = state;
    char kept[32];

    snprintf(kept, sizeof kept, "last %lld", (long long)template->last);
    return failed || import_keep(import, kept, error);
}

/* --- dump ------------------------------------------------------------------------------------ */

/* What `tracetool dump` shows of an event behind its time, without a newline. Everything that comes
 * from the log must be escaped. NULL instead of this function shows actor, operation, object and
 * size. */
static void dump_template(const struct dump_event *dump, struct text *out) {
    text_append_escaped(out, dump->operation, dump->operation_length);
    text_append_char(out, ' ');
    text_append_integer(out, dump->event.size);
}

/* --- the importer ------------------------------------------------------------------------------
 */

/* The only thing with a name outside this file. importers/list.c is the one place to add it to. */
extern const struct importer template_importer;

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_SIZE, "", "arguments", "bytes"},
    {0},
};

const struct importer template_importer = {
    .name = "template",                             /* after -f; testdata/NAME; man page section */
    .description = "seconds, name and size a line", /* for `tracetool formats` */
    .variants = "text",                             /* what import_variant() may be told */
    .kinds = 1u << TRACE_CALLS,                     /* what the events are: enum trace_kind */
    .meanings = {[TRACE_CALLS] = meanings},
    .columns = EVENT_OPERATION | EVENT_SIZE, /* the event fields that are ever set */
    .state_size = sizeof(struct template),
    .sniff = sniff_template,
    .begin = begin_template, /* may be NULL, as may be end, dump and loggable */
    .read = read_template,
    .end = end_template,
    .dump = dump_template,
    /* .loggable: only where it is known which operations could have been logged: see palmist.c. */
};
