/* Text formats declared in YAML, without C: the section `formats` of the configuration, and the
 * files in formats/, which are built in. Lines are requests of block I/O by default. They are
 * calls if the declaration has an operation, as a column `operation` or for all lines. They are
 * measured values if a column is `value`.
 *
 * A declaration is converted to rules for splitting a line, and for each column its kind, the
 * factor of its unit, and a table of its words. declared_settings.c reads declarations, with
 * declared_column.c; declared_line.c parses lines. declared.c is the importer of requests and of
 * values, declared_calls.c of calls. docs/declaring-a-format.md says what can be declared. */
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
    DECLARED_FIELDS = 64, /* maximum fields of a line */
    DECLARED_WORDS = 64,  /* maximum words in a column's `map` or list of directions */
    DECLARED_NAMES = 16,  /* maximum names of a column, or patterns of file names */
    DECLARED_FORMATS = 256,
    DECLARED_NAME = 31,      /* maximum bytes of a format's name */
    DECLARED_LINE = 1024,    /* maximum bytes of the example line */
    DECLARED_STRING = 255,   /* maximum bytes of any other string */
    DECLARED_ERRORS = 4095,  /* highest error number of Linux */
    DECLARED_PAGE = 4096,    /* bytes of the page that the key of a cached object is converted to */
    DECLARED_CARRIED = 4096, /* maximum bytes of a value for later lines, or a call's first line */
    DECLARED_PARTS = 65536,  /* maximum calls on two lines whose second line has not been read */
};

/* What a column holds: the key `is` of its declaration. */
enum declared_is {
    DECLARED_SKIP, /* a column that is not read, of any content */
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
    DECLARED_KEY, /* key of an object in a cache, converted to an address */
    DECLARED_LAYER,
    DECLARED_PAUSE, /* time from a completion to the request in the next line */
    DECLARED_KINDS
};

/* Moment that the number 0 means in the column `time`. */
enum declared_epoch {
    DECLARED_START, /* 0 is the start of the trace */
    DECLARED_FIRST, /* 0 is an unknown time: the first line is the start of the trace */
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
    DECLARED_IGNORE, /* lines with this word are ignored: they are not requests */
    DECLARED_DIRECTIONS
};

struct declared_word {
    char *word; /* word as in the log, converted to lower case */
    size_t length;
    enum declared_direction direction;
    char *means; /* with `map`: the operation, layer or error that the word is replaced by */
};

struct declared_names {
    char *names[DECLARED_NAMES];
    size_t count;
};

struct declared_column {
    enum declared_is is;
    struct declared_names names; /* names of the column in header or expression */
    bool optional;               /* true: the field may be empty, or missing at the end of a line */
    int64_t unit; /* size of the unit: in nanoseconds for times, in bytes for addresses and sizes */
    /* Unit of measured values if the line gives none; NULL: not declared either. */
    char *measured_in;
    int64_t least, most; /* smallest and largest number accepted, in the log's unit */
    bool bounded;        /* true: the declaration has the key `most` */
    int64_t before;      /* for times: the number in the log that means the begin of 1970; else 0 */
    int64_t digits;      /* number of digits that a hexadecimal number must have; 0: any number */
    enum declared_epoch epoch;
    struct declared_word *words;
    size_t word_count;
    int64_t
        read_bits; /* bits of a numeric direction that mark a read; 0: the direction is a word */
    bool hex;      /* true: the number is hexadecimal */
    bool clock;    /* true: the time is a time of day, `9:05:07.25 PM` */
    size_t carry;  /* index + 1 in `carry` of the expression that takes the value from an earlier
                      line; 0: the value is in the line itself */
    int group; /* index of the group that holds the value, in the expression that `carry` selects */
    bool ttl;  /* true: a time to live; like DECLARED_RESULT, it becomes the value of a call */
    bool other_words;          /* true: a word that is not in `map` is used unchanged */
    char *pattern;             /* expression whose first group is the part of the field to read */
    struct expression *within; /* owned: compiled `pattern`; NULL: the whole field is read */
};

enum declared_header {
    DECLARED_NO_HEADER,
    DECLARED_TEXT_HEADER, /* a line of text that is the same in all files: `header_text` */
    DECLARED_NAMES_HEADER /* the first line names the columns */
};

/* Value of the key `kind`: what the lines are. */
enum declared_kind { DECLARED_OF_ANY, DECLARED_OF_IO, DECLARED_OF_CALLS, DECLARED_OF_RESULTS };

/* How files of this format are recognised. */
enum declared_found {
    DECLARED_FOUND,
    DECLARED_FOUND_LAST, /* by content, but only if no other importer accepts the file */
    DECLARED_NOT_FOUND,  /* never by content, only by -f */
};

