/* Finds the trace that a user means, though several traces may have the same name: by NAME,
 * DEVICE/NAME, or the first digits of the hash of its content. */
#ifndef TRACETOOL_TRACE_LABEL_H
#define TRACETOOL_TRACE_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "store/connection.h"

/* --- finding a trace by what the user typed --------------------------------------------------- */

/* What identifies a trace. Strings are borrowed. */
struct trace_label {
    const char *name;
    const char *device; /* label of the device that the trace is from; "": none */
    const char *hash;   /* hash of the log's content, in hexadecimal */
    int64_t start; /* wall clock at time 0 of the trace, ns since 1970 UTC; EVENT_NONE: unknown */
};

/* Default order of traces in reports: by start (those without a start first), device, name and
 * hash. Returns a number like strcmp(). */
int trace_label_compare(const struct trace_label *left, const struct trace_label *right);

/* Minimum number of hash digits by which a command finds a trace: 4 to read it, 12 to change it. */
#define TRACE_LABEL_DIGITS      4
#define TRACE_LABEL_SURE_DIGITS 12

/* Search for the trace that the user means, among those passed to trace_search_match(). Set the
 * first three members and zero the rest. */
struct trace_search {
    const char *typed; /* borrowed */
    /* true: names are unique, and only a whole hash takes precedence over them */
    bool unique_names;
    size_t digits; /* least number of digits for the beginning of a hash; 0: only whole hashes */
    unsigned rank; /* rank of the best matches so far (trace_label.c) */
    size_t count;  /* number of best matches */
    const void *first; /* the argument `trace` of the first of the best matches */
    struct text listed;
};

/* Compares another trace with what the user typed. `trace`: what trace_search_end() returns if this
 * trace matches best. */
void trace_search_match(struct trace_search *search, const struct trace_label *label,
                        const void *trace);

/* Ends the search. Sets `*trace` to the trace found, NULL if there is none. Returns false and sets
 * `error` if several match equally well; the message lists their names and hashes. */
bool trace_search_end(struct trace_search *search, const void **trace, struct error *error);

/* --- computing hashes ------------------------------------------------------------------------- */

/* Hash of the log that a trace was imported from. It identifies the trace in all databases. */

/* Length of a hash, in hexadecimal digits. */
#define TRACE_HASH_LENGTH 32

/* Computes the hash of a trace: the first half of a SHA-256, in lower case. Its input is the
 * trace's kind, its format, and the hashes of its log files in order, each followed by a NUL. So a
 * log has the same hash on every machine. Names, labels, and data added after the import do not
 * change it. The hash is "" if the trace does not exist. */
bool trace_hash(struct database *database, int64_t trace, char hash[TRACE_HASH_LENGTH + 1],
                struct error *error);

/* Calls `take` with the hash of each trace in the attached database `schema`, in order of ids. */
bool trace_hash_each(struct database *database, const char *schema,
                     void (*take)(void *context, int64_t trace, const char *hash), void *context,
                     struct error *error);

#endif
