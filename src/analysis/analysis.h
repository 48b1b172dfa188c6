/* An analysis: what a pass over the selected events finds out, a row in a list.
 *
 * An analysis is one file here that defines a `const struct analysis`, and a line in list.c.
 * template.c compiles and explains every function: copy it. docs/adding-an-analysis.md goes through
 * the steps. A query file names it (`-- tally: NAME`) and reads the tables that it fills; nothing
 * else in the program knows it by name.
 *
 * The events come as columns (event_columns.h), so that an analysis does not know where they are
 * from. Analyses that want the events in the same order share one pass over them (passes.h).
 */
#ifndef TRACETOOL_ANALYSIS_H
#define TRACETOOL_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/parameter.h"
#include "base/error.h"
#include "config/config.h"
#include "model/event_columns.h"
#include "scan/distribution.h"
#include "scan/span_walk.h"
#include "scan/window_edges.h"
#include "select/selection.h"

struct transfer;

/* A table that an analysis fills. */
struct analysis_table {
    const char *name;    /* temp.NAME; NULL: none */
    const char *columns; /* comma-separated, as tracetool-config(5) lists them; quoted where SQL
                            wants that */
    const char *index;   /* the column by which queries look rows up; NULL: none */
};

enum analysis_pass {
    PASS_NONE,        /* no events: write() is all */
    PASS_ANY_ORDER,   /* each thread visits some of the events, with a state of its own */
    PASS_IN_ORDER,    /* all events of a trace, by time, with one state */
    PASS_ALL_ACTIONS, /* block I/O, the same: of all actions, unless --action names one */
    PASS_CALLS,       /* traces of spans: the calls, with the stack of each thread (span_walk.h) */
    /* The first two of calls where files are chosen, for those that look at EVENT_SOURCE: what was
     * copied from one of the files passes, too. Analyses are never of these by themselves. */
    PASS_ANY_ORDER_SOURCES,
    PASS_IN_ORDER_SOURCES,
};

/* What is counted of durations where --from or --to cuts calls. */
enum analysis_window {
    WINDOW_NO_TIMES, /* it counts none of calls */
    WINDOW_PARTS,    /* times are the parts of calls inside the window (window_edges.h) */
    WINDOW_WHOLE,    /* durations are those of the calls that began in the window */
};

#define ANALYSIS_TABLES     3
#define ANALYSIS_PARAMETERS 4

/* What a state knows of its task. All is borrowed and stays as long as the state does. */
struct analysis_context {
    const struct analysis *analysis;
    struct selection *selection;
    struct temp_schema *temp; /* these two are the selection's */
    struct database *database;
    const struct config *config;
    const struct parameter_value *values; /* in order of the analysis' parameters */
    int64_t top;                          /* rows of its tables that the query wants, 0: all */
    int64_t result_rows; /* rows of the result, for an analysis whose rows these are; 0: all */
    const char *rows;    /* the statement behind `-- NAME`; NULL: there is none */
    /* Binds the named parameters of that statement, with `binding`. NULL: there are no values. */
    bool (*bind)(const void *binding, sqlite3_stmt *statement, struct error *error);
    const void *binding;
    struct distribution_shape shape; /* that distributions are to have */
    size_t states;                   /* how many there are: more than 1 only in PASS_ANY_ORDER */
    void *first; /* the first state; others may read what it found in begin_trace() */
    const struct selected_trace *trace;       /* that is passed over */
    struct temp_rows tables[ANALYSIS_TABLES]; /* rows of the analysis' tables */
    /* What failed: the analysis ends when the function that set it has returned. */
    struct error error;
};

/* Whether something failed, so that what follows would be in vain. */
static inline bool analysis_failed(const struct analysis_context *context) {
    return context->error.status != EXIT_DONE;
}

struct analysis {
    const char *name; /* in `-- tally: NAME` */
    struct analysis_table tables[ANALYSIS_TABLES];

    /* What answers whole traces instead of a pass; NULL: nothing does. `rollup` is its name in
     * trace.rollups, `rollup_title` what a remark calls it where it was dropped (NULL: there is no
     * remark, for events were always scanned before), and `rollup_rows` a SELECT over
     * temp.selection AS s and the rollup with the columns of tables[0], which ends with its WHERE.
     * `rollup_rows_beside`: the same for the second clock; NULL: there is no difference. */
    const char *rollup, *rollup_title, *rollup_rows, *rollup_rows_beside;