struct declaration {
    struct importer importer; /* importer made for the format; it points to this declaration */
    bool own;                 /* true: declared in the user's configuration */
    char *name, *description, *example, *made_of;
    struct declared_names files; /* patterns of file names, one of which must match */
    enum declared_found found;
    char separator; /* separator of fields; ' ': blanks; NUL: fields are groups of `pattern` */
    char *pattern;
    struct expression *expression; /* owned */
    enum declared_header header;
    char *header_text;
    char *comment;                 /* what comment lines begin with; NULL: there are none */
    char *skipped;                 /* pattern of lines to skip */
    struct expression *skip;       /* owned: compiled `skipped`; NULL: none */
    char *losses;                  /* pattern of lines that report lost records */
    struct expression *lost;       /* owned: compiled `losses`; NULL: none */
    struct declared_names carried; /* patterns of lines with values that apply to later lines */
    struct expression *carry[DECLARED_NAMES];      /* owned: compiled `carried` */
    struct yaml_value carried_for[DECLARED_NAMES]; /* column that gets the value; unset: the
                                                      pattern's groups have the names of columns */
    struct declared_names parted; /* patterns of the first and second line of a call on two lines */
    struct expression *part[2];   /* owned: compiled `parted`; NULL: calls are on one line */
    enum declared_kind kind;
    bool more;   /* true: lines may have further columns after the declared ones */
    bool quotes; /* true: columns may be quoted */
    bool sorted; /* true: lines should be in order of time; a remark counts those that are not */
    bool completions; /* true: times are those of completions */
    char *operation;  /* operation of all lines; NULL: a column has it, or lines are not calls */
    bool only_slow;   /* true: the log lacks calls that are faster than some threshold */
    char *remark;     /* remark added to each trace: what logs of this format lack; NULL: none */
    struct declared_column columns[DECLARED_COLUMNS];
    size_t column_count;
    size_t line_columns; /* number of columns whose values are not in earlier lines */
    size_t fewest;       /* minimum number of fields in a line */
    uint64_t hash;       /* hash of all settings that affect the parsing of lines */
};

/* Value of the section `formats`: the built-in formats, then the user's. */
struct declared_formats {
    struct declaration **formats;
    size_t count;
};
extern const struct config_section declared_section;

/* Fills in `importer` of a declaration whose other members are all set. */
void declared_make_importer(struct declaration *declaration);

/* Error of --append if the declaration has changed; %s is the name of the format. */
extern const char declared_otherwise[];

/* Whether the lines of a trace have times. The first line decides; the decision is stored for
 * --append. In a trace without times, an event's time is its index in the log (1 ns each if there
 * are durations). The trace then lacks FACT_TIMES. */
enum declared_times { DECLARED_UNDECIDED, DECLARED_TIMED, DECLARED_UNTIMED };

/* Decides that the trace has no times, at the begin of an import, if the format has none or the
 * trace that is appended to has none. Then declares that time is the index of an event. */
void declared_init_has_times(struct import *import, const struct declaration *declaration,
                             int64_t *times);

/* Decides by the first line whether the trace has times. Returns NULL, or why a line is rejected:
 * it has no time, but the trace has times. */
const char *declared_decide_has_times(struct import *import, const struct declaration *declaration,
                                      int64_t *times, int64_t time);

/* Remark on records that are earlier than the record before: for import_remark_count(). */
extern const char declared_earlier[];

/* At the end of an import, adds the declaration's remark, if any, and declares which facts the log
 * lacks: times, or fast calls. */
void declared_add_remark(struct import *import, const struct declaration *declaration,
                         int64_t times);

/* declared_is_calls() returns whether lines of the format are calls. declared_calls_importer()
 * completes the importer of such a format; the functions that read files must already be set. */
bool declared_is_calls(const struct declaration *declaration);
void declared_calls_importer(struct importer *importer);

/* --- parsing of lines (declared_line.c) ------------------------------------------------------- */

/* For each column, the index of its field in a line; -1: the line does not have it. */
struct declared_places {
    int8_t of[DECLARED_COLUMNS];
    /* Number of fields in a line; columns beyond the declaration's `fewest` are optional. */
    size_t fields;
};

/* Fields of a call that struct block_request lacks; that has time, pid, process, file and response.
 * EVENT_NONE: the line does not have the number. */
struct declared_call {
    struct word operation; /* name of the call; length 0: not in the line */
    struct word layer;     /* layer of the call, such as mpi; length 0: syscall */
    int64_t offset, bytes, result;
    int64_t error;          /* Linux error number; 0: success */
    struct word error_name; /* name of an error that is not one of Linux; length 0: none */
    int64_t end;            /* time when the call ended, ns since the column's epoch */
    int64_t tid;
    bool nameless; /* true: the file name is empty in the line, so the call is on a descriptor */
};

