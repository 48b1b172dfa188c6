/* The options of all commands, in one table: an option means the same, and takes an argument or
 * not, wherever it stands. Behind those of the program come the parameters of the analyses. Help,
 * usage errors and the man pages' checks come from the table. */
#ifndef TRACETOOL_OPTIONS_H
#define TRACETOOL_OPTIONS_H

#include <stdbool.h>

#include "analysis/parameter.h"

enum option_id {
    OPTION_DB,
    OPTION_CONFIG,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_COLOR,
    OPTION_PROGRESS,
    OPTION_NO_PAGER,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_CA,
    OPTION_INSECURE,
    OPTION_INPUT_FORMAT,
    OPTION_NAME,
    OPTION_JOIN,
    OPTION_ONLY_THIS,
    OPTION_START,
    OPTION_UTC_OFFSET,
    OPTION_STRICT,
    OPTION_DEVICE,
    OPTION_USER,
    OPTION_STUDY,
    OPTION_REPLACE,
    OPTION_AGAIN,
    OPTION_APPEND,
    OPTION_RECORD_SIZE,
    OPTION_ONLY_DEVICE,
    OPTION_SYMBOLS,
    OPTION_IMAGE,
    OPTION_WHEN,
    OPTION_JOURNAL,
    OPTION_IMAGE_DEVICE,
    OPTION_NO_JOURNAL,
    OPTION_LIST,
    OPTION_DRY_RUN,
    OPTION_OFFSET,
    OPTION_SQL_FILE,
    OPTION_OUTPUT,
    OPTION_AS,
    OPTION_REAL_PATHS,
    OPTION_CSS,
    OPTION_DATE,
    OPTION_LICENCE,
    OPTION_NO_PLOTS,
    OPTION_COMPARE,
    OPTION_PSEUDONYMISE,
    OPTION_KEY,
    OPTION_TITLE,
    OPTION_SIZE,
    OPTION_FONT,
    OPTION_CDF,
    OPTION_ARGSIZE,
    OPTION_HOURLY,
    OPTION_RW,
    OPTION_TRACE,
    OPTION_EVENTS,
    OPTION_ROLLUPS_ONLY,
    OPTION_CLUSTER,
    OPTION_OLDER,
    OPTION_REPAIR,
    OPTION_BY_TRACE,
    OPTION_BY,
    OPTION_FROM,
    OPTION_TO,
    OPTION_WHOLE_CALLS,
    OPTION_PROCESS,
    OPTION_NOT_PROCESS,
    OPTION_OP,
    OPTION_NOT_OP,
    OPTION_UNDER,
    OPTION_COMPONENT,
    OPTION_NOT_COMPONENT,
    OPTION_FILE,
    OPTION_NOT_FILE,
    OPTION_FILETYPE,
    OPTION_NOT_FILETYPE,
    OPTION_PARTITION,
    OPTION_NOT_PARTITION,
    OPTION_CLASS,
    OPTION_NOT_CLASS,
    OPTION_EVIDENCE,
    OPTION_LAYER,
    OPTION_NOT_USER,
    OPTION_CLOCK,
    OPTION_OPEN,
    OPTION_TOP,
    OPTION_ACTION,
    OPTION_FORMAT,
    OPTION_LONG,
    OPTION_OF,
    OPTION_MARK,
    OPTION_TIMELINE,
    OPTION_DELTA,
    OPTION_SHARE,
    OPTION_BY_PID,
    OPTION_PER_THREAD,
    OPTION_INVERTED,
    OPTION_MIN_CALLS,
    OPTION_REFERENCE,
    OPTION_AGAINST,
    OPTION_CORRECTED,
    OPTION_MEASURED,
    OPTION_HISTOGRAM,
    OPTION_A_FROM,
    OPTION_A_TO,
    OPTION_B_FROM,
    OPTION_B_TO,
    OPTION_PER,
    OPTION_ONLY,
    OPTION_SORT,
    OPTION_NOISE,
    OPTION_MATCH,
    OPTION_STRIP,
    OPTION_BLOCKS,
    OPTION_RESAMPLES,
    OPTION_SEED,
    OPTION_CONFIDENCE,
    OPTION_WITH,
    OPTION_STUDIES,
    OPTION_FAIL_IF,
    OPTION_CERTAINTY,
    OPTION_SHIFT,
    OPTION_WEIGHT,
    OPTION_WIDTHS,
    OPTION_REJECTED,
    OPTION_HASHES,
    OPTION_MOST_ROWS,
    OPTION_COUNTED_BY,
    OPTION_ADJUST,
    OPTION_COUNT,
};

struct option_row {
    const char *name;     /* without -- */
    char letter;          /* 0: none; several may share one that no command has both of */
    const char *argument; /* what help calls it, NULL: takes none */
    const char *help;
    const char *choices;               /* what it may be given, blank-separated; NULL: no list */
    bool everywhere;                   /* every command takes it */
    bool hidden;                       /* for tests: in no help, with no short form, and a value */
    bool of_reports;                   /* a report's own: handed to its query */
    bool number;                       /* the argument is a whole number, at least 1 */
    bool repeatable;                   /* all arguments are kept: struct option_list */
    const struct parameter *parameter; /* of an analysis, which this is an option for; else NULL */
};

/* Most options with those of the analyses. */
#define OPTION_MOST (OPTION_COUNT + 64)

/* How many options there are: those of enum option_id, and behind them those of the analyses. */
int option_count(void);

/* The row of option `id`, less than option_count(). */
const struct option_row *option_row(int id);

/* The row of option `id` as a command of that name has it: some say something else of theirs. */
struct option_row option_row_of(int id, const char *command);

/* The row of that name, NULL: there is none. */
const struct option_row *option_find(const char *name);

/* Whether `name` is that of an option, or begins one, for which it is short. */
bool option_is_meant(const char *name);

#endif
