/* Owners of blocks according to the log's allocation events (table `allocation`).
 *
 *     allocations_read()    reads the table for a trace
 *     allocations_sort()    sorts the records by block
 *     allocations_find()    returns the owner of a block at a time
 *
 * An owner is known from the time a block was allocated to a file until it is freed or allocated to
 * another file. Before a block's first record, the owner is known if that record names it, because
 * every allocation has a record. If records may be missing in between, the owner is unknown. */
#include "annotate/evidence.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/search.h"
#include "model/event.h"
#include "store/trace_tables.h"

/* --- reading the table allocation ------------------------------------------------------------- */

static unsigned allocations_class_of(int64_t mode) {
    if (mode != EVENT_NONE && S_ISDIR((mode_t)mode)) {
        return BLOCK_DIRECTORY;
    }
    return mode != EVENT_NONE && S_ISLNK((mode_t)mode) ? BLOCK_SYMLINK : BLOCK_DATA;
}

struct reading {
    struct allocations *all;
    const struct file_map *map;
};

/* Adds a log's allocation record, in order of time. Ignores blocks outside the file system. */
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
        /* If several CPUs lose records at overlapping times, these losses form one gap. */
        if (allocation->what == ALLOCATION_REGAINED) {
            all->losing -= all->losing > 0;
            if (all->losing == 0 && all->gap_count > 0) {
                all->gaps[all->gap_count - 1].to = allocation->time;
            }
        } else if (all->losing++ == 0) {
            *ARRAY_NEW(all->gaps, all->gap_count, all->gap_capacity) =
                (struct allocation_gap){allocation->time, INT64_MAX};
        }
        return true;
    }
    if (allocation->what >= ALLOCATION_CREATED) {
        *ARRAY_NEW(all->lives, all->life_count, all->life_capacity) = (struct allocation_life){
            .time = allocation->time,
            .inode = (uint32_t)allocation->inode,
            .begins = allocation->what == ALLOCATION_CREATED,
            .class = allocations_class_of(allocation->mode),
        };
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

/* --- sorting the records of allocations by block ---------------------------------------------- */

/* First block of an allocation record, or the block after its last one. */
struct edge {
    uint64_t block;
    uint32_t record;
    bool begins;
};

/* Allocation records that contain the current block, during a pass over all blocks; unordered. */
struct active {
    uint32_t *items;  /* owned */
    uint32_t *places; /* owned; by index of an allocation record: its index in `items` */
    size_t count;
};

static void apply_allocation_edge(struct active *active, const struct edge *edge) {
    if (edge->begins) {
        active->places[edge->record] = (uint32_t)active->count;
        active->items[active->count++] = edge->record;
    } else {
        uint32_t last = active->items[--active->count], place = active->places[edge->record];

        active->items[place] = last;
        active->places[last] = place;
    }
}

/* Begins a cut (range of blocks with the same records): those in `active` apply from this block on.
 * Returns false if all cuts together have too many records. */
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

static bool sweep_allocation_edges(struct allocations *all, struct edge *edges,
                                   struct active *active) {
    size_t count = 2 * all->record_count;

    for (size_t i = 0; i < all->record_count; i++) {
        edges[2 * i] = (struct edge){all->records[i].block, (uint32_t)i, true};
        edges[2 * i + 1] = (struct edge){all->records[i].end, (uint32_t)i, false};
    }
    qsort(edges, count, sizeof *edges, compare_uint64);
    for (size_t i = 0; i < count;) {
        uint64_t block = edges[i].block;

        while (i < count && edges[i].block == block) {
            apply_allocation_edge(active, &edges[i++]);
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
    bool done = sweep_allocation_edges(all, edges, &active);

    free(edges);
    free(active.items);
    free(active.places);
    return done;
}

/* --- when inodes were created and deleted ----------------------------------------------------- */

static int allocations_by_inode(const void *left, const void *right) {
    const struct allocation_life *a = left, *b = right;

    return a->inode != b->inode ? ORDER(a->inode, b->inode) : ORDER(a->time, b->time);
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
    return file_map_add_unnamed_files(map, all->inodes, kept, &all->strangers, error);
}

/* --- looking up the owners of a block --------------------------------------------------------- */

/* Returns whether allocation records may be missing at any time from `from` to `to`. */
static bool is_missing(const struct allocations *all, int64_t from, int64_t to) {
    size_t low = 0, high = all->gap_count;

    SEARCH(low, high, middle, all->gaps[middle].to <= from);
    return low < all->gap_count && all->gaps[low].from < to;
}

/* Returns the allocation records about a block, in order of time. */
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

/* Returns whether an allocation record names the inode that owns its blocks after the record. */
static bool record_names_next_owner(const struct allocation_record *record) {
    return record->what <= ALLOCATION_HELD && record->inode != 0;
}

/* Returns whether an allocation record names the inode that owned its blocks before the record. */
static bool record_names_previous_owner(const struct allocation_record *record) {
    return (record->what == ALLOCATION_HELD || record->what == ALLOCATION_FREED) &&
           record->inode != 0;
}

/* --- comparing the log with the image --------------------------------------------------------- */

static const uint32_t *find_inode(const struct allocations *all, uint32_t inode) {
    return bsearch(&inode, all->inodes, all->inode_count, sizeof inode, compare_uint32);
}

/* Returns the inode that owns the blocks of a cut (range of blocks with the same records) after
 * their last record; 0: unknown, or none. */
static uint32_t last_owner(const struct allocations *all, size_t cut) {
    size_t after = all->cuts[cut + 1].first;
    const struct allocation_record *last;

    if (all->cuts[cut].first == after) {
        return 0;
    }
    last = &all->records[all->pieces[after - 1]];
    return record_names_next_owner(last) && !is_missing(all, last->time, INT64_MAX) ? last->inode
                                                                                    : 0;
}

/* Finds the inodes that are the same file in the log and in the image: those that own one of their
 * blocks both in the image and by the block's last allocation record. One pass is enough, because
 * cuts and extents are in order of block. */
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
    sort_items(all->lives, all->life_count, sizeof *all->lives, allocations_by_inode);
    if (all->too_many || !make_cuts(all)) {
        allocations_free(all);
        *all = (struct allocations){.map = map, .too_many = true};
        return true;
    }
    /* Finds the files of the image that are directories or symbolic links, because their blocks
     * without an allocation record have this class. */
    all->classes = xcalloc(map->live + 1, 1);
    for (size_t i = 0; i < map->extents.count; i++) {
        const struct map_extent *extent = &map->extents.items[i];

        if (extent->class == BLOCK_DIRECTORY || extent->class == BLOCK_SYMLINK) {
            all->classes[extent->file] = extent->class;
        }
    }
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
        return record_names_next_owner(last);
    }
    if (next == NULL || !record_names_previous_owner(next) || is_missing(all, time, next->time)) {
        return false;
    }
    owner->inode = next->inode;
    owner->since = time;
    owner->content = true;
    return true;
}

/* Returns the index of the first creation or deletion of an inode after a time. */
static size_t find_life_after_time(const struct allocations *all, uint32_t inode, int64_t time) {
    size_t low = 0, high = all->life_count;

    SEARCH(low, high, middle,
           all->lives[middle].inode < inode ||
               (all->lives[middle].inode == inode && all->lives[middle].time <= time));
    return low;
}

bool allocations_owner_is_current(const struct allocations *all,
                                  const struct allocation_owner *owner) {
    size_t after = find_life_after_time(all, owner->inode, owner->since);

    return all->life_count > 0 && !is_missing(all, owner->since, INT64_MAX) &&
           (after == all->life_count || all->lives[after].inode != owner->inode);
}

bool allocations_has_inode(const struct allocations *all, uint32_t inode) {
    const uint32_t *found = find_inode(all, inode);

    return found != NULL && all->kept[found - all->inodes];
}

uint32_t allocations_unnamed_file(const struct allocations *all, uint32_t inode) {
    const uint32_t *found = find_inode(all, inode);

    return found == NULL ? 0 : all->strangers + (uint32_t)(found - all->inodes);
}

unsigned allocations_block_class(const struct allocations *all,
                                 const struct allocation_owner *owner, uint32_t file) {
    size_t after = find_life_after_time(all, owner->inode, owner->since);
    unsigned class = file < all->map->live ? all->classes[file] : BLOCK_DATA;

    if (after > 0 && all->lives[after - 1].inode == owner->inode) {
        class = all->lives[after - 1].class;
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