struct declared_line {
    /* Request in the line. Its time is in nanoseconds since the column's epoch; EVENT_NONE: none.
     * Its device is set only if the line gives a number. */
    struct block_request request;
    bool has_response;
    int64_t response, pause; /* ns; pause: from the completion to the next request */
    struct word device_name; /* name of the device; length 0: none */
    bool unaligned;          /* true: the address is not a multiple of the sector size */
    struct declared_call call;
    struct measured measured;
    bool rounded; /* true: the measured value was rounded to millionths */
    int64_t lost; /* if declared_parse() returns declared_lost: number of lost records */
};

/* State for parsing lines; one per thread. */
struct declared_splitter {
    const struct declaration *declaration; /* borrowed */
    struct declared_places places;
    struct declared_line empty;     /* a parsed line without values, copied for each line */
    struct expression_match *match; /* owned; buffers for `expression`; NULL: none */
    struct expression_match *skip;  /* owned; buffers for `skip`; NULL: none */
    struct expression_match *lost;  /* owned; buffers for `lost`; NULL: none */
    struct expression_match *carry[DECLARED_NAMES]; /* owned; buffers for `carry` */
    struct text *carried; /* owned; by column: value found in an earlier line; NULL: none */
    struct expression_match *part[2]; /* owned; buffers for `part` */
    struct declared_parts *parts; /* owned: first lines of calls; NULL: each call is on one line */
    bool padded; /* true: blanks at the ends of lines are padding, not part of a name */
    struct expression_match *within[DECLARED_COLUMNS]; /* owned; by column, buffers for `within` */
    char *room; /* owned; memory for unquoted fields; NULL: no quotes */
};

/* Prepares to parse a file. `header` is its first line, which is read if it names the columns.
 * Returns NULL, or a constant text for the error message after "FILE: ". */
const char *declared_splitter_open(struct declared_splitter *splitter,
                                   const struct declaration *declaration, struct word header);
void declared_splitter_close(struct declared_splitter *splitter);

/* Returns whether the line is blank or a comment. */
bool declared_is_blank_or_comment(const struct declaration *declaration, struct word line);

/* If the line only has values for later lines, stores them and returns true. Sets `*damage` to the
 * reason if a value is too long, otherwise to NULL. */
bool declared_store_carried(const struct declared_splitter *splitter, struct word line,
                            const char **damage);

/* If a line is the begin of a call on two lines, stores it. If it is the end, returns a line joined
 * from both, valid until the next call. Returns any other line as it is. */
struct word declared_join_parts(const struct declared_splitter *splitter, struct word line);

/* Returns whether the line is the format's header. If headers name the columns: whether the line
 * has their names. */
bool declared_is_header(const struct declared_splitter *splitter, struct word line);

/* Parses a line. Returns NULL if it is a request or call; declared_ignored if it is valid but
 * neither; declared_lost if it reports lost records; otherwise why it is rejected. */
extern const char declared_ignored[], declared_lost[];
const char *declared_parse(const struct declared_splitter *splitter, struct word line,
                           struct declared_line *parsed);

/* A line of a stream, parsed by parse_record(). */
struct declared_record {
    const char *damage; /* reason for rejecting the line; NULL: it is not rejected */
    bool is_line;       /* true: a request or call, not a heading, comment or blank line; valid if
                           `damage` is NULL */
    struct declared_line line;
};

/* Returns the request or call of a record; NULL if none. Counts a rejected line in the ledger. */
struct declared_line *declared_accept_line(struct import *import, const struct line *line,
                                           struct declared_record *parsed);

/* Returns only the time of a line; EVENT_NONE if there is none. */
int64_t declared_parse_time(const struct declared_splitter *splitter, struct word line);

/* Bit of a kind of column (enum declared_is), for sets of kinds. */
#define OF(kind) (1u << DECLARED_##kind)

/* Columns that only formats of measured values may have. */
#define OF_RESULTS (OF(TEST) | OF(RUN) | OF(MEASURE) | OF(UNIT) | OF(VALUE))

/* Columns that only formats of calls may have. */
#define OF_CALLS                                                                                   \
    (OF(OPERATION) | OF(OFFSET) | OF(BYTES) | OF(RESULT) | OF(ERROR) | OF(DURATION) | OF(END) |    \
     OF(TID) | OF(LAYER))

/* Returns the first column whose kind is in the set `kinds`; NULL if there is none. */
const struct declared_column *declared_find(const struct declaration *declaration, unsigned kinds);

#endif
