/* What the files of journal.h share: journal.c, which transactions there are and where each is
 * taken from; journal_blocks.c, where the journal is, and reading its blocks; journal_tags.c, what
 * stands in a transaction. `source` is the journal itself (0), or 1 and the index of a copy of it.
 */
#ifndef TRACETOOL_JOURNAL_PARTS_H
#define TRACETOOL_JOURNAL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct journal;

/* The journal's own blocks begin so, and say of which type and which transaction they are. */
#define JOURNAL_MAGIC 0xC03B3998u
enum {
    JOURNAL_TYPE = 4,
    JOURNAL_SEQUENCE = 8,
    JOURNAL_HEADER = 12, /* bytes in all */
};

enum {
    JOURNAL_DESCRIPTOR = 1,
    JOURNAL_COMMIT = 2,
    JOURNAL_SUPERBLOCK_2 = 4,
    JOURNAL_REVOKE = 5,
};

/* Features. */
enum {
    JOURNAL_64BIT = 2,
    JOURNAL_CHECKSUM_2 = 8,
    JOURNAL_CHECKSUM_3 = 16,
    JOURNAL_FAST = 32,
};

enum {
    JOURNAL_UUID = 16, /* bytes */
    JOURNAL_SUM = 4,   /* bytes of a checksum, which descriptors and revokes have at their end */
};

#define JOURNAL_AHEAD 64u /* blocks that are read at once */

/* --- journal_blocks.c --------------------------------------------------------------------------
 */

/* Finds the blocks of the journal and takes what its superblock says. `*found`: there is one that
 * can be read. False without memory. */
bool journal_find_blocks(struct journal *journal, struct error *error, bool *found);

/* Whether the files are copies of this journal; there are none where it was not found. */
bool journal_check_files(struct journal *journal, bool found, struct error *error);

/* Reads block `at` into `buffer`, which has room for one; false where there is none. */
bool journal_read_at(const struct journal *journal, uint32_t source, uint32_t at,
                     unsigned char *buffer);

/* The first block from `at` on that is the journal's own: it is in its buffer then; `length`: there
 * are no more. */
uint32_t journal_next_own(struct journal *journal, uint32_t source, uint32_t at);

/* Whether block `at` is the journal's own, and of that type; it is in the buffer then. */
bool journal_is_block(const struct journal *journal, uint32_t source, uint32_t at, unsigned type);

bool journal_has_checksums(const struct journal *journal);

/* Whether the block in the buffer has the checksum that stands at byte `at` of it, for which it was
 * taken as 0; true where the journal has none. */
bool journal_is_whole(const struct journal *journal, size_t at);

/* How far block `to` is behind block `from`, round the log. */
uint32_t journal_blocks_between(const struct journal *journal, uint32_t from, uint32_t to);

/* The block that is so many behind `at`, round the log. */
uint32_t journal_block_behind(const struct journal *journal, uint32_t at, uint32_t blocks);

/* --- journal_tags.c ----------------------------------------------------------------------------
 */

/* A tag of a descriptor: a block and where its copy lies. */
struct journal_tag {
    uint64_t block;
    uint32_t flags, checksum;
};

/* The tags of the descriptor in the buffer, one after another. */
struct journal_tags {
    const struct journal *journal;
    size_t place; /* 0: there are no more */
};

/* Those of the block that is in the buffer; none where it is not whole. */
struct journal_tags journal_tags_of(const struct journal *journal);

/* False: there are no more. */
bool journal_next_tag(struct journal_tags *tags, struct journal_tag *tag);

/* Whether the copy at `at` is still the one that was written with the transaction of that number.
 * Checksums are of the block as it is in the journal, or as it was before. */
bool journal_is_intact(const struct journal *journal, uint32_t source, uint32_t at,
                       uint32_t sequence, const struct journal_tag *tag);

/* Puts back the magic number that a block began with. */
void journal_unescape(unsigned char *block);

/* Reads copies and revocations of the transactions in `commits`. */
bool journal_read_transactions(struct journal *journal, struct error *error);

#endif
