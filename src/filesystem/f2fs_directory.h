/* The entries of F2FS's directories, a block of them or those in an inode. */
#ifndef TRACETOOL_F2FS_DIRECTORY_H
#define TRACETOOL_F2FS_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filesystem/f2fs_volume.h"

/* Borrowed of the block that they lie in. */
struct f2fs_directory {
    const unsigned char *used; /* a bit a slot, the lowest first */
    const unsigned char *entries, *names;
    size_t slots;
};

struct f2fs_entry {
    uint32_t inode, hash;
    const char *name; /* borrowed; of any bytes, never "." nor ".." */
    size_t length;
};

/* What a block of a directory holds. */
struct f2fs_directory f2fs_directory_block(const unsigned char *block);

/* What a directory's inode holds of it; 0 slots: nothing, it has blocks. */
struct f2fs_directory f2fs_directory_inline(const struct f2fs_volume *volume,
                                            const unsigned char *inode);

/* The next entry from a slot on, 0 at first, which becomes that behind it; false: there is none. */
bool f2fs_directory_next(const struct f2fs_directory *directory, size_t *slot,
                         struct f2fs_entry *entry);

#endif
