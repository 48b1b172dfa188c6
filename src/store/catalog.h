/* The catalog: a list of all traces in a database, and ways to choose among them by name. */
#ifndef TRACETOOL_CATALOG_H
#define TRACETOOL_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "model/event.h"
#include "store/database.h"

/* Finds the id, in the table `name`, of an action (letters such as C, completion) in a trace;
 * EVENT_NONE if the trace does not have the action. */
bool action_find(struct database *database, int64_t trace, const char *letters, int64_t *action,
                 struct error *error);

/* --- the catalog: list of all traces in a database -------------------------------------------- */

/* What a column of `event` means in a trace (unit, clock …): a row of the table `meaning`. Strings
 * are owned. */
struct catalog_meaning {
    /* `kind`: kind of operations whose rows this meaning applies to; "": all */
    char *column, *kind, *what, *unit;
};

/* A trace: a row of the table `trace`. Strings are owned. */
struct catalog_trace {
    int64_t id;
    char *name;     /* name that reports print */
    char *own_name; /* name that the user types: `name` before catalog_make_names_unique() changed
                       it */
    char *format, *rollups, *clock_unit, *clocks;
    char *user;    /* label of the user whose device recorded the trace; "": none */
    char *device;  /* label of the device that recorded the trace; "": none */
    char *study;   /* study that the trace belongs to; "": none */
    int64_t round; /* number of the round in the study; EVENT_NONE: unknown */
    enum trace_kind kind;
    int64_t start, utc_offset; /* `start`: wall clock at time 0, ns since 1970 UTC; `utc_offset`:
                                  minutes east of UTC; EVENT_NONE: unknown */
    int64_t sessions;
    int64_t clock_hz;      /* frequency of the log's counter in Hz; EVENT_NONE: no counter */
    int64_t call_overhead; /* time that measuring adds to a call, ns; EVENT_NONE: unknown */
    bool probes;           /* true: a profile recorded by probes, with rows in the table `probe` */
    /* Counts of the import. events: stored events; merged: records that continue an earlier record;
     * ignored, rejected: records that gave no event; paired: events that only complete the row of
     * another event, such as exits; split: second events of records that gave two; no_calls: rows
     * of spans that are not calls. */
    int64_t events, merged, ignored, rejected;
    int64_t paired, split, no_calls;
    bool lines;    /* true: the log's records are lines of text */
    int64_t lost;  /* number of events that the log itself reports as lost */
    char *earlier; /* text that says how many records are earlier than the record before them; "":
                      none */
    int64_t first_event, last_event; /* range of the trace's event ids; last < first: no events */
    int64_t first_time, last_time;
    char *hash;         /* hash of the log's content, in hexadecimal (trace_label.h) */
    bool states_beside; /* true: another trace of the same log holds its thread states */
    char *log; /* name of the log, if several traces were imported from it; "": only this one */
    struct catalog_meaning *meanings; /* owned */
    size_t meaning_count;
    unsigned unknown; /* facts that the log does not state: bits FACT(…) of model/meaning.h */
};

struct catalog {
    struct catalog_trace *traces; /* owned; in the order of importing */
    size_t count;
    bool of_store; /* true: the traces are from a store: several may have the same name */
};

/* Reads all traces of the database. Nothing needs freeing after a failure. */
bool catalog_load(struct catalog *catalog, struct database *database, struct error *error);

/* Reads the traces of a database that is attached to the connection under the name `schema`. */
bool catalog_load_attached(struct catalog *catalog, struct database *database, const char *schema,
                           struct error *error);
void catalog_free(struct catalog *catalog);

/* Returns a name or hash that identifies only this trace on a command line. Borrowed. */
static inline const char *catalog_unique_word(const struct catalog *catalog,
                                              const struct catalog_trace *trace) {
    return catalog->of_store ? trace->hash : trace->own_name;
}

/* Returns the trace with this name; NULL if there is none. */
const struct catalog_trace *catalog_find(const struct catalog *catalog, const char *name);

/* Returns the trace with this id; NULL if there is none. */
struct catalog_trace *catalog_find_id(const struct catalog *catalog, int64_t id);

/* Chooses a trace by what the user typed: a hash, a name or DEVICE/NAME; @last is the trace
 * imported last. If nothing matches exactly, matches the beginning of a name or hash (at least 4
 * digits), if only one trace has it. In a store, hashes take precedence over names. If no trace or
 * several match, returns NULL and sets `error`, which lists the matches. */
const struct catalog_trace *catalog_choose(const struct catalog *catalog, const char *typed,
                                           struct error *error);

/* Returns whether the user typed a pattern: it contains a * and is not the name of a trace. */
bool catalog_is_pattern(const struct catalog *catalog, const char *typed);

