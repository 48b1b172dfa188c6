/* What a trace is called in a store that many machines push to: the log it was made of. And what a
 * store holds: of each trace the one attempt that counts. Where on its servers the rows lie
 * does not matter, since it is decided here. */
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
    char hash[TRACE_HASH_LENGTH + 1]; /* of trace_hash() */
};

/* Works out who a trace of the database is: by its hash, which takes a pass over its rows. */
bool remote_identify(struct database *database, const struct catalog_trace *trace,
                     struct remote_identity *identity, struct error *error);

/* --- attempts -----------------------------------------------------------------------------------
 */

/* A number for an attempt to send a trace. The smallest that was committed counts: one with events
 * before one without, then the earliest. Bit 63: without events; the next 32 bits are the second
 * since 1970 it began in; the last 31 are random. */
bool remote_attempt_make(uint64_t *attempt, bool events, struct error *error);

/* The second since 1970 in which it began. */
int64_t remote_attempt_second(uint64_t attempt);

/* --- what a store holds --------------------------------------------------------------------------
 */

/* A row of `trace` in the store, without what only reports need. Strings are owned. */
struct remote_commit {
    struct remote_pair pair;
    char *name, *hash, *device; /* device: "" for none */
    uint64_t content, event_content;
    int64_t events, first_event, last_event; /* last < first: no events */
    int64_t start;                           /* EVENT_NONE: not known */
    bool sent_events;
    bool counts;  /* the smallest of its trace that was not removed: what readers see */
    bool removed; /* taken out, but not yet deleted */
};

/* In order of trace and attempt, each pair once. */
struct remote_commits {
    struct remote_commit *rows; /* owned */
    size_t count;
};

/* All that was committed, or, unless NULL, what was of the trace `only`. A store of another version
 * than REMOTE_STORE_VERSION is an error. On failure nothing needs freeing. */
bool remote_commits_load(struct remote_commits *commits, struct remote *remote,
                         const uint64_t *only, struct error *error);

/* It may be zeroed. */
void remote_commits_free(struct remote_commits *commits);

/* The commit of that pair; NULL: there is none. */
struct remote_commit *remote_commits_find(const struct remote_commits *commits,
                                          const struct remote_pair *pair);

/* The commit that counts of that trace; NULL: the store does not have it. */
const struct remote_commit *remote_commits_of(const struct remote_commits *commits, uint64_t trace);

/* What the trace is called; as long as the commit is there. */
struct trace_label remote_commit_label(const struct remote_commit *commit);

/* The one that counts and is meant by what somebody typed: its whole hash, else the beginning of
 * it (4 digits at least), DEVICE/NAME or NAME. NULL with `error` set when there is none, or
 * several, whose hashes are listed then. */
const struct remote_commit *remote_commits_choose(const struct remote_commits *commits,
                                                  const char *typed, struct error *error);

#endif
