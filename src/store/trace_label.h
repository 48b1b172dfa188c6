/* Identifies traces whose names are not unique: by NAME, DEVICE/NAME, or a prefix of the hash of
 * their content. */
#ifndef TRACETOOL_TRACE_LABEL_H
#define TRACETOOL_TRACE_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "store/connection.h"

/* --- labels --------------------------------------------------------------------------------------
 */

/* Strings are borrowed. */
struct trace_label {
    const char *name;
    const char *device; /* label of the device; "" for none */
    const char *hash;   /* hash of the content, hexadecimal */
    int64_t start;      /* EVENT_NONE: unknown */
};

/* Default order of traces in reports: by start (traces without one first), device, name and hash.
 * Like strcmp(). */
int trace_label_compare(const struct trace_label *left, const struct trace_label *right);

/* Minimum digits of a hash that identify a trace; and a trace to be changed. */
#define TRACE_LABEL_DIGITS      4
#define TRACE_LABEL_SURE_DIGITS 12

/* Search for the trace that a word identifies, among those passed to trace_search_match(). Set the
 * first three members and zero the rest. */
struct trace_search {
    const char *typed; /* borrowed */
    bool unique_names; /* names are unique, and take precedence over all but a whole hash */
    size_t digits;     /* minimum digits of a hash prefix; 0: only the whole hash */
    unsigned rank;     /* rank of the best matches */
    size_t count;      /* number of best matches */
    const void *first; /* the first of them */
    struct text listed;
};

/* Considers one more trace. `trace` is the caller's value for it, borrowed. */
void trace_search_match(struct trace_search *search, const struct trace_label *label,
                        const void *trace);

/* Ends the search. `*trace` is the match, NULL if there is none. False with `error` set if several
 * match; it lists their hashes, or names first if these are unique. */
bool trace_search_end(struct trace_search *search, const void **trace, struct error *error);

/* --- hashes --------------------------------------------------------------------------------------
 */

/* Hash of the log from which a trace was imported: its identity in other databases. */

/* Hexadecimal digits of the hash. */
#define TRACE_HASH_LENGTH 32

/* The first half of a SHA-256, in lower case, of the trace's kind and format and the hashes of its
 * files, in order, each NUL-terminated. A log has the same hash on every machine. Names, labels,
 * and data added after the import are not included. "" for a missing trace. */
bool trace_hash(struct database *database, int64_t trace, char hash[TRACE_HASH_LENGTH + 1],
                struct error *error);

/* Calls `take` with the hash of each trace of `schema`, in order of id. */
bool trace_hash_each(struct database *database, const char *schema,
                     void (*take)(void *context, int64_t trace, const char *hash), void *context,
                     struct error *error);

#endif
