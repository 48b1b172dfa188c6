#include "filesystem/f2fs_directory.h"

#include "filesystem/f2fs_node.h"
#include "input/bytes.h"

/* A name takes as many slots as it needs; the first of them is its entry's. */
enum {
    ENTRY = 11,
    ENTRY_INODE = 4,
    ENTRY_LENGTH = 8,
    SLOT = 8,
    BLOCK_SLOTS = 214,
    BLOCK_ENTRIES = 30, /* behind the map of slots, and three bytes */
};

struct f2fs_directory f2fs_directory_block(const unsigned char *block) {
    return (struct f2fs_directory){
        .used = block,
        .entries = block + BLOCK_ENTRIES,
        .names = block + BLOCK_ENTRIES + BLOCK_SLOTS * ENTRY,
        .slots = BLOCK_SLOTS,
    };
}

/* As many slots as there is room for, behind the map of them and what is left over. */
struct f2fs_directory f2fs_directory_inline(const struct f2fs_volume *volume,
                                            const unsigned char *inode) {
    size_t room, slots;
    const unsigned char *first = f2fs_inline_directory(volume, inode, &room);

    slots = 8 * room / (8 * (ENTRY + SLOT) + 1);
    return (struct f2fs_directory){
        .used = first,
        .entries = first + (room - slots * (ENTRY + SLOT)),
        .names = first + (room - slots * SLOT),
        .slots = slots,
    };
}

static bool is_used(const struct f2fs_directory *directory, size_t slot) {
    return (directory->used[slot / 8] >> slot % 8 & 1) != 0;
}

bool f2fs_directory_next(const struct f2fs_directory *directory, size_t *slot,
                         struct f2fs_entry *entry) {
    while (*slot < directory->slots) {
        size_t at = *slot, needed;
        const unsigned char *bytes = directory->entries + at * ENTRY;

        entry->hash = bytes_u32_little(bytes);
        entry->inode = bytes_u32_little(bytes + ENTRY_INODE);
        entry->length = bytes_u16_little(bytes + ENTRY_LENGTH);
        entry->name = (const char *)directory->names + at * SLOT;
        needed = (entry->length + SLOT - 1) / SLOT;
        if (!is_used(directory, at) || entry->length == 0 || entry->length > F2FS_NAME ||
            needed > directory->slots - at) {
            ++*slot;
            continue;
        }
        *slot += needed;
        if (entry->inode != 0 && entry->name[0] == '.' &&
            (entry->length == 1 || (entry->length == 2 && entry->name[1] == '.'))) {
            continue;
        }
        if (entry->inode != 0) {
            return true;
        }
    }
    return false;
}
