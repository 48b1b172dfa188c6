/* Creates stores, verifies them, and sweeps rows that are not visible. */
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

/* Creates database and tables on the server, or on a cluster's server if that is not NULL.
 * Existing tables stay; tables of an earlier version get their missing columns. In a cluster, run
 * it for each server: `others` receives the servers not asked. An unsuitable cluster, or tables of
 * another cluster, are an error, and nothing is created. */
bool maintenance_init(struct remote *remote, const char *cluster, struct text *others,
                      struct error *error);

/* Writes the SQL statements that maintenance_init() would run, each with a semicolon. Asks no
 * server, and omits codecs, which only newer servers have. */
bool maintenance_print(const struct remote_address *address, const char *cluster, FILE *output,
                       struct error *error);

/* Checks that the server has all tables with all columns, as in schema.h. An error names what is
 * missing or has another type. `*in_cluster`: the server's own rows are in NAME_local, and NAME
 * refers to all servers. */
bool maintenance_find_tables(struct remote *remote, bool *in_cluster, struct error *error);

/* --- looking after ------------------------------------------------------------------------------
 */

struct maintenance_report {
    /* Called for each trace that differs from what was sent. */
    void (*found)(void *context, const struct remote_commit *commit, const char *what);
    void *context;
    int64_t traces, events; /* visible traces, and their events according to their ledgers */
    int64_t with_events;    /* traces with their events in the store */
    int64_t rows, unseen;   /* rows in all tables; `unseen`: rows of invisible attempts */
    int64_t wrong;          /* number of faults, each reported by a call of `found` */
};

/* Compares the servers' rows of each trace with its commit. */
bool maintenance_check(struct remote *remote, struct maintenance_report *report,
                       struct error *error);

/* Removes a trace: hides all attempts that were committed until now. The next sweep frees their
 * disk space. */
bool maintenance_remove(struct remote *remote, const struct remote_commits *commits, uint64_t trace,
                        struct error *error);

/* Deletes the server's rows of invisible attempts that began at least `older` seconds ago. In a
 * cluster, run it for each server. */
bool maintenance_sweep(struct remote *remote, int64_t older, int64_t *rows, int64_t *attempts,
                       struct error *error);

#endif
