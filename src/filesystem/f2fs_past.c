#include "filesystem/f2fs_past.h"

#include <stdlib.h>
#include <string.h>

#include "filesystem/f2fs_node.h"
#include "input/bytes.h"
#include "base/memory.h"

/* A block of summary: what each block of its segment is, and at its end whether these are nodes. */
enum { SUMMARY_ENTRY = 7, SUMMARY_KIND = 4091, KIND_NODES = 1 };

#define MOST_VERSIONS ((size_t)4 << 20)

/* A node as it was once. */
struct node_version {
    uint32_t node, inode, block;
    uint32_t age;  /* how many checkpoints were made since; at least one */
    uint32_t from; /* transaction: the first of these checkpoints */
    enum f2fs_node_kind kind;
    bool live;     /* the newest checkpoint has it */
    uint8_t class; /* of its file's blocks … */
    uint32_t file; /* … on the map, once it was told of */
};

struct node_versions {
    struct node_version *items; /* owned */
    size_t count, capacity;
};

struct past_reader {
    const struct f2fs_volume *volume;
    const struct f2fs_places *places;
    struct file_map *map;
    struct error *error;
    struct node_versions versions; /* by inode, its own first; by node, by age */
    uint32_t file;                 /* of the inode that was told of last */
};

/* --- which nodes there still are -----------------------------------------------------------------
 */

static bool keep_version(struct past_reader *reader, const struct node_version *version) {
    struct node_versions *versions = &reader->versions;

    if (versions->count == versions->capacity) {
        size_t capacity = versions->capacity == 0 ? 1024 : 2 * versions->capacity;
        struct node_version *items = versions->count >= MOST_VERSIONS
                                         ? NULL
                                         : xrealloc(versions->items, capacity * sizeof *items);

        if (items == NULL) {
            return error_set(reader->error,
                             "it has more than %zu nodes and old ones, or there is no memory",
                             MOST_VERSIONS);
        }
        versions->items = items;
        versions->capacity = capacity;
    }
    versions->items[versions->count++] = *version;
    return true;
}

static bool is_current(const struct f2fs_volume *volume, uint32_t segment) {
    for (size_t i = 0; i < F2FS_NODE_SEGMENTS; i++) {
        if (volume->node_segments[i] == segment) {
            return true;
        }
    }
    return false;
}

/* Keeps a block of a segment of nodes, if it is one. `said`: which one, by the summary; 0: it does
 * not say, for the segment is being written. */
static bool look_at(struct past_reader *reader, uint32_t at, uint32_t said) {
    const struct f2fs_place *place;
    unsigned char block[F2FS_BLOCK];
    struct node_version version;
    struct f2fs_node node;
    uint32_t age;

    if (!f2fs_read_block(reader->volume, at, block)) {
        return true;
    }
    f2fs_take_node(block, &node);
    place = f2fs_find_place(reader->places, node.node);
    version = (struct node_version){
        .node = node.node,
        .inode = node.inode,
        .block = at,
        .kind = node.kind,
        .live = place != NULL && place->block == at && place->inode == node.inode,
    };
    age = (uint32_t)reader->volume->version - node.version;
    if (version.live) {
        age = age == 0 ? 1 : age < F2FS_MOST_CHECKPOINTS ? age : F2FS_MOST_CHECKPOINTS;
    }
    version.age = age;
    /* What was written after the newest checkpoint does not count; another file system's nodes may
     * lie here, too. */
    return node.node == 0 || node.inode == 0 || (said != 0 && node.node != said) || age == 0 ||
           age > F2FS_MOST_CHECKPOINTS || keep_version(reader, &version);
}

