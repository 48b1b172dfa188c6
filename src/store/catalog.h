/* The traces that a database holds. */
#ifndef TRACETOOL_CATALOG_H
#define TRACETOOL_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "model/event.h"
#include "store/database.h"

/* name.id of the action `letters` of a trace; EVENT_NONE: it has none. */
bool action_find(struct database *database, int64_t trace, const char *letters, int64_t *action,
                 struct error *error);

/* --- the catalog ---------------------------------------------------------------------------------
 */

/* What a column of a trace means, as its rows in `meaning` say. Strings are owned. */
struct catalog_meaning {
    char *column, *kind, *what, *unit; /* kind: "" for all operations */
};

/* A trace as its row says. Strings are owned. */
struct catalog_trace {
    int64_t id;
    char *name;     /* as reports call it */
    char *own_name; /* as it is typed; the same string but for catalog_tell_apart() */
    char *format, *rollups, *clock_unit, *clocks;
    char *user;    /* label; "" for none */
    char *device;  /* likewise */
    char *study;   /* "" for none */
    int64_t round; /* EVENT_NONE: not known */
    enum trace_kind kind;
    int64_t start, utc_offset; /* EVENT_NONE: not known */
    int64_t sessions;
    int64_t clock_hz;      /* EVENT_NONE: no counter */
    int64_t call_overhead; /* ns that measuring a call cost; EVENT_NONE: the log does not say */
    bool probes;           /* it is a profile by probes: table `probe` has some */
    int64_t events, merged, ignored, rejected;
    int64_t paired, split; /* as in struct trace_counts */
    bool lines;            /* its records are lines of text */
    int64_t lost;          /* records that the log says are not in it */
    char *earlier; /* how many records are earlier than the one before, in words; "": none */
    int64_t first_event, last_event; /* last < first: no events */
    int64_t first_time, last_time;
    char *hash;         /* of its content, in hexadecimal digits (trace_label.h) */
    bool states_beside; /* another trace of its log has states of threads */
    char *log; /* the log that it is a part of, with other traces of that log; "" for none */
    struct catalog_meaning *meanings; /* owned */
    size_t meaning_count;
    unsigned unknown; /* facts that its log does not state: FACT(…) of model/meaning.h */
};

struct catalog {
    struct catalog_trace *traces; /* owned; in order of import */
    size_t count;
    bool of_store; /* several traces may have one name */
};

/* Reads what the database has of all traces. On failure nothing needs freeing. */
bool catalog_load(struct catalog *catalog, struct database *database, struct error *error);

/* The same of `schema`, a database attached to the connection. */
bool catalog_load_attached(struct catalog *catalog, struct database *database, const char *schema,
                           struct error *error);
void catalog_free(struct catalog *catalog);

/* What means this trace of the catalog, and no other, where it is typed. Borrowed. */
static inline const char *catalog_word(const struct catalog *catalog,
                                       const struct catalog_trace *trace) {
    return catalog->of_store ? trace->hash : trace->own_name;
}

/* The trace of that name, NULL when there is none. */
const struct catalog_trace *catalog_find(const struct catalog *catalog, const char *name);

/* The trace of that id, NULL when there is none. */
struct catalog_trace *catalog_find_id(const struct catalog *catalog, int64_t id);

/* Chooses a trace: by hash, name or DEVICE/NAME; for @last, the one imported last; else by a unique
 * beginning of a name, or of a hash (4 digits at least; in a store before names' beginnings). NULL
 * with `error` set when there is none, or several fit, which it names by hash or name. */
const struct catalog_trace *catalog_choose(const struct catalog *catalog, const char *typed,
                                           struct error *error);

/* Whether several traces may be meant: a * is in what was typed, and no trace is called so. */
bool catalog_is_pattern(const struct catalog *catalog, const char *typed);

/* Whether the trace's name fits the pattern, in which each * fits anything. */
bool catalog_fits(const struct catalog_trace *trace, const char *typed);

/* The same where only traces of some kinds (bit set of enum trace_kind) will do. A log of several
 * kinds gives several traces (NAME.calls, NAME.io): of those that `typed` is short for, the one of
 * these kinds; the first where none is. NULL with `error` set as above, and where several are. */
const struct catalog_trace *catalog_choose_kind(const struct catalog *catalog, const char *typed,
                                                unsigned kinds, struct error *error);

/* The same, but all of them: returns how many were put into `chosen`, which has room for all of the
 * catalog. 0: none, `error` is set where the name itself is unknown or short for several logs. */
size_t catalog_choose_kinds(const struct catalog *catalog, const char *typed, unsigned kinds,
                            const struct catalog_trace **chosen, struct error *error);

/* The same of a trace that is to be changed: the beginning of a hash has 12 digits at least. */
const struct catalog_trace *catalog_choose_to_change(const struct catalog *catalog,
                                                     const char *typed, struct error *error);

/* The same where no beginning of a name does: `*meant` is the trace of that name, that of
 * DEVICE/NAME or whose hash begins so with 12 digits at least, NULL when there is none. False with
 * `error` set when any of several may be meant. */
bool catalog_find_meant(const struct catalog *catalog, const char *typed,
                        const struct catalog_trace **meant, struct error *error);

/* The traces that the names mean, each once; all when there are no names. `chosen` has room for
 * `name_count` or all of the catalog, whatever is more; `*count` is how many there are. */
bool catalog_choose_all(const struct catalog *catalog, const char *const *names, size_t name_count,
                        const struct catalog_trace **chosen, size_t *count, struct error *error);

/* All traces in the order that reports have them in when none are named, which is the same in any
 * database with these traces: by start (those without come first), device, name and hash. The array
 * is the caller's. */
const struct catalog_trace **catalog_sorted(const struct catalog *catalog);

/* Gives those of the traces, which are of the catalog, that have the name of another one of them
 * names of their own, in the catalog and in the database's table `trace`: NAME [HASH], with the
 * beginning of the hash. For those of a store; in a file no two have one name. The strings that
 * were borrowed stay as long as the catalog. */
bool catalog_tell_apart(struct catalog *catalog, struct database *database,
                        const struct catalog_trace *const *traces, size_t count,
                        struct error *error);

/* Appends the names of all traces, separated by ", ". */
void catalog_append_names(const struct catalog *catalog, struct text *out);

/* Says that there is no trace `name`, and which there are. Always false. */
bool catalog_unknown(const struct catalog *catalog, const char *name, struct error *error);

#ifdef __clang_analyzer__ /* as in error.h */
#define catalog_unknown(...) (catalog_unknown(__VA_ARGS__), false)
#endif

/* The meaning `what` of a column of the trace, or any when that is NULL; the first for all
 * operations, if there is one. NULL: it means no such thing. */
const struct catalog_meaning *catalog_meaning(const struct catalog_trace *trace, const char *column,
                                              const char *what);

/* Whether calls have times by a CPU clock beside those by the wall clock. */
bool catalog_both_clocks(const struct catalog_trace *trace);

/* Where hours are counted from, as tally_hour_origin(): the wall clock of time 0 at the device, or
 * its time of day where the day is not known; 0 where neither is. */
int64_t catalog_hour_origin(const struct catalog_trace *trace);

/* Whether the hours so counted are hours of the day. */
bool catalog_hours_of_day(const struct catalog_trace *trace);

/* How many records of its log were read. */
int64_t catalog_records(const struct catalog_trace *trace);

/* Whether the trace's times are nanoseconds. */
bool catalog_real_clock(const struct catalog_trace *trace);

#endif
