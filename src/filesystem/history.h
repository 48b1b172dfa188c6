/* What the journal says of the past: whose blocks were after each of its transactions, and what
 * files were called.
 *
 * A version of an inode holds from the transaction that has a copy of its block of the inode table
 * until the next that has one: what is in between had no part in it. The same is true of the nodes
 * of its tree, each of which may change by itself. What neither the journal nor the image has for
 * certain is marked as doubtful. */
#ifndef TRACETOOL_HISTORY_H
#define TRACETOOL_HISTORY_H

#include "filesystem/file_map.h"
#include "filesystem/journal.h"

/* Adds the past to a map of the same file system, which has the present. */
bool history_read(const struct journal *journal, struct file_map *map, struct error *error);

#endif
