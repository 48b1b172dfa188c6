/* Traces in a store, and which of several uploads of a trace is valid. A trace is identified by the
 * hash of its log, so that many machines can send traces to one store.
 *
 * An attempt is one upload of a trace. A row for it in the store's table `trace` commits it. If
 * several attempts of a trace are committed, this program decides which is valid, on whichever
 * servers their rows are. */
#ifndef TRACETOOL_REMOTE_COMMITS_H
#define TRACETOOL_REMOTE_COMMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "remote/statements.h"
#include "store/catalog.h"
#include "store/trace_label.h"

struct remote_identity {
    uint64_t key; /* first half of the hash as a number: column `trace` in the store's tables */
    char hash[TRACE_HASH_LENGTH + 1]; /* hash of the trace's log, by trace_hash() */
};

/* Computes hash and key of a trace in a database. */
bool remote_identify(struct database *database, const struct catalog_trace *trace,
                     struct remote_identity *identity, struct error *error);

/* --- numbers of attempts (uploads of a trace) ------------------------------------------------- */

/* Makes a number for an attempt (one upload of a trace). The committed attempt with the smallest
 * number is valid: uploads with events come before those without, and among these the earliest
 * comes first. Bit 63: without events. The next 32 bits: start time in seconds since 1970. The last
 * 31 bits are random. */
bool remote_attempt_make(uint64_t *attempt, bool events, struct error *error);

/* Returns when an attempt (upload) began, in seconds since 1970, from its number. */
int64_t remote_attempt_second(uint64_t attempt);

/* --- listing the traces that a store has ------------------------------------------------------ */

/* A committed upload of a trace: its row of the store's table `trace`, without columns that only
 * reports need. Strings are owned. */
struct remote_commit {
    struct upload_key pair;
    char *name, *hash, *device; /* `device`: label of the device; "": none */
    uint64_t content, event_content;
    int64_t events, first_event, last_event; /* last < first: no events */
    int64_t start; /* wall clock (ns) at the trace's time 0; EVENT_NONE: unknown */
    bool sent_events;
    bool counts;  /* true: the trace's valid attempt: the least number of those not removed */
    bool removed; /* true: `store remove` hid the upload; its rows still exist */
};

/* Committed attempts (uploads) without duplicates, sorted by trace and attempt. */
struct remote_commits {
    struct remote_commit *rows; /* owned */
    size_t count;
};

/* Reads the committed attempts of a store; `only`: of one trace, if not NULL. It is an error if a
 * row has another version than REMOTE_STORE_VERSION. After failure, nothing is to be freed. */
bool remote_commits_load(struct remote_commits *commits, struct remote *remote,
                         const uint64_t *only, struct error *error);

/* Frees the list, which may be zeroed. */
void remote_commits_free(struct remote_commits *commits);

/* Returns the commit with this trace and attempt; NULL if there is none. */
struct remote_commit *remote_commits_find(const struct remote_commits *commits,
                                          const struct upload_key *pair);

/* Returns the valid attempt (upload) of a trace; NULL if the store does not have the trace. */
const struct remote_commit *remote_commits_find_valid(const struct remote_commits *commits,
                                                      uint64_t trace);

/* Returns name, device, hash and start of a trace; valid as long as the commit. */
struct trace_label remote_commit_label(const struct remote_commit *commit);

/* Finds the trace that a user typed: by its whole hash, else by the first digits of the hash (at
 * least 4), DEVICE/NAME or NAME. Returns its valid attempt. If no trace or several traces match,
 * returns NULL with `error` set; for several, the error lists their hashes. */
const struct remote_commit *remote_commits_choose(const struct remote_commits *commits,
                                                  const char *typed, struct error *error);

#endif
