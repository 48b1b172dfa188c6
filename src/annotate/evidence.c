#include "annotate/evidence.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"

/* Returns the number of journal transactions that were committed before a time. */
static size_t commits_before(const struct commits *commits, int64_t time) {
    size_t low = 0, high = commits->count;

    SEARCH(low, high, middle, commits->times[middle] < time);
    return low;
}

/* Consecutive blocks with the same owner, from `first` to before `after`. */
struct run {
    uint64_t first, after;
};

/* Indices of journal transactions: the last one committed before an I/O, and the next two. */
struct around {
    uint32_t before, next, after_next;
    bool after_horizon; /* true: at least one transaction was committed before the I/O */
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

/* Finds the owner of a block in the journal. Looks at the state after the last transaction before
 * the I/O, else after the next one, else (for writes) after the one after that. `*state`: index of
 * that transaction. ext4 reuses a freed block only after the commit of the transaction that freed
 * it. It writes data before the commit that records them, which may be the second next one. */
static const struct past_owner *find_past(const struct file_map *map, const struct around *around,
                                          struct run *run, bool is_write, uint32_t *state) {
    const uint32_t states[] = {around->before, around->next, around->after_next};
    size_t count = is_write ? 3 : 2;

    for (size_t i = around->after_horizon ? 0 : 1; i < count; i++) {
        const struct past_owner *past =
            file_map_find_past_owner_run(map, run->first, states[i], &run->after);

        if (past != NULL) {
            *state = states[i];
            return past;
        }
    }
    return NULL;
}

/* Returns how certain the owner in the image is. It is certain if the image made before the trace
 * shows the same owner: for another owner in between, the block would have had to be freed and then
 * allocated to the same file again. If the two images differ, the earlier one proves nothing. */
static enum io_evidence evidence_of_images(const struct owner_sources *sources, struct run *run,
                                           const struct map_extent *now) {
    const struct map_extent *then =
        sources->before == NULL ? NULL
                                : file_map_find_run(sources->before, run->first, &run->after);
    const struct map_file *file = &sources->map->files.items[now->file], *same;

    if (then == NULL || then->file == 0) {
        return IO_EVIDENCE_LIKELY_IMAGE;
    }
    same = &sources->before->files.items[then->file];
    return same->inode == file->inode && same->generation == file->generation
               ? IO_EVIDENCE_BOTH_IMAGES
               : IO_EVIDENCE_LIKELY_IMAGE;
}

/* Returns the owner in the file system image, for a block that its journal does not mention. */
static struct evidence owner_by_image(const struct owner_sources *sources, struct run *run,
                                      const struct map_extent *now, const struct around *around) {
    uint32_t touched = sources->map->files.items[now->file].touched;
    struct evidence evidence = {
        .file = now->file, .class = now->class, .past = true, .then = around->before};

    if (!around->after_horizon || (touched > 0 && touched - 1 > around->after_next)) {
        /* The inode was written after the I/O, perhaps because it got the block only then. So only
         * the images tell how certain the owner is. */
        evidence.word = evidence_of_images(sources, run, now);
    } else if (touched == 0) {
        evidence.word = IO_EVIDENCE_IMAGE;
    } else {
        /* Earlier versions of the inode are in the journal, but none has the block: the owner is
         * unknown. */
        evidence = (struct evidence){.word = IO_EVIDENCE_NONE};
    }
    return evidence;
}

static struct evidence owner_by_journal(const struct map_extent *now, const struct past_owner *past,
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

/* Returns the owner of blocks by the file system image and its journal. */
static struct evidence by_file_system(const struct owner_sources *sources, struct run *run,
                                      int64_t time, bool is_write) {
    const struct map_extent *now = file_map_find_run(sources->map, run->first, &run->after);
    const struct past_owner *past;
    struct around around;
    uint32_t state;

    if (now != NULL && (!block_class_is_reusable(now->class) || sources->commits->count == 0)) {
        return (struct evidence){
            .file = now->file,
            .class = now->class,
            .word = block_class_is_reusable(now->class) ? evidence_of_images(sources, run, now)
                                                        : IO_EVIDENCE_IMAGE,
        };
    }
    if (sources->commits->count == 0) {
        return (struct evidence){.word = IO_EVIDENCE_NONE};
    }
    around = find_around(sources->commits, time);
    past = find_past(sources->map, &around, run, is_write, &state);
    if (past != NULL && (around.after_horizon || now == NULL)) {
        return owner_by_journal(now, past, &around, state);
    }
    return now != NULL ? owner_by_image(sources, run, now, &around)
                       : (struct evidence){.word = IO_EVIDENCE_NONE};
}

/* --- finding owners of blocks by the log's records -------------------------------------------- */

/* Returns whether the file found by image or journal has the inode that the log's records name. */
static bool evidence_is_same(const struct owner_sources *sources, const struct evidence *evidence,
                             const struct allocation_owner *owner) {
    const struct file_map *map = sources->map;

    if (evidence->file == 0 || map->files.items[evidence->file].inode != owner->inode) {
        return false;
    }
    if (evidence->word < IO_EVIDENCE_LIKELY_IMAGE) {
        return true;
    }
    /* If the file is in the image, it owned the block if no later record of the block exists, or if
     * its inode was not reused since. A file from the journal owned it if this lasted beyond the
     * journal's oldest commit; before that, the inode may have been another file's. */
    if (evidence->file < map->live) {
        return owner->until == INT64_MAX || allocations_owner_is_current(sources->log, owner);
    }
    return owner->until > commits_oldest_time(sources->commits);
}

/* Returns whether the inode of the block's last owner belongs to the same file in the image. The
 * image must have this block, or another block that the log gave to the inode, in that file. */
static bool is_of_image(const struct owner_sources *sources, uint64_t block,
                        const struct allocation_owner *owner) {
    const struct map_extent *now = file_map_find(sources->map, block);

    return (now != NULL && now->file != 0 &&
            sources->map->files.items[now->file].inode == owner->inode) ||
           (owner->until != INT64_MAX && allocations_has_inode(sources->log, owner->inode));
}

/* Returns the file that had the owner's inode at that time. It is the image's file if the inode was
 * not reused since and the journal or the image confirms it; else a file without a name. Sets
 * `*then` to the transaction for looking up its name. */
static uint32_t evidence_file_of(const struct owner_sources *sources, uint64_t block,
                                 const struct allocation_owner *owner, int64_t time,
                                 uint32_t *then) {
    const struct commits *commits = sources->commits;
    uint32_t live = file_map_find_inode(sources->map, owner->inode);
    bool reached = false;

    *then = 0;
    if (commits->count > 0) {
        struct around known = find_around(commits, owner->since), now = find_around(commits, time);

        *then = now.before > known.next ? now.before : known.next;
        live = file_map_may_have_existed(sources->map, live, known.after_next) ? live : 0;
        reached = known.after_horizon;
    }
    return live != 0 && allocations_owner_is_current(sources->log, owner) &&
                   (reached || is_of_image(sources, block, owner))
               ? live
               : allocations_unnamed_file(sources->log, owner->inode);
}

/* Returns the owner that the log names. Its file name comes from image or journal if they agree
 * with the log. */
static struct evidence owner_by_log(const struct owner_sources *sources, uint64_t block,
                                    const struct allocation_owner *owner, int64_t time,
                                    const struct evidence *evidence) {
    struct evidence owned = *evidence;

    if (evidence_is_same(sources, evidence, owner)) {
        owned.by_log = owned.word >= IO_EVIDENCE_LIKELY_IMAGE;
        owned.word = owned.by_log ? IO_EVIDENCE_IMAGE : owned.word;
        return owned;
    }
    owned = (struct evidence){.word = IO_EVIDENCE_IMAGE, .by_log = true};
    owned.file = evidence_file_of(sources, block, owner, time, &owned.then);
    owned.past = owned.file < sources->map->live && sources->commits->count > 0;
    owned.class = allocations_block_class(sources->log, owner, owned.file);
    return owned;
}

struct evidence find_block_owner(const struct owner_sources *sources, uint64_t block,
                                 const struct evidence_io *io, uint64_t *after) {
    struct run run = {block, *after};
    struct evidence evidence = by_file_system(sources, &run, io->completed, io->is_write);
    struct allocation_owner owner;

    *after = run.after;
    /* Blocks of fixed metadata never change their owner, so the log need not be searched. */
    if (sources->log == NULL || !block_class_is_reusable(evidence.class)) {
        return evidence;
    }
    *after = block + 1; /* the log may have other allocation records for the next block */
    return allocations_find(sources->log, block, io->issued, &owner)
               ? owner_by_log(sources, block, &owner, io->completed, &evidence)
               : evidence;
}

/* Limit in ns of the delay between a commit's time stamp and its write. The offset of the clocks is
 * their smallest difference. */
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

/* Among the transactions older than every one with a known time, returns the newest whose commit is
 * in this block; `count` if there is none. */
static size_t find_older(const struct commits *commits, uint64_t block) {
    size_t low = 0, high = commits->count;

    SEARCH(low, high, middle,
           commits->places[middle].block < block ||
               (commits->places[middle].block == block &&
                commits->places[middle].transaction < commits->oldest));
    return low > 0 && commits->places[low - 1].block == block ? commits->places[low - 1].transaction
                                                              : commits->count;
}

void commits_record_write(struct commits *commits, uint64_t last, int64_t time) {
    const struct map_transaction *transactions = commits->map->transactions;
    size_t newer = commits->oldest < commits->count ? commits->oldest : commits->count - 1;
    size_t found = find_older(commits, last);

    /* The journal is a ring. If the transactions from `found` to `newer` do not fit into it, this
     * write is not the commit of `found`, which was written to this block a round earlier. */
    if (found < commits->count &&
        transactions[newer].place - transactions[found].place < commits->map->log_blocks) {
        commits->times[found] = time;
        commits->oldest = found;
    }
}

/* Returns the smallest difference, device's clock minus trace's; INT64_MAX if unknown. */
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

/* Sets the time of each transaction whose commit is not in the trace to the next transaction's
 * time. Transactions before the first commit in the trace were committed before the trace. */
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

void commits_compute_times(struct commits *commits) {
    int64_t least = least_clock_lead(commits);
    size_t end = 0, known = 0; /* known: index + 1 of the last transaction with a time */

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
