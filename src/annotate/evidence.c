#include "annotate/evidence.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/search.h"
#include "store/trace_tables.h"

/* Owners of blocks from the log's allocation events: the table `allocation`.
 *
 *     allocations_read()    reads the table for a trace
 *     allocations_sort()    sorts the records by block
 *     allocations_find()    returns the owner of a block at a time
 *
 * An owner is known from the time a block was allocated to a file until it is freed or allocated to
 * another. It is also known before a block's first record, if that names the owner until then,
 * because every allocation has a record. If records are missing in between, it is unknown.
 */

/* --- adding -------------------------------------------------------------------------------------
 */

/* Joins simultaneous losses of several CPUs to one gap. */
static void allocations_add_loss(struct allocations *all, const struct allocation *loss) {
    if (loss->what == ALLOCATION_REGAINED) {
        all->losing -= all->losing > 0;
        if (all->losing == 0 && all->gap_count > 0) {
            all->gaps[all->gap_count - 1].to = loss->time;
        }
    } else if (all->losing++ == 0) {
        *ARRAY_NEW(all->gaps, all->gap_count, all->gap_capacity) =
            (struct allocation_gap){loss->time, INT64_MAX};
    }
}

static unsigned allocations_class_of(int64_t mode) {
    if (mode != EVENT_NONE && S_ISDIR((mode_t)mode)) {
        return BLOCK_DIRECTORY;
    }
    return mode != EVENT_NONE && S_ISLNK((mode_t)mode) ? BLOCK_SYMLINK : BLOCK_DATA;
}

static void allocations_add_life(struct allocations *all, const struct allocation *life) {
    *ARRAY_NEW(all->lives, all->life_count, all->life_capacity) = (struct allocation_life){
        .time = life->time,
        .inode = (uint32_t)life->inode,
        .begins = life->what == ALLOCATION_CREATED,
        .class = allocations_class_of(life->mode),
    };
}

struct reading {
    struct allocations *all;
    const struct file_map *map;
};

/* Adds a record, no earlier than those before it. Ignores records outside the map. */
static bool allocations_add(void *context, const struct allocation *allocation,
                            struct error *error) {
    const struct reading *reading = context;
    struct allocations *all = reading->all;
    const struct file_map *map = reading->map;
    uint64_t count = (uint64_t)allocation->count, block = (uint64_t)allocation->block;
    bool given = allocation->what == ALLOCATION_DATA || allocation->what == ALLOCATION_METADATA;

    if (all->record_count + all->life_count + all->gap_count >= ALLOCATIONS_MOST) {
        all->too_many = true;
        return true;
    }
    if (allocation->what >= ALLOCATION_LOST) {
        allocations_add_loss(all, allocation);
        return true;
    }
    if (allocation->what >= ALLOCATION_CREATED) {
        allocations_add_life(all, allocation);
        return true;
    }
    count *= given && map->cluster > 1 ? map->cluster : 1;
    if (count == 0 || block >= map->blocks || count > map->blocks - block) {
        return true;
    }
    all->records =
        array_grow(all->records, all->record_count, &all->record_capacity, sizeof *all->records);
    all->whole |= given;
    all->records[all->record_count++] = (struct allocation_record){
        .time = allocation->time,
        .block = block,
        .end = block + count,
        .inode = (uint32_t)allocation->inode,
        .what = (uint8_t)allocation->what,
    };
    return true;
}

bool allocations_read(struct allocations *all, const struct file_map *map,
                      struct database *database, int64_t trace, const int64_t devices[2],
                      struct error *error) {
    struct reading reading = {all, map};

    return allocation_table_read(database, trace, devices, allocations_add, &reading, error);
}

/* --- sorting by block ------------------------------------------------------------------------- */

/* The beginning or end of a record's blocks. */
struct edge {
    uint64_t block;
    uint32_t record;
    bool begins;
};

static int by_block(const void *left, const void *right) {
    const struct edge *a = left, *b = right;

    return ORDER(a->block, b->block);
}

