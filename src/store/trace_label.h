/* What traces are called where several may have one name: NAME, DEVICE/NAME, or the beginning of
 * the hash of what they hold. */
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
    const char *device; /* "" for none */
    const char *hash;   /* of the content, hex digits */
    int64_t start;      /* EVENT_NONE: not known */
};

/* The order that reports have traces in when none are named: by start (those without come first),
 * device, name and hash. As strcmp(). */
int trace_label_compare(const struct trace_label *left, const struct trace_label *right);

/* Fewest digits of a hash that mean a trace; and one that is to be changed. */
#define TRACE_LABEL_DIGITS      4
#define TRACE_LABEL_SURE_DIGITS 12

/* Which trace somebody means, out of those that trace_search_look() is given one after another. It
 * begins with all zero but the first three. */
struct trace_search {
    const char *typed; /* borrowed */
    bool unique_names; /* a name is that of one trace, and goes before all but a whole hash */
    size_t digits;     /* that the beginning of a hash has at least; 0: only all of it counts */
    unsigned rank;     /* of what was found: how surely it is meant */
    size_t count;      /* traces of that rank */
    const void *first; /* of these */
    struct text listed;
};

/* Looks at one more trace. `trace` stands for it: whatever the caller likes, borrowed. */
void trace_search_look(struct trace_search *search, const struct trace_label *label,
                       const void *trace);

/* Ends the search. `*trace` is what is meant, NULL when nothing is. False with `error` set, which
 * names the hashes, where names are unique these first, when any of several may be. */
bool trace_search_end(struct trace_search *search, const void **trace, struct error *error);

/* --- hashes --------------------------------------------------------------------------------------
 */

/* What a trace is known by outside of its database: the log it was made of. */

/* Hex digits of the hash. */
#define TRACE_HASH_LENGTH 32

/* The first half of the SHA-256 of the trace's kind and format and of the hashes of its files, in
 * their order, each with a NUL behind it, in lower case: the same of one log on each machine.
 * Names, labels, and what was learnt after the import are no part of it. "" of no trace. */
bool trace_hash(struct database *database, int64_t trace, char hash[TRACE_HASH_LENGTH + 1],
                struct error *error);

/* Gives `take` the hash of each trace of `schema`, in order of id. */
bool trace_hash_each(struct database *database, const char *schema,
                     void (*take)(void *context, int64_t trace, const char *hash), void *context,
                     struct error *error);

#endif
