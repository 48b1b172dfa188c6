/* Fast commits of ext4: behind the log of its journal, what fsync() had to keep of the transaction
 * that comes next, in tags of a few bytes. They count until that transaction is committed; what
 * they say is then in its copies of blocks, too. Numbers are little endian.
 *
 * They are counted and not read: whose the blocks are that only they tell of is not known.
 */
#ifndef TRACETOOL_FAST_COMMIT_H
#define TRACETOOL_FAST_COMMIT_H

#include "filesystem/journal.h"

/* Counts the fast commits behind the newest transaction of a file system that was not unmounted:
 * those that are whole, up to the first that is not. `*blocks`: that they give to files, once for
 * each time. False without memory. */
bool fast_commits_count(const struct journal *journal, uint32_t *commits, uint64_t *blocks,
                        struct error *error);

#endif
