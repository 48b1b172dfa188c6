/* Text formats declared in YAML, without C: the section `formats` of the configuration, and the
 * files in formats/, which are built in. Lines are requests of block I/O by default. They are calls
 * if the declaration has an operation, as a column `operation` or for all lines. They are measured
 * values if a column is `value`.
 *
 * A declaration is compiled into a plan: how to split a line, and for each column its kind, its
 * unit
 * as factors and its words as a table. declared_settings.c reads declarations, with
 * declared_column.c; declared_line.c parses lines. declared.c is the importer of requests
 * and of values, declared_calls.c of calls. docs/declaring-a-format.md says what can
 * be declared. */
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
    DECLARED_FIELDS = 64, /* most fields of a line */
    DECLARED_WORDS = 64,  /* most words that a column's `map` or direction lists */
    DECLARED_NAMES = 16,  /* most names of a column, or patterns of file names */
    DECLARED_FORMATS = 256,
    DECLARED_NAME = 31,      /* bytes of a format's name */
    DECLARED_LINE = 1024,    /* bytes of the example */
    DECLARED_STRING = 255,   /* bytes of any other string */
    DECLARED_ERRORS = 4095,  /* highest error number of Linux */
    DECLARED_PAGE = 4096,    /* bytes of a key's page */
    DECLARED_CARRIED = 4096, /* bytes of a carried value, or of a part of a call */
    DECLARED_PARTS = 65536,  /* parts of calls that wait for their ends */
};

/* Kind of a column. */
enum declared_is {
    DECLARED_SKIP, /* ignored: any content */
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
    DECLARED_KEY, /* key of an object in a cache, as a page */
    DECLARED_LAYER,
    DECLARED_PAUSE, /* time from a completion to the request in the next line */
    DECLARED_KINDS
};

/* Time 0 of the column `time`. */
enum declared_epoch {
    DECLARED_START, /* the start of the trace */
    DECLARED_FIRST, /* unknown: the first line is the start of the trace */
    DECLARED_1970,
    DECLARED_1601,
};

/* Meaning of a word in the column `direction`. */
enum declared_direction {
    DECLARED_READ,
    DECLARED_WRITE,
    DECLARED_DISCARD,
    DECLARED_FLUSH,
    DECLARED_OTHER,
    DECLARED_IGNORE, /* the line is not a request */
    DECLARED_DIRECTIONS
};

struct declared_word {
    char *word; /* the word, in lower case */
    size_t length;
    enum declared_direction direction;
    char *means; /* for the columns `operation` and `layer`: what the word stands for */
};

/* A list of strings. */
struct declared_names {
    char *names[DECLARED_NAMES];
    size_t count;
};

struct declared_column {
    enum declared_is is;
    struct declared_names names; /* names of the column in a header or an expression */
    bool optional; /* true: the column may be empty, or missing at the end of a line */
    int64_t unit; /* size of the unit, in nanoseconds for times, in bytes for addresses and sizes */
    /* The unit of values in lines without one; NULL: not declared. */
    char *measured_in;
    int64_t least, most; /* range of the number before conversion */
    bool bounded;        /* true: the declaration gives `most` */
    int64_t before;      /* for times, the number that stands for 1970; else 0 */
    int64_t digits;      /* digits of a hexadecimal number; 0: any */
    enum declared_epoch epoch;
    struct declared_word *words;
    size_t word_count;
    int64_t
        read_bits; /* bits of a numeric direction that mark a read; 0: the direction is a word */
    bool hex;      /* true: the number is hexadecimal */
    bool clock;    /* the time is a time of day, `9:05:07.25 PM` */
    size_t carry; /* number of the expression in `carry` that has the value, from 1; 0: the line has
                     it */
    int group;    /* number of the value's group in that expression */
    bool ttl;     /* a time to live; like DECLARED_RESULT, it sets the value of a call */
    bool other_words; /* words that `map` lacks stand for themselves */
    char *pattern;    /* expression whose first group is the part of the field that counts */
    struct expression *within; /* owned; `pattern` compiled; NULL: the whole field */
};

enum declared_header {
    DECLARED_NO_HEADER,
    DECLARED_TEXT_HEADER, /* a line with the text `header_text` */
    DECLARED_NAMES_HEADER /* the first line names the columns */
};

