#include "filesystem/f2fs_volume.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "input/bytes.h"
#include "base/memory.h"

#define MAGIC 0xF2F52010u

/* Offsets in the superblock: at byte 1024 of the first block, with a copy in the second block. */
enum {
    SUPER_AT = 1024,
    SUPER_LENGTH = F2FS_BLOCK - SUPER_AT,
    SUPER_LOG_BLOCK = 16,
    SUPER_LOG_SEGMENT = 20,
    SUPER_BLOCKS = 36,
    SUPER_SEGMENTS_CHECKPOINT = 52,
    SUPER_SEGMENTS_SIT = 56,
    SUPER_SEGMENTS_NAT = 60,
    SUPER_SEGMENTS_SSA = 64,
    SUPER_SEGMENTS_MAIN = 68,
    SUPER_CHECKPOINT = 76,
    SUPER_SIT = 80,
    SUPER_NAT = 84,
    SUPER_SSA = 88,
    SUPER_MAIN = 92,
    SUPER_ROOT = 96,
    SUPER_UUID = 108,
    SUPER_PAYLOAD = 1664,
    SUPER_FEATURES = 2180,
    SUPER_DEVICES = 2201,
    DEVICE_LENGTH = 68,
    SUPER_QUOTA = SUPER_DEVICES + 8 * DEVICE_LENGTH,
};

/* Offsets in the first block of a checkpoint; the checkpoint's last block is a copy of it. */
enum {
    CHECKPOINT_FLAGS = 132,
    CHECKPOINT_BLOCKS = 136,
    CHECKPOINT_SUMMARIES = 140,
    CHECKPOINT_SIT_MAP = 156,
    CHECKPOINT_NAT_MAP = 160,
    CHECKPOINT_SUM_AT = 164,
    CHECKPOINT_MAPS = 192,
    SUM_AT = F2FS_BLOCK - 4, /* usual and largest offset of the checksum */
};
enum { FLAG_COMPACT = 0x4, FLAG_LARGE_NAT_MAP = 0x400 };

/* Layout of the node address table (NAT), and of its newest entries, stored in the checkpoint. */
enum {
    ENTRY = 9,
    ENTRIES = F2FS_BLOCK / ENTRY,
    JOURNAL_ENTRY = 4 + ENTRY,
    JOURNAL_ENTRIES = 38,
    JOURNAL_AT = 3584, /* offset of the NAT's newest entries in a block of segment summaries */
};

#define MOST_PLACES ((size_t)16 << 20)

bool f2fs_is_present(const unsigned char head[2048]) {
    return bytes_u32_little(head + SUPER_AT) == MAGIC;
}

bool f2fs_read_block(const struct f2fs_volume *volume, uint64_t block, unsigned char *buffer) {
    uint64_t at = volume->offset + block * F2FS_BLOCK;

    return block < volume->blocks && at <= INT64_MAX &&
           pread(volume->descriptor, buffer, F2FS_BLOCK, (off_t)at) == F2FS_BLOCK;
}

bool f2fs_is_in_main_area(const struct f2fs_volume *volume, uint32_t block) {
    return block >= volume->main &&
           block - volume->main < (uint64_t)volume->main_segments * F2FS_SEGMENT;
}

/* --- reading the superblock of F2FS ----------------------------------------------------------- */

/* Returns whether an area of the volume, with `segments` segments, ends before the next area. */
static bool volume_part_fits(uint64_t first, uint64_t segments, uint64_t next) {
    return segments > 0 && first <= next && segments * F2FS_SEGMENT <= next - first;
}

static bool parts_fit(const struct f2fs_volume *volume, const unsigned char *super) {
    return volume->checkpoint >= 2 &&
           volume_part_fits(volume->checkpoint, bytes_u32_little(super + SUPER_SEGMENTS_CHECKPOINT),
                            volume->sit) &&
           volume_part_fits(volume->sit, bytes_u32_little(super + SUPER_SEGMENTS_SIT),
                            volume->nat) &&
           volume_part_fits(volume->nat, bytes_u32_little(super + SUPER_SEGMENTS_NAT),
                            volume->ssa) &&
           volume_part_fits(volume->ssa, bytes_u32_little(super + SUPER_SEGMENTS_SSA),
                            volume->main) &&
           volume_part_fits(volume->main, volume->main_segments, volume->blocks) &&
           /* Two checkpoints are required, and a summary block for each segment. */
           bytes_u32_little(super + SUPER_SEGMENTS_CHECKPOINT) >= 2 &&
           (uint64_t)bytes_u32_little(super + SUPER_SEGMENTS_SSA) * F2FS_SEGMENT >=
               volume->main_segments;
}

