/* What a trace is known by outside of its database: the log it was made of. */
#ifndef TRACETOOL_TRACE_HASH_H
#define TRACETOOL_TRACE_HASH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/connection.h"

/* Hex digits of the hash. */
#define TRACE_HASH_LENGTH 32

/* The first half of the SHA-256 of the trace's kind and format and of the hashes of its files, in
 * their order, each with a NUL behind it, in lower case: the same of one log on each machine.
 * Names, labels, and what was learnt after the import are no part of it. "" of no trace. */
bool trace_hash(struct database *database, int64_t trace, char hash[TRACE_HASH_LENGTH + 1],
                struct error *error);

/* Gives `take` the hash of each trace of `schema`, in order of id; it returns false with `error`
 * set to end that. */
bool trace_hash_each(struct database *database, const char *schema,
                     bool (*take)(void *context, int64_t trace, const char *hash,
                                  struct error *error),
                     void *context, struct error *error);

#endif
