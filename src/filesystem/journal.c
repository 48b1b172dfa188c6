#include "filesystem/journal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/time_unit.h"
#include "filesystem/ext_channel.h"
#include "input/bytes.h"

/* Layout of the header of descriptor, commit and revoke blocks: magic number, type, sequence. */
#define JOURNAL_MAGIC 0xC03B3998u
enum {
    JOURNAL_TYPE = 4,
    JOURNAL_SEQUENCE = 8,
    JOURNAL_HEADER = 12, /* size of a block's header in bytes */
};

enum {
    JOURNAL_DESCRIPTOR = 1,
    JOURNAL_COMMIT = 2,
    JOURNAL_SUPERBLOCK_2 = 4,
    JOURNAL_REVOKE = 5,
};

/* Bits of the incompatible features in the journal's superblock. */
enum {
    JOURNAL_64BIT = 2,
    JOURNAL_CHECKSUM_2 = 8,
    JOURNAL_CHECKSUM_3 = 16,
    JOURNAL_FAST = 32,
};

enum {
    JOURNAL_UUID = 16, /* size of a UUID in bytes */
    JOURNAL_SUM = 4,   /* bytes of the checksum at the end of descriptor and revoke blocks */
};

#define JOURNAL_AHEAD 64u /* maximum blocks that are read at once */

/* A tag in a descriptor block, for a block whose copy follows; copies are in the order of tags. */
struct journal_tag {
    uint64_t block;
    uint32_t flags, checksum;
};

/* Position in the tags of the descriptor block that is in `buffer`. */
struct journal_tags {
    const struct journal *journal;
    size_t place; /* offset of the next tag; 0: no more tags */
};

/* Offsets in the journal's superblock. */
enum {
    SUPER_BLOCK = 12,    /* offset of the block size in bytes */
    SUPER_LENGTH = 16,   /* offset of the size in blocks, which includes fast commits */
    SUPER_FIRST = 20,    /* offset of the number of the log's first block */
    SUPER_TAIL = 24,     /* offset of the sequence number of the oldest transaction to replay */
    SUPER_START = 28,    /* offset of the number of the first block to replay; 0: none */
    SUPER_FEATURES = 40, /* offset of the incompatible features */
    SUPER_UUID = 48,
    SUPER_FAST = 0x54, /* offset of the number of blocks for fast commits */
};

#define FAST_BLOCKS 256 /* default number of blocks for fast commits */

/* --- reading blocks of the journal ------------------------------------------------------------ */

