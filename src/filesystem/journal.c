#include "filesystem/journal.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/time_unit.h"
#include "filesystem/journal_parts.h"
#include "input/bytes.h"

/* Where a commit block has what. */
enum { COMMIT_SUM = 16, COMMIT_SECONDS = 48, COMMIT_NANOSECONDS = 56 };

#define MOST_SECONDS INT64_C(8000000000) /* since 1970: the year 2223; what is later is no time */
#define SUPER_NEEDED 0x58                /* bytes of the superblock that are looked at */

/* --- which transactions there are ----------------------------------------------------------------
 */

/* A commit block that was found. */
struct found_commit {
    uint32_t sequence;
    struct journal_commit commit;
};

struct found_commits {
    struct found_commit *items; /* owned */
    size_t count, capacity;
};

static bool find_commits(struct journal *journal, uint32_t source, struct found_commits *found,
                         struct error *error) {
    for (uint32_t at = journal_next_own(journal, source, journal->first); at < journal->length;
         at = journal_next_own(journal, source, at + 1)) {
        struct found_commit *items;
        uint64_t seconds;

        if (bytes_u32_big(journal->buffer + JOURNAL_TYPE) != JOURNAL_COMMIT ||
            !journal_is_whole(journal, COMMIT_SUM)) {
            continue;
        }
        items = array_grow(found->items, found->count, &found->capacity, sizeof *items);
        found->items = items;
        seconds = bytes_u64_big(journal->buffer + COMMIT_SECONDS);
        items[found->count++] = (struct found_commit){
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
    return true;
}

static int by_sequence(const void *left, const void *right) {
    const struct found_commit *a = left, *b = right;

    if (a->sequence != b->sequence) {
        return a->sequence < b->sequence ? -1 : 1;
    }
    return a->commit.source < b->commit.source ? -1 : a->commit.source > b->commit.source;
}

/* Puts the commits in order. In one source there is one of a number, unless it is damaged. */
static void sort_commits(struct found_commits *found) {
    struct found_commit *items = found->items;
    size_t kept = 0;

    qsort(items, found->count, sizeof *items, by_sequence);
    for (size_t i = 1; i < found->count; i++) {
        if (by_sequence(&items[kept], &items[i]) != 0) {
            items[++kept] = items[i];
        }
    }
    found->count = kept + 1;
}

/* The commits of that number: the first of `*count`, that of the journal itself before those of its
 * copies. */
static const struct found_commit *find_commit(const struct found_commits *found, uint32_t sequence,
                                              size_t *count) {
    size_t low = 0, high = found->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (found->items[middle].sequence < sequence) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (*count = 0;
         low + *count < found->count && found->items[low + *count].sequence == sequence;) {
        ++*count;
    }
    return found->items + low;
}

/* Whether the journal itself has the commit of that number. */
static bool has_commit(const struct found_commits *found, uint32_t sequence) {
    size_t count;
    const struct found_commit *commit = find_commit(found, sequence, &count);

    return count > 0 && commit->commit.source == 0;
}

/* The number behind that of the newest transaction. The superblock has a number beyond the last of
 * a file system that was unmounted, and the first that must be written back of one that was not. */
static uint32_t find_end(const struct journal *journal, const struct found_commits *found) {
    uint32_t end = journal->tail, least = UINT32_MAX;

    if (journal->start != 0) {
        while (has_commit(found, end) && end - journal->tail < found->count) {
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

/* --- which of them are taken, and from where -----------------------------------------------------
 */

/* How many blocks a block at `at` and what it names take up, when it is a transaction's and all of
 * it is intact; else 0. */
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
            !journal_is_intact(journal, source, journal_block_behind(journal, at, count),
                               found->sequence, &tag)) {
            return 0;
        }
    }
    return count;
}

/* Whether a transaction that begins there is whole up to its commit. */
static bool is_whole_from(const struct journal *journal, const struct found_commit *found,
                          uint32_t at) {
    while (at != found->commit.at) {
        uint32_t count = count_intact(journal, found, at);

        if (count == 0 || count > journal_blocks_between(journal, at, found->commit.at)) {
            return false;
        }
        at = journal_block_behind(journal, at, count);
    }
    return true;
}

/* The commit of that number whose transaction is whole: `*whole`; else the first one; NULL: there
 * is none. A transaction begins behind the commit before it, or, where the file system was mounted
 * in between, where the log begins. */
static const struct found_commit *choose_commit(const struct journal *journal,
                                                const struct found_commits *found,
                                                uint32_t sequence, bool *whole) {
    size_t count, before_count;
    const struct found_commit *commits = find_commit(found, sequence, &count),
                              *before = find_commit(found, sequence - 1, &before_count);

    *whole = false;
    for (size_t i = 0, j = 0; before_count > 0 && i < count; i++) {
        while (j + 1 < before_count && before[j].commit.source < commits[i].commit.source) {
            j++; /* of the same source, where that has it */
        }
        *whole = is_whole_from(journal, &commits[i],
                               journal_block_behind(journal, before[j].commit.at, 1)) ||
                 is_whole_from(journal, &commits[i], journal->first);
        if (*whole) {
            return &commits[i];
        }
    }
    return count > 0 ? commits : NULL;
}

/* The newest transactions without a gap. Of the oldest one a part may be written over. */
static bool keep_run(struct journal *journal, const struct found_commits *found,
                     struct error *error) {
    uint32_t end = find_end(journal, found), begin = end;
    const struct found_commit *commit;
    bool whole = true;

    journal->commits = xcalloc(found->count, sizeof *journal->commits);
    while (whole && end - begin < found->count &&
           (commit = choose_commit(journal, found, begin - 1, &whole)) != NULL) {
        begin--;
        journal->commits[found->count - (end - begin)] = commit->commit;
    }
    journal->sequence = begin;
    journal->commit_count = end - begin;
    memmove(journal->commits, journal->commits + found->count - journal->commit_count,
            journal->commit_count * sizeof *journal->commits);
    return true;
}

static bool find_transactions(struct journal *journal, struct error *error) {
    struct found_commits found = {0};
    bool done = true;

    for (uint32_t source = 0; done && source <= journal->file_count; source++) {
        done = find_commits(journal, source, &found, error);
    }
    if (done && found.count > 0) {
        sort_commits(&found);
        done = keep_run(journal, &found, error);
    }
    free(found.items);
    return done;
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

uint32_t journal_distance(const struct journal *journal, size_t transaction) {
    return journal_blocks_between(journal, journal->commits[transaction - 1].at,
                                  journal->commits[transaction].at);
}

/* --- the whole -----------------------------------------------------------------------------------
 */

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
    return journal_find_blocks(journal, error, &found) &&
           journal_check_files(journal, found, error) &&
           (!found ||
            (find_transactions(journal, error) && journal_read_transactions(journal, error)));
}

bool journal_is_revoked(const struct journal *journal, const struct journal_copy *copy) {
    size_t low = 0, high = journal->revoke_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct journal_revoke *revoke = &journal->revokes[middle];

        if (revoke->block < copy->block ||
            (revoke->block == copy->block && revoke->transaction < copy->transaction)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < journal->revoke_count && journal->revokes[low].block == copy->block;
}

size_t journal_find(const struct journal *journal, uint64_t block) {
    size_t low = 0, high = journal->copy_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (journal->copies[middle].block < block) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
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