    /* Instead of rows: adds to the first state what the rollups say of all traces of the selection,
     * in place of the first pass; then again() says whether another one is needed. False: it did
     * not, and nothing is changed. NULL: no pass is spared. */
    bool (*take)(void *state);
    const char *taken_alone; /* with take(): what needs no events, to whoever has none; or NULL */

    /* Spans: a SELECT of further rows, for what is open at the end of the log, unless that is left
     * out; of the first and of the second clock. NULL: there are none. */
    const char *rollup_open, *rollup_open_beside;

    bool real_clock; /* makes no sense where times are no nanoseconds */
    /* Views and tables of labels (selection.h), and temp.loggable_operation, that its functions
     * read: names without temp., blank-separated. NULL: none. */
    const char *reads;
    bool takes_rows; /* from a statement in the query file, behind a line `-- NAME` */
    enum analysis_pass pass;
    /* tables[0] may be empty although events were chosen: whether some were is not asked there. */
    bool leaves_out;
    bool chooses_by_top; /* `top` says what its rows are, also where they are sorted anew */
    /* Bit set of enum event_column: the arrays that visit() looks at, beside id and time. Duration
     * and self are those of the clock that --clock chooses. For PASS_CALLS EVENT_OBJECT or 0. */
    unsigned fields;
    /* It is of what was issued: a device above that issues nothing takes nothing away from it. */
    bool issued;
    bool each_device; /* it tells devices apart: none takes anything away from another */
    enum analysis_window window;
    bool apart; /* it looks at each event for itself, though in order: parts of days will do */
    /* Where a second clock is chosen, visit() finds its times in the columns that are called so,
     * and not in place of those of the first. */
    bool both_clocks;
    struct parameter parameters[ANALYSIS_PARAMETERS]; /* the first without a name ends them */
    int variant;                                      /* for those that share functions */
    size_t state_size;                                /* bytes of a state, which begins zeroed */

    /* Registers the functions that it calls in SQL: once a connection, before any statement runs on
     * it. NULL: there are none. */
    bool (*functions)(struct database *database, struct error *error);

    /* Each of the following may be NULL where it says no other. A state begins with a pointer to
     * its context, which is set before: struct analysis_context *context. Failures go to its
     * `error`. */

    /* Once a state, before anything else. */
    void (*begin)(void *state);

    /* Once a state for each trace, in order of id, the first state before the others. */
    void (*begin_trace)(void *state);

    /* `count` events of that trace that the filter chose, at least 1, some thousand at most, in
     * order of id; as often as there are some. NULL only for PASS_CALLS and PASS_NONE. */
    void (*visit)(void *state, const struct event_columns *columns, size_t count);

    /* Where visit() is transfers_visit(): the next transfer (transfers.h). */
    void (*transfer)(void *state, const struct transfer *transfer);

    /* WINDOW_PARTS without PASS_CALLS: each call that the window cuts and the filter chose, once a
     * trace with the first state, before the events. visit() has the whole durations of those that
     * began in the window. */
    void (*edge)(void *state, const struct window_edge *edge);

    /* PASS_CALLS: instead of visit(). */
    const struct span_visitor *calls;

    /* PASS_ANY_ORDER, not NULL: adds what `from`, the state of another thread, has found in this
     * trace to `state`, the first one, and takes it out of `from`. */
    void (*merge)(void *state, void *from);

    /* With the first state, when all events of a trace have been visited and merged. */
    void (*end_trace)(void *state);

    /* When all traces have been passed over: whether that has to be done once more. */
    bool (*again)(void *state);

    /* When the last pass is over: writes the rows. */
    void (*write)(void *state);

    /* Once a state, in any case, also when begin() failed. */
    void (*free)(void *state);
};

/* NULL-terminated list of all analyses: list.c. Passes run, and remarks come, in its order. */
extern const struct analysis *const analyses[];

/* The analysis called `name`, NULL when there is none. */
const struct analysis *analysis_find(const char *name);

/* Locks the connection, and unlocks it: visit() in PASS_ANY_ORDER, which several threads call at
 * once, must hold the lock while it uses the database. Others need not. */
void analysis_lock(bool locked);

#endif
