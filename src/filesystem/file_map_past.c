#include "filesystem/file_map.h"

#include <stdlib.h>

#include "filesystem/file_map_parts.h"
#include "base/memory.h"

bool file_map_add_past(struct file_map *map, const struct map_past *past, size_t first,
                       struct error *error) {
    struct map_pasts *pasts = &map->pasts;
    struct map_past *last = pasts->count > first ? &pasts->items[pasts->count - 1] : NULL;
    struct map_past *items;

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
    items = map_grow(pasts->items, &pasts->capacity, pasts->count, MAP_MOST_EXTENTS, sizeof *items);
    if (items == NULL) {
        return error_set(error, "its journal tells of more than %zu pieces, or there is no memory",
                         MAP_MOST_EXTENTS);
    }
    pasts->items = items;
    items[pasts->count++] = *past;
    return true;
}

bool file_map_add_past_name(struct file_map *map, const struct map_past_name *past,
                            const char *name, struct error *error) {
    struct map_past_names *names = &map->past_names;
    struct map_past_name *items;

    if (!map_is_name(name, past->length)) {
        return true;
    }
    items = map_grow(names->items, &names->capacity, names->count, MAP_MOST_FILES, sizeof *items);
    if (items == NULL) {
        return error_set(error, "its journal tells of more than %zu names, or there is no memory",
                         MAP_MOST_FILES);
    }
    names->items = items;
    items[names->count] = *past;
    return map_keep_name(map, name, past->length, &items[names->count++].name, error);
}

static int compare(uint64_t left, uint64_t right) {
    return left < right ? -1 : left > right;
}

static int by_owner(const void *left, const void *right) {
    const struct map_past *a = left, *b = right;
    int order = compare(a->file, b->file);

    order = order != 0 ? order : compare(a->start, b->start);
    order = order != 0 ? order : compare(a->length, b->length);
    order = order != 0 ? order : compare(a->class, b->class);
    order = order != 0 ? order : compare(a->doubtful, b->doubtful);
    return order != 0 ? order : compare(a->from, b->from);
}

static int by_place(const void *left, const void *right) {
    const struct map_past *a = left, *b = right;
    int order = compare(a->start, b->start);

    return order != 0 ? order : by_owner(left, right);
}

static int by_inode(const void *left, const void *right) {
    const struct map_past_name *a = left, *b = right;
    int order = compare(a->inode, b->inode);

    order = order != 0 ? order : compare(a->transaction, b->transaction);
    return order != 0 ? order : compare(a->name, b->name);
}

