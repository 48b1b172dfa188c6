/* The traces of a database. */
#ifndef TRACETOOL_CATALOG_H
#define TRACETOOL_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "model/event.h"
#include "store/database.h"

/* Finds the name.id of a trace's action `letters`; EVENT_NONE if it has none. */
bool action_find(struct database *database, int64_t trace, const char *letters, int64_t *action,
                 struct error *error);

/* --- the catalog ---------------------------------------------------------------------------------
 */

/* Meaning of a column in a trace, from the table `meaning`. Strings are owned. */
struct catalog_meaning {
    char *column, *kind, *what, *unit; /* kind: "" for all operations */
};

/* A row of the table `trace`. Strings are owned. */
struct catalog_trace {
    int64_t id;
    char *name;     /* name in reports */
    char *own_name; /* name to type; the same string unless catalog_make_names_unique() changed
                       `name` */
    char *format, *rollups, *clock_unit, *clocks;
    char *user;    /* label of the user; "" for none */
    char *device;  /* label of the device; "" for none */
    char *study;   /* name of the study; "" for none */
    int64_t round; /* EVENT_NONE: unknown */
    enum trace_kind kind;
    int64_t start, utc_offset; /* EVENT_NONE: unknown */
    int64_t sessions;
    int64_t clock_hz;      /* frequency of the log's counter; EVENT_NONE: no counter */
    int64_t call_overhead; /* overhead of measuring one call, ns; EVENT_NONE: unknown */
    bool probes;           /* a profile by probes: has rows in `probe` */
    int64_t events, merged, ignored, rejected;
    int64_t paired, split, no_calls; /* as in struct trace_counts */
    bool lines;                      /* records are lines of text */
    int64_t lost;                    /* records that the log reports as lost */
    char *earlier; /* number of records earlier than their predecessor, in words; "": none */
    int64_t first_event, last_event; /* last < first: no events */
    int64_t first_time, last_time;
    char *hash;                       /* hash of its content, in hexadecimal (trace_label.h) */
    bool states_beside;               /* another trace of the same log has thread states */
    char *log;                        /* the log shared with other traces; "" for none */
    struct catalog_meaning *meanings; /* owned */
    size_t meaning_count;
    unsigned unknown; /* facts missing from its log: FACT(…) of model/meaning.h */
};

struct catalog {
    struct catalog_trace *traces; /* owned; in order of import */
    size_t count;
    bool of_store; /* true: the traces are of a store: names need not be unique */
};

/* Reads all traces of the database. On failure nothing needs freeing. */
bool catalog_load(struct catalog *catalog, struct database *database, struct error *error);

/* Loads the catalog of `schema`, a database attached to the connection. */
bool catalog_load_attached(struct catalog *catalog, struct database *database, const char *schema,
                           struct error *error);
void catalog_free(struct catalog *catalog);

/* Returns a word that identifies this trace on a command line. Borrowed. */
static inline const char *catalog_word(const struct catalog *catalog,
                                       const struct catalog_trace *trace) {
    return catalog->of_store ? trace->hash : trace->own_name;
}

/* Finds a trace by name; NULL if there is none. */
const struct catalog_trace *catalog_find(const struct catalog *catalog, const char *name);

/* Finds a trace by id; NULL if there is none. */
struct catalog_trace *catalog_find_id(const struct catalog *catalog, int64_t id);

/* Chooses a trace by hash, name or DEVICE/NAME; @last is the one imported last. Otherwise by a
 * unique prefix of a name, or of a hash (at least 4 digits; in a store, hashes are tried first).
 * NULL with `error` set if none or several match; it lists the matches by hash or name. */
const struct catalog_trace *catalog_choose(const struct catalog *catalog, const char *typed,
                                           struct error *error);

/* Whether `typed` is a pattern: it contains a * and is not the name of a trace. */
bool catalog_is_pattern(const struct catalog *catalog, const char *typed);

/* Whether the trace's name matches the pattern; each * matches any characters. */
bool catalog_fits(const struct catalog_trace *trace, const char *typed);

