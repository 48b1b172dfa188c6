#include "filesystem/file_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"

static const char *const class_names[BLOCK_CLASSES] = {
    [BLOCK_FREE] = "free",
    [BLOCK_DATA] = "data",
    [BLOCK_DIRECTORY] = "directory",
    [BLOCK_SYMLINK] = "symbolic link",
    [BLOCK_UNWRITTEN] = "unwritten",
    [BLOCK_TREE] = "extent tree",
    [BLOCK_XATTR] = "extended attributes",
    [BLOCK_JOURNAL] = "journal",
    [BLOCK_SUPERBLOCK] = "superblock",
    [BLOCK_DESCRIPTORS] = "group descriptors",
    [BLOCK_RESERVED] = "reserved descriptors",
    [BLOCK_BITMAP] = "block bitmap",
    [BLOCK_INODE_BITMAP] = "inode bitmap",
    [BLOCK_INODE_TABLE] = "inode table",
    [BLOCK_QUOTA] = "quota",
    [BLOCK_ORPHANS] = "orphan file",
    [BLOCK_MMP] = "multiple-mount protection",
    [BLOCK_BAD] = "bad blocks",
    [BLOCK_INODE] = "inode",
    [BLOCK_CHECKPOINT] = "checkpoint",
    [BLOCK_NODES] = "node address table",
    [BLOCK_SEGMENTS] = "segment information table",
    [BLOCK_SUMMARY] = "segment summaries",
};

const char *block_class_name(unsigned class) {
    return class_names[class < BLOCK_CLASSES ? class : BLOCK_FREE];
}

bool block_class_is_reusable(unsigned class) {
    return class <= BLOCK_XATTR || class == BLOCK_INODE;
}

