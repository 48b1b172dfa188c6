#include "annotate/evidence.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"

/* Number of transactions committed before a time. */
static size_t commits_before(const struct commits *commits, int64_t time) {
    size_t low = 0, high = commits->count;

    SEARCH(low, high, middle, commits->times[middle] < time);
    return low;
}

/* A run of blocks with the same result, as far as known. */
struct run {
    uint64_t first, after;
};

/* Transactions around an I/O: the last one committed before it, and the next two. */
struct around {
    uint32_t before, next, after_next;
    bool after_horizon; /* true: a transaction was committed before the I/O */
};

static struct around find_around(const struct commits *commits, int64_t time) {
    size_t count = commits_before(commits, time), last = commits->count - 1;

    return (struct around){
        .before = count > 0 ? (uint32_t)(count - 1) : 0,
        .next = (uint32_t)(count < last ? count : last),
        .after_next = (uint32_t)(count + 1 < last ? count + 1 : last),
        .after_horizon = count > 0,
    };
}

/* Finds the owner of a block in the first of these states that has one: `*state`. ext4 reuses a
 * freed block only after the transaction that freed it is committed. Data are written before the
 * commit that records them, which may be the second next one. */
static const struct map_past *find_past(const struct file_map *map, const struct around *around,
                                        struct run *run, bool is_write, uint32_t *state) {
    const uint32_t states[] = {around->before, around->next, around->after_next};
    size_t count = is_write ? 3 : 2;

    for (size_t i = around->after_horizon ? 0 : 1; i < count; i++) {
        const struct map_past *past =
            file_map_find_past_run(map, run->first, states[i], &run->after);

        if (past != NULL) {
            *state = states[i];
            return past;
        }
    }
    return NULL;
}

/* Certainty from the images alone: likely; proven if the image before the trace agrees. A file that
 * had the block before and has it after had it in between: another owner would have to free it. If
 * the two differ, the earlier one proves nothing: the block has changed hands. */
static enum io_evidence evidence_of_images(const struct witnesses *witnesses, struct run *run,
                                           const struct map_extent *now) {
    const struct map_extent *then =
        witnesses->before == NULL ? NULL
                                  : file_map_find_run(witnesses->before, run->first, &run->after);
    const struct map_file *file = &witnesses->map->files.items[now->file], *same;

    if (then == NULL || then->file == 0) {
        return IO_EVIDENCE_LIKELY_IMAGE;
    }
    same = &witnesses->before->files.items[then->file];
    return same->inode == file->inode && same->generation == file->generation
               ? IO_EVIDENCE_BOTH_IMAGES
               : IO_EVIDENCE_LIKELY_IMAGE;
}

/* Evidence of the image for blocks that are not in the journal. */
static struct evidence owner_by_image(const struct witnesses *witnesses, struct run *run,
                                      const struct map_extent *now, const struct around *around) {
    uint32_t touched = witnesses->map->files.items[now->file].touched;
    struct evidence evidence = {
        .file = now->file, .class = now->class, .past = true, .then = around->before};

    if (!around->after_horizon || (touched > 0 && touched - 1 > around->after_next)) {
        /* The inode was written later; it may have received the block only then. */
        evidence.word = evidence_of_images(witnesses, run, now);
    } else if (touched == 0) {
        evidence.word = IO_EVIDENCE_IMAGE;
    } else {
        /* The journal has earlier versions of the inode, none of which has the block. */
        evidence = (struct evidence){.word = IO_EVIDENCE_NONE};
    }
    return evidence;
}

static struct evidence owner_by_journal(const struct map_extent *now, const struct map_past *past,
                                        const struct around *around, uint32_t state) {
    struct evidence evidence = {
        .file = past->file, .class = past->class, .past = true, .then = state};

    if (past->doubtful || !around->after_horizon) {
        evidence.word = IO_EVIDENCE_LIKELY_JOURNAL;
    } else if (now == NULL) {
        evidence.word = IO_EVIDENCE_JOURNAL;
    } else {
        evidence.word =
            now->file == past->file ? IO_EVIDENCE_IMAGE : IO_EVIDENCE_JOURNAL_OVER_IMAGE;
    }
    return evidence;
}

