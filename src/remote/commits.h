/* Identity of traces in a store, and the commits that count. A trace is identified by the hash of
 * its log, so that many machines can push to one store. Of several attempts to send a trace, one
 * counts. This program decides which, so it does not matter which server holds the rows. */
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
    uint64_t key;                     /* the first half of the hash: column `trace` */
    char hash[TRACE_HASH_LENGTH + 1]; /* result of trace_hash() */
};

/* Computes the identity of a trace of the database from its hash, which needs a pass over its
 * rows. */
bool remote_identify(struct database *database, const struct catalog_trace *trace,
                     struct remote_identity *identity, struct error *error);

/* --- attempts -----------------------------------------------------------------------------------
 */

/* Returns a number for an attempt to send a trace. The smallest committed attempt counts: one with
 * events before one without, then the earliest. Bit 63: without events. The next 32 bits: the
 * second since 1970 when it began. The last 31 bits are random. */
bool remote_attempt_make(uint64_t *attempt, bool events, struct error *error);

/* Returns the second since 1970 when the attempt began. */
int64_t remote_attempt_second(uint64_t attempt);

/* --- contents of a store ---------------------------------------------------------------------- */

/* A row of `trace` in the store, without columns that only reports need. Strings are owned. */
struct remote_commit {
    struct remote_pair pair;
    char *name, *hash, *device; /* device: "" if none */
    uint64_t content, event_content;
    int64_t events, first_event, last_event; /* last < first: no events */
    int64_t start;                           /* start of the trace; EVENT_NONE: not known */
    bool sent_events;
    bool counts;  /* smallest attempt of its trace that was not removed: the one that readers see */
    bool removed; /* removed, but not yet deleted */
};

/* Sorted by trace and attempt, each pair once. */
struct remote_commits {
    struct remote_commit *rows; /* owned */
    size_t count;
};

/* Reads the commits of pushes, all or only those of the trace `only` unless it is NULL. A store of
 * another version than REMOTE_STORE_VERSION is an error. On failure nothing needs freeing. */
bool remote_commits_load(struct remote_commits *commits, struct remote *remote,
                         const uint64_t *only, struct error *error);

/* Frees the commits; they may be zeroed. */
void remote_commits_free(struct remote_commits *commits);

/* Returns the commit of that pair; NULL if there is none. */
struct remote_commit *remote_commits_find(const struct remote_commits *commits,
                                          const struct remote_pair *pair);

/* Returns the commit that counts for that trace; NULL if the store does not have it. */
const struct remote_commit *remote_commits_of(const struct remote_commits *commits, uint64_t trace);

/* Returns the trace's name; valid as long as the commit. */
struct trace_label remote_commit_label(const struct remote_commit *commit);

/* Finds the commit that counts for what a user typed: a whole hash, else a prefix of it (at least
 * 4 digits), DEVICE/NAME or NAME. NULL with `error` set if none or several match; then the error
 * lists their hashes. */
const struct remote_commit *remote_commits_choose(const struct remote_commits *commits,
                                                  const char *typed, struct error *error);

#endif