/* Of an image that is cut off before the summary of a segment no later one can be read. */
static bool look_at_segment(struct past_reader *reader, uint32_t segment, bool *cut_off) {
    const struct f2fs_volume *volume = reader->volume;
    uint32_t first = volume->main + segment * F2FS_SEGMENT;
    bool current = is_current(volume, segment);
    unsigned char summary[F2FS_BLOCK];

    *cut_off = !f2fs_read_block(volume, volume->ssa + segment, summary);
    if (*cut_off || (!current && summary[SUMMARY_KIND] != KIND_NODES)) {
        return true;
    }
    for (uint32_t i = 0; i < F2FS_SEGMENT; i++) {
        uint32_t said = current ? 0 : bytes_u32_little(summary + (size_t)i * SUMMARY_ENTRY);

        if ((current || said != 0) && !look_at(reader, first + i, said)) {
            return false;
        }
    }
    return true;
}

/* --- in order ------------------------------------------------------------------------------------
 */

static int compare(uint64_t left, uint64_t right) {
    return left < right ? -1 : left > right;
}

/* Of two that were written between the same checkpoints the live one is the younger; else the one
 * that lies behind, for segments are written from their beginning. */
static int by_age(const void *left, const void *right) {
    const struct node_version *a = left, *b = right;
    int order = compare(a->inode, b->inode);

    order = order != 0 ? order : compare(a->node != a->inode, b->node != b->inode);
    order = order != 0 ? order : compare(a->node, b->node);
    order = order != 0 ? order : compare(b->age, a->age);
    order = order != 0 ? order : compare(a->live, b->live);
    return order != 0 ? order : compare(a->block, b->block);
}

/* Transaction 0 is the checkpoint that the oldest version was written after. They take turns in two
 * places. */
static bool set_transactions(struct past_reader *reader) {
    uint32_t oldest = 1;
    struct file_map *map = reader->map;

    for (size_t i = 0; i < reader->versions.count; i++) {
        uint32_t age = reader->versions.items[i].age;

        oldest = age > oldest ? age : oldest;
    }
    for (size_t i = 0; i < reader->versions.count; i++) {
        struct node_version *version = &reader->versions.items[i];

        version->from = oldest - version->age + 1;
    }
    map->transactions = xcalloc((size_t)oldest + 1, sizeof *map->transactions);
    if (map->transactions == NULL) {
        return error_no_memory(reader->error);
    }
    map->transaction_count = (size_t)oldest + 1;
    map->turns = F2FS_SEGMENT;
    for (uint32_t i = 0; i <= oldest; i++) {
        map->transactions[i].commit =
            (oldest - i) % 2 == 0
                ? reader->volume->pack
                : 2 * (uint64_t)reader->volume->checkpoint + F2FS_SEGMENT - reader->volume->pack;
    }
    return true;
}

/* --- what they say -------------------------------------------------------------------------------
 */

static bool add_past(struct past_reader *reader, const struct node_version *version, uint32_t until,
                     uint32_t block, unsigned class, size_t first) {
    const struct map_past past = {
        .start = block,
        .length = 1,
        .file = version->file,
        .from = version->from,
        .until = until,
        .class = (uint8_t) class,
        .doubtful = !version->live,
    };

    return !f2fs_is_main(reader->volume, block) ||
           file_map_add_past(reader->map, &past, first, reader->error);
}

static bool add_name(struct past_reader *reader, const struct node_version *version,
                     const struct f2fs_inode *inode) {
    struct map_past_name past = {
        .inode = version->inode,
        .parent = inode->parent,
        .transaction = version->from,
    };
    char shown[FSCRYPT_NAME];
    size_t length;
    const char *name = f2fs_name(inode, shown, &length);

    past.length = (uint16_t)length;
    return length == 0 || version->inode == reader->volume->root ||
           file_map_add_past_name(reader->map, &past, name, reader->error);
}