/* Records of the sweep's current block, unordered. */
struct active {
    uint32_t *items;  /* owned */
    uint32_t *places; /* owned; position of each record in `items` */
    size_t count;
};

static void move_edge(struct active *active, const struct edge *edge) {
    if (edge->begins) {
        active->places[edge->record] = (uint32_t)active->count;
        active->items[active->count++] = edge->record;
    } else {
        uint32_t last = active->items[--active->count], place = active->places[edge->record];

        active->items[place] = last;
        active->places[last] = place;
    }
}

/* Adds a cut with the active records from a block on. False if there are too many in all. */
static bool add_snapshot(struct allocations *all, const struct active *active, uint64_t block) {
    if (all->piece_count + active->count > ALLOCATIONS_MOST_PIECES) {
        all->too_many = true;
        return false;
    }
    *ARRAY_NEW(all->cuts, all->cut_count, all->cut_capacity) =
        (struct allocation_cut){block, all->piece_count};
    for (size_t i = 0; i < active->count; i++) {
        *ARRAY_NEW(all->pieces, all->piece_count, all->piece_capacity) = active->items[i];
    }
    if (active->count > 1) {
        qsort(all->pieces + all->piece_count - active->count, active->count, sizeof *all->pieces,
              compare_uint32);
    }
    return true;
}

static bool sweep(struct allocations *all, struct edge *edges, struct active *active) {
    size_t count = 2 * all->record_count;

    for (size_t i = 0; i < all->record_count; i++) {
        edges[2 * i] = (struct edge){all->records[i].block, (uint32_t)i, true};
        edges[2 * i + 1] = (struct edge){all->records[i].end, (uint32_t)i, false};
    }
    qsort(edges, count, sizeof *edges, by_block);
    for (size_t i = 0; i < count;) {
        uint64_t block = edges[i].block;

        while (i < count && edges[i].block == block) {
            move_edge(active, &edges[i++]);
        }
        if (!add_snapshot(all, active, block)) {
            return false;
        }
    }
    return true;
}

static bool make_cuts(struct allocations *all) {
    struct edge *edges = xmalloc((2 * all->record_count + 1) * sizeof *edges);
    struct active active = {
        .items = xcalloc(all->record_count + 1, sizeof *active.items),
        .places = xcalloc(all->record_count + 1, sizeof *active.places),
    };
    bool done = sweep(all, edges, &active);

    free(edges);
    free(active.items);
    free(active.places);
    return done;
}

/* --- inodes -------------------------------------------------------------------------------------
 */

static int allocations_by_inode(const void *left, const void *right) {
    const struct allocation_life *a = left, *b = right;

    if (a->inode != b->inode) {
        return ORDER(a->inode, b->inode);
    }
    return ORDER(a->time, b->time);
}

static bool make_strangers(struct allocations *all, struct file_map *map, struct error *error) {
    size_t kept = 0;

    all->inodes = xmalloc((all->record_count + 1) * sizeof *all->inodes);
    for (size_t i = 0; i < all->record_count; i++) {
        all->inodes[i] = all->records[i].inode;
    }
    qsort(all->inodes, all->record_count, sizeof *all->inodes, compare_uint32);
    for (size_t i = 0; i < all->record_count; i++) {
        if (all->inodes[i] != 0 && (kept == 0 || all->inodes[i] != all->inodes[kept - 1])) {
            all->inodes[kept++] = all->inodes[i];
        }
    }
    all->inode_count = kept;
    return file_map_add_strangers(map, all->inodes, kept, &all->strangers, error);
}

/* Finds the classes of the image's file blocks, for blocks without a record. */
static void make_classes(struct allocations *all, const struct file_map *map) {
    all->classes = xcalloc(map->live + 1, 1);
    for (size_t i = 0; i < map->extents.count; i++) {
        const struct map_extent *extent = &map->extents.items[i];

        if (extent->class == BLOCK_DIRECTORY || extent->class == BLOCK_SYMLINK) {
            all->classes[extent->file] = extent->class;
        }
    }
}

