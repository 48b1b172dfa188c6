/* The journal as blocks: where it is, by its inode and its superblock, and reading them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filesystem/ext_channel.h"
#include "filesystem/journal.h"
#include "filesystem/journal_parts.h"
#include "input/bytes.h"
#include "base/memory.h"

/* Where the superblock has what. */
enum {
    SUPER_BLOCK = 12,    /* bytes of a block */
    SUPER_LENGTH = 16,   /* blocks, without fast commits */
    SUPER_FIRST = 20,    /* block of the log */
    SUPER_TAIL = 24,     /* the first sequence number that is expected */
    SUPER_START = 28,    /* block of that transaction */
    SUPER_FEATURES = 40, /* that must be known */
    SUPER_UUID = 48,
    SUPER_FAST = 0x54, /* blocks of fast commits */
};

#define FAST_BLOCKS 256 /* where the superblock does not say how many */

/* --- reading them --------------------------------------------------------------------------------
 */

bool journal_read_at(const struct journal *journal, uint32_t source, uint32_t at,
                     unsigned char *buffer) {
    uint64_t block = at < journal->length ? journal->blocks[at] : 0;
    size_t size = journal->fs->blocksize;

    if (source > 0) {
        return at < journal->length && pread(journal->files[source - 1].descriptor, buffer, size,
                                             (off_t)((uint64_t)at * size)) == (ssize_t)size;
    }
    return block != 0 && block < ext2fs_blocks_count(journal->fs->super) &&
           io_channel_read_blk64(journal->fs->io, block, 1, buffer) == 0;
}

/* Reads blocks from `at` on ahead that lie one behind the other; at least one, unless it cannot be
 * read. What was never written is passed over: the first block that is to be looked at. */
static uint32_t read_ahead(struct journal *journal, uint32_t source, uint32_t at) {
    uint32_t count = 1, size = journal->fs->blocksize, most = journal->length - at;
    uint64_t block = journal->blocks[at], data;

    journal->ahead_source = source;
    journal->ahead_first = at;
    journal->ahead_count = 0;
    if (source > 0) {
        ssize_t got = pread(journal->files[source - 1].descriptor, journal->ahead,
                            (size_t)(most < JOURNAL_AHEAD ? most : JOURNAL_AHEAD) * size,
                            (off_t)((uint64_t)at * size));

        journal->ahead_count = got < 0 ? 0 : (uint32_t)((size_t)got / size);
        return at;
    }
    while (count < most && journal->blocks[at + count] == block + count) {
        count++;
    }
    data = block == 0 ? block : ext_channel_data(journal->fs, block);
    if (data - block >= count) {
        return at + count;
    }
    at += (uint32_t)(data - block);
    count -= (uint32_t)(data - block);
    count = count < JOURNAL_AHEAD ? count : JOURNAL_AHEAD;
    journal->ahead_first = at;
    if (data != 0 && data < ext2fs_blocks_count(journal->fs->super) &&
        count <= ext2fs_blocks_count(journal->fs->super) - data &&
        io_channel_read_blk64(journal->fs->io, data, (int)count, journal->ahead) == 0) {
        journal->ahead_count = count;
    }
    return at;
}

uint32_t journal_next_own(struct journal *journal, uint32_t source, uint32_t at) {
    size_t size = journal->fs->blocksize;

    while (at < journal->length) {
        const unsigned char *block;

        if (source != journal->ahead_source || at < journal->ahead_first ||
            at - journal->ahead_first >= journal->ahead_count) {
            uint32_t first = read_ahead(journal, source, at);

            if (first > at || journal->ahead_count == 0) {
                at = first > at ? first : at + 1;
                continue;
            }
        }
        block = journal->ahead + (size_t)(at - journal->ahead_first) * size;
        if (bytes_u32_big(block) == JOURNAL_MAGIC) {
            memcpy(journal->buffer, block, size);
            return at;
        }
        at++;
    }
    return at;
}

bool journal_has_checksums(const struct journal *journal) {
    return (journal->features & (JOURNAL_CHECKSUM_2 | JOURNAL_CHECKSUM_3)) != 0;
}

bool journal_is_whole(const struct journal *journal, size_t at) {
    unsigned char *field = journal->buffer + at;
    uint32_t said, found;

    if (!journal_has_checksums(journal)) {
        return true;
    }
    said = bytes_u32_big(field);
    memset(field, 0, JOURNAL_SUM);
    found = ext2fs_crc32c_le(journal->seed, journal->buffer, journal->fs->blocksize);
    return found == said;
}

bool journal_is_block(const struct journal *journal, uint32_t source, uint32_t at, unsigned type) {
    return journal_read_at(journal, source, at, journal->buffer) &&
           bytes_u32_big(journal->buffer) == JOURNAL_MAGIC &&
           bytes_u32_big(journal->buffer + JOURNAL_TYPE) == type;
}

uint32_t journal_blocks_between(const struct journal *journal, uint32_t from, uint32_t to) {
    return to >= from ? to - from : to - from + (journal->length - journal->first);
}

