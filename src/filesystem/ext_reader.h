/* Reads ext2, ext3 and ext4 with libext2fs. That is made to repair images, not to resist malicious
 * ones, so this code runs in a separate process (image.c). */
#ifndef TRACETOOL_EXT_READER_H
#define TRACETOOL_EXT_READER_H

#include <stdbool.h>

#include "filesystem/file_map.h"
#include "filesystem/journal.h"

/* What to read besides the current state. */
struct ext_request {
    bool with_past;                    /* true: also read earlier states from the journal */
    const struct journal_file *copies; /* files with earlier copies of the journal; borrowed */
    size_t copy_count;
};

/* Reads which blocks belong to which files into the zeroed map. `map->offset`: byte of the open
 * file at which the file system begins. */
bool ext_read(int descriptor, const struct ext_request *request, struct file_map *map,
              struct error *error);

/* Returns whether a superblock of ext2, ext3 or ext4 is at byte 1024 of these 2048 bytes. */
bool ext_is_present(const unsigned char head[2048]);

/* Earlier states, from the journal: names, and the file that owned a block after each transaction.
 *
 * The journal has copies of whole blocks of the inode table. An inode in a copy is valid from the
 * copy's transaction until the next one with a copy of the same block: transactions in between have
 * not changed the inode. Copies of the nodes of its extent tree are valid in the same way, but
 * these may change in other transactions. What neither the journal nor the image proves is marked
 * as doubtful. */

/* Adds earlier states to a map of the same file system that already has the current state. */
bool history_add_to_map(const struct journal *journal, struct file_map *map, struct error *error);

#endif
