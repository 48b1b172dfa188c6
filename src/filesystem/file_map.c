#include "filesystem/file_map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
};

const char *block_class_name(unsigned class) {
    return class_names[class < BLOCK_CLASSES ? class : BLOCK_FREE];
}

bool block_class_moves(unsigned class) {
    return class <= BLOCK_XATTR;
}

void file_map_uuid(const struct file_map *map, char uuid[FILE_MAP_UUID]) {
    size_t at = 0;

    for (size_t i = 0; i < sizeof map->uuid; i++) {
        at += (size_t)snprintf(uuid + at, FILE_MAP_UUID - at, "%s%02x",
                               i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", map->uuid[i]);
    }
}

/* Room for one more element of an array; NULL when that is one too many, or there is no memory. */
static void *grow(void *items, size_t *capacity, size_t count, size_t most, size_t size) {
    size_t wanted = *capacity == 0 ? 256 : 2 * *capacity;

    if (count < *capacity) {
        return items;
    }
    if (count >= most) {
        return NULL;
    }
    items = realloc(items, wanted * size);
    *capacity = items == NULL ? *capacity : wanted;
    return items;
}

/* --- making one ----------------------------------------------------------------------------------
 */

static bool append_extent(struct map_extents *extents, const struct map_extent *extent,
                          struct error *error) {
    struct map_extent *last = extents->count == 0 ? NULL : &extents->items[extents->count - 1];
    struct map_extent *items;

    if (last != NULL && last->file == extent->file && last->class == extent->class &&
        last->start + last->length == extent->start &&
        extent->length <= UINT32_MAX - last->length) {
        last->length += extent->length;
        return true;
    }
    items =
        grow(extents->items, &extents->capacity, extents->count, MAP_MOST_EXTENTS, sizeof *items);
    if (items == NULL) {
        return error_set(error, "its files are in more than %zu pieces, or there is no memory",
                         MAP_MOST_EXTENTS);
    }
    extents->items = items;
    items[extents->count++] = *extent;
    return true;
}

bool file_map_add(struct file_map *map, const struct map_extent *extent, struct error *error) {
    struct map_extent inside = *extent;

    if (inside.start >= map->blocks || inside.length == 0) {
        return true;
    }
    if (inside.length > map->blocks - inside.start) {
        inside.length = (uint32_t)(map->blocks - inside.start);
    }
    return append_extent(&map->extents, &inside, error);
}

static bool append_file(struct map_files *files, const struct map_file *file, struct error *error) {
    struct map_file *items =
        grow(files->items, &files->capacity, files->count, MAP_MOST_FILES, sizeof *items);

    if (items == NULL) {
        return error_set(error, "it has more than %zu files, or there is no memory",
                         MAP_MOST_FILES);
    }
    files->items = items;
    items[files->count++] = *file;
    return true;
}

uint32_t file_map_add_file(struct file_map *map, uint32_t inode, uint32_t generation,
                           struct error *error) {
    const struct map_file file = {.inode = inode, .generation = generation};

    if ((map->files.count == 0 && !append_file(&map->files, &(struct map_file){0}, error)) ||
        !append_file(&map->files, &file, error)) {
        return 0;
    }
    return (uint32_t)(map->files.count - 1);
}

uint32_t file_map_inode(const struct file_map *map, uint32_t inode) {
    size_t low = 0, high = map->live;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (map->files.items[middle].inode < inode) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return inode != 0 && low < map->live && map->files.items[low].inode == inode ? (uint32_t)low
                                                                                 : 0;
}

/* Whether a file can be called so; else the directory is damaged. */
static bool is_name(const char *name, size_t length) {
    return length > 0 && length <= UINT16_MAX && memchr(name, '\0', length) == NULL &&
           memchr(name, '/', length) == NULL;
}

static bool keep_name(struct file_map *map, const char *name, size_t length, uint32_t *place,
                      struct error *error) {
    if (map->names.length + length > MAP_MOST_NAMES) {
        return error_set(error, "the names of its files have more than %zu bytes", MAP_MOST_NAMES);
    }
    *place = (uint32_t)map->names.length;
    text_append(&map->names, name, length);
    return !map->names.failed || error_no_memory(error);
}

bool file_map_name(struct file_map *map, uint32_t inode, uint32_t parent, const char *name,
                   size_t length, struct error *error) {
    uint32_t index = file_map_inode(map, inode);
    struct map_file *file = index == 0 ? NULL : &map->files.items[index];

    if (file == NULL) {
        return true;
    }
    file->links += file->links < UINT16_MAX;
    if (file->parent != 0 || !is_name(name, length)) {
        return true;
    }
    file->parent = parent;
    file->length = (uint16_t)length;
    return keep_name(map, name, length, &file->name, error);
}

/* --- the past ------------------------------------------------------------------------------------
 */

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
    items = grow(pasts->items, &pasts->capacity, pasts->count, MAP_MOST_EXTENTS, sizeof *items);
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

    if (!is_name(name, past->length)) {
        return true;
    }
    items = grow(names->items, &names->capacity, names->count, MAP_MOST_FILES, sizeof *items);
    if (items == NULL) {
        return error_set(error, "its journal tells of more than %zu names, or there is no memory",
                         MAP_MOST_FILES);
    }
    names->items = items;
    items[names->count] = *past;
    return keep_name(map, name, past->length, &items[names->count++].name, error);
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

static bool make_reach(struct file_map *map, struct error *error) {
    free(map->reach);
    map->reach = malloc((map->pasts.count + 1) * sizeof *map->reach);
    if (map->reach == NULL) {
        return error_no_memory(error);
    }
    set_reach(map, 0, map->pasts.count);
    return true;
}

bool file_map_settle_past(struct file_map *map, struct error *error) {
    file_map_pack_past(map);
    if (map->pasts.count > 0) {
        qsort(map->pasts.items, map->pasts.count, sizeof *map->pasts.items, by_place);
    }
    return make_reach(map, error);
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
};

static void search_past(struct past_search *search, size_t low, size_t high) {
    size_t middle = low + (high - low) / 2;
    const struct map_past *past = &search->map->pasts.items[middle];

    if (low >= high || search->map->reach[middle] <= search->block ||
        search->steps >= MAP_PAST_STEPS) {
        return;
    }
    search_past(search, low, middle);
    if (past->start > search->block) {
        return;
    }
    search->steps++;
    if (search->block - past->start < past->length && past->from <= search->transaction &&
        search->transaction < past->until &&
        (search->best == NULL || past->from > search->best->from)) {
        search->best = past;
    }
    search_past(search, middle + 1, high);
}

const struct map_past *file_map_find_past(const struct file_map *map, uint64_t block,
                                          uint32_t transaction) {
    struct past_search search = {.map = map, .block = block, .transaction = transaction};

    if (map->pasts.count > 0) {
        search_past(&search, 0, map->pasts.count);
    }
    return search.best;
}

/* --- order ---------------------------------------------------------------------------------------
 */

static int by_start(const void *left, const void *right) {
    const struct map_extent *a = left, *b = right;

    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    if (a->file != b->file) {
        return a->file < b->file ? -1 : 1;
    }
    return (int)a->class - (int)b->class;
}

static uint64_t end_of(const struct map_extent *extent) {
    return extent->start + extent->length;
}

/* Extents that hold the block a sweep has come to, as a heap: whose they are comes first on top. */
struct claims {
    const struct map_extent **items; /* owned */
    size_t count;
};

static bool precedes(const struct map_extent *left, const struct map_extent *right) {
    return left->file < right->file || (left->file == right->file && left->class < right->class);
}

static void swap_claims(struct claims *claims, size_t left, size_t right) {
    const struct map_extent *item = claims->items[left];

    claims->items[left] = claims->items[right];
    claims->items[right] = item;
}

static void claims_push(struct claims *claims, const struct map_extent *extent) {
    size_t at = claims->count++;

    claims->items[at] = extent;
    while (at > 0 && precedes(claims->items[at], claims->items[(at - 1) / 2])) {
        swap_claims(claims, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

static void claims_pop(struct claims *claims) {
    size_t at = 0;

    claims->items[0] = claims->items[--claims->count];
    for (;;) {
        size_t first = at;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < claims->count; child++) {
            if (precedes(claims->items[child], claims->items[first])) {
                first = child;
            }
        }
        if (first == at) {
            return;
        }
        swap_claims(claims, at, first);
        at = first;
    }
}

/* Gives every block to the first of those who claim it: a sweep over the sorted extents. */
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
            claims_push(claims, &sorted->items[next++]);
        }
        if (end_of(claims->items[0]) <= at) {
            claims_pop(claims);
            continue;
        }
        piece = *claims->items[0];
        end = end_of(&piece);
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

/* Equal attributes of several files are kept in one block: that is no dispute. */
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

bool file_map_settle(struct file_map *map, struct error *error) {
    struct map_extents *extents = &map->extents;
    struct map_extents cut = {0};
    struct claims claims = {0};
    bool done;

    if (extents->count == 0) {
        return true;
    }
    qsort(extents->items, extents->count, sizeof *extents->items, by_start);
    drop_shared(extents);
    claims.items = malloc(extents->count * sizeof(const struct map_extent *));
    done =
        claims.items != NULL ? cut_overlaps(extents, &claims, &cut, error) : error_no_memory(error);
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

/* --- looking things up ---------------------------------------------------------------------------
 */

const struct map_extent *file_map_find(const struct file_map *map, uint64_t block) {
    const struct map_extent *items = map->extents.items;
    size_t low = 0, high = map->extents.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (items[middle].start <= block) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && block < end_of(&items[low - 1]) ? &items[low - 1] : NULL;
}

/* A part of a path, behind its '/'. */
static void append_part(const struct file_map *map, const struct map_file *file,
                        struct text *path) {
    if (file->parent == 0) {
        text_append_format(path, "/<%u>", (unsigned)file->inode);
    } else {
        text_append_char(path, '/');
        text_append(path, map->names.bytes + file->name, file->length);
    }
}

void file_map_path(const struct file_map *map, uint32_t file, struct text *path) {
    const struct map_file *files = map->files.items;
    uint32_t parts[MAP_PATH_DEPTH];
    size_t count = 0, bytes = 0;

    while (file != 0 && files[file].inode != MAP_ROOT_INODE) {
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
        file = file_map_inode(map, files[file].parent);
    }
    if (count == 0) {
        text_append_char(path, '/');
    }
    while (count > 0) {
        append_part(map, &files[parts[--count]], path);
    }
}

/* What an inode was called after a transaction. */
struct then {
    uint32_t parent; /* 0: it has no name */
    uint32_t name;
    uint16_t length;
};

/* The last name that the journal tells of until then; else that of the image, if the image has that
 * file, or only the directory is asked for; else the first that the journal tells of later. */
static struct then name_then(const struct file_map *map, uint32_t inode, uint32_t file,
                             uint32_t transaction) {
    const struct map_past_name *items = map->past_names.items;
    size_t low = 0, high = map->past_names.count;
    uint32_t live = file_map_inode(map, inode);

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (items[middle].inode < inode ||
            (items[middle].inode == inode && items[middle].transaction <= transaction)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low > 0 && items[low - 1].inode == inode) {
        return (struct then){items[low - 1].parent, items[low - 1].name, items[low - 1].length};
    }
    if (live != 0 && map->files.items[live].parent != 0 && (file == 0 || file == live)) {
        const struct map_file *found = &map->files.items[live];

        return (struct then){found->parent, found->name, found->length};
    }
    if (low < map->past_names.count && items[low].inode == inode) {
        return (struct then){items[low].parent, items[low].name, items[low].length};
    }
    return (struct then){0};
}

void file_map_path_then(const struct file_map *map, uint32_t file, uint32_t transaction,
                        struct text *path) {
    struct then parts[MAP_PATH_DEPTH];
    uint32_t inode = map->files.items[file].inode, nameless = 0;
    size_t count = 0, bytes = 0;

    for (uint32_t asked = file; inode != MAP_ROOT_INODE && nameless == 0; asked = 0) {
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

/* --- from one process to another -----------------------------------------------------------------
 */

/* What is sent ahead of the arrays. */
struct head {
    uint64_t blocks, offset, unreadable, disputed;
    uint32_t block_size;
    uint8_t uuid[16];
    uint64_t extents, files, live, names, transactions, pasts, past_names;
};

static bool write_all(int descriptor, const void *bytes, size_t length) {
    const char *at = bytes;

    while (length > 0) {
        ssize_t written = write(descriptor, at, length);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        at += written;
        length -= (size_t)written;
    }
    return true;
}

bool file_map_send(const struct file_map *map, int descriptor) {
    struct head head;

    memset(&head, 0, sizeof head);
    head.blocks = map->blocks;
    head.offset = map->offset;
    head.unreadable = map->unreadable;
    head.disputed = map->disputed;
    head.block_size = map->block_size;
    memcpy(head.uuid, map->uuid, sizeof head.uuid);
    head.extents = map->extents.count;
    head.files = map->files.count;
    head.live = map->live;
    head.transactions = map->transaction_count;
    head.pasts = map->pasts.count;
    head.past_names = map->past_names.count;
    head.names = map->names.length;
    return write_all(descriptor, &head, sizeof head) &&
           write_all(descriptor, map->extents.items,
                     map->extents.count * sizeof *map->extents.items) &&
           write_all(descriptor, map->files.items, map->files.count * sizeof *map->files.items) &&
           write_all(descriptor, map->transactions,
                     map->transaction_count * sizeof *map->transactions) &&
           write_all(descriptor, map->pasts.items, map->pasts.count * sizeof *map->pasts.items) &&
           write_all(descriptor, map->past_names.items,
                     map->past_names.count * sizeof *map->past_names.items) &&
           write_all(descriptor, map->names.bytes, map->names.length);
}

static bool read_all(int descriptor, void *bytes, size_t length) {
    char *at = bytes;

    while (length > 0) {
        ssize_t got = read(descriptor, at, length);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        at += got;
        length -= (size_t)got;
    }
    return true;
}

/* An array of `count` elements out of the pipe; of none, NULL. */
static bool read_array(int descriptor, void **items, size_t count, size_t size,
                       struct error *error) {
    *items = count == 0 ? NULL : malloc(count * size);
    if (count > 0 && *items == NULL) {
        return error_no_memory(error);
    }
    return read_all(descriptor, *items, count * size) || error_set(error, "it ends early");
}

static bool extents_are_sound(const struct file_map *map) {
    uint64_t end = 0;

    for (size_t i = 0; i < map->extents.count; i++) {
        const struct map_extent *extent = &map->extents.items[i];

        if (extent->start < end || extent->length == 0 || extent->start >= map->blocks ||
            extent->length > map->blocks - extent->start || extent->class >= BLOCK_CLASSES ||
            (extent->file != 0 && extent->file >= map->files.count)) {
            return false;
        }
        end = end_of(extent);
    }
    return true;
}

static bool is_among_names(const struct file_map *map, uint32_t name, uint16_t length) {
    return name <= map->names.length && length <= map->names.length - name;
}

static bool files_are_sound(const struct file_map *map) {
    const struct map_file *files = map->files.items;

    for (size_t i = 0; i < map->files.count; i++) {
        if (!is_among_names(map, files[i].name, files[i].length) ||
            files[i].touched > map->transaction_count ||
            (i == 0 ? files[i].inode != 0
                    : i < map->live && files[i].inode <= files[i - 1].inode)) {
            return false;
        }
    }
    return map->live <= map->files.count;
}

static bool past_is_sound(const struct file_map *map) {
    uint64_t start = 0;

    for (size_t i = 0; i < map->pasts.count; i++) {
        const struct map_past *past = &map->pasts.items[i];

        if (past->start < start || past->start >= map->blocks ||
            past->length > map->blocks - past->start || past->class >= BLOCK_CLASSES ||
            past->file == 0 || past->file >= map->files.count) {
            return false;
        }
        start = past->start;
    }
    for (size_t i = 0; i < map->past_names.count; i++) {
        const struct map_past_name *items = map->past_names.items;

        if (!is_among_names(map, items[i].name, items[i].length) ||
            (i > 0 && by_inode(&items[i - 1], &items[i]) > 0)) {
            return false;
        }
    }
    return true;
}

static bool receive_past(struct file_map *map, const struct head *head, int descriptor,
                         struct error *error) {
    void *items;
    bool done =
        read_array(descriptor, &items, head->transactions, sizeof *map->transactions, error);

    map->transactions = items;
    map->transaction_count = head->transactions;
    if (!done) {
        return false;
    }
    done = read_array(descriptor, &items, head->pasts, sizeof *map->pasts.items, error);
    map->pasts = (struct map_pasts){items, head->pasts, head->pasts};
    if (!done) {
        return false;
    }
    done = read_array(descriptor, &items, head->past_names, sizeof *map->past_names.items, error);
    map->past_names = (struct map_past_names){items, head->past_names, head->past_names};
    return done;
}

static bool receive_arrays(struct file_map *map, const struct head *head, int descriptor,
                           struct error *error) {
    void *items;
    bool done = read_array(descriptor, &items, head->extents, sizeof *map->extents.items, error);

    map->extents = (struct map_extents){items, head->extents, head->extents};
    if (!done) {
        return false;
    }
    done = read_array(descriptor, &items, head->files, sizeof *map->files.items, error);
    map->files = (struct map_files){items, head->files, head->files};
    map->live = head->live;
    if (!done || !receive_past(map, head, descriptor, error)) {
        return false;
    }
    if (text_reserve(&map->names, head->names + 1) == NULL) {
        return error_no_memory(error);
    }
    map->names.length = head->names;
    return read_all(descriptor, map->names.bytes, head->names) || error_set(error, "it ends early");
}

bool file_map_receive(struct file_map *map, int descriptor, struct error *error) {
    struct head head;

    *map = (struct file_map){0};
    if (!read_all(descriptor, &head, sizeof head) || head.extents > MAP_MOST_EXTENTS ||
        head.files > MAP_MOST_FILES || head.names > MAP_MOST_NAMES ||
        head.transactions > MAP_MOST_TRANSACTIONS || head.pasts > MAP_MOST_EXTENTS ||
        head.past_names > MAP_MOST_FILES || head.block_size == 0) {
        return error_set(error, "it is none");
    }
    map->blocks = head.blocks;
    map->offset = head.offset;
    map->unreadable = head.unreadable;
    map->disputed = head.disputed;
    map->block_size = head.block_size;
    memcpy(map->uuid, head.uuid, sizeof map->uuid);
    return receive_arrays(map, &head, descriptor, error) &&
           ((extents_are_sound(map) && files_are_sound(map) && past_is_sound(map)) ||
            error_set(error, "it is damaged")) &&
           make_reach(map, error);
}

void file_map_free(struct file_map *map) {
    free(map->extents.items);
    free(map->files.items);
    free(map->transactions);
    free(map->pasts.items);
    free(map->past_names.items);
    free(map->reach);
    text_free(&map->names);
    *map = (struct file_map){0};
}