/* Evidence of image and journal. */
static struct evidence by_file_system(const struct witnesses *witnesses, struct run *run,
                                      int64_t time, bool is_write) {
    const struct map_extent *now = file_map_find_run(witnesses->map, run->first, &run->after);
    const struct map_past *past;
    struct around around;
    uint32_t state;

    if (now != NULL && (!block_class_moves(now->class) || witnesses->commits->count == 0)) {
        return (struct evidence){
            .file = now->file,
            .class = now->class,
            .word = block_class_moves(now->class) ? evidence_of_images(witnesses, run, now)
                                                  : IO_EVIDENCE_IMAGE,
        };
    }
    if (witnesses->commits->count == 0) {
        return (struct evidence){.word = IO_EVIDENCE_NONE};
    }
    around = find_around(witnesses->commits, time);
    past = find_past(witnesses->map, &around, run, is_write, &state);
    if (past != NULL && (around.after_horizon || now == NULL)) {
        return owner_by_journal(now, past, &around, state);
    }
    return now != NULL ? owner_by_image(witnesses, run, now, &around)
                       : (struct evidence){.word = IO_EVIDENCE_NONE};
}

/* --- evidence of the log ---------------------------------------------------------------------- */

/* Whether image or journal, and the log, mean the same file by an inode. */
static bool evidence_is_same(const struct witnesses *witnesses, const struct evidence *evidence,
                             const struct allocation_owner *owner) {
    const struct file_map *map = witnesses->map;

    if (evidence->file == 0 || map->files.items[evidence->file].inode != owner->inode) {
        return false;
    }
    if (evidence->word < IO_EVIDENCE_LIKELY_IMAGE) {
        return true;
    }
    /* The image's file has the block after its last record; the journal's has it from the horizon
     * on. Otherwise the inode may have been two files, unless known to be one. */
    if (evidence->file < map->live) {
        return owner->until == INT64_MAX || allocations_lives_on(witnesses->log, owner);
    }
    return owner->until > commits_oldest_time(witnesses->commits);
}

/* Whether the inode of a block's owner after the last record is still the same file in the image,
 * as far as known: the image confirms this block, or, if the file no longer has it, another one. */
static bool is_of_image(const struct witnesses *witnesses, uint64_t block,
                        const struct allocation_owner *owner) {
    const struct map_extent *now = file_map_find(witnesses->map, block);

    return (now != NULL && now->file != 0 &&
            witnesses->map->files.items[now->file].inode == owner->inode) ||
           (owner->until != INT64_MAX && allocations_has_inode(witnesses->log, owner->inode));
}

/* Returns the file of the owner's inode: the image's, if known to be the same; otherwise that of a
 * journal that reaches back to the time. `*then`: the transaction of its name. */
static uint32_t evidence_file_of(const struct witnesses *witnesses, uint64_t block,
                                 const struct allocation_owner *owner, int64_t time,
                                 uint32_t *then) {
    const struct commits *commits = witnesses->commits;
    uint32_t live = file_map_inode(witnesses->map, owner->inode);
    bool reached = false;

    *then = 0;
    if (commits->count > 0) {
        struct around known = find_around(commits, owner->since), now = find_around(commits, time);

        *then = now.before > known.next ? now.before : known.next;
        live = file_map_lived(witnesses->map, live, known.after_next) ? live : 0;
        reached = known.after_horizon;
    }
    return live != 0 && allocations_lives_on(witnesses->log, owner) &&
                   (reached || is_of_image(witnesses, block, owner))
               ? live
               : allocations_stranger(witnesses->log, owner->inode);
}

/* The log gives the owner; a source that agrees gives the name. */
static struct evidence owner_by_log(const struct witnesses *witnesses, uint64_t block,
                                    const struct allocation_owner *owner, int64_t time,
                                    const struct evidence *evidence) {
    struct evidence owned = *evidence;

    if (evidence_is_same(witnesses, evidence, owner)) {
        owned.by_log = owned.word >= IO_EVIDENCE_LIKELY_IMAGE;
        owned.word = owned.by_log ? IO_EVIDENCE_IMAGE : owned.word;
        return owned;
    }
    owned = (struct evidence){.word = IO_EVIDENCE_IMAGE, .by_log = true};
    owned.file = evidence_file_of(witnesses, block, owner, time, &owned.then);
    owned.past = owned.file < witnesses->map->live && witnesses->commits->count > 0;
    owned.class = allocations_class(witnesses->log, owner, owned.file);
    return owned;
}