static bool journal_read_at(const struct journal *journal, uint32_t source, uint32_t at,
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

/* Reads consecutive blocks from `at` on into `ahead`: at least one, unless reading fails. Holes are
 * skipped. Returns the first block that was read. */
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
    data = block == 0 ? block : ext_channel_next_data(journal->fs, block);
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

static uint32_t journal_next_own(struct journal *journal, uint32_t source, uint32_t at) {
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

static bool journal_has_checksums(const struct journal *journal) {
    return (journal->features & (JOURNAL_CHECKSUM_2 | JOURNAL_CHECKSUM_3)) != 0;
}

static bool journal_is_whole(const struct journal *journal, size_t at) {
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

static bool journal_is_block(const struct journal *journal, uint32_t source, uint32_t at,
                             unsigned type) {
    return journal_read_at(journal, source, at, journal->buffer) &&
           bytes_u32_big(journal->buffer) == JOURNAL_MAGIC &&
           bytes_u32_big(journal->buffer + JOURNAL_TYPE) == type;
}

static uint32_t journal_blocks_between(const struct journal *journal, uint32_t from, uint32_t to) {
    return to >= from ? to - from : to - from + (journal->length - journal->first);
}

static uint32_t journal_block_after(const struct journal *journal, uint32_t at, uint32_t blocks) {
    uint64_t place = (uint64_t)at + blocks;

    return (uint32_t)(place < journal->length ? place : place - (journal->length - journal->first));
}

/* --- finding the journal and its copies ------------------------------------------------------- */

static int add_journal_block(ext2_filsys fs, blk64_t *block, e2_blkcnt_t count, blk64_t ref_block,
                             int ref_offset, void *context) {
    struct journal *journal = context;

    if (count >= 0 && count < (e2_blkcnt_t)journal->length) {
        journal->blocks[count] = *block;
    }
    return 0;
}

/* Parses the journal's superblock, which is in `buffer`. Returns whether it is valid. */
static bool read_journal_superblock(struct journal *journal) {
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

static bool journal_find_blocks(struct journal *journal) {
    ext2_ino_t number = journal->fs->super->s_journal_inum;
    struct ext2_inode inode;
    uint64_t length;

    if (!ext2fs_has_feature_journal(journal->fs->super) || number == 0 ||
        ext2fs_read_inode(journal->fs, number, &inode) != 0) {
        return false;
    }
    length = EXT2_I_SIZE(&inode) / journal->fs->blocksize;
    if (length < 2 || length > JOURNAL_MOST_BLOCKS ||
        length > ext2fs_blocks_count(journal->fs->super)) {
        return false;
    }
    journal->length = (uint32_t)length;
    journal->blocks = xcalloc(length, sizeof *journal->blocks);
    return ext2fs_block_iterate3(journal->fs, number, BLOCK_FLAG_READ_ONLY, NULL, add_journal_block,
                                 journal) == 0 &&
           journal_read_at(journal, 0, 0, journal->buffer) && read_journal_superblock(journal);
}

/* Ranges of the superblock that are equal in all copies of one journal. */
static const struct {
    size_t from, to;
} unchanging[] = {
    {0, JOURNAL_SEQUENCE}, {SUPER_BLOCK, SUPER_TAIL}, {SUPER_UUID, SUPER_UUID + JOURNAL_UUID}};

/* Features that change the format of blocks, so a copy of this journal must have the same ones.
 * Other features may be switched on when they are first used, so older copies may lack them. */
#define FORMING (JOURNAL_64BIT | JOURNAL_CHECKSUM_2 | JOURNAL_CHECKSUM_3 | JOURNAL_FAST)

/* Checks by its superblock that a file is a copy of this journal. */
static bool journal_check_file(struct journal *journal, uint32_t source, struct error *error) {
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

static bool journal_check_files(struct journal *journal, bool found, struct error *error) {
    if (!found && journal->file_count > 0) {
        return error_set(error, "%s cannot be a copy of its journal: it has none that can be read",
                         journal->files[0].name);
    }
    for (uint32_t source = 1; source <= journal->file_count; source++) {
        if (!journal_check_file(journal, source, error)) {
            return false;
        }
    }
    return true;
}

/* Bits of a tag's flags. */
enum { TAG_ESCAPED = 1, TAG_SAME_UUID = 2, TAG_LAST = 8 };

/* Finds the transaction of block `at`, which is in `buffer`. Returns false if the block does not
 * lie between the previous commit and the commit of its transaction: then it is older, or from
 * another source. */
static bool find_transaction(const struct journal *journal, uint32_t source, uint32_t at,
                             uint32_t *transaction) {
    uint32_t index = bytes_u32_big(journal->buffer + JOURNAL_SEQUENCE) - journal->sequence, before;

    if (index >= journal->commit_count || journal->commits == NULL ||
        journal->commits[index].source != source) {
        return false;
    }
    *transaction = index;
    if (index == 0) {
        return true;
    }
    before = journal->commits[index - 1].at;
    return journal_blocks_between(journal, before, at) <
           journal_blocks_between(journal, before, journal->commits[index].at);
}

static size_t journal_tag_size(const struct journal *journal) {
    if (journal->features & JOURNAL_CHECKSUM_3) {
        return 16;
    }
    return 8 + (journal->features & JOURNAL_64BIT ? 4 : 0) +
           (journal->features & JOURNAL_CHECKSUM_2 ? 2 : 0);
}

static struct journal_tag read_tag(const struct journal *journal, const unsigned char *bytes) {
    bool wide = (journal->features & JOURNAL_64BIT) != 0;
    struct journal_tag tag = {.block = bytes_u32_big(bytes)};

    if (journal->features & JOURNAL_CHECKSUM_3) {
        tag.flags = bytes_u32_big(bytes + 4);
        tag.block |= wide ? (uint64_t)bytes_u32_big(bytes + 8) << 32 : 0;
        tag.checksum = bytes_u32_big(bytes + 12);
    } else {
        tag.checksum = bytes_u16_big(bytes + 4);
        tag.flags = bytes_u16_big(bytes + 6);
        tag.block |= wide ? (uint64_t)bytes_u32_big(bytes + 8) << 32 : 0;
    }
    return tag;
}

static void journal_unescape(unsigned char *block) {
    static const unsigned char magic[] = {0xC0, 0x3B, 0x39, 0x98};

    memcpy(block, magic, sizeof magic);
}

static bool checksum_matches(const struct journal *journal, uint32_t sequence,
                             const struct journal_tag *tag) {
    const unsigned char number[] = {(unsigned char)(sequence >> 24),
                                    (unsigned char)(sequence >> 16), (unsigned char)(sequence >> 8),
                                    (unsigned char)sequence};
    uint32_t sum = ext2fs_crc32c_le(ext2fs_crc32c_le(journal->seed, number, sizeof number),
                                    journal->copy, journal->fs->blocksize);

    return journal->features & JOURNAL_CHECKSUM_3 ? sum == tag->checksum
                                                  : (sum & 0xFFFF) == tag->checksum;
}

static bool journal_is_intact(const struct journal *journal, uint32_t source, uint32_t at,
                              uint32_t sequence, const struct journal_tag *tag) {
    if (!journal_read_at(journal, source, at, journal->copy)) {
        return false;
    }
    if (!journal_has_checksums(journal)) {
        return bytes_u32_big(journal->copy) != JOURNAL_MAGIC;
    }
    if (checksum_matches(journal, sequence, tag)) {
        return true;
    }
    if ((tag->flags & TAG_ESCAPED) == 0) {
        return false;
    }
    journal_unescape(journal->copy);
    return checksum_matches(journal, sequence, tag);
}

static struct journal_tags journal_tags_of(const struct journal *journal) {
    bool whole = journal_is_whole(journal, journal->fs->blocksize - JOURNAL_SUM);

    return (struct journal_tags){journal, whole ? JOURNAL_HEADER : 0};
}

static bool journal_next_tag(struct journal_tags *tags, struct journal_tag *tag) {
    const struct journal *journal = tags->journal;
    size_t end = journal->fs->blocksize - (journal_has_checksums(journal) ? JOURNAL_SUM : 0),
           size = journal_tag_size(journal);

    if (tags->place == 0 || tags->place + size > end) {
        return false;
    }
    *tag = read_tag(journal, journal->buffer + tags->place);
    tags->place += size + (tag->flags & TAG_SAME_UUID ? 0 : JOURNAL_UUID);
    tags->place = tag->flags & TAG_LAST ? 0 : tags->place;
    return true;
}

/* Adds the copied blocks that a descriptor block has tags for. The descriptor, block `at`, is in
 * `buffer`; the copies lie between it and the commit block. */
static void journal_read_descriptor(struct journal *journal, uint32_t at, uint32_t transaction) {
    const struct journal_commit *commit = &journal->commits[transaction];
    struct journal_tags tags = journal_tags_of(journal);
    struct journal_tag tag;

    for (uint32_t number = 1; journal_next_tag(&tags, &tag); number++) {
        const struct journal_copy copy = {
            .block = tag.block,
            .transaction = transaction,
            .at = journal_block_after(journal, at, number),
            .escaped = (tag.flags & TAG_ESCAPED) != 0,
        };

        if (number >= journal_blocks_between(journal, at, commit->at)) {
            return;
        }
        if (journal_is_intact(journal, commit->source, copy.at, journal->sequence + transaction,
                              &tag)) {
            *ARRAY_NEW(journal->copies, journal->copy_count, journal->copy_capacity) = copy;
        }
    }
}

static void read_revokes(struct journal *journal, uint32_t transaction) {
    size_t width = journal->features & JOURNAL_64BIT ? 8 : 4,
           end = bytes_u32_big(journal->buffer + JOURNAL_HEADER);

    if (!journal_is_whole(journal, journal->fs->blocksize - JOURNAL_SUM)) {
        return;
    }
    end = end < journal->fs->blocksize ? end : journal->fs->blocksize;
    for (size_t place = JOURNAL_HEADER + 4; place + width <= end; place += width) {
        *ARRAY_NEW(journal->revokes, journal->revoke_count, journal->revoke_capacity) =
            (struct journal_revoke){
                .block = width == 8 ? bytes_u64_big(journal->buffer + place)
                                    : bytes_u32_big(journal->buffer + place),
                .transaction = transaction,
            };
    }
}

static int by_copied_block(const void *left, const void *right) {
    const struct journal_copy *a = left, *b = right;

    return a->block != b->block               ? ORDER(a->block, b->block)
           : a->transaction != b->transaction ? ORDER(a->transaction, b->transaction)
                                              : ORDER(a->at, b->at);
}

static int by_revoked_block(const void *left, const void *right) {
    const struct journal_revoke *a = left, *b = right;

    return a->block != b->block ? ORDER(a->block, b->block) : ORDER(a->transaction, b->transaction);
}

/* Reads all transactions that one source provides: the journal, or a file with a copy of it. */
static void journal_read_source(struct journal *journal, uint32_t source) {
    for (uint32_t at = journal_next_own(journal, source, journal->first); at < journal->length;
         at = journal_next_own(journal, source, at + 1)) {
        uint32_t type = bytes_u32_big(journal->buffer + JOURNAL_TYPE), transaction;

        if ((type != JOURNAL_DESCRIPTOR && type != JOURNAL_REVOKE) ||
            !find_transaction(journal, source, at, &transaction)) {
            continue;
        }
        if (type == JOURNAL_DESCRIPTOR) {
            journal_read_descriptor(journal, at, transaction);
        } else {
            read_revokes(journal, transaction);
        }
    }
}

/* Offsets of checksum and time in a commit block. */
enum { COMMIT_SUM = 16, COMMIT_SECONDS = 48, COMMIT_NANOSECONDS = 56 };

#define MOST_SECONDS                                                                               \
    INT64_C(8000000000)   /* maximum time of a commit: seconds since 1970, in the year 2223 */
#define SUPER_NEEDED 0x58 /* number of bytes of the superblock that are used */

/* --- finding commit blocks -------------------------------------------------------------------- */

/* A commit block, found in the journal or in a copy of it. */
struct found_commit {
    uint32_t sequence;
    struct journal_commit commit;
};

struct found_commits {
    struct found_commit *items; /* owned */
    size_t count, capacity;
};

static void find_commits(struct journal *journal, uint32_t source, struct found_commits *found) {
    for (uint32_t at = journal_next_own(journal, source, journal->first); at < journal->length;
         at = journal_next_own(journal, source, at + 1)) {
        uint64_t seconds;

        if (bytes_u32_big(journal->buffer + JOURNAL_TYPE) != JOURNAL_COMMIT ||
            !journal_is_whole(journal, COMMIT_SUM)) {
            continue;
        }
        found->items =
            array_grow(found->items, found->count, &found->capacity, sizeof *found->items);
        seconds = bytes_u64_big(journal->buffer + COMMIT_SECONDS);
        found->items[found->count++] = (struct found_commit){
            .sequence = bytes_u32_big(journal->buffer + JOURNAL_SEQUENCE),
            .commit = {.at = at,
                       .source = source,
                       .wall =
                           seconds > 0 && seconds < MOST_SECONDS
                               ? (int64_t)seconds * SECOND +
                                     bytes_u32_big(journal->buffer + COMMIT_NANOSECONDS) % SECOND
                               : 0},
        };
    }
}

static int order_by_sequence(const void *left, const void *right) {
    const struct found_commit *a = left, *b = right;

    return a->sequence != b->sequence ? ORDER(a->sequence, b->sequence)
                                      : ORDER(a->commit.source, b->commit.source);
}

/* Returns the first of `*count` commits with a sequence number: the journal's own one, if any. */
static const struct found_commit *find_commit(const struct found_commits *found, uint32_t sequence,
                                              size_t *count) {
    size_t low = 0, high = found->count;

    SEARCH(low, high, middle, found->items[middle].sequence < sequence);
    for (*count = 0;
         low + *count < found->count && found->items[low + *count].sequence == sequence;) {
        ++*count;
    }
    return found->items + low;
}

/* Returns the sequence number after that of the newest transaction. The superblock has this number
 * if the file system was unmounted; otherwise it has that of the oldest transaction to replay. */
static uint32_t find_end(const struct journal *journal, const struct found_commits *found) {
    uint32_t end = journal->tail, least = UINT32_MAX;

    if (journal->start != 0) {
        size_t count = 0;

        /* Counts up over commits that are in the journal itself. If a copy has a commit with the
         * same number, find_commit() returns the journal's first. */
        for (const struct found_commit *commit = find_commit(found, end, &count);
             count > 0 && commit->commit.source == 0 && end - journal->tail < found->count;
             commit = find_commit(found, end, &count)) {
            end++;
        }
        return end;
    }
    for (size_t i = 0; i < found->count; i++) {
        if (journal->tail - found->items[i].sequence < least) {
            least = journal->tail - found->items[i].sequence;
            end = found->items[i].sequence + 1;
        }
    }
    return end;
}

/* --- choosing the transactions to use --------------------------------------------------------- */

/* Returns the number of blocks, from `at` on, of a descriptor block with the copies after it, or of
 * a revoke block. Returns 0 if they are damaged or belong to another transaction. */
static uint32_t count_intact(const struct journal *journal, const struct found_commit *found,
                             uint32_t at) {
    uint32_t source = found->commit.source, count = 1;
    struct journal_tags tags;
    struct journal_tag tag;

    if (journal_is_block(journal, source, at, JOURNAL_REVOKE)) {
        return bytes_u32_big(journal->buffer + JOURNAL_SEQUENCE) == found->sequence &&
                       journal_is_whole(journal, journal->fs->blocksize - JOURNAL_SUM)
                   ? 1
                   : 0;
    }
    if (!journal_is_block(journal, source, at, JOURNAL_DESCRIPTOR) ||
        bytes_u32_big(journal->buffer + JOURNAL_SEQUENCE) != found->sequence) {
        return 0;
    }
    tags = journal_tags_of(journal);
    if (tags.place == 0) {
        return 0;
    }
    for (; journal_next_tag(&tags, &tag); count++) {
        if (count >= journal_blocks_between(journal, at, found->commit.at) ||
            !journal_is_intact(journal, source, journal_block_after(journal, at, count),
                               found->sequence, &tag)) {
            return 0;
        }
    }
    return count;
}

/* Returns whether all blocks of a transaction, from `at` up to its commit block, are intact. */
static bool is_whole_from(const struct journal *journal, const struct found_commit *found,
                          uint32_t at) {
    while (at != found->commit.at) {
        uint32_t count = count_intact(journal, found, at);

        if (count == 0 || count > journal_blocks_between(journal, at, found->commit.at)) {
            return false;
        }
        at = journal_block_after(journal, at, count);
    }
    return true;
}

/* Returns the commit with a sequence number whose transaction is complete, and sets `*whole`. If no
 * such transaction is complete, returns the first commit with the number; NULL if there is none. A
 * transaction begins after the previous commit, or, if the file system was mounted in between, at
 * the start of the log. */
static const struct found_commit *select_commit(const struct journal *journal,
                                                const struct found_commits *found,
                                                uint32_t sequence, bool *whole) {
    size_t count, before_count;
    const struct found_commit *commits = find_commit(found, sequence, &count),
                              *before = find_commit(found, sequence - 1, &before_count);

    *whole = false;
    for (size_t i = 0, j = 0; before_count > 0 && i < count; i++) {
        while (j + 1 < before_count && before[j].commit.source < commits[i].commit.source) {
            j++; /* advances to the previous commit from the same source, if any */
        }
        *whole = is_whole_from(journal, &commits[i],
                               journal_block_after(journal, before[j].commit.at, 1)) ||
                 is_whole_from(journal, &commits[i], journal->first);
        if (*whole) {
            return &commits[i];
        }
    }
    return count > 0 ? commits : NULL;
}

/* Stores the newest transactions without a gap. The oldest one may be incomplete, as its start may
 * be overwritten. */
static void keep_consecutive(struct journal *journal, const struct found_commits *found) {
    uint32_t end = find_end(journal, found), begin = end;
    const struct found_commit *commit;
    bool whole = true;

    journal->commits = xcalloc(found->count, sizeof *journal->commits);
    while (whole && end - begin < found->count &&
           (commit = select_commit(journal, found, begin - 1, &whole)) != NULL) {
        begin--;
        journal->commits[found->count - (end - begin)] = commit->commit;
    }
    journal->sequence = begin;
    journal->commit_count = end - begin;
    memmove(journal->commits, journal->commits + found->count - journal->commit_count,
            journal->commit_count * sizeof *journal->commits);
}

static void find_transactions(struct journal *journal) {
    struct found_commits found = {0};

    for (uint32_t source = 0; source <= journal->file_count; source++) {
        find_commits(journal, source, &found);
    }
    if (found.count > 0) {
        /* Sorts the commits and drops repeated ones. Two commits from one source with the same
         * number occur only if the source is damaged. */
        struct found_commit *items = found.items;
        size_t kept = 0;

        qsort(items, found.count, sizeof *items, order_by_sequence);
        for (size_t i = 1; i < found.count; i++) {
            if (order_by_sequence(&items[kept], &items[i]) != 0) {
                items[++kept] = items[i];
            }
        }
        found.count = kept + 1;
        keep_consecutive(journal, &found);
    }
    free(found.items);
}

/* One block separates the log from the fast commits. The first fast commit begins with a tag of 4
 * bytes (type "head" and length), a feature mask of zeros, and the sequence number of its
 * transaction, all little-endian. */
bool journal_has_fast_commits(const struct journal *journal) {
    enum { TAG_HEAD = 9, HEAD_SIZE = 8 };
    ext2_filsys fs = journal->fs;
    uint64_t block;

    if (journal->start == 0 || journal->fast < 2 || journal->commit_count == 0) {
        return false;
    }
    block = journal->blocks[journal->length + 1];
    return block != 0 && block < ext2fs_blocks_count(fs->super) &&
           io_channel_read_blk64(fs->io, block, 1, journal->copy) == 0 &&
           bytes_u16_little(journal->copy) == TAG_HEAD &&
           bytes_u16_little(journal->copy + 2) >= HEAD_SIZE &&
           bytes_u32_little(journal->copy + 4) == 0 &&
           bytes_u32_little(journal->copy + 8) ==
               journal->sequence + (uint32_t)journal->commit_count;
}

uint32_t journal_unused_files(const struct journal *journal) {
    uint32_t unused = 0;

    for (uint32_t source = 1; source <= journal->file_count; source++) {
        size_t i = 0;

        while (i < journal->commit_count && journal->commits[i].source != source) {
            i++;
        }
        unused += i == journal->commit_count;
    }
    return unused;
}

uint32_t journal_count_blocks(const struct journal *journal, size_t transaction) {
    return journal_blocks_between(journal, journal->commits[transaction - 1].at,
                                  journal->commits[transaction].at);
}

/* --- functions that journal.h declares -------------------------------------------------------- */

bool journal_read(struct journal *journal, ext2_filsys fs, const struct journal_file *files,
                  size_t file_count, struct error *error) {
    bool found;

    journal->fs = fs;
    journal->files = files;
    journal->file_count = file_count;
    if (fs->blocksize < SUPER_NEEDED) {
        return true;
    }
    journal->buffer = xmalloc(fs->blocksize);
    journal->copy = xmalloc(fs->blocksize);
    journal->ahead = xmalloc((size_t)JOURNAL_AHEAD * fs->blocksize);
    found = journal_find_blocks(journal);
    if (!journal_check_files(journal, found, error)) {
        return false;
    }
    if (found) {
        find_transactions(journal);
        for (uint32_t source = 0; journal->commit_count > 0 && source <= journal->file_count;
             source++) {
            journal_read_source(journal, source);
        }
        sort_items(journal->copies, journal->copy_count, sizeof *journal->copies, by_copied_block);
        if (journal->revoke_count > 0) {
            qsort(journal->revokes, journal->revoke_count, sizeof *journal->revokes,
                  by_revoked_block);
        }
    }
    return true;
}

bool journal_is_revoked(const struct journal *journal, const struct journal_copy *copy) {
    size_t low = 0, high = journal->revoke_count;

    SEARCH(low, high, middle,
           journal->revokes[middle].block < copy->block ||
               (journal->revokes[middle].block == copy->block &&
                journal->revokes[middle].transaction < copy->transaction));
    return low < journal->revoke_count && journal->revokes[low].block == copy->block;
}

size_t journal_find(const struct journal *journal, uint64_t block) {
    size_t low = 0, high = journal->copy_count;

    SEARCH(low, high, middle, journal->copies[middle].block < block);
    return low;
}

bool journal_read_copy(const struct journal *journal, const struct journal_copy *copy,
                       unsigned char *buffer) {
    if (!journal_read_at(journal, journal->commits[copy->transaction].source, copy->at, buffer)) {
        return false;
    }
    if (copy->escaped) {
        journal_unescape(buffer);
    }
    return true;
}

void journal_free(struct journal *journal) {
    free(journal->blocks);
    free(journal->commits);
    free(journal->copies);
    free(journal->revokes);
    free(journal->buffer);
    free(journal->copy);
    free(journal->ahead);
    *journal = (struct journal){0};
}
