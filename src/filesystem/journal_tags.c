/* What stands in the transactions of a journal: tags, which name blocks and where their copies lie,
 * and blocks that are revoked. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "filesystem/journal.h"
#include "filesystem/journal_parts.h"
#include "input/bytes.h"

/* Flags of a tag. */
enum { TAG_ESCAPED = 1, TAG_SAME_UUID = 2, TAG_LAST = 8 };

/* The transaction that the block in the buffer, which lies at `at`, is of: it must lie between the
 * commit before it and its own. False: it is an older one's, or taken from another source. */
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

static size_t tag_size(const struct journal *journal) {
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

void journal_unescape(unsigned char *block) {
    static const unsigned char magic[] = {0xC0, 0x3B, 0x39, 0x98};

    memcpy(block, magic, sizeof magic);
}

static bool sum_fits(const struct journal *journal, uint32_t sequence,
                     const struct journal_tag *tag) {
    const unsigned char number[] = {(unsigned char)(sequence >> 24),
                                    (unsigned char)(sequence >> 16), (unsigned char)(sequence >> 8),
                                    (unsigned char)sequence};
    uint32_t sum = ext2fs_crc32c_le(ext2fs_crc32c_le(journal->seed, number, sizeof number),
                                    journal->copy, journal->fs->blocksize);

    return journal->features & JOURNAL_CHECKSUM_3 ? sum == tag->checksum
                                                  : (sum & 0xFFFF) == tag->checksum;
}

bool journal_is_intact(const struct journal *journal, uint32_t source, uint32_t at,
                       uint32_t sequence, const struct journal_tag *tag) {
    if (!journal_read_at(journal, source, at, journal->copy)) {
        return false;
    }
    if (!journal_has_checksums(journal)) {
        return bytes_u32_big(journal->copy) != JOURNAL_MAGIC;
    }
    if (sum_fits(journal, sequence, tag)) {
        return true;
    }
    if ((tag->flags & TAG_ESCAPED) == 0) {
        return false;
    }
    journal_unescape(journal->copy);
    return sum_fits(journal, sequence, tag);
}

static bool add_copy(struct journal *journal, const struct journal_copy *copy,
                     struct error *error) {
    struct journal_copy *copies =
        array_grow(journal->copies, journal->copy_count, &journal->copy_capacity, sizeof *copies);

    journal->copies = copies;
    copies[journal->copy_count++] = *copy;
    return true;
}

struct journal_tags journal_tags_of(const struct journal *journal) {
    bool whole = journal_is_whole(journal, journal->fs->blocksize - JOURNAL_SUM);

    return (struct journal_tags){journal, whole ? JOURNAL_HEADER : 0};
}

bool journal_next_tag(struct journal_tags *tags, struct journal_tag *tag) {
    const struct journal *journal = tags->journal;
    size_t end = journal->fs->blocksize - (journal_has_checksums(journal) ? JOURNAL_SUM : 0),
           size = tag_size(journal);

    if (tags->place == 0 || tags->place + size > end) {
        return false;
    }
    *tag = read_tag(journal, journal->buffer + tags->place);
    tags->place += size + (tag->flags & TAG_SAME_UUID ? 0 : JOURNAL_UUID);
    tags->place = tag->flags & TAG_LAST ? 0 : tags->place;
    return true;
}

/* The copies that the descriptor in the buffer, at `at`, names: one behind the other, and all
 * before the commit. */
static bool read_descriptor(struct journal *journal, uint32_t at, uint32_t transaction,
                            struct error *error) {
    const struct journal_commit *commit = &journal->commits[transaction];
    struct journal_tags tags = journal_tags_of(journal);
    struct journal_tag tag;

    for (uint32_t number = 1; journal_next_tag(&tags, &tag); number++) {
        const struct journal_copy copy = {
            .block = tag.block,
            .transaction = transaction,
            .at = journal_block_behind(journal, at, number),
            .escaped = (tag.flags & TAG_ESCAPED) != 0,
        };

        if (number >= journal_blocks_between(journal, at, commit->at)) {
            return true;
        }
        if (journal_is_intact(journal, commit->source, copy.at, journal->sequence + transaction,
                              &tag) &&
            !add_copy(journal, &copy, error)) {
            return false;
        }
    }
    return true;
}

static bool read_revokes(struct journal *journal, uint32_t transaction, struct error *error) {
    size_t width = journal->features & JOURNAL_64BIT ? 8 : 4,
           end = bytes_u32_big(journal->buffer + JOURNAL_HEADER);

    if (!journal_is_whole(journal, journal->fs->blocksize - JOURNAL_SUM)) {
        return true;
    }
    end = end < journal->fs->blocksize ? end : journal->fs->blocksize;
    for (size_t place = JOURNAL_HEADER + 4; place + width <= end; place += width) {
        struct journal_revoke *revokes = array_grow(journal->revokes, journal->revoke_count,
                                                    &journal->revoke_capacity, sizeof *revokes);

        journal->revokes = revokes;
        revokes[journal->revoke_count++] = (struct journal_revoke){
            .block = width == 8 ? bytes_u64_big(journal->buffer + place)
                                : bytes_u32_big(journal->buffer + place),
            .transaction = transaction,
        };
    }
    return true;
}

static int by_block(const void *left, const void *right) {
    const struct journal_copy *a = left, *b = right;

    if (a->block != b->block) {
        return a->block < b->block ? -1 : 1;
    }
    if (a->transaction != b->transaction) {
        return a->transaction < b->transaction ? -1 : 1;
    }
    return a->at < b->at ? -1 : a->at > b->at;
}

static int by_revoked_block(const void *left, const void *right) {
    const struct journal_revoke *a = left, *b = right;

    if (a->block != b->block) {
        return a->block < b->block ? -1 : 1;
    }
    return a->transaction < b->transaction ? -1 : a->transaction > b->transaction;
}

/* What one source has of the transactions that are taken from it. */
static bool read_source(struct journal *journal, uint32_t source, struct error *error) {
    for (uint32_t at = journal_next_own(journal, source, journal->first); at < journal->length;
         at = journal_next_own(journal, source, at + 1)) {
        uint32_t type = bytes_u32_big(journal->buffer + JOURNAL_TYPE), transaction;

        if ((type != JOURNAL_DESCRIPTOR && type != JOURNAL_REVOKE) ||
            !find_transaction(journal, source, at, &transaction)) {
            continue;
        }
        if (type == JOURNAL_DESCRIPTOR ? !read_descriptor(journal, at, transaction, error)
                                       : !read_revokes(journal, transaction, error)) {
            return false;
        }
    }
    return true;
}

bool journal_read_transactions(struct journal *journal, struct error *error) {
    for (uint32_t source = 0; journal->commit_count > 0 && source <= journal->file_count;
         source++) {
        if (!read_source(journal, source, error)) {
            return false;
        }
    }
    if (journal->copy_count > 0) {
        qsort(journal->copies, journal->copy_count, sizeof *journal->copies, by_block);
    }
    if (journal->revoke_count > 0) {
        qsort(journal->revokes, journal->revoke_count, sizeof *journal->revokes, by_revoked_block);
    }
    return true;
}