struct evidence evidence_find(const struct witnesses *witnesses, uint64_t block,
                              const struct evidence_io *io, uint64_t *after) {
    struct run run = {block, *after};
    struct evidence evidence = by_file_system(witnesses, &run, io->completed, io->is_write);
    struct allocation_owner owner;

    *after = run.after;
    /* Blocks with a fixed place are never reallocated. */
    if (witnesses->log == NULL || !block_class_moves(evidence.class)) {
        return evidence;
    }
    *after = block + 1; /* the log records each block separately */
    return allocations_find(witnesses->log, block, io->issued, &owner)
               ? owner_by_log(witnesses, block, &owner, io->completed, &evidence)
               : evidence;
}

/* Maximum difference, beyond the smallest one, between device clock and trace for a transaction,
 * since it is written after its timestamp. In ns. */
#define CLOCKS_APART INT64_C(5000000000)

static int by_commit_block(const void *left, const void *right) {
    const struct commit_place *a = left, *b = right;

    return a->block != b->block ? ORDER(a->block, b->block) : ORDER(a->transaction, b->transaction);
}

void commits_open(struct commits *commits, const struct file_map *map) {
    size_t count = map->transaction_count;

    *commits = (struct commits){.map = map, .count = count, .oldest = count};
    commits->places = xmalloc((count + 1) * sizeof *commits->places);
    commits->times = xmalloc((count + 1) * sizeof *commits->times);
    for (size_t i = 0; i < count; i++) {
        commits->places[i] = (struct commit_place){map->transactions[i].commit, (uint32_t)i};
        commits->times[i] = INT64_MIN;
    }
    sort_items(commits->places, count, sizeof *commits->places, by_commit_block);
}

void commits_close(struct commits *commits) {
    free(commits->places);
    free(commits->times);
    *commits = (struct commits){0};
}

/* Returns the newest transaction before the oldest one with a time whose commit is in that block;
 * `count`: none. */
static size_t find_older(const struct commits *commits, uint64_t block) {
    size_t low = 0, high = commits->count;

    SEARCH(low, high, middle,
           commits->places[middle].block < block ||
               (commits->places[middle].block == block &&
                commits->places[middle].transaction < commits->oldest));
    return low > 0 && commits->places[low - 1].block == block ? commits->places[low - 1].transaction
                                                              : commits->count;
}

void commits_record(struct commits *commits, uint64_t last, int64_t time) {
    const struct map_transaction *transactions = commits->map->transactions;
    size_t newer = commits->oldest < commits->count ? commits->oldest : commits->count - 1;
    size_t found = find_older(commits, last);

    /* Two commits are less than the size of the journal apart, so positions are unambiguous. */
    if (found < commits->count &&
        transactions[newer].place - transactions[found].place < commits->map->log_blocks) {
        commits->times[found] = time;
        commits->oldest = found;
    }
}

/* Returns the minimum lead of the device's clock over the trace's; INT64_MAX: unknown. */
static int64_t least_clock_lead(const struct commits *commits) {
    int64_t least = INT64_MAX;

    for (size_t i = 0; i < commits->count; i++) {
        int64_t wall = commits->map->transactions[i].wall;

        if (commits->times[i] != INT64_MIN && wall != 0 && wall - commits->times[i] < least) {
            least = wall - commits->times[i];
        }
    }
    return least;
}

/* A transaction without a write was committed at the latest with the next one; those before all
 * others, before the trace. */
static void fill_gaps(struct commits *commits, size_t end) {
    size_t first = 0;

    while (first < end && commits->times[first] == INT64_MIN) {
        first++;
    }
    for (size_t i = end; i > first; i--) {
        if (commits->times[i - 1] == INT64_MIN) {
            commits->times[i - 1] = i < commits->count ? commits->times[i] : INT64_MAX;
        }
    }
}

void commits_finish(struct commits *commits) {
    int64_t least = least_clock_lead(commits);
    size_t end = 0, known = 0; /* known: after the last one with a time */

    for (; end < commits->count; end++) {
        int64_t wall = commits->map->transactions[end].wall, time = commits->times[end];

        if (time == INT64_MIN) {
            continue;
        }
        if (wall != 0 && wall - time - least > CLOCKS_APART) {
            break;
        }
        known = end + 1;
        commits->timed++;
    }
    for (size_t i = end; i < commits->count; i++) {
        commits->times[i] = INT64_MAX;
    }
    if (commits->timed == 0 || 2 * commits->timed < known - commits->oldest) {
        commits->count = commits->timed = 0;
    }
    fill_gaps(commits, end);
}

int64_t commits_oldest_time(const struct commits *commits) {
    return commits->count > 0 ? commits->times[0] : INT64_MAX;
}