/* Like catalog_choose(), restricted to kinds (bit set of enum trace_kind). A log with several kinds
 * has several traces (NAME.calls, NAME.io). Among the matches of `typed`, returns the one of these
 * kinds, or the first if there is none. NULL with `error` set as above, and if several match. */
const struct catalog_trace *catalog_choose_kind(const struct catalog *catalog, const char *typed,
                                                unsigned kinds, struct error *error);

/* Like the function above, but puts all matches into `chosen`, which has room for the whole
 * catalog, and returns their number. On 0, `error` is set if the name is unknown or ambiguous. */
size_t catalog_choose_kinds(const struct catalog *catalog, const char *typed, unsigned kinds,
                            const struct catalog_trace **chosen, struct error *error);

/* Like catalog_choose(), for a trace to be changed: a prefix of a hash needs at least 12 digits. */
const struct catalog_trace *catalog_choose_to_change(const struct catalog *catalog,
                                                     const char *typed, struct error *error);

/* Finds a trace without prefixes of names: by name, DEVICE/NAME, or at least 12 digits of a hash.
 * `*meant` is NULL if there is none. False with `error` set if several match. */
bool catalog_find_meant(const struct catalog *catalog, const char *typed,
                        const struct catalog_trace **meant, struct error *error);

/* Chooses the traces of all names, without duplicates; all traces if there are no names. `chosen`
 * needs room for `name_count` or the whole catalog, whichever is more; `*count` receives the
 * number. */
bool catalog_choose_all(const struct catalog *catalog, const char *const *names, size_t name_count,
                        const struct catalog_trace **chosen, size_t *count, struct error *error);

/* Returns all traces in the default order of reports: by start (traces without one first), device,
 * name and hash. It does not depend on the database. The caller owns the array. */
const struct catalog_trace **catalog_sorted(const struct catalog *catalog);

/* Makes the names of the given traces of the catalog unique, in the catalog and in the table
 * `trace`: duplicates become NAME [HASH] with a prefix of the hash. Only needed for a store; in a
 * file, names are unique. Borrowed strings stay valid as long as the catalog. */
bool catalog_make_names_unique(struct catalog *catalog, struct database *database,
                               const struct catalog_trace *const *traces, size_t count,
                               struct error *error);

/* Appends the names of all traces, separated by ", ". */
void catalog_append_names(const struct catalog *catalog, struct text *out);

/* Sets an error: no trace `name`; lists the existing ones. Always false. */
bool catalog_unknown(const struct catalog *catalog, const char *name, struct error *error);

#ifdef __clang_analyzer__ /* as in error.h */
#define catalog_unknown(...) (catalog_unknown(__VA_ARGS__), false)
#endif

/* Returns the meaning `what` of a column (NULL: any), preferably for all operations; NULL if there
 * is none. */
const struct catalog_meaning *catalog_meaning(const struct catalog_trace *trace, const char *column,
                                              const char *what);

/* Whether times are seconds, not a counter's units and not only an order. */
bool catalog_tells_times(const struct catalog_trace *trace);

/* Whether calls have CPU times besides wall times. */
bool catalog_both_clocks(const struct catalog_trace *trace);

/* Start of the first hour, as tally_hour_origin(): the wall clock of time 0 at the device, or its
 * time of day if the date is unknown; 0 if neither is known. */
int64_t catalog_hour_origin(const struct catalog_trace *trace);

/* Whether those are hours of the day. */
bool catalog_hours_of_day(const struct catalog_trace *trace);

/* Number of records read from its log. */
int64_t catalog_records(const struct catalog_trace *trace);

/* Whether its times are in nanoseconds. */
bool catalog_real_clock(const struct catalog_trace *trace);

/* Returns the number of files of a trace whose times are all whole seconds, as those of strace -t:
 * they order the calls of a file no better than its lines, and those of several not at all. 0 for
 * other traces, and with `error` set. */
int64_t catalog_whole_seconds(struct database *database, const struct catalog_trace *trace,
                              struct error *error);

#endif
