/* Formats of text that are declared in YAML, without C: the section `formats` of the configuration,
 * and the files in formats/, which are in the program. Lines are requests of block I/O; calls,
 * where a column is `operation`, or all lines have the same; or, where a column is `value`,
 * measured values.
 *
 * A declaration is compiled into a plan: how a line is cut up, and for each column what it is, with
 * its unit turned into factors and its words into a table. declared_settings.c reads declarations,
 * with declared_column.c; declared_line.c takes lines apart by them,
 * declared.c is the importer of requests, declared_calls.c that of calls, declared_results.c that
 * of values. docs/declaring-a-format.md says what can be declared.
 */
#ifndef TRACETOOL_DECLARED_H
#define TRACETOOL_DECLARED_H

#include "block_request.h"
#include "config/section.h"
#include "expression.h"
#include "import/importer.h"
#include "lines.h"
#include "measured.h"

enum {
    DECLARED_COLUMNS = 32,
    DECLARED_FIELDS = 64, /* of a line */
    DECLARED_WORDS = 64,  /* for directions */
    DECLARED_NAMES = 16,  /* of a column, or patterns of file names */
    DECLARED_FORMATS = 256,
    DECLARED_NAME = 31,     /* bytes of a format's name */
    DECLARED_LINE = 1024,   /* bytes of the example */
    DECLARED_STRING = 255,  /* bytes of any other string */
    DECLARED_ERRORS = 4095, /* the highest error number */
};

/* What a column is. */
enum declared_is {
    DECLARED_SKIP, /* anything */
    DECLARED_NUMBER,
    DECLARED_HEX,
    DECLARED_TIME,
    DECLARED_RESPONSE,
    DECLARED_DEVICE,
    DECLARED_DEVICE_NAME,
    DECLARED_MAJOR,
    DECLARED_MINOR,
    DECLARED_DIRECTION,
    DECLARED_RWBS,
    DECLARED_ADDRESS,
    DECLARED_SIZE,
    DECLARED_PID,
    DECLARED_PROCESS,
    DECLARED_FILE,
    DECLARED_TEST,
    DECLARED_RUN,
    DECLARED_MEASURE,
    DECLARED_UNIT,
    DECLARED_VALUE,
    DECLARED_OPERATION,
    DECLARED_OFFSET,
    DECLARED_BYTES,
    DECLARED_RESULT,
    DECLARED_ERROR,
    DECLARED_DURATION,
    DECLARED_END,
    DECLARED_TID,
    DECLARED_KINDS
};

/* Where time 0 of the column `time` lies. */
enum declared_epoch {
    DECLARED_START, /* it is the start of the trace */
    DECLARED_FIRST, /* not known: the first line is the start of the trace */
    DECLARED_1970,
    DECLARED_1601,
};

/* What a word of the column `direction` says. */
enum declared_direction {
    DECLARED_READ,
    DECLARED_WRITE,
    DECLARED_DISCARD,
    DECLARED_FLUSH,
    DECLARED_OTHER,
    DECLARED_IGNORE, /* the line is no request */
    DECLARED_DIRECTIONS
};

struct declared_word {
    char *word; /* in small letters */
    size_t length;
    enum declared_direction direction;
    char *means; /* of the column `operation`: the operation */
};

/* A list of strings. */
struct declared_names {
    char *names[DECLARED_NAMES];
    size_t count;
};

struct declared_column {
    enum declared_is is;
    struct declared_names names; /* by which a header, or an expression, knows it */
    bool optional;               /* may be empty, or missing at the end of a line */
    int64_t unit;                /* of a time: nanoseconds; of an address or size: bytes */
    char *measured_in;           /* of a value: the unit of lines without one; NULL: not declared */
    int64_t least, most;         /* of the number as it stands there */
    bool bounded;                /* the declaration gives `most` */
    int64_t before;              /* of a time: the number that is 1970, else 0 */
    int64_t digits;              /* of a hexadecimal number; 0: any */
    enum declared_epoch epoch;
    struct declared_word *words;
    size_t word_count;
    int64_t read_bits; /* of a direction that is a number: it is a read where one of them is set; 0:
                          it is a word */
    bool hex;          /* that number is hexadecimal */
    bool clock;        /* the time is one of day, `9:05:07.25 PM` */
};

enum declared_header {
    DECLARED_NO_HEADER,
    DECLARED_TEXT_HEADER, /* a line of that text */
    DECLARED_NAMES_HEADER /* the first line names the columns */
};

/* Whether a file's content makes it one of the format. */
enum declared_found {
    DECLARED_FOUND,
    DECLARED_FOUND_LAST, /* only where nothing else fits */
    DECLARED_NOT_FOUND,  /* only by -f */
};

