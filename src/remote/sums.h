/* Rollups of block I/O that the server adds up over many traces: in the place of the rows of each
 * trace come sums over some hundred of them, which are the same to whoever adds up all. */
#ifndef TRACETOOL_SUMS_H
#define TRACETOOL_SUMS_H

#include "remote/client.h"
#include "remote/statements.h"
#include "store/database.h"

/* Whether rows of the table are nothing but counts by keys that are the same in all traces, once
 * the action is given. */
bool sums_of_table(const struct remote_table *table);

/* A trace whose rows are added up. */
struct sums_trace {
    struct remote_pair pair;
    int64_t trace, action; /* trace.id and name.id of the action it counts; 0: it counts nothing */
    int64_t rows; /* found: that the store counts of the table, of any action; -1: not counted */
};

/* Asks for the sums of a table over these traces, those of one action together, and puts them into
 * the database's table of that name, each under a trace that is part of it, and its action. Sets
 * `rows` of those that count something. Sums of fewer rows than the store counts are an error.
 * `*fits`: they did; else some are beyond 64 bits, too many, or none, and nothing of use is there.
 */
bool sums_take(struct remote *remote, struct database *database, const struct remote_table *table,
               struct sums_trace *traces, size_t count, bool *fits, struct error *error);

#endif