/* Value of the key `kind`: what the lines are. */
enum declared_kind { DECLARED_OF_ANY, DECLARED_OF_IO, DECLARED_OF_CALLS, DECLARED_OF_RESULTS };

/* When a file's content identifies it as this format. */
enum declared_found {
    DECLARED_FOUND,
    DECLARED_FOUND_LAST, /* by content, but only if no other format fits */
    DECLARED_NOT_FOUND,  /* never by content, only by -f */
};

struct declaration {
    struct importer importer; /* importer that the program uses; refers to this declaration */
    bool own;                 /* true: declared in the user's configuration */
    char *name, *description, *example, *made_of;
    struct declared_names files; /* patterns; the file name must match one */
    enum declared_found found;
    char separator; /* ' ': blanks; NUL: an expression */
    char *pattern;
    struct expression *expression; /* owned */
    enum declared_header header;
    char *header_text;
    char *comment;                 /* prefix of comment lines; NULL: none */
    char *skipped;                 /* pattern of lines to skip */
    struct expression *skip;       /* owned; `skipped` compiled; NULL: none */
    struct declared_names carried; /* patterns of lines with values for the lines after them */
    struct expression *carry[DECLARED_NAMES]; /* owned; `carried` compiled */
    struct yaml_value
        carried_for[DECLARED_NAMES]; /* column of each; unset: the pattern names the column */
    struct declared_names parted;    /* patterns of the begin of a call and of its end … */
    struct expression *part[2];      /* … compiled; owned; NULL: none */
    enum declared_kind kind;
    bool more;        /* lines may have columns after the declared ones */
    bool quotes;      /* true: columns may be quoted */
    bool sorted;      /* lines are in order of time */
    bool completions; /* the time is that of the completion */
    char *operation; /* operation of all lines; NULL: a column has it, or the lines are not calls */
    bool only_slow;  /* calls faster than a threshold are not in the log */
    char *remark;    /* note for all traces on what the logs leave out; NULL: none */
    struct declared_column columns[DECLARED_COLUMNS];
    size_t column_count;
    size_t line_columns; /* number of columns in a line, without carried ones */
    size_t fewest;       /* fewest columns of a line */
    uint64_t hash;       /* hash of all settings that affect how a line is read */
};

/* Value of the section `formats`: the built-in formats, then the user's own. */
struct declared_formats {
    struct declaration **formats;
    size_t count;
};
extern const struct config_section declared_section;

/* Fills in the importer of a complete declaration. */
void declared_make_importer(struct declaration *declaration);

/* Error of --append if the declaration has changed; %s is the format. */
extern const char declared_otherwise[];

/* Whether a trace has times. The first line decides; the number is kept for --append. Without times
 * the clock counts records, by positions of 1 ns if there are durations: FACT_TIMES is missing. */
enum declared_times { DECLARED_UNDECIDED, DECLARED_TIMED, DECLARED_UNTIMED };

/* Tells the import, at its begin, whether the trace that it continues, or its format, has times. */
void declared_begin_times(struct import *import, const struct declaration *declaration,
                          int64_t *times);

/* While it is open whether the trace has times, decides by this line's. Returns NULL, or why a
 * trace with times rejects the line. */
const char *declared_decide_times(struct import *import, const struct declaration *declaration,
                                  int64_t *times, int64_t time);

/* Remark on records that go back in time: a format for import_remark_count(). */
extern const char declared_earlier[];

/* Adds what is known at the end of an import: the declaration's note, if any; missing facts. */
void declared_remark(struct import *import, const struct declaration *declaration, int64_t times);

/* Return whether lines are calls; complete the importer of a format of calls, after its functions
 * that read files were set. */
bool declared_is_calls(const struct declaration *declaration);
void declared_calls_importer(struct importer *importer);

/* --- lines (declared_line.c) ------------------------------------------------------------------ */

/* For each column, the index of its field in a line; -1: none. */
struct declared_places {
    int8_t of[DECLARED_COLUMNS];
    /* Fields of a line; those beyond the declaration's `fewest` are optional columns. */
    size_t fields;
};

