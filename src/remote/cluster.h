/* The clusters that a server knows, and which of them a store's tables are of. A store's tables are
 * not replicated, and a table that is of a cluster stays so: both are found out before anything is
 * made. */
#ifndef TRACETOOL_REMOTE_CLUSTER_H
#define TRACETOOL_REMOTE_CLUSTER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "remote/client.h"

/* Whether the server knows that cluster, and it has one server a shard; an error says which
 * clusters there are, or why several do not do. Unless it is NULL, `others` is told the servers of
 * it that are not the one asked: HOST:PORT and a comma between two. */
bool cluster_check(struct remote *remote, const char *cluster, struct text *others,
                   struct error *error);

/* Whether the tables that the database has, if any, are those of that cluster, NULL: of none. */
bool cluster_check_tables(struct remote *remote, const char *cluster, struct error *error);

/* Whether the cluster of the store, if it is of one, is as cluster_check() wants it. */
bool cluster_check_store(struct remote *remote, struct error *error);

#endif
