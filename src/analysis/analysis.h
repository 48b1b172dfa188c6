/* An analysis: a computation over the selected events, registered in a list.
 *
 * An analysis is one file here that defines a `const struct analysis`, and a line in list.c.
 * template.c compiles and explains every function: copy it. docs/adding-an-analysis.md goes through
 * the steps. A query file requests an analysis (`-- tally: NAME`) and reads the tables that it
 * fills; nothing else in the program refers to it by name.
 *
 * Events are passed as columns (event_columns.h), so that an analysis does not depend on their
 * source. Analyses that need the events in the same order share one pass over them (passes.h). */
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
#include "select/selection.h"

struct keyed_kind;
struct transfer;

/* A table that an analysis fills. */
struct analysis_table {
    const char *name; /* the table is temp.NAME; NULL: no table */
    /* Column names, comma-separated, as in tracetool-config(5); quoted if SQL requires it. */
    const char *columns;
    const char *index; /* column that gets an index, for lookups by queries; NULL: none */
};

enum analysis_pass {
    PASS_NONE,        /* the analysis reads no events: only write() runs */
    PASS_ANY_ORDER,   /* several threads, each with its own state, visit different events; they use
                         the database only with database_lock() */
    PASS_IN_ORDER,    /* one state visits all events of a trace, in order of time */
    PASS_ALL_ACTIONS, /* block I/O: like PASS_IN_ORDER, but with the events of all actions (Q, D, C
                         …), unless --action selects one */
    PASS_CALLS,       /* function traces: calls, with each thread's call stack (span_walk.h) */
    /* Variants of PASS_ANY_ORDER and PASS_IN_ORDER for system calls, if a filter selects files and
       the analysis reads EVENT_SOURCE. They also visit a call that copies between files if the
       filter selects its source file. passes.c chooses these variants; an analysis never declares
       them. */
    PASS_ANY_ORDER_SOURCES,
    PASS_IN_ORDER_SOURCES,
};

/* Which durations count if the time window (--from, --to) begins or ends during a call. */
enum analysis_window {
    WINDOW_NO_TIMES, /* the analysis counts no durations of calls */
    WINDOW_PARTS,    /* counts the part of each call that lies in the window (span_walk.h) */
    WINDOW_WHOLE,    /* counts whole durations of calls that began in the window */
};

#define ANALYSIS_TABLES     4
#define ANALYSIS_PARAMETERS 5

/* What an analysis gets from the program; each state points to one. The pointers are borrowed and
 * valid as long as the state. */
struct analysis_context {
    const struct analysis *analysis;
    struct selection *selection;
    /* Schema of temporary tables; `selection` owns it and the database. */
    struct temp_schema *temp;
    struct database *database;
    const struct config *config;
    /* Values of the analysis' parameters, in the order of analysis.parameters. */
    const struct parameter_value *values;
    int64_t top;         /* limit of table rows that the query needs; 0: all */
    int64_t result_rows; /* limit of the report's rows, if it prints the table unchanged; 0: all */
    const char *rows;    /* SQL statement under `-- NAME` in the query file; NULL: none */
    /* Binds values to the named parameters of the statement in `rows`; `binding` is its first
     * argument. NULL: there are no values. */
    bool (*bind)(const void *binding, sqlite3_stmt *statement, struct error *error);
    const void *binding;
    struct distribution_shape shape; /* optional results of distributions: histograms, curves */
    size_t states; /* number of states, one per thread: more than 1 only in PASS_ANY_ORDER */
    void *first; /* state of the first thread; other states may read what it set in begin_trace() */
    const struct selected_trace *trace;       /* trace of the current pass */
    struct temp_rows tables[ANALYSIS_TABLES]; /* tables of the analysis, to which it writes rows */
    /* Error that a function of the analysis sets. The analysis ends when that function returns. */
    struct error error;
};

/* Returns whether a function of the analysis has set the error: further work is pointless. */
static inline bool analysis_failed(const struct analysis_context *context) {
    return context->error.status != EXIT_DONE;
}

struct analysis {
    const char *name; /* name of the analysis in `-- tally: NAME` */
    struct analysis_table tables[ANALYSIS_TABLES];

    /* Rollup: a table of counts that the import fills, so that reports on whole traces read no
     * events; NULL: none. `rollup`: its name in trace.rollups. `rollup_title`: its name in the note
     * that the trace no longer has it; NULL: no note, because old versions of the program always
     * read the events. `rollup_rows`: a SELECT over temp.selection AS s and the rollup with the
     * columns of tables[0], ending with its WHERE. `rollup_rows_beside`: the same SELECT for the
     * second clock (CPU time); NULL: use `rollup_rows`. */
    const char *rollup, *rollup_title, *rollup_rows, *rollup_rows_beside;

    /* Called before the first pass over events: adds the rollup's rows of all selected traces to
     * the first state. If it returns true, again() decides whether a pass over events is still
     * needed; if false, nothing was added. NULL: the analysis must read events. */
    bool (*take)(void *state);
    /* With take(): names the reports that need no events, for the error that the events are
     * missing. */
    const char *taken_alone;