/* The file that an inode was then: one of the map, or another one of that number. */
static bool choose_file(struct past_reader *reader, struct node_version *version,
                        const struct f2fs_inode *inode) {
    struct map_files *files = &reader->map->files;
    uint32_t live = file_map_inode(reader->map, version->inode);
    const struct map_file *last = reader->file == 0 ? NULL : &files->items[reader->file];

    if (live != 0 && files->items[live].generation == inode->generation) {
        version->file = live;
    } else if (last != NULL && last->inode == version->inode &&
               last->generation == inode->generation) {
        version->file = reader->file;
    } else {
        version->file =
            file_map_add_file(reader->map, version->inode, inode->generation, reader->error);
        if (version->file == 0) {
            return false;
        }
        files->items[version->file].encrypted = (inode->advice & F2FS_ENCRYPTED) != 0;
    }
    version->class = (uint8_t)f2fs_class(reader->volume, version->inode, inode);
    reader->file = version->file;
    return true;
}

/* The file that a node was of: that of the inode's last version by then, else of its first. The
 * inode's versions are those from the `first`th on, which come before the node's. False: none is
 * left. */
static bool recall_file(const struct past_reader *reader, size_t first,
                        struct node_version *version) {
    const struct node_version *items = reader->versions.items;
    size_t low = first, high = (size_t)(version - items);

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (items[middle].kind == F2FS_INODE && items[middle].from <= version->from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low -= low > first;
    version->file = items[low].file;
    version->class = items[low].class;
    return items[low].kind == F2FS_INODE && version->file != 0;
}

/* What a node says until transaction `until`. */
static bool add_version(struct past_reader *reader, struct node_version *version, size_t first,
                        uint32_t until) {
    const struct f2fs_node node = {version->node, version->inode, version->kind, 0};
    unsigned char block[F2FS_BLOCK];
    const unsigned char *addresses;
    struct f2fs_inode inode;
    size_t count, pasts = reader->map->pasts.count;

    if (!f2fs_read_block(reader->volume, version->block, block)) {
        return true;
    }
    if (version->kind == F2FS_INODE) {
        f2fs_take_inode(block, &inode);
        if (!choose_file(reader, version, &inode) || !add_name(reader, version, &inode)) {
            return false;
        }
    } else if (!recall_file(reader, first, version)) {
        return true;
    }
    if (!add_past(reader, version, until, version->block, f2fs_node_class(version->kind), pasts)) {
        return false;
    }
    addresses = f2fs_addresses(reader->volume, block, &node, &count);
    for (size_t i = 0; i < count; i++) {
        if (!add_past(reader, version, until, bytes_u32_little(addresses + 4 * i), version->class,
                      pasts)) {
            return false;
        }
    }
    return true;
}

/* A version holds from the checkpoint after it until the one after the next version; the last of
 * those of a node that is gone, for that one checkpoint. */
static bool add_versions(struct past_reader *reader) {
    struct node_version *items = reader->versions.items;
    uint32_t end = (uint32_t)reader->map->transaction_count;
    size_t first = 0; /* of those of the same inode */

    for (size_t i = 0; i < reader->versions.count; i++) {
        bool followed = i + 1 < reader->versions.count && items[i + 1].node == items[i].node &&
                        items[i + 1].inode == items[i].inode;
        uint32_t until = items[i].live ? end : followed ? items[i + 1].from : items[i].from + 1;

        first = items[first].inode == items[i].inode ? first : i;
        if (!add_version(reader, &items[i], first, until)) {
            return false;
        }
    }
    return true;
}

static bool read_all(struct past_reader *reader) {
    bool cut_off = false;

    for (uint32_t segment = 0; segment < reader->volume->main_segments && !cut_off; segment++) {
        if (!look_at_segment(reader, segment, &cut_off)) {
            return false;
        }
    }
    if (reader->versions.count == 0) {
        return true;
    }
    if (!set_transactions(reader)) {
        return false;
    }
    qsort(reader->versions.items, reader->versions.count, sizeof *reader->versions.items, by_age);
    return add_versions(reader) && file_map_settle_past(reader->map, reader->error);
}

bool f2fs_read_past(const struct f2fs_volume *volume, const struct f2fs_places *places,
                    struct file_map *map, struct error *error) {
    struct past_reader reader = {.volume = volume, .places = places, .map = map, .error = error};
    bool done = read_all(&reader);

    file_map_settle_past_names(map);
    free(reader.versions.items);
    return done;
}