/* Returns whether the trace's name matches the pattern; each * matches any characters. */
bool catalog_name_matches(const struct catalog_trace *trace, const char *typed);

/* Chooses a trace as catalog_choose() does, among those of the given kinds (bits of enum
 * trace_kind). A log with several kinds of data has several traces (NAME.calls, NAME.io), and NAME
 * matches all of them. Returns the match of these kinds; if there is none, the first match. Returns
 * NULL and sets `error` if no trace, or several traces of these kinds match. */
const struct catalog_trace *catalog_choose_kind(const struct catalog *catalog, const char *typed,
                                                unsigned kinds, struct error *error);

/* Finds all matches as catalog_choose_kind() does, and puts them into `chosen`, which has room for
 * all traces. Returns their number; if 0, `error` is set: the name is unknown or ambiguous. */
size_t catalog_choose_all_of_kinds(const struct catalog *catalog, const char *typed, unsigned kinds,
                                   const struct catalog_trace **chosen, struct error *error);

/* Chooses a trace as catalog_choose() does, for a command that changes it: the first digits of a
 * hash must be at least 12. */
const struct catalog_trace *catalog_choose_to_change(const struct catalog *catalog,
                                                     const char *typed, struct error *error);

/* Finds a trace by its whole name, DEVICE/NAME, or at least the first 12 digits of its hash. Sets
 * `*meant` to NULL if there is none. Returns false and sets `error` if several match. */
bool catalog_find_exact(const struct catalog *catalog, const char *typed,
                        const struct catalog_trace **meant, struct error *error);

/* Chooses the traces of all names, each only once; all traces of the catalog if there are no names.
 * `chosen` needs room for `name_count` or all traces, whichever is more; `*count` is set to the
 * number of chosen traces. */
bool catalog_choose_all(const struct catalog *catalog, const char *const *names, size_t name_count,
                        const struct catalog_trace **chosen, size_t *count, struct error *error);

/* Returns all traces in the default order of reports: by wall-clock start (unknown first), device,
 * name and hash. So the order is the same in every database. The caller owns the array. */
const struct catalog_trace **catalog_sorted(const struct catalog *catalog);

/* Makes the names of the given traces unique, in the catalog and in the table `trace`: equal names
 * become NAME [HASH] with the first digits of the hash. Only traces from a store may have equal
 * names. Names borrowed earlier stay valid as long as the catalog. */
bool catalog_make_names_unique(struct catalog *catalog, struct database *database,
                               const struct catalog_trace *const *traces, size_t count,
                               struct error *error);

/* Appends the names of all traces, separated by ", ". */
void catalog_append_names(const struct catalog *catalog, struct text *out);

/* Sets the error that there is no trace `name`, with a list of all traces. Always returns false. */
bool catalog_set_unknown_error(const struct catalog *catalog, const char *name,
                               struct error *error);

#ifdef __clang_analyzer__ /* tells static analysers that the function returns false */
#define catalog_set_unknown_error(...) (catalog_set_unknown_error(__VA_ARGS__), false)
#endif

/* Returns the row of the table `meaning` for a column, with this `what` (NULL: any). Prefers a row
 * that applies to all operations. Returns NULL if there is none. */
const struct catalog_meaning *catalog_meaning(const struct catalog_trace *trace, const char *column,
                                              const char *what);

/* Returns whether the trace's times are in seconds or fractions: not in ticks of a counter of
 * unknown frequency, and not only an order of events. */
bool catalog_has_times_in_seconds(const struct catalog_trace *trace);

/* Returns whether calls have CPU times besides elapsed times. */
bool catalog_both_clocks(const struct catalog_trace *trace);

/* Returns the ns from the start of hour 0 to time 0 of the trace, as tally_hour_origin() does: the
 * device's wall clock at time 0; only its time of day if the date is unknown; 0 if both are
 * unknown. */
int64_t catalog_hour_origin(const struct catalog_trace *trace);

/* Returns whether hours in reports are hours of the day, not hours since the start of the trace. */
bool catalog_has_hours_of_day(const struct catalog_trace *trace);

/* Returns the number of records in the trace's log. */
int64_t catalog_count_records(const struct catalog_trace *trace);

/* Returns whether the trace's times are in nanoseconds, not in ticks of a counter. */
bool catalog_has_real_clock(const struct catalog_trace *trace);

/* Returns the number of the trace's files if all its times are whole seconds, as those of strace
 * -t; else 0, also on failure, with `error` set. Such times do not define the order of calls within
 * a second, or between files. */
int64_t catalog_count_whole_second_files(struct database *database,
                                         const struct catalog_trace *trace, struct error *error);

#endif