void file_map_pack_past(struct file_map *map) {
    struct map_past *items = map->pasts.items;
    size_t kept = 0;

    if (map->pasts.count == 0) {
        return;
    }
    qsort(items, map->pasts.count, sizeof *items, by_owner);
    for (size_t i = 1; i < map->pasts.count; i++) {
        struct map_past *last = &items[kept];

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

/* The pasts are a tree: the one in the middle of a range tops what is on both sides of it. So those
 * at one block are found without passing over others. */
static uint64_t set_reach(const struct file_map *map, size_t low, size_t high) {
    size_t middle = low + (high - low) / 2;
    uint64_t left, right, own;

    if (low >= high) {
        return 0;
    }
    left = set_reach(map, low, middle);
    right = set_reach(map, middle + 1, high);
    own = map->pasts.items[middle].start + map->pasts.items[middle].length;
    own = own > left ? own : left;
    map->reach[middle] = own > right ? own : right;
    return map->reach[middle];
}

bool map_make_reach(struct file_map *map, struct error *error) {
    free(map->reach);
    map->reach = xmalloc((map->pasts.count + 1) * sizeof *map->reach);
    set_reach(map, 0, map->pasts.count);
    return true;
}

bool file_map_settle_past(struct file_map *map, struct error *error) {
    file_map_pack_past(map);
    if (map->pasts.count > 0) {
        qsort(map->pasts.items, map->pasts.count, sizeof *map->pasts.items, by_place);
    }
    return map_make_reach(map, error);
}

bool map_names_are_in_order(const struct file_map *map) {
    const struct map_past_name *items = map->past_names.items;

    for (size_t i = 1; i < map->past_names.count; i++) {
        if (by_inode(&items[i - 1], &items[i]) > 0) {
            return false;
        }
    }
    return true;
}

void file_map_settle_past_names(struct file_map *map) {
    if (map->past_names.count > 0) {
        qsort(map->past_names.items, map->past_names.count, sizeof *map->past_names.items,
              by_inode);
    }
}

/* A search for whose a block was. */
struct past_search {
    const struct file_map *map;
    uint64_t block;
    uint32_t transaction;
    unsigned steps;
    const struct map_past *best;
    uint64_t behind; /* where one of them begins or ends next */
};

static void note_end(struct past_search *search, uint64_t at) {
    if (at > search->block && at < search->behind) {
        search->behind = at;
    }
}

static void search_past(struct past_search *search, size_t low, size_t high) {
    size_t middle = low + (high - low) / 2;
    const struct map_past *past = &search->map->pasts.items[middle];

    if (low >= high || search->map->reach[middle] <= search->block ||
        search->steps >= MAP_PAST_STEPS) {
        return;
    }
    search_past(search, low, middle);
    if (past->start > search->block) {
        note_end(search, past->start);
        return;
    }
    search->steps++;
    note_end(search, past->start + past->length);
    if (search->block - past->start < past->length && past->from <= search->transaction &&
        search->transaction < past->until &&
        (search->best == NULL || past->from > search->best->from)) {
        search->best = past;
    }
    search_past(search, middle + 1, high);
}

const struct map_past *file_map_find_past_run(const struct file_map *map, uint64_t block,
                                              uint32_t transaction, uint64_t *behind) {
    struct past_search search = {
        .map = map, .block = block, .transaction = transaction, .behind = *behind};

    if (map->pasts.count > 0) {
        search_past(&search, 0, map->pasts.count);
    }
    /* Where not all were looked at, it is said of this block alone. */
    *behind = search.steps < MAP_PAST_STEPS ? search.behind : block + 1;
    return search.best;
}

const struct map_past *file_map_find_past(const struct file_map *map, uint64_t block,
                                          uint32_t transaction) {
    uint64_t behind = UINT64_MAX;

    return file_map_find_past_run(map, block, transaction, &behind);
}

/* --- which file had an inode then ----------------------------------------------------------------
 */

static int by_end(const void *left, const void *right) {
    const struct map_gone *a = left, *b = right;
    int order = compare(a->inode, b->inode);

    order = order != 0 ? order : compare(a->until, b->until);
    return order != 0 ? order : compare(a->file, b->file);
}

bool map_make_gone(struct file_map *map, struct error *error) {
    size_t count = map->files.count - map->live;

    free(map->gone);
    map->gone = xmalloc((count + 1) * sizeof *map->gone);
    for (size_t i = 0; i < count; i++) {
        const struct map_file *file = &map->files.items[map->live + i];

        map->gone[i] = (struct map_gone){file->inode, file->until, (uint32_t)(map->live + i)};
    }
    qsort(map->gone, count, sizeof *map->gone, by_end);
    return true;
}

/* The transaction that a file is known to begin with. Where the first version of the inode that the
 * journal has is its, it may have been there before. */
static uint32_t begin_of(const struct map_file *file) {
    return file->since + 1 > file->touched ? file->since : 0;
}

bool file_map_lived(const struct file_map *map, uint32_t file, uint32_t transaction) {
    return transaction >= begin_of(&map->files.items[file]);
}

/* The file that had an inode after a transaction; 0: it is not known. */
static uint32_t file_then(const struct file_map *map, uint32_t inode, uint32_t transaction) {
    uint32_t live = file_map_inode(map, inode);
    size_t low = 0, count = map->gone == NULL ? 0 : map->files.count - map->strange - map->live,
           high = count;

    if (live != 0 && file_map_lived(map, live, transaction)) {
        return live;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct map_gone *gone = &map->gone[middle];

        if (gone->inode < inode || (gone->inode == inode && gone->until <= transaction)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && map->gone[low].inode == inode &&
                   file_map_lived(map, map->gone[low].file, transaction)
               ? map->gone[low].file
               : 0;
}

/* --- names ---------------------------------------------------------------------------------------
 */

/* What an inode was called after a transaction. */
struct then {
    uint32_t parent; /* 0: it has no name */
    uint32_t name;
    uint16_t length;
};

/* The last name of that file that the journal tells of until then; else that of the image, if the
 * image has that file; else the first that the journal tells of later, but while the inode was that
 * file's still. Of a file that is not known, 0, only the first of these. */
static struct then name_then(const struct file_map *map, uint32_t inode, uint32_t file,
                             uint32_t transaction) {
    const struct map_file *asked = &map->files.items[file];
    const struct map_past_name *items = map->past_names.items;
    size_t low = 0, high = map->past_names.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (items[middle].inode < inode ||
            (items[middle].inode == inode && items[middle].transaction <= transaction)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
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

void file_map_path_then(const struct file_map *map, uint32_t file, uint32_t transaction,
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
