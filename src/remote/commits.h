/* Traces in a store, and which of several uploads of a trace counts. The hash of its log identifies
 * a trace, so that many machines can send traces to one store.
 *
 * An attempt is one upload of a trace. A row in the store's table `trace` commits it. Of several
 * committed attempts one counts, and this program decides which, wherever the rows are. */
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
    uint64_t key; /* the first half of the hash: column `trace` in the store's tables */
    char hash[TRACE_HASH_LENGTH + 1]; /* hash of the trace's log, by trace_hash() */
};

/* Computes hash and key of a trace in a database. */
bool remote_identify(struct database *database, const struct catalog_trace *trace,
                     struct remote_identity *identity, struct error *error);

/* --- numbers of attempts (uploads of a trace) ------------------------------------------------- */

/* Makes a number for an attempt: one upload of a trace. Of a trace's committed attempts, the
 * smallest number counts: an upload with events before one without, then the earliest. Bit 63:
 * without events. The next 32 bits: second since 1970 when it began. The last 31 bits are
 * random. */
bool remote_attempt_make(uint64_t *attempt, bool events, struct error *error);

/* Returns the second since 1970 when an attempt began, from its number. */
int64_t remote_attempt_second(uint64_t attempt);

/* --- listing the traces that a store has ------------------------------------------------------ */

/* A push of a trace that was committed: its row of table `trace` in a store, without columns that
 * only reports need. Strings are owned. */
struct remote_commit {
    struct remote_pair pair;
    char *name, *hash, *device; /* `device`: label of the device; "": none */
    uint64_t content, event_content;
    int64_t events, first_event, last_event; /* last < first: no events */
    int64_t start; /* wall clock at the trace's time 0; EVENT_NONE: unknown */
    bool sent_events;
    bool counts;  /* the trace's smallest attempt that was not removed: the one to read */
    bool removed; /* true: `store remove` hid the attempt; its rows still exist */
};

/* Committed attempts, sorted by trace and attempt; each only once. */
struct remote_commits {
    struct remote_commit *rows; /* owned */
    size_t count;
};

/* Reads the committed attempts of a store: all, or only those of the trace `only` if it is not
 * NULL. If the store's tables have another version than REMOTE_STORE_VERSION, this is an error.
 * Nothing needs freeing on failure. */
bool remote_commits_load(struct remote_commits *commits, struct remote *remote,
                         const uint64_t *only, struct error *error);

/* Frees the list; a zeroed one is allowed. */
void remote_commits_free(struct remote_commits *commits);

/* Returns the commit with this trace and attempt; NULL if there is none. */
struct remote_commit *remote_commits_find(const struct remote_commits *commits,
                                          const struct remote_pair *pair);

/* Returns the committed attempt of a trace that counts; NULL if the store does not have the
 * trace. */
const struct remote_commit *remote_commits_of(const struct remote_commits *commits, uint64_t trace);

/* Returns name, device, hash and start of a trace; valid as long as the commit. */
struct trace_label remote_commit_label(const struct remote_commit *commit);

/* Finds the trace that a user typed: by its whole hash, else by the start of the hash (at least 4
 * digits), DEVICE/NAME or NAME. Returns the attempt that counts. If none or several traces match,
 * returns NULL and sets `error`, for several with their hashes. */
const struct remote_commit *remote_commits_choose(const struct remote_commits *commits,
                                                  const char *typed, struct error *error);

#endif