    /* For traces of function calls: a SELECT that adds rows to the rollup's for calls still open at
     * the end of the log, unless the user excludes them. `rollup_open_beside`: the same for the
     * second clock (CPU time). NULL: none. */
    const char *rollup_open, *rollup_open_beside;

    bool real_clock; /* true: needs traces whose times are nanoseconds */
    /* Views, label tables (selection.h) and temp.loggable_operation that the analysis reads by SQL:
     * names without temp., blank-separated. NULL: none. */
    const char *reads;
    bool takes_rows; /* true: reads rows of the query file's statement after a line `-- NAME` */
    enum analysis_pass pass;
    /* The analysis ignores some selected events, so tables[0] may be empty although events were
     * selected. Then the note that no events were selected does not depend on tables[0]. */
    bool leaves_out;
    /* --top determines which rows the tables have, even if the query sorts by another column. */
    bool chooses_by_top;
    /* Columns of events that visit() reads, besides id and time: bits of enum event_column.
     * Duration and self time are those of the clock that --clock selects. For PASS_CALLS:
     * EVENT_OBJECT or 0. */
    unsigned fields;
    /* The analysis counts I/Os at their issue (D). So a stacked device without issues of its own
     * (LVM, RAID) does not hide the devices below it. */
    bool issued;
    bool each_device; /* groups I/Os by device, so I/Os of stacked devices do not count twice */
    enum analysis_window window;
    /* The analysis does not relate successive events, so the selection may have gaps, such as the
     * same hours of several days. */
    bool apart;
    /* If a second clock (CPU time) is selected, visit() finds its times in its own columns
     * (cpu_duration, cpu_self), not in those of the first clock. */
    bool both_clocks;
    struct parameter parameters[ANALYSIS_PARAMETERS]; /* options; the list ends at a NULL name */
    int variant; /* a number that distinguishes analyses with the same functions */
    const struct keyed_kind *keyed; /* rows of keyed_state_begin() (keyed_rows.h) */
    size_t state_size;              /* size of a state in bytes; every state starts zeroed */

    /* Registers the SQL functions of the analysis. Called once per connection, before any statement
     * runs on it. NULL: none. */
    bool (*functions)(struct database *database, struct error *error);

    /* Each of the following functions may be NULL unless noted. The first member of a state is a
     * pointer to its context, set beforehand: struct analysis_context *context. Failures set
     * context->error. */

    /* Called once per state, before all other functions. */
    void (*begin)(void *state);

    /* Called once per state and trace, in order of trace id, first for the first thread's state. */
    void (*begin_trace)(void *state);

    /* Passes `count` selected events of the trace, at least 1 and at most some thousand, in order
     * of id. Called until all events are passed. NULL only for PASS_CALLS and PASS_NONE. */
    void (*visit)(void *state, const struct event_columns *columns, size_t count);

    /* Called for each transfer of bytes (transfers.h), if visit() is transfers_visit(). */
    void (*transfer)(void *state, const struct transfer *transfer);

    /* For WINDOW_PARTS without PASS_CALLS: passes a selected call that the time window cuts. Called
     * before the trace's events, with the first state. visit() gets the whole durations of calls
     * that began in the window. */
    void (*edge)(void *state, const struct window_edge *edge);

    /* For PASS_CALLS: the functions that get calls, instead of visit(). */
    const struct span_visitor *calls;

    /* Required for PASS_ANY_ORDER. Adds the results that another thread has in its state `from`,
     * for the current trace, to the first thread's state, and clears them in `from`. */
    void (*merge)(void *state, void *from);

    /* Called with the first thread's state, after all events of a trace are visited and merged. */
    void (*end_trace)(void *state);

    /* Called after a pass over all traces. Returns whether another pass is needed. */
    bool (*again)(void *state);

    /* Called after the last pass: writes the result rows. */
    void (*write)(void *state);

    /* Called once per state, even if begin() failed: frees it. */
    void (*free)(void *state);
};

/* NULL-terminated list of all analyses (list.c). Passes run, and notes are added, in this order. */
extern const struct analysis *const analyses[];

/* Returns the analysis with a name; NULL if there is none. */
const struct analysis *analysis_find(const char *name);

/* Receives a row of the statement in analysis_context.rows: `part`, its first column, with `length`
 * bytes ("" for NULL), and `value`, its second column (0 for NULL). */
typedef void rows_taker(void *state, const char *part, size_t length, int64_t value);

/* Registers the SQL function of rows_pass_run(). Analyses with `takes_rows` set `functions` to it.
 */
bool rows_pass_register(struct database *database, struct error *error);

/* Runs the statement analysis_context.rows (not NULL), and passes each row to `take`. */
void rows_pass_run(struct analysis_context *context, rows_taker *take, void *state);

#endif