uint32_t journal_block_behind(const struct journal *journal, uint32_t at, uint32_t blocks) {
    uint64_t place = (uint64_t)at + blocks;

    return (uint32_t)(place < journal->length ? place : place - (journal->length - journal->first));
}

/* --- where it is ---------------------------------------------------------------------------------
 */

static int keep_block(ext2_filsys fs, blk64_t *block, e2_blkcnt_t count, blk64_t ref_block,
                      int ref_offset, void *context) {
    struct journal *journal = context;

    (void)fs;
    (void)ref_block;
    (void)ref_offset;
    if (count >= 0 && count < (e2_blkcnt_t)journal->length) {
        journal->blocks[count] = *block;
    }
    return 0;
}

/* Whether the journal's superblock, in the buffer, makes sense; takes what it says. */
static bool take_superblock(struct journal *journal) {
    const unsigned char *super = journal->buffer;
    uint32_t length = bytes_u32_big(super + SUPER_LENGTH), fast;

    if (bytes_u32_big(super) != JOURNAL_MAGIC ||
        bytes_u32_big(super + JOURNAL_TYPE) != JOURNAL_SUPERBLOCK_2 ||
        bytes_u32_big(super + SUPER_BLOCK) != journal->fs->blocksize) {
        return false;
    }
    journal->first = bytes_u32_big(super + SUPER_FIRST);
    journal->tail = bytes_u32_big(super + SUPER_TAIL);
    journal->start = bytes_u32_big(super + SUPER_START);
    journal->features = bytes_u32_big(super + SUPER_FEATURES);
    journal->seed = ext2fs_crc32c_le(~0u, super + SUPER_UUID, JOURNAL_UUID);
    journal->length = length < journal->length ? length : journal->length;
    if (journal->features & JOURNAL_FAST) {
        fast = bytes_u32_big(super + SUPER_FAST);
        fast = fast == 0 ? FAST_BLOCKS : fast;
        journal->fast = fast;
        journal->length = fast < journal->length ? journal->length - fast : 0;
    }
    return journal->first > 0 && journal->first < journal->length;
}

bool journal_find_blocks(struct journal *journal, struct error *error, bool *found) {
    ext2_ino_t number = journal->fs->super->s_journal_inum;
    struct ext2_inode inode;
    uint64_t length;

    *found = false;
    if (!ext2fs_has_feature_journal(journal->fs->super) || number == 0 ||
        ext2fs_read_inode(journal->fs, number, &inode) != 0) {
        return true;
    }
    length = EXT2_I_SIZE(&inode) / journal->fs->blocksize;
    if (length < 2 || length > JOURNAL_MOST_BLOCKS ||
        length > ext2fs_blocks_count(journal->fs->super)) {
        return true;
    }
    journal->length = (uint32_t)length;
    journal->blocks = xcalloc(length, sizeof *journal->blocks);
    *found = ext2fs_block_iterate3(journal->fs, number, BLOCK_FLAG_READ_ONLY, NULL, keep_block,
                                   journal) == 0 &&
             journal_read_at(journal, 0, 0, journal->buffer) && take_superblock(journal);
    return true;
}

/* Places in the journal's superblock that a copy of the journal has, too: how large it is, and
 * whose.
 */
static const struct {
    size_t from, to;
} unchanging[] = {
    {0, JOURNAL_SEQUENCE}, {SUPER_BLOCK, SUPER_TAIL}, {SUPER_UUID, SUPER_UUID + JOURNAL_UUID}};

/* Features that say what its blocks look like; others are switched on when they are first used. */
#define FORMING (JOURNAL_64BIT | JOURNAL_CHECKSUM_2 | JOURNAL_CHECKSUM_3 | JOURNAL_FAST)

/* Whether a file is a copy of this journal, by its superblock. */
static bool check_file(struct journal *journal, uint32_t source, struct error *error) {
    const char *name = journal->files[source - 1].name;
    bool same = journal_read_at(journal, 0, 0, journal->copy);

    if (!journal_read_at(journal, source, 0, journal->buffer) ||
        bytes_u32_big(journal->buffer) != JOURNAL_MAGIC) {
        return error_set(
            error, "%s is not a copy of a journal (debugfs -D makes one: dump <8> FILE)", name);
    }
    same = same &&
           ((bytes_u32_big(journal->buffer + SUPER_FEATURES) ^ journal->features) & FORMING) == 0;
    for (size_t i = 0; same && i < sizeof unchanging / sizeof unchanging[0]; i++) {
        same = memcmp(journal->buffer + unchanging[i].from, journal->copy + unchanging[i].from,
                      unchanging[i].to - unchanging[i].from) == 0;
    }
    return same || error_set(error, "%s is not a copy of this file system's journal", name);
}

bool journal_check_files(struct journal *journal, bool found, struct error *error) {
    if (!found && journal->file_count > 0) {
        return error_set(error, "it has no journal that can be read, which %s could be a copy of",
                         journal->files[0].name);
    }
    for (uint32_t source = 1; source <= journal->file_count; source++) {
        if (!check_file(journal, source, error)) {
            return false;
        }
    }
    return true;
}
