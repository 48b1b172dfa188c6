/* Creates the tables of a store, checks its rows, and deletes rows of invalid uploads. */
#ifndef TRACETOOL_REMOTE_MAINTENANCE_H
#define TRACETOOL_REMOTE_MAINTENANCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "remote/client.h"
#include "remote/commits.h"

/* --- creating a store ------------------------------------------------------------------------- */

/* Creates the database and tables of a store on the server; if `cluster` is not NULL, on one server
 * of the cluster. Existing tables are not changed, but get missing columns. In a cluster, run it
 * for each server: `others` receives the other servers. Fails and creates nothing if the cluster is
 * unsuitable, or if tables belong to another cluster. */
bool maintenance_init(struct remote *remote, const char *cluster, struct text *others,
                      struct error *error);

/* Prints the SQL statements of maintenance_init(), each with a semicolon, without connecting to a
 * server. Leaves out compression codecs, which old servers do not know. */
bool maintenance_print(const struct remote_address *address, const char *cluster, FILE *output,
                       struct error *error);

/* Checks that the server has all tables and columns of schema.h; if not, the error names what is
 * missing or has another type. `*in_cluster`: true if tables NAME_local have this server's rows,
 * and tables NAME give access to all servers' rows. */
bool maintenance_find_tables(struct remote *remote, bool *in_cluster, struct error *error);

/* --- checking and cleaning a store ------------------------------------------------------------ */

struct maintenance_report {
    /* Called for each trace whose rows differ from the rows that were sent. */
    void (*found)(void *context, const struct remote_commit *commit, const char *what);
    void *context;
    int64_t traces, events; /* traces: number of visible traces; events: of their events, as stored
                               in table `trace` */
    int64_t with_events;    /* number of traces that were sent with events */
    /* rows: number of rows in all tables; unseen: of those that reports never read */
    int64_t rows, unseen;
    int64_t wrong; /* number of faults (calls of `found`) */
};

/* Compares the stored rows of each trace with the checksums in its row of table `trace`. */
bool maintenance_check(struct remote *remote, struct maintenance_report *report,
                       struct error *error);

/* Removes a trace: marks its committed uploads as removed. The next sweep deletes their rows. */
bool maintenance_remove(struct remote *remote, const struct remote_commits *commits, uint64_t trace,
                        struct error *error);

/* Deletes the rows of attempts (uploads) that are not valid and began at least `older` seconds ago.
 * In a cluster, run it for each server. */
bool maintenance_sweep(struct remote *remote, int64_t older, int64_t *rows, int64_t *attempts,
                       struct error *error);

#endif