/* --- lookup ----------------------------------------------------------------------------------- */

/* Whether records are missing between two times. */
static bool is_missing(const struct allocations *all, int64_t from, int64_t to) {
    size_t low = 0, high = all->gap_count;

    SEARCH(low, high, middle, all->gaps[middle].to <= from);
    return low < all->gap_count && all->gaps[low].from < to;
}

/* Returns the records of a block in time order. */
static const uint32_t *allocations_find_pieces(const struct allocations *all, uint64_t block,
                                               size_t *count) {
    size_t low = 0, high = all->cut_count;

    SEARCH(low, high, middle, all->cuts[middle].block <= block);
    if (low == 0 || low == all->cut_count) {
        *count = 0;
        return NULL;
    }
    *count = all->cuts[low].first - all->cuts[low - 1].first;
    return all->pieces + all->cuts[low - 1].first;
}

/* Whether a record names the owner after it … */
static bool tells_after(const struct allocation_record *record) {
    return record->what <= ALLOCATION_HELD && record->inode != 0;
}

/* … or before it. */
static bool tells_before(const struct allocation_record *record) {
    return (record->what == ALLOCATION_HELD || record->what == ALLOCATION_FREED) &&
           record->inode != 0;
}

/* --- agreement with the image ----------------------------------------------------------------- */

static const uint32_t *find_inode(const struct allocations *all, uint32_t inode) {
    return bsearch(&inode, all->inodes, all->inode_count, sizeof inode, compare_uint32);
}

/* Returns the owner of a cut's blocks after the last record; 0: unknown or none. */
static uint32_t last_owner(const struct allocations *all, size_t cut) {
    size_t behind = all->cuts[cut + 1].first;
    const struct allocation_record *last;

    if (all->cuts[cut].first == behind) {
        return 0;
    }
    last = &all->records[all->pieces[behind - 1]];
    return tells_after(last) && !is_missing(all, last->time, INT64_MAX) ? last->inode : 0;
}

/* Walks cuts and the image's extents together, both in order of block. */
static void find_kept_files(struct allocations *all) {
    const struct file_map *map = all->map;
    size_t at = 0;

    all->kept = xcalloc(all->inode_count + 1, sizeof *all->kept);
    for (size_t cut = 0; cut + 1 < all->cut_count; cut++) {
        uint64_t end = all->cuts[cut + 1].block;
        uint32_t inode = last_owner(all, cut);

        while (at < map->extents.count &&
               map->extents.items[at].start + map->extents.items[at].length <=
                   all->cuts[cut].block) {
            at++;
        }
        for (size_t i = at;
             inode != 0 && i < map->extents.count && map->extents.items[i].start < end; i++) {
            const struct map_file *file = &map->files.items[map->extents.items[i].file];

            if (map->extents.items[i].file != 0 && file->inode == inode) {
                all->kept[find_inode(all, inode) - all->inodes] = true;
            }
        }
    }
}

bool allocations_sort(struct allocations *all, struct file_map *map, struct error *error) {
    all->map = map;
    if (all->life_count > 0) {
        qsort(all->lives, all->life_count, sizeof *all->lives, allocations_by_inode);
    }
    if (all->too_many || !make_cuts(all)) {
        allocations_free(all);
        *all = (struct allocations){.map = map, .too_many = true};
        return true;
    }
    make_classes(all, map);
    if (!make_strangers(all, map, error)) {
        return false;
    }
    find_kept_files(all);
    return true;
}