static bool parse_superblock(struct f2fs_volume *volume, const unsigned char *super) {
    volume->blocks = bytes_u64_little(super + SUPER_BLOCKS);
    volume->checkpoint = bytes_u32_little(super + SUPER_CHECKPOINT);
    volume->sit = bytes_u32_little(super + SUPER_SIT);
    volume->nat = bytes_u32_little(super + SUPER_NAT);
    volume->ssa = bytes_u32_little(super + SUPER_SSA);
    volume->main = bytes_u32_little(super + SUPER_MAIN);
    volume->main_segments = bytes_u32_little(super + SUPER_SEGMENTS_MAIN);
    volume->root = bytes_u32_little(super + SUPER_ROOT);
    volume->payload = bytes_u32_little(super + SUPER_PAYLOAD);
    volume->features = bytes_u32_little(super + SUPER_FEATURES);
    volume->nat_blocks = bytes_u32_little(super + SUPER_SEGMENTS_NAT) / 2 * F2FS_SEGMENT;
    for (size_t i = 0; i < F2FS_QUOTAS; i++) {
        volume->quota[i] = bytes_u32_little(super + SUPER_QUOTA + 4 * i);
    }
    memcpy(volume->uuid, super + SUPER_UUID, sizeof volume->uuid);
    return bytes_u32_little(super) == MAGIC && bytes_u32_little(super + SUPER_LOG_BLOCK) == 12 &&
           bytes_u32_little(super + SUPER_LOG_SEGMENT) == 9 && volume->blocks <= UINT32_MAX &&
           parts_fit(volume, super);
}

/* Reads the superblock from the first block; if that is not valid, from the second one. */
static bool read_super(struct f2fs_volume *volume, struct error *error) {
    unsigned char super[SUPER_LENGTH];

    for (uint64_t copy = 0; copy < 2; copy++) {
        uint64_t at = volume->offset + copy * F2FS_BLOCK + SUPER_AT;

        if (at > INT64_MAX ||
            pread(volume->descriptor, super, sizeof super, (off_t)at) != (ssize_t)sizeof super) {
            break;
        }
        if (parse_superblock(volume, super)) {
            return super[SUPER_DEVICES + DEVICE_LENGTH] == '\0' ||
                   error_set(error, "its F2FS is on several devices, which cannot be read");
        }
    }
    return error_set(error, "its superblock is damaged, or its blocks or segments are not of the "
                            "usual size");
}

/* --- reading the checkpoints of F2FS ---------------------------------------------------------- */

/* Computes a CRC-32 as the kernel does: neither seed nor result is inverted. */
static uint32_t kernel_crc32(uint32_t seed, const unsigned char *bytes, size_t length) {
    return ~(uint32_t)crc32(~seed, bytes, (uInt)length);
}

/* Returns whether a block, the first or last of a checkpoint, has the right checksum. */
static bool f2fs_volume_is_whole(const unsigned char *block) {
    uint32_t at = bytes_u32_little(block + CHECKPOINT_SUM_AT), sum;

    if (at < CHECKPOINT_MAPS || at > SUM_AT) {
        return false;
    }
    sum = kernel_crc32(MAGIC, block, at);
    if (at < SUM_AT) {
        sum = kernel_crc32(sum, block + at + 4, F2FS_BLOCK - at - 4);
    }
    return sum == bytes_u32_little(block + at);
}

/* Reads the checkpoint that begins at block `at`. Returns false if it is damaged or incomplete. */
static bool read_pack(const struct f2fs_volume *volume, uint32_t at, unsigned char *first) {
    unsigned char last[F2FS_BLOCK];
    uint32_t blocks;

    if (!f2fs_read_block(volume, at, first) || !f2fs_volume_is_whole(first)) {
        return false;
    }
    blocks = bytes_u32_little(first + CHECKPOINT_BLOCKS);
    return blocks >= 2 && blocks <= F2FS_SEGMENT &&
           f2fs_read_block(volume, at + blocks - 1, last) && f2fs_volume_is_whole(last) &&
           bytes_u64_little(last) == bytes_u64_little(first);
}

/* Returns the offset, in the checkpoint's first block, of the bitmap that says which copy of each
 * NAT block is current; 0 if it does not fit into the block. */
static size_t find_nat_map(const unsigned char *first, uint32_t payload, size_t length) {
    size_t sit = bytes_u32_little(first + CHECKPOINT_SIT_MAP), at = CHECKPOINT_MAPS;

    if (bytes_u32_little(first + CHECKPOINT_FLAGS) & FLAG_LARGE_NAT_MAP) {
        at += 4;
    } else if (payload == 0) {
        at += sit < F2FS_BLOCK ? sit : F2FS_BLOCK;
    }
    return at <= F2FS_BLOCK && length <= F2FS_BLOCK - at ? at : 0;
}

static bool parse_checkpoint(struct f2fs_volume *volume, const unsigned char *first,
                             struct error *error) {
    size_t length = bytes_u32_little(first + CHECKPOINT_NAT_MAP);
    size_t at = find_nat_map(first, volume->payload, length);

    if (at == 0) {
        return error_set(error, "its newest checkpoint is damaged");
    }
    volume->version = bytes_u64_little(first);
    volume->journal = volume->pack + bytes_u32_little(first + CHECKPOINT_SUMMARIES);
    volume->journal_at = bytes_u32_little(first + CHECKPOINT_FLAGS) & FLAG_COMPACT ? 0 : JOURNAL_AT;
    volume->nat_map = xmalloc(length + 1);
    memcpy(volume->nat_map, first + at, length);
    volume->nat_map_bytes = length;
    if (volume->nat_blocks > 8 * length) {
        volume->nat_blocks = (uint32_t)(8 * length);
    }
    return true;
}

