/* Who a trace is in a store that many machines push to: the log it was made of, whatever it is
 * called. */
#ifndef TRACETOOL_REMOTE_IDENTITY_H
#define TRACETOOL_REMOTE_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/catalog.h"
#include "store/trace_hash.h"

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

#endif
