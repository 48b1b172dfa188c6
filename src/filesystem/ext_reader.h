/* Reads ext2, ext3 and ext4 with libext2fs, which is made for repairing images, not for malicious
 * ones. Therefore it runs in a process of its own (image.c). */
#ifndef TRACETOOL_EXT_READER_H
#define TRACETOOL_EXT_READER_H

#include <stdbool.h>

#include "filesystem/file_map.h"
#include "filesystem/journal.h"

/* What to read besides the current state. */
struct ext_request {
    bool with_past;                    /* true: also earlier states, from the journal */
    const struct journal_file *copies; /* files with earlier copies of the journal; borrowed */
    size_t copy_count;
};

/* Reads which blocks belong to which files into the zeroed map. `map->offset`: position of the file
 * system in the open file. */
bool ext_read(int descriptor, const struct ext_request *request, struct file_map *map,
              struct error *error);

/* Returns whether a superblock of ext2, ext3 or ext4 is at byte 1024 of these 2048 bytes. */
bool ext_is_present(const unsigned char head[2048]);

/* Earlier states, from the journal: which file owned a block after each transaction, and names.
 *
 * The journal has copies of whole blocks of the inode table. Such a copy of an inode is valid from
 * its transaction until the next one with a copy of the same block: transactions in between did not
 * change the inode. The same is true for the nodes of its extent tree, which can change at other
 * times. What neither the journal nor the image proves is marked as doubtful. */

/* Adds earlier states to a map of the same file system that has the current state. */
bool history_add_to_map(const struct journal *journal, struct file_map *map, struct error *error);

#endif
