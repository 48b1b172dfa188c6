/* Reads ext2, ext3 and ext4 with libext2fs.
 *
 * libext2fs was written for images that somebody wants to repair, not for such as are out to break
 * it: this runs in a process of its own (image.c). */
#ifndef TRACETOOL_EXT_READER_H
#define TRACETOOL_EXT_READER_H

#include <stdbool.h>

#include "filesystem/file_map.h"
#include "filesystem/journal.h"

/* What is read in addition to the present. */
struct ext_request {
    bool with_past;                    /* what the journal tells of it */
    const struct journal_file *copies; /* of the journal; borrowed */
    size_t copy_count;
};

/* Fills the zeroed map, whose `offset` says where the file system begins in the open file. */
bool ext_read(int descriptor, const struct ext_request *request, struct file_map *map,
              struct error *error);

/* Whether a superblock of ext2, ext3 or ext4 lies at byte 1024 of these 2048. */
bool ext_is_there(const unsigned char head[2048]);

/* The past by the journal: the owner of each block after each transaction, and the names of files.
 *
 * A version of an inode holds from the transaction that has a copy of its block of the inode table
 * until the next that has one: what is in between had no part in it. The same is true of the nodes
 * of its tree, each of which may change by itself. What neither the journal nor the image has for
 * certain is marked as doubtful. */

/* Adds the past to a map of the same file system, which has the present. */
bool history_read(const struct journal *journal, struct file_map *map, struct error *error);

#endif