/* Reads both checkpoints, and uses the newer one of those that are valid. */
static bool read_checkpoint(struct f2fs_volume *volume, struct error *error) {
    unsigned char packs[2][F2FS_BLOCK];
    bool whole[2];
    size_t newer;

    for (uint32_t i = 0; i < 2; i++) {
        whole[i] = read_pack(volume, volume->checkpoint + i * F2FS_SEGMENT, packs[i]);
    }
    if (!whole[0] && !whole[1]) {
        return error_set(error, "both of its checkpoints are damaged");
    }
    newer = whole[1] && (!whole[0] || bytes_u64_little(packs[1]) > bytes_u64_little(packs[0]));
    volume->pack = volume->checkpoint + (uint32_t)newer * F2FS_SEGMENT;
    return parse_checkpoint(volume, packs[newer], error);
}

bool f2fs_open(struct f2fs_volume *volume, int descriptor, uint64_t offset, struct error *error) {
    *volume = (struct f2fs_volume){.descriptor = descriptor, .offset = offset};
    return read_super(volume, error) && read_checkpoint(volume, error);
}

void f2fs_close(struct f2fs_volume *volume) {
    free(volume->nat_map);
    *volume = (struct f2fs_volume){0};
}

/* --- finding the block of a node of F2FS ------------------------------------------------------ */

static bool f2fs_volume_add_place(struct f2fs_places *places, const struct f2fs_place *place,
                                  struct error *error) {
    if (places->count >= MOST_PLACES) {
        return error_set(error, "it has more than %zu nodes", MOST_PLACES);
    }
    *ARRAY_NEW(places->items, places->count, places->capacity) = *place;
    return true;
}

static struct f2fs_place f2fs_volume_read_entry(uint32_t node, const unsigned char *entry) {
    return (struct f2fs_place){
        .node = node,
        .inode = bytes_u32_little(entry + 1),
        .block = bytes_u32_little(entry + 5),
    };
}

/* Reads the NAT entries stored in the checkpoint, which are newer than those of the table. Returns
 * their number. */
static size_t read_newest(const struct f2fs_volume *volume,
                          struct f2fs_place newest[JOURNAL_ENTRIES], uint64_t *unreadable) {
    unsigned char block[F2FS_BLOCK];
    const unsigned char *journal = block + volume->journal_at;
    size_t count;

    if (volume->journal - volume->pack >= F2FS_SEGMENT ||
        !f2fs_read_block(volume, volume->journal, block)) {
        ++*unreadable;
        return 0;
    }
    count = bytes_u16_little(journal);
    if (count > JOURNAL_ENTRIES) {
        ++*unreadable;
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned char *entry = journal + 2 + i * JOURNAL_ENTRY;

        newest[i] = f2fs_volume_read_entry(bytes_u32_little(entry), entry + 4);
    }
    return count;
}

/* Returns the number of block `index` of the NAT. Each of its blocks exists twice, a segment apart;
 * a bitmap says which copy is current. */
static uint32_t find_table_block(const struct f2fs_volume *volume, uint32_t index) {
    bool second = index / 8 < volume->nat_map_bytes &&
                  (volume->nat_map[index / 8] >> (7 - index % 8) & 1) != 0;

    return volume->nat + index / F2FS_SEGMENT * 2 * F2FS_SEGMENT + index % F2FS_SEGMENT +
           (second ? F2FS_SEGMENT : 0);
}

static bool f2fs_volume_add_table_block(const struct f2fs_volume *volume,
                                        const unsigned char *block, uint32_t index,
                                        const struct f2fs_place *newest, size_t newest_count,
                                        struct f2fs_places *places, struct error *error) {
    for (uint32_t i = 0; i < ENTRIES; i++) {
        struct f2fs_place place =
            f2fs_volume_read_entry(index * ENTRIES + i, block + (size_t)i * ENTRY);

        /* If the checkpoint has newer places of this node, the last of them is current. */
        for (size_t j = 0; j < newest_count; j++) {
            if (newest[j].node == place.node) {
                place = newest[j];
            }
        }
        if (f2fs_is_in_main_area(volume, place.block) && place.inode != 0 &&
            !f2fs_volume_add_place(places, &place, error)) {
            return false;
        }
    }
    return true;
}

bool f2fs_read_places(const struct f2fs_volume *volume, struct f2fs_places *places,
                      uint64_t *unreadable, struct error *error) {
    struct f2fs_place newest[JOURNAL_ENTRIES];
    size_t newest_count = read_newest(volume, newest, unreadable);
    unsigned char block[F2FS_BLOCK];

    for (uint32_t i = 0; i < volume->nat_blocks; i++) {
        if (!f2fs_read_block(volume, find_table_block(volume, i), block)) {
            ++*unreadable;
            memset(block, 0, sizeof block);
        }
        if (!f2fs_volume_add_table_block(volume, block, i, newest, newest_count, places, error)) {
            return false;
        }
    }
    return true;
}
