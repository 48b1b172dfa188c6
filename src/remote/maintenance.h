/* Creates the tables of a store, checks its rows, and deletes rows that nobody can see. */
#ifndef TRACETOOL_REMOTE_MAINTENANCE_H
#define TRACETOOL_REMOTE_MAINTENANCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "remote/client.h"
#include "remote/commits.h"

/* --- creating a store ------------------------------------------------------------------------- */

/* Creates the database and tables of a store on the server, or if `cluster` is not NULL, on one
 * server of a cluster. Existing tables stay; those of an earlier version get new columns. In a
 * cluster, run it for each server: `others` gets the servers that were not asked. If the cluster is
 * unsuitable, or tables are on another cluster, fails and creates nothing. */
bool maintenance_init(struct remote *remote, const char *cluster, struct text *others,
                      struct error *error);

/* Prints the SQL statements that maintenance_init() would run, each with a semicolon. Connects to
 * no server, and leaves out compression codecs, which only newer servers know. */
bool maintenance_print(const struct remote_address *address, const char *cluster, FILE *output,
                       struct error *error);

/* Checks that the server has all tables and columns of schema.h. If not, the error names what is
 * missing, or has another type. `*in_cluster`: true if tables NAME_local have this server's rows,
 * and NAME stands for all servers' rows. */
bool maintenance_find_tables(struct remote *remote, bool *in_cluster, struct error *error);

/* --- checking and cleaning a store ------------------------------------------------------------ */

struct maintenance_report {
    /* Called for each trace whose rows are not those that were sent. */
    void (*found)(void *context, const struct remote_commit *commit, const char *what);
    void *context;
    int64_t traces, events; /* number of visible traces, and of their events by the ledgers */
    int64_t with_events;    /* number of traces that were sent with events */
    int64_t rows, unseen;   /* rows of all tables; `unseen`: of attempts that reports never read */
    int64_t wrong;          /* number of faults: calls of `found` */
};

/* Compares the rows that the servers have of each trace with what its commit says was sent. */
bool maintenance_check(struct remote *remote, struct maintenance_report *report,
                       struct error *error);

/* Removes a trace: hides all its committed attempts. Their rows are deleted by the next sweep. */
bool maintenance_remove(struct remote *remote, const struct remote_commits *commits, uint64_t trace,
                        struct error *error);

/* Deletes the rows of attempts that nobody can see and that began at least `older` seconds ago. In
 * a cluster, run it for each server. */
bool maintenance_sweep(struct remote *remote, int64_t older, int64_t *rows, int64_t *attempts,
                       struct error *error);

#endif
