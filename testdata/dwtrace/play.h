/* Plays the program: threads call, return, give up and write data, as random numbers have it. What
 * happens goes to an account and, as a record, to a sink.
 */
#ifndef DWTRACE_PLAY_H
#define DWTRACE_PLAY_H

#include "account.h"
#include "record.h"

struct plan {
    uint64_t seed;
    uint64_t records;  /* of a phase, about */
    unsigned phases;   /* all calls are over after each */
    bool stay_in_root; /* the outermost calls are all of RUN, and it does not return; what is open
                          then stays open */
    bool small;        /* short records only */
    unsigned unwind, lose_entry, jitter; /* permille */
    uint64_t counter;                    /* starts there */
    uint64_t scale;                      /* units of a step; 0: 1 */
    uint64_t log_from, log_until;        /* numbers of records; 0: all */
    uint64_t pad_at, pad_size;           /* this record is data of this size; 0: none is */
};

struct sink {
    void (*put)(struct sink *sink, const struct record *record);
    bool full; /* no more calls */
};

/* What was played: what the data promise to have. */
struct played {
    uint64_t records;    /* in the log or not */
    uint64_t phase_end;  /* records of the first phase */
    uint64_t late;       /* records before the one before in their thread */
    uint64_t unwound;    /* calls without an exit */
    uint64_t lost;       /* entries */
    uint64_t switches;   /* from one thread to another */
    uint64_t recursions; /* direct */
    uint64_t returns_to; /* indirect recursions */
    bool parameter[2][PARAMETER_TYPES][CONTROLS]; /* at entry, at exit */
    bool data[2][MOST_DATA + 1];                  /* text, binary */
    bool negative, positive, many;
};

/* `sink` may be NULL. */
struct played play(const struct plan *plan, struct account *account, struct sink *sink);

/* One thread, `depth` calls of READ within each other. */
struct played play_deep(unsigned depth, struct account *account, struct sink *sink);

#endif
