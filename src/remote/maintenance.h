/* A store is made, looked after, and rid of what nobody sees. */
#ifndef TRACETOOL_REMOTE_MAINTENANCE_H
#define TRACETOOL_REMOTE_MAINTENANCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "remote/client.h"
#include "remote/commits.h"

/* --- making -------------------------------------------------------------------------------------
 */

/* Makes database and tables on the server, of a cluster if that is not NULL; what is there stays,
 * and tables of an earlier version get the columns that they lack.
 * In a cluster, run it for each server: `others` are those not asked. A cluster
 * that does not do, and tables of another, are an error, and nothing is made. */
bool maintenance_init(struct remote *remote, const char *cluster, struct text *others,
                      struct error *error);

/* Writes the statements that do so, each with a semicolon; no server is asked. `codecs`: for
 * servers from version 20 on. */
bool maintenance_print(const struct remote_address *address, const char *cluster, bool codecs,
                       FILE *output, struct error *error);

/* Whether the server has all tables with all columns, as schema.h says; an error says what is
 * missing, or is of another type. `*in_cluster`: its own rows are in NAME_local, NAME leads to all
 * servers. */
bool maintenance_find_tables(struct remote *remote, bool *in_cluster, struct error *error);

/* --- looking after ------------------------------------------------------------------------------
 */

struct maintenance_report {
    /* Told of each trace that is not as it was sent. */
    void (*found)(void *context, const struct remote_commit *commit, const char *what);
    void *context;
    int64_t traces, events; /* that are seen; events: as their ledgers say */
    int64_t with_events;    /* traces whose events are there, too */
    int64_t rows, unseen;   /* rows in all tables; of them, of attempts that nobody sees */
    int64_t wrong;          /* how often `found` was called */
};

/* Compares what the servers have of each trace with what its commit says. */
bool maintenance_check(struct remote *remote, struct maintenance_report *report,
                       struct error *error);

/* Takes a trace out: nobody sees any attempt of it any more that was committed until now. What it
 * takes on disk goes with the next sweep. */
bool maintenance_remove(struct remote *remote, const struct remote_commits *commits, uint64_t trace,
                        struct error *error);

/* Has the server delete its rows of attempts that nobody sees and that began `older` seconds ago or
 * earlier. In a cluster, run it for each server. */
bool maintenance_sweep(struct remote *remote, int64_t older, int64_t *rows, int64_t *attempts,
                       struct error *error);

#endif