struct declaration {
    struct importer importer; /* what the program knows it as; it points here */
    bool own;                 /* of the user's configuration */
    char *name, *description, *example, *made_of;
    struct declared_names files; /* patterns, of which the file's name must match one */
    enum declared_found found;
    char separator; /* ' ': blanks; NUL: an expression */
    char *pattern;
    struct expression *expression; /* owned */
    enum declared_header header;
    char *header_text;
    char *comment;           /* what a line begins with that is none; NULL: nothing */
    char *skipped;           /* pattern of lines that are passed over … */
    struct expression *skip; /* … owned; NULL: none are */
    bool more;               /* further columns may follow */
    bool quotes;             /* a column may stand in quotes */
    bool sorted;             /* by time */
    bool completions;        /* the time is that of the completion */
    char *operation;         /* of all lines; NULL: it is a column, or there is none */
    char *remark;            /* of what the logs leave out, for all traces; NULL: nothing */
    struct declared_column columns[DECLARED_COLUMNS];
    size_t column_count;
    size_t fewest; /* columns of a line */
    uint64_t hash; /* of what decides how a line is read */
};

/* The value of the section `formats`: those of the program, then the user's own. */
struct declared_formats {
    struct declaration **formats;
    size_t count;
};
extern const struct config_section declared_section;

/* Fills in what the program knows a declared format as, of a declaration that is complete. */
void declared_make_importer(struct declaration *declaration);

/* Why --append fails where the declaration changed; %s is the format. */
extern const char declared_otherwise[];

/* For the end of an import: the remark of the declaration, if it has one. */
void declared_remark(struct import *import, const struct declaration *declaration);

/* The first line that is not blank or a comment. */
struct word declared_first_line(const struct declaration *declaration, const void *bytes,
                                size_t length);

/* The same of a format of results: name, description, sniff() and the like are there already. */
void declared_results_importer(struct importer *importer);

/* Whether lines are calls; and the same of a format of these, of which how files are read is there
 * already, too. */
bool declared_is_calls(const struct declaration *declaration);
void declared_calls_importer(struct importer *importer);

/* --- lines (declared_line.c) ------------------------------------------------------------------ */

/* Which field of a line each column is; -1: none. */
struct declared_places {
    int8_t of[DECLARED_COLUMNS];
    size_t fields; /* of a line; more than `fewest` of a declaration are its optional ones */
};

/* What lines are taken apart with; one a thread. */
struct declared_cutter {
    const struct declaration *declaration; /* borrowed */
    struct declared_places places;
    struct expression_match *match; /* owned; NULL: there is no expression */
    struct expression_match *skip;  /* likewise, of the lines that are passed over */
    char *room; /* owned, READER_WINDOW bytes for what stood in quotes; NULL: nothing does */
};

/* What a call has beside the time, pid, process and file of its request and the response. Numbers
 * are EVENT_NONE where the line has none. */
struct declared_call {
    struct word operation; /* length 0: none */
    int64_t offset, bytes, result;
    int64_t error; /* an error number of Linux's; 0: it did not fail */
    int64_t end;   /* nanoseconds since the epoch */
    int64_t tid;
};

/* A line that was understood. */
struct declared_line {
    struct block_request request; /* its time as nanoseconds since the epoch; device only where
                                     the line has its number */
    bool has_response;
    int64_t response;        /* nanoseconds */
    struct word device_name; /* length 0: none */
    bool unaligned;          /* the address is no whole sector */
    struct declared_call call;
    struct measured measured;
    bool rounded; /* to millionths */
};

/* Gets ready for a file that begins with `header`, which matters where the header names the
 * columns. NULL, or what is wrong, for behind "FILE: "; a constant string. */
const char *declared_cutter_open(struct declared_cutter *cutter,
                                 const struct declaration *declaration, struct word header);
void declared_cutter_close(struct declared_cutter *cutter);

/* Whether the line is blank or a comment. */
bool declared_is_nothing(const struct declaration *declaration, struct word line);

/* Whether it is the header, or could be where that names the columns. */
bool declared_is_header(const struct declared_cutter *cutter, struct word line);

/* Takes a line apart. NULL, or why it cannot be, for the ledger; declared_ignored: it is fine, but
 * no request. */
extern const char declared_ignored[];
const char *declared_parse(const struct declared_cutter *cutter, struct word line,
                           struct declared_line *parsed);

/* A record that may be a line of requests or calls, parsed. False: it is none, and the ledger has
 * it if need be. */
bool declared_take_line(struct import *import, const struct declared_cutter *cutter,
                        const struct line *line, struct declared_line *parsed);

/* The time of a line alone, EVENT_NONE when there is none. */
int64_t declared_parse_time(const struct declared_cutter *cutter, struct word line);

/* A set of columns by what they are. */
#define OF(kind) (1u << DECLARED_##kind)

/* Columns that only results have. */
#define OF_RESULTS (OF(TEST) | OF(RUN) | OF(MEASURE) | OF(UNIT) | OF(VALUE))

/* Columns that only calls have. */
#define OF_CALLS                                                                                   \
    (OF(OPERATION) | OF(OFFSET) | OF(BYTES) | OF(RESULT) | OF(ERROR) | OF(DURATION) | OF(END) |    \
     OF(TID))

/* The first column of such a set; NULL: there is none. */
const struct declared_column *declared_find(const struct declaration *declaration, unsigned of);

#endif
