/* Reads ext2, ext3 and ext4 with libext2fs.
 *
 * libext2fs is made for repairing images, not for malicious ones. Therefore it runs in a separate
 * process (image.c). */
#ifndef TRACETOOL_EXT_READER_H
#define TRACETOOL_EXT_READER_H

#include <stdbool.h>

#include "filesystem/file_map.h"
#include "filesystem/journal.h"

/* Data to read in addition to the current state. */
struct ext_request {
    bool with_past;                    /* read the history from the journal */
    const struct journal_file *copies; /* copies of the journal; borrowed */
    size_t copy_count;
};

/* Fills the zeroed map. `map->offset` is the position of the file system in the open file. */
bool ext_read(int descriptor, const struct ext_request *request, struct file_map *map,
              struct error *error);

/* Returns whether byte 1024 of these 2048 is a superblock of ext2, ext3 or ext4. */
bool ext_is_present(const unsigned char head[2048]);

/* History from the journal: owners of blocks after each transaction, and names of files.
 *
 * The journal copies whole blocks of the inode table. A version of an inode is valid from the
 * transaction with a copy of its block until the next one: transactions in between did not change
 * it. The same holds for the nodes of its extent tree, which can change independently. Data that
 * neither the journal nor the image proves is marked as doubtful. */

/* Adds the history to a map of the same file system that has the current state. */
bool history_read(const struct journal *journal, struct file_map *map, struct error *error);

#endif
