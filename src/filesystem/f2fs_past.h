/* What F2FS still has of its past: nodes as they were.
 *
 * A node that changes is written to another place. What it was stays where it is until its segment
 * is used again, and says before which checkpoint it was written. So files can be told that are
 * gone. But nothing tells whether there was a further version in between, so that only what still
 * holds is certain of its time. */
#ifndef TRACETOOL_F2FS_PAST_H
#define TRACETOOL_F2FS_PAST_H

#include "filesystem/f2fs_volume.h"
#include "filesystem/file_map.h"

/* Most checkpoints that are told apart; nodes of older ones are not looked at. */
#define F2FS_MOST_CHECKPOINTS ((uint32_t)1 << 20)

/* Adds the past to a map of the same file system, which has the present. Its transactions are the
 * checkpoints. */
bool f2fs_read_past(const struct f2fs_volume *volume, const struct f2fs_places *places,
                    struct file_map *map, struct error *error);

#endif