bool allocations_find(const struct allocations *all, uint64_t block, int64_t time,
                      struct allocation_owner *owner) {
    size_t count, low = 0, high;
    const uint32_t *pieces = allocations_find_pieces(all, block, &count);
    const struct allocation_record *last, *next;

    high = count;
    SEARCH(low, high, middle, all->records[pieces[middle]].time <= time);
    last = low > 0 ? &all->records[pieces[low - 1]] : NULL;
    next = low < count ? &all->records[pieces[low]] : NULL;
    if (!all->whole) {
        return false;
    }
    *owner = (struct allocation_owner){.until = next == NULL ? INT64_MAX : next->time};
    if (last != NULL && !is_missing(all, last->time, time)) {
        owner->inode = last->inode;
        owner->since = last->time;
        owner->content = last->what != ALLOCATION_METADATA;
        return tells_after(last);
    }
    if (next == NULL || !tells_before(next) || is_missing(all, time, next->time)) {
        return false;
    }
    owner->inode = next->inode;
    owner->since = time;
    owner->content = true;
    return true;
}

/* Finds the first life of an inode that begins or ends after a time. */
static size_t life_behind(const struct allocations *all, uint32_t inode, int64_t time) {
    size_t low = 0, high = all->life_count;

    SEARCH(low, high, middle,
           all->lives[middle].inode < inode ||
               (all->lives[middle].inode == inode && all->lives[middle].time <= time));
    return low;
}

/* Whether the owner's file still has the inode after the last record. The image may differ, since
 * events after the log are unknown. */
static bool allocations_lives_on(const struct allocations *all,
                                 const struct allocation_owner *owner) {
    size_t behind = life_behind(all, owner->inode, owner->since);

    return all->life_count > 0 && !is_missing(all, owner->since, INT64_MAX) &&
           (behind == all->life_count || all->lives[behind].inode != owner->inode);
}

/* Whether the image's file with an inode has a block that belonged to that inode after the last
 * record. */
static bool allocations_has_inode(const struct allocations *all, uint32_t inode) {
    const uint32_t *found = find_inode(all, inode);

    return found != NULL && all->kept[found - all->inodes];
}

/* Returns the nameless file of the map that stands for an inode in records, whichever file it was.
 */
static uint32_t allocations_stranger(const struct allocations *all, uint32_t inode) {
    const uint32_t *found = find_inode(all, inode);

    return found == NULL ? 0 : all->strangers + (uint32_t)(found - all->inodes);
}

/* Returns enum block_class of a block with that owner, which is the given file of the map. */
static unsigned allocations_class(const struct allocations *all,
                                  const struct allocation_owner *owner, uint32_t file) {
    size_t behind = life_behind(all, owner->inode, owner->since);
    unsigned class = file < all->map->live ? all->classes[file] : BLOCK_DATA;

    if (behind > 0 && all->lives[behind - 1].inode == owner->inode) {
        class = all->lives[behind - 1].class;
    }
    if (class == BLOCK_DIRECTORY || class == BLOCK_SYMLINK) {
        return class;
    }
    return owner->content ? BLOCK_DATA : BLOCK_TREE;
}

void allocations_free(struct allocations *all) {
    free(all->records);
    free(all->lives);
    free(all->gaps);
    free(all->cuts);
    free(all->pieces);
    free(all->inodes);
    free(all->kept);
    free(all->classes);
    *all = (struct allocations){0};
}

/* Number of transactions committed before a time. */
static size_t commits_before(const struct commits *commits, int64_t time) {
    size_t low = 0, high = commits->count;

    SEARCH(low, high, middle, commits->times[middle] < time);
    return low;
}

/* A run of blocks with the same result, as far as known. */
struct run {
    uint64_t first, behind;
};

/* Transactions around an I/O: the last one committed before it, and the next two. */
struct around {
    uint32_t before, next, after_next;
    bool behind_horizon; /* a transaction was committed before it */
};

static struct around find_around(const struct commits *commits, int64_t time) {
    size_t count = commits_before(commits, time), last = commits->count - 1;

    return (struct around){
        .before = count > 0 ? (uint32_t)(count - 1) : 0,
        .next = (uint32_t)(count < last ? count : last),
        .after_next = (uint32_t)(count + 1 < last ? count + 1 : last),
        .behind_horizon = count > 0,
    };
}