void file_map_uuid(const struct file_map *map, char uuid[FILE_MAP_UUID]) {
    size_t at = 0;

    for (size_t i = 0; i < sizeof map->uuid; i++) {
        at += (size_t)snprintf(uuid + at, FILE_MAP_UUID - at, "%s%02x",
                               i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", map->uuid[i]);
    }
}

/* --- adding blocks, files and names ----------------------------------------------------------- */

static bool append_extent(struct map_extents *extents, const struct map_extent *extent,
                          struct error *error) {
    struct map_extent *last = extents->count == 0 ? NULL : &extents->items[extents->count - 1];

    if (last != NULL && last->file == extent->file && last->class == extent->class &&
        last->start + last->length == extent->start &&
        extent->length <= UINT32_MAX - last->length) {
        last->length += extent->length;
        return true;
    }
    if (extents->count >= MAP_MOST_EXTENTS) {
        return error_set(error, "its files have more than %zu extents", MAP_MOST_EXTENTS);
    }
    *ARRAY_NEW(extents->items, extents->count, extents->capacity) = *extent;
    return true;
}

bool file_map_add(struct file_map *map, uint64_t start, uint64_t length, unsigned class,
                  uint32_t file, struct error *error) {
    const uint64_t left = start < map->blocks ? map->blocks - start : 0;
    struct map_extent extent = {.start = start, .file = file, .class = (uint8_t) class};

    length = length < left ? length : left;
    extent.length = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    return length == 0 || append_extent(&map->extents, &extent, error);
}

static bool file_map_append_file(struct map_files *files, const struct map_file *file,
                                 struct error *error) {
    if (files->count >= MAP_MOST_FILES) {
        return error_set(error, "it has more than %zu files", MAP_MOST_FILES);
    }
    *ARRAY_NEW(files->items, files->count, files->capacity) = *file;
    return true;
}

uint32_t file_map_add_file(struct file_map *map, uint32_t inode, uint32_t generation,
                           struct error *error) {
    const struct map_file file = {.inode = inode, .generation = generation};

    if ((map->files.count == 0 &&
         !file_map_append_file(&map->files, &(struct map_file){0}, error)) ||
        !file_map_append_file(&map->files, &file, error)) {
        return 0;
    }
    return (uint32_t)(map->files.count - 1);
}

bool file_map_add_unnamed_files(struct file_map *map, const uint32_t *inodes, size_t count,
                                uint32_t *first, struct error *error) {
    *first = (uint32_t)map->files.count;
    for (size_t i = 0; i < count; i++) {
        if (!file_map_append_file(&map->files, &(struct map_file){.inode = inodes[i]}, error)) {
            return false;
        }
        map->strange++;
    }
    return true;
}

void file_map_remove_unnamed_files(struct file_map *map) {
    map->files.count -= map->strange;
    map->strange = 0;
}

uint32_t file_map_find_inode(const struct file_map *map, uint32_t inode) {
    size_t low = 0, high = map->live;

    SEARCH(low, high, middle, map->files.items[middle].inode < inode);
    return inode != 0 && low < map->live && map->files.items[low].inode == inode ? (uint32_t)low
                                                                                 : 0;
}

static bool map_is_name(const char *name, size_t length) {
    return length > 0 && length <= UINT16_MAX && memchr(name, '\0', length) == NULL &&
           memchr(name, '/', length) == NULL;
}

static bool map_store_name(struct file_map *map, const char *name, size_t length, uint32_t *place,
                           struct error *error) {
    if (map->names.length + length > MAP_MOST_NAMES) {
        return error_set(error, "the names of its files have more than %zu bytes", MAP_MOST_NAMES);
    }
    *place = (uint32_t)map->names.length;
    text_append(&map->names, name, length);
    return true;
}

bool file_map_set_name(struct file_map *map, uint32_t inode, uint32_t parent, const char *name,
                       size_t length, struct error *error) {
    uint32_t index = file_map_find_inode(map, inode);
    struct map_file *file = index == 0 ? NULL : &map->files.items[index];

    if (file == NULL) {
        return true;
    }
    file->links += file->links < UINT16_MAX;
    if (file->parent != 0 || !map_is_name(name, length)) {
        return true;
    }
    file->parent = parent;
    file->length = (uint16_t)length;
    return map_store_name(map, name, length, &file->name, error);
}

/* --- sorting extents and resolving overlaps --------------------------------------------------- */

static int file_map_by_start(const void *left, const void *right) {
    const struct map_extent *a = left, *b = right;

    return a->start != b->start ? ORDER(a->start, b->start)
           : a->file != b->file ? ORDER(a->file, b->file)
                                : (int)a->class - (int)b->class;
}

static uint64_t file_map_end_of(const struct map_extent *extent) {
    /* clang-tidy does not know that a heap with elements has a first one. */
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    return extent->start + extent->length;
}

/* An extent that contains the current block, during a pass over all blocks. All these extents are
 * in a heap; the one on top owns the block. */
typedef const struct map_extent *claim;

struct claims {
    claim *items; /* owned */
    size_t count;
};

static bool file_map_precedes(const claim *left, const claim *right) {
    return (*left)->file < (*right)->file ||
           ((*left)->file == (*right)->file && (*left)->class < (*right)->class);
}

/* Cuts overlapping extents in a pass over all blocks: each block goes to the extent that precedes
 * the others by file_map_precedes(). */
static bool cut_overlaps(const struct map_extents *sorted, struct claims *claims,
                         struct map_extents *cut, struct error *error) {
    uint64_t at = 0;
    size_t next = 0;

    while (next < sorted->count || claims->count > 0) {
        struct map_extent piece;
        uint64_t end;

        if (claims->count == 0 && sorted->items[next].start > at) {
            at = sorted->items[next].start;
        }
        while (next < sorted->count && sorted->items[next].start <= at) {
            claims->items[claims->count++] = &sorted->items[next++];
            HEAP_UP(claim, claims->items, claims->count, file_map_precedes);
        }
        if (file_map_end_of(claims->items[0]) <= at) {
            claims->items[0] = claims->items[--claims->count];
            HEAP_DOWN(claim, claims->items, claims->count, file_map_precedes);
            continue;
        }
        piece = *claims->items[0];
        end = file_map_end_of(&piece);
        if (next < sorted->count && sorted->items[next].start < end) {
            end = sorted->items[next].start;
        }
        piece.start = at;
        piece.length = (uint32_t)(end - at);
        if (!append_extent(cut, &piece, error)) {
            return false;
        }
        at = end;
    }
    return true;
}

static uint64_t count_blocks(const struct map_extents *extents) {
    uint64_t blocks = 0;

    for (size_t i = 0; i < extents->count; i++) {
        blocks += extents->items[i].length;
    }
    return blocks;
}

/* Drops repeated extents of xattr blocks: files with equal attributes share such a block. */
static void drop_shared(struct map_extents *extents) {
    size_t kept = 0;

    for (size_t i = 0; i < extents->count; i++) {
        const struct map_extent *item = &extents->items[i];
        const struct map_extent *last = kept == 0 ? NULL : &extents->items[kept - 1];

        if (last == NULL || item->class != BLOCK_XATTR || last->class != BLOCK_XATTR ||
            item->start != last->start || item->length != last->length) {
            extents->items[kept++] = *item;
        }
    }
    extents->count = kept;
}

bool file_map_finish(struct file_map *map, struct error *error) {
    struct map_extents *extents = &map->extents;
    struct map_extents cut = {0};
    struct claims claims = {0};
    bool done;

    if (extents->count == 0) {
        return true;
    }
    qsort(extents->items, extents->count, sizeof *extents->items, file_map_by_start);
    drop_shared(extents);
    claims.items = xcalloc(extents->count, sizeof(claim));
    done = cut_overlaps(extents, &claims, &cut, error);
    free(claims.items);
    if (!done) {
        free(cut.items);
        return false;
    }
    map->disputed += count_blocks(extents) - count_blocks(&cut);
    free(extents->items);
    *extents = cut;
    return true;
}

/* --- looking up blocks and names -------------------------------------------------------------- */

const struct map_extent *file_map_find_run(const struct file_map *map, uint64_t block,
                                           uint64_t *after) {
    const struct map_extent *items = map->extents.items, *found;
    size_t low = 0, high = map->extents.count;

    SEARCH(low, high, middle, items[middle].start <= block);
    found = low > 0 && block < file_map_end_of(&items[low - 1]) ? &items[low - 1] : NULL;
    if (found != NULL && file_map_end_of(found) < *after) {
        *after = file_map_end_of(found);
    } else if (found == NULL && low < map->extents.count && items[low].start < *after) {
        *after = items[low].start;
    }
    return found;
}

const struct map_extent *file_map_find(const struct file_map *map, uint64_t block) {
    uint64_t after = UINT64_MAX;

    return file_map_find_run(map, block, &after);
}

/* Appends '/' and the name of a file to a path, or /<INODE> if the name is unknown. */
static void file_map_append_part(const struct file_map *map, const struct map_file *file,
                                 struct text *path) {
    if (file->parent == 0) {
        text_append_format(path, "/<%u>", (unsigned)file->inode);
    } else {
        text_append_char(path, '/');
        text_append(path, map->names.bytes + file->name, file->length);
    }
}

void file_map_append_path(const struct file_map *map, uint32_t file, struct text *path) {
    const struct map_file *files = map->files.items;
    uint32_t parts[MAP_PATH_DEPTH];
    size_t count = 0, bytes = 0;

    while (file != 0 && files[file].inode != map->root) {
        size_t length = files[file].parent == 0 ? 13 : 1 + (size_t)files[file].length;

        if (count == MAP_PATH_DEPTH || bytes + length > MAP_PATH_BYTES) {
            text_append_string(path, "…");
            break;
        }
        bytes += length;
        parts[count++] = file;
        if (files[file].parent == 0) {
            break;
        }
        file = file_map_find_inode(map, files[file].parent);
    }
    if (count == 0) {
        text_append_char(path, '/');
    }
    while (count > 0) {
        file_map_append_part(map, &files[parts[--count]], path);
    }
}

void file_map_free(struct file_map *map) {
    free(map->extents.items);
    free(map->files.items);
    free(map->transactions);
    free(map->pasts.items);
    free(map->past_names.items);
    free(map->max_ends);
    free(map->gone);
    text_free(&map->names);
    *map = (struct file_map){0};
}

bool file_map_add_past_owner(struct file_map *map, const struct past_owner *past, size_t first,
                             struct error *error) {
    struct map_pasts *pasts = &map->pasts;
    struct past_owner *last = pasts->count > first ? &pasts->items[pasts->count - 1] : NULL;

    if (past->length == 0 || past->start >= map->blocks ||
        past->length > map->blocks - past->start || past->from >= past->until) {
        return true;
    }
    if (last != NULL && last->start + last->length == past->start && last->file == past->file &&
        last->class == past->class && last->from == past->from && last->until == past->until &&
        last->doubtful == past->doubtful && past->length <= UINT32_MAX - last->length) {
        last->length += past->length;
        return true;
    }
    if (pasts->count >= MAP_MOST_EXTENTS) {
        return error_set(error, "its journal has records of more than %zu extents",
                         MAP_MOST_EXTENTS);
    }
    *ARRAY_NEW(pasts->items, pasts->count, pasts->capacity) = *past;
    return true;
}

bool file_map_add_past_name(struct file_map *map, const struct past_name *past, const char *name,
                            struct error *error) {
    struct map_past_names *names = &map->past_names;

    if (!map_is_name(name, past->length)) {
        return true;
    }
    if (names->count >= MAP_MOST_FILES) {
        return error_set(error, "its journal has records of more than %zu names", MAP_MOST_FILES);
    }
    names->items = array_grow(names->items, names->count, &names->capacity, sizeof *names->items);
    names->items[names->count] = *past;
    return map_store_name(map, name, past->length, &names->items[names->count++].name, error);
}

static int file_map_by_owner(const void *left, const void *right) {
    const struct past_owner *a = left, *b = right;
    int order = ORDER(a->file, b->file);

    order = order != 0 ? order : ORDER(a->start, b->start);
    order = order != 0 ? order : ORDER(a->length, b->length);
    order = order != 0 ? order : ORDER(a->class, b->class);
    order = order != 0 ? order : ORDER(a->doubtful, b->doubtful);
    return order != 0 ? order : ORDER(a->from, b->from);
}

static int file_map_by_place(const void *left, const void *right) {
    const struct past_owner *a = left, *b = right;
    int order = ORDER(a->start, b->start);

    return order != 0 ? order : file_map_by_owner(left, right);
}

static int file_map_by_inode(const void *left, const void *right) {
    const struct past_name *a = left, *b = right;
    int order = ORDER(a->inode, b->inode);

    order = order != 0 ? order : ORDER(a->transaction, b->transaction);
    return order != 0 ? order : ORDER(a->name, b->name);
}

void file_map_merge_past_owners(struct file_map *map) {
    struct past_owner *items = map->pasts.items;
    size_t kept = 0;

    if (map->pasts.count == 0) {
        return;
    }
    qsort(items, map->pasts.count, sizeof *items, file_map_by_owner);
    for (size_t i = 1; i < map->pasts.count; i++) {
        struct past_owner *last = &items[kept];

        if (last->file == items[i].file && last->start == items[i].start &&
            last->length == items[i].length && last->class == items[i].class &&
            last->doubtful == items[i].doubtful && items[i].from <= last->until) {
            last->until = items[i].until > last->until ? items[i].until : last->until;
        } else {
            items[++kept] = items[i];
        }
    }
    map->pasts.count = kept + 1;
}

/* Sets `max_ends` for a range of `pasts`, and returns the largest end. The array is an implicit
 * binary tree, whose root is the middle of a range: a search can skip ranges that end before a
 * block. */
static uint64_t set_max_end(const struct file_map *map, size_t low, size_t high) {
    size_t middle = low + (high - low) / 2;
    uint64_t left, right, own;

    if (low >= high) {
        return 0;
    }
    left = set_max_end(map, low, middle);
    right = set_max_end(map, middle + 1, high);
    own = map->pasts.items[middle].start + map->pasts.items[middle].length;
    own = own > left ? own : left;
    map->max_ends[middle] = own > right ? own : right;
    return map->max_ends[middle];
}

void map_make_max_ends(struct file_map *map) {
    free(map->max_ends);
    map->max_ends = xmalloc((map->pasts.count + 1) * sizeof *map->max_ends);
    set_max_end(map, 0, map->pasts.count);
}

void sort_past_owners(struct file_map *map) {
    file_map_merge_past_owners(map);
    sort_items(map->pasts.items, map->pasts.count, sizeof *map->pasts.items, file_map_by_place);
    map_make_max_ends(map);
}

bool map_names_are_in_order(const struct file_map *map) {
    const struct past_name *items = map->past_names.items;

    for (size_t i = 1; i < map->past_names.count; i++) {
        if (file_map_by_inode(&items[i - 1], &items[i]) > 0) {
            return false;
        }
    }
    return true;
}

void sort_past_names(struct file_map *map) {
    sort_items(map->past_names.items, map->past_names.count, sizeof *map->past_names.items,
               file_map_by_inode);
}

/* State of a search for the owner that a block had after a transaction. */
struct past_search {
    const struct file_map *map;
    uint64_t block;
    uint32_t transaction;
    unsigned steps;
    const struct past_owner *best;
    uint64_t after; /* next block at which an extent of a past owner begins or ends */
};

static void file_map_note_end(struct past_search *search, uint64_t at) {
    if (at > search->block && at < search->after) {
        search->after = at;
    }
}

static void search_past_files(struct past_search *search, size_t low, size_t high) {
    size_t middle = low + (high - low) / 2;
    const struct past_owner *past = &search->map->pasts.items[middle];

    if (low >= high || search->map->max_ends[middle] <= search->block ||
        search->steps >= MAP_PAST_STEPS) {
        return;
    }
    search_past_files(search, low, middle);
    if (past->start > search->block) {
        file_map_note_end(search, past->start);
        return;
    }
    search->steps++;
    file_map_note_end(search, past->start + past->length);
    if (search->block - past->start < past->length && past->from <= search->transaction &&
        search->transaction < past->until &&
        (search->best == NULL || past->from > search->best->from)) {
        search->best = past;
    }
    search_past_files(search, middle + 1, high);
}

const struct past_owner *file_map_find_past_owner_run(const struct file_map *map, uint64_t block,
                                                      uint32_t transaction, uint64_t *after) {
    struct past_search search = {
        .map = map, .block = block, .transaction = transaction, .after = *after};

    if (map->pasts.count > 0) {
        search_past_files(&search, 0, map->pasts.count);
    }
    /* If the search was given up at its limit of steps, the result is valid for this block only. */
    *after = search.steps < MAP_PAST_STEPS ? search.after : block + 1;
    return search.best;
}

const struct past_owner *file_map_find_past_owner(const struct file_map *map, uint64_t block,
                                                  uint32_t transaction) {
    uint64_t after = UINT64_MAX;

    return file_map_find_past_owner_run(map, block, transaction, &after);
}

/* --- finding which inode owned a block in the past -------------------------------------------- */

static int by_end(const void *left, const void *right) {
    const struct deleted_file *a = left, *b = right;
    int order = ORDER(a->inode, b->inode);

    order = order != 0 ? order : ORDER(a->until, b->until);
    return order != 0 ? order : ORDER(a->file, b->file);
}

void map_fill_deleted_files(struct file_map *map) {
    size_t count = map->files.count - map->live;

    free(map->gone);
    map->gone = xmalloc((count + 1) * sizeof *map->gone);
    for (size_t i = 0; i < count; i++) {
        const struct map_file *file = &map->files.items[map->live + i];

        map->gone[i] = (struct deleted_file){file->inode, file->until, (uint32_t)(map->live + i)};
    }
    qsort(map->gone, count, sizeof *map->gone, by_end);
}

/* Returns the first transaction after which the file certainly existed. Returns 0 if the first
 * version of the inode in the journal is already of this file: it may be older than the journal. */
static uint32_t begin_of(const struct map_file *file) {
    return file->since + 1 > file->touched ? file->since : 0;
}

bool file_map_may_have_existed(const struct file_map *map, uint32_t file, uint32_t transaction) {
    return transaction >= begin_of(&map->files.items[file]);
}

/* Returns the file that owned the inode number after a transaction; 0 if unknown. */
static uint32_t file_then(const struct file_map *map, uint32_t inode, uint32_t transaction) {
    uint32_t live = file_map_find_inode(map, inode);
    size_t low = 0, count = map->gone == NULL ? 0 : map->files.count - map->strange - map->live,
           high = count;

    if (live != 0 && file_map_may_have_existed(map, live, transaction)) {
        return live;
    }
    SEARCH(low, high, middle,
           map->gone[middle].inode < inode ||
               (map->gone[middle].inode == inode && map->gone[middle].until <= transaction));
    return low < count && map->gone[low].inode == inode &&
                   file_map_may_have_existed(map, map->gone[low].file, transaction)
               ? map->gone[low].file
               : 0;
}

/* --- finding which name an inode had in the past ---------------------------------------------- */

/* Name that an inode had after some transaction. */
struct then {
    uint32_t parent; /* inode of the directory with the name; 0: name unknown */
    uint32_t name;
    uint16_t length;
};

/* Returns the name of a file after a transaction. Tries in this order: the last name in the journal
 * up to then; the name in the image, if the file is still there; the next name in the journal, if
 * the file still had the inode then. For file 0 (unknown), only the first of these is tried. */
static struct then name_then(const struct file_map *map, uint32_t inode, uint32_t file,
                             uint32_t transaction) {
    const struct map_file *asked = &map->files.items[file];
    const struct past_name *items = map->past_names.items;
    size_t low = 0, high = map->past_names.count;

    SEARCH(low, high, middle,
           items[middle].inode < inode ||
               (items[middle].inode == inode && items[middle].transaction <= transaction));
    if (low > 0 && items[low - 1].inode == inode &&
        (file == 0 || items[low - 1].transaction >= begin_of(asked))) {
        return (struct then){items[low - 1].parent, items[low - 1].name, items[low - 1].length};
    }
    if (file != 0 && file < map->live && asked->parent != 0) {
        return (struct then){asked->parent, asked->name, asked->length};
    }
    if (file != 0 && low < map->past_names.count && items[low].inode == inode &&
        (asked->until == 0 || items[low].transaction < asked->until)) {
        return (struct then){items[low].parent, items[low].name, items[low].length};
    }
    return (struct then){0};
}

void file_map_append_path_after(const struct file_map *map, uint32_t file, uint32_t transaction,
                                struct text *path) {
    struct then parts[MAP_PATH_DEPTH];
    uint32_t inode = map->files.items[file].inode, nameless = 0;
    size_t count = 0, bytes = 0;

    for (uint32_t asked = file; inode != map->root && nameless == 0;
         asked = file_then(map, inode, transaction)) {
        struct then then = name_then(map, inode, asked, transaction);

        if (count == MAP_PATH_DEPTH || bytes + 1 + then.length > MAP_PATH_BYTES) {
            text_append_string(path, "…");
            break;
        }
        bytes += 1 + (size_t)then.length;
        nameless = then.parent == 0 ? inode : 0;
        parts[count] = then;
        count += nameless == 0;
        inode = then.parent;
    }
    if (nameless != 0) {
        text_append_format(path, "/<%u>", (unsigned)nameless);
    } else if (count == 0) {
        text_append_char(path, '/');
    }
    while (count > 0) {
        count--;
        text_append_char(path, '/');
        text_append(path, map->names.bytes + parts[count].name, parts[count].length);
    }
}