/* State for parsing lines; one per thread. */
struct declared_splitter {
    const struct declaration *declaration; /* borrowed */
    struct declared_places places;
    struct expression_match *match;                 /* owned; NULL: no expression */
    struct expression_match *skip;                  /* owned, for lines to skip; NULL: none */
    struct expression_match *carry[DECLARED_NAMES]; /* owned */
    struct text *carried;             /* owned: the last value of each carried column; NULL: none */
    struct expression_match *part[2]; /* owned */
    struct declared_parts *parts;     /* owned; NULL: calls are on one line */
    bool padded;                      /* blanks at the ends of lines are no part of names */
    struct expression_match *within[DECLARED_COLUMNS]; /* owned, by column */
    char *room; /* owned, bytes of the longest line for unquoted columns; NULL: no quotes */
};

/* Fields of a call that its request lacks. The request has the time, pid, process and file, and the
 * response. Numbers are EVENT_NONE if the line lacks them. */
struct declared_call {
    struct word operation; /* name of the call; length 0: none */
    struct word layer;     /* layer of the call; length 0: system calls */
    int64_t offset, bytes, result;
    int64_t error;          /* Linux error number; 0: success */
    struct word error_name; /* error that is not of Linux; length 0: none */
    int64_t end;            /* nanoseconds since the epoch */
    int64_t tid;
    bool nameless; /* the expression finds an empty file: the call is about a descriptor */
};

/* A parsed line. */
struct declared_line {
    /* Time in nanoseconds since the epoch, EVENT_NONE if the line has none; device only if the line
     * has its number. */
    struct block_request request;
    bool has_response;
    int64_t response, pause; /* nanoseconds */
    struct word device_name; /* length 0: none */
    bool unaligned;          /* the address is not a multiple of the sector size */
    struct declared_call call;
    struct measured measured;
    bool rounded; /* the value was rounded to millionths */
};

/* Prepares for a file that begins with `header`, which matters if the header names the columns.
 * Returns NULL, or what is wrong, to be printed after "FILE: "; a constant string. */
const char *declared_splitter_open(struct declared_splitter *splitter,
                                   const struct declaration *declaration, struct word header);
void declared_splitter_close(struct declared_splitter *splitter);

/* Returns whether the line is blank or a comment. */
bool declared_is_nothing(const struct declaration *declaration, struct word line);

/* Returns whether the line has values that are carried to the lines after it, and keeps them. Sets
 * the reason if one is too long; else NULL. */
bool declared_carry(const struct declared_splitter *splitter, struct word line,
                    const char **damage);

/* Keeps the begin of a call. Returns an end with the text of its begin in place of what both have,
 * valid until the next call; and any other line as it is. */
struct word declared_join_parts(const struct declared_splitter *splitter, struct word line);

/* Returns whether the line is the header, or could be if the header names the columns. */
bool declared_is_header(const struct declared_splitter *splitter, struct word line);

/* Parses a line. Returns NULL, or the reason for the ledger; declared_ignored: a valid line that is
 * not a request. */
extern const char declared_ignored[];
const char *declared_parse(const struct declared_splitter *splitter, struct word line,
                           struct declared_line *parsed);

/* A record of a stream, parsed. */
struct declared_record {
    const char *damage; /* reason from declared_parse() or declared_carry(); NULL: none */
    bool is_line;       /* if `damage` is NULL: the line is a request or a call */
    struct declared_line line;
};

/* Returns the request or call in a record. NULL if the line has none; if it was rejected, the
 * reason is then in the ledger. */
struct declared_line *declared_take_line(struct import *import, const struct line *line,
                                         struct declared_record *parsed);

/* Returns only the time of a line; EVENT_NONE if there is none. */
int64_t declared_parse_time(const struct declared_splitter *splitter, struct word line);

/* Bit of a kind of column, for sets of kinds. */
#define OF(kind) (1u << DECLARED_##kind)

/* Columns of results only. */
#define OF_RESULTS (OF(TEST) | OF(RUN) | OF(MEASURE) | OF(UNIT) | OF(VALUE))

/* Columns of calls only. */
#define OF_CALLS                                                                                   \
    (OF(OPERATION) | OF(OFFSET) | OF(BYTES) | OF(RESULT) | OF(ERROR) | OF(DURATION) | OF(END) |    \
     OF(TID) | OF(LAYER))

/* Returns the first column in the set; NULL if there is none. */
const struct declared_column *declared_find(const struct declaration *declaration, unsigned of);

#endif