/* Finds the owner of a block in the first of these states that has one: `*state`. ext4 reuses a
 * freed block only after the transaction that freed it is committed. Data are written before the
 * commit that records them, which may be the second next one. */
static const struct map_past *find_past(const struct file_map *map, const struct around *around,
                                        struct run *run, bool is_write, uint32_t *state) {
    const uint32_t states[] = {around->before, around->next, around->after_next};
    size_t count = is_write ? 3 : 2;

    for (size_t i = around->behind_horizon ? 0 : 1; i < count; i++) {
        const struct map_past *past =
            file_map_find_past_run(map, run->first, states[i], &run->behind);

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
                                  : file_map_find_run(witnesses->before, run->first, &run->behind);
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
static struct evidence by_image(const struct witnesses *witnesses, struct run *run,
                                const struct map_extent *now, const struct around *around) {
    uint32_t touched = witnesses->map->files.items[now->file].touched;
    struct evidence evidence = {
        .file = now->file, .class = now->class, .past = true, .then = around->before};

    if (!around->behind_horizon || (touched > 0 && touched - 1 > around->after_next)) {
        /* Its inode was written only later, when it may have got the block. */
        evidence.word = evidence_of_images(witnesses, run, now);
    } else if (touched == 0) {
        evidence.word = IO_EVIDENCE_IMAGE;
    } else {
        /* The journal has earlier versions of the inode, without the block. */
        evidence = (struct evidence){.word = IO_EVIDENCE_NONE};
    }
    return evidence;
}

static struct evidence by_journal(const struct map_extent *now, const struct map_past *past,
                                  const struct around *around, uint32_t state) {
    struct evidence evidence = {
        .file = past->file, .class = past->class, .past = true, .then = state};

    if (past->doubtful || !around->behind_horizon) {
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
    const struct map_extent *now = file_map_find_run(witnesses->map, run->first, &run->behind);
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
    if (past != NULL && (around.behind_horizon || now == NULL)) {
        return by_journal(now, past, &around, state);
    }
    return now != NULL ? by_image(witnesses, run, now, &around)
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
    return owner->until > commits_horizon(witnesses->commits);
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
        reached = known.behind_horizon;
    }
    return live != 0 && allocations_lives_on(witnesses->log, owner) &&
                   (reached || is_of_image(witnesses, block, owner))
               ? live
               : allocations_stranger(witnesses->log, owner->inode);
}

/* The log gives the owner; a source that agrees gives the name. */
static struct evidence by_log(const struct witnesses *witnesses, uint64_t block,
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
                              const struct evidence_io *io, uint64_t *behind) {
    struct run run = {block, *behind};
    struct evidence evidence = by_file_system(witnesses, &run, io->completed, io->is_write);
    struct allocation_owner owner;

    *behind = run.behind;
    /* Blocks with a fixed place are never reallocated. */
    if (witnesses->log == NULL || !block_class_moves(evidence.class)) {
        return evidence;
    }
    *behind = block + 1; /* the log records each block separately */
    return allocations_find(witnesses->log, block, io->issued, &owner)
               ? by_log(witnesses, block, &owner, io->completed, &evidence)
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
    if (count > 0) {
        qsort(commits->places, count, sizeof *commits->places, by_commit_block);
    }
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

    /* Less than a whole journal is written between two commits. */
    if (found < commits->count &&
        transactions[newer].place - transactions[found].place < commits->map->log_blocks) {
        commits->times[found] = time;
        commits->oldest = found;
    }
}

/* Returns the minimum lead of the device's clock over the trace's; INT64_MAX: unknown. */
static int64_t least_ahead(const struct commits *commits) {
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
    int64_t least = least_ahead(commits);
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

int64_t commits_horizon(const struct commits *commits) {
    return commits->count > 0 ? commits->times[0] : INT64_MAX;
}
