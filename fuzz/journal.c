/* The target `journal`: the input describes a journal of a small file system, which is written and
 * then read back.
 *
 * Changed bytes within an image rarely make a valid journal, since its numbers and checksums depend
 * on one another. Here they are valid, unless the input damages them. It begins with four bytes for
 * the form of the log (begin()). Then follow steps: copies of blocks, which differ a little from
 * their last copy, revocations and commits; and damages, bytes of the journal that are changed at
 * the end. Without damages, every transaction must be found, with every copy.
 */
#include <ext2fs/ext2fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "filesystem/ext_channel.h"
#include "filesystem/image.h"
#include "filesystem/journal.h"
#include "target.h"

enum {
    BLOCK = 1024,
    BLOCKS = 2048,
    LOG = 1024,     /* blocks of the journal */
    LOG_USED = 900, /* most of these that are written */
    TAGS = 32,      /* most copies of a transaction */
    DAMAGES = 16,
};

/* Numbers of the journal's format. */
enum { MAGIC_BYTES = 4, DESCRIPTOR = 1, COMMIT = 2, REVOKE = 5 };
enum { FLAG_ESCAPED = 1, FLAG_SAME_UUID = 2, FLAG_LAST = 8 };
enum { FEATURE_REVOKE = 1, FEATURE_64BIT = 2, FEATURE_SUM_2 = 8, FEATURE_SUM_3 = 16 };

static const unsigned char magic[MAGIC_BYTES] = {0xC0, 0x3B, 0x39, 0x98};

/* The file system before the journal is written. */
static struct {
    unsigned char *bytes;
    uint64_t log[LOG]; /* positions of the journal's blocks */
    int descriptor;    /* a file in memory, in which it is written and read */
} model;

/* --- the file system
 * ------------------------------------------------------------------------------
 */

static void must(errcode_t status, const char *what) {
    if (status != 0) {
        target_failed("%s: %s", what, error_message(status));
    }
}

static ext2_filsys format(const char *path) {
    struct ext2_super_block wanted = {
        .s_blocks_count = BLOCKS,
        .s_first_data_block = 1,
        .s_inodes_count = 64,
        .s_rev_level = EXT2_DYNAMIC_REV,
        .s_feature_incompat = EXT2_FEATURE_INCOMPAT_FILETYPE | EXT3_FEATURE_INCOMPAT_EXTENTS,
    };
    ext2_filsys fs;

    must(ext2fs_initialize(path, EXT2_FLAG_64BITS, &wanted, unix_io_manager, &fs), "format");
    must(ext2fs_allocate_tables(fs), "tables");
    for (ext2_ino_t number = 1; number < EXT2_FIRST_INO(fs->super); number++) {
        if (number != EXT2_ROOT_INO) {
            ext2fs_inode_alloc_stats2(fs, number, +1, 0);
        }
    }
    return fs;
}

static void write_file(ext2_filsys fs, ext2_ino_t directory, const char *name, bool extents,
                       unsigned length) {
    struct ext2_inode inode = {
        .i_mode = LINUX_S_IFREG | 0644,
        .i_links_count = 1,
        .i_flags = extents ? EXT4_EXTENTS_FL : 0,
    };
    char *content = calloc(1, length);
    ext2_ino_t number;
    ext2_file_t file;
    unsigned written;

    must(ext2fs_new_inode(fs, directory, LINUX_S_IFREG, NULL, &number), "inode");
    ext2fs_inode_alloc_stats2(fs, number, +1, 0);
    must(ext2fs_write_new_inode(fs, number, &inode), "inode");
    must(ext2fs_file_open(fs, number, EXT2_FILE_WRITE, &file), "file");
    memset(content, name[0], length);
    must(ext2fs_file_write(file, content, length, &written), "write");
    must(ext2fs_file_close(file), "close");
    must(ext2fs_link(fs, directory, name, number, EXT2_FT_REG_FILE), "link");
    free(content);
}

static void fill(ext2_filsys fs) {
    ext2_ino_t folder;

    must(ext2fs_mkdir(fs, EXT2_ROOT_INO, EXT2_ROOT_INO, NULL), "root");
    must(ext2fs_mkdir(fs, EXT2_ROOT_INO, 0, "folder"), "folder");
    must(ext2fs_namei(fs, EXT2_ROOT_INO, EXT2_ROOT_INO, "folder", &folder), "folder");
    write_file(fs, EXT2_ROOT_INO, "extents", true, 9000);
    write_file(fs, folder, "blocks", false, 30000);
    write_file(fs, folder, "small", true, 10);
    must(ext2fs_add_journal_inode2(fs, LOG, ~0ULL, 0), "journal");
    for (unsigned i = 0; i < LOG; i++) {
        blk64_t at;

        must(ext2fs_bmap2(fs, EXT2_JOURNAL_INO, NULL, NULL, 0, i, NULL, &at), "journal");
        model.log[i] = at;
    }
}

static void make_model(void) {
    size_t length = (size_t)BLOCK * BLOCKS;
    char path[64];
    ext2_filsys fs;

    initialize_ext2_error_table();
    model.descriptor = memfd_create("model", MFD_CLOEXEC);
    model.bytes = malloc(length);
    if (model.descriptor < 0 || model.bytes == NULL ||
        ftruncate(model.descriptor, (off_t)length) != 0) {
        target_failed("no file in memory");
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", model.descriptor);
    fs = format(path);
    fill(fs);
    must(ext2fs_close_free(&fs), "close");
    if (pread(model.descriptor, model.bytes, length, 0) != (ssize_t)length) {
        target_failed("a file in memory cannot be read");
    }
}

/* --- writing the journal
 * ------------------------------------------------------------------------
 */

/* The input: steps are taken from it until it ends. */
struct script {
    const uint8_t *at, *end;
};

static unsigned take(struct script *script) {
    return script->at < script->end ? *script->at++ : 0;
}

static unsigned take_wide(struct script *script) {
    unsigned low = take(script);

    return low | take(script) << 8;
}

/* A copy before the commit of its transaction. */
struct tag {
    uint32_t block;
    unsigned char bytes[BLOCK];
};

struct damage {
    unsigned block, place, value;
};

struct writer {
    unsigned char *image;  /* including the journal */
    unsigned char *latest; /* the last copy of each block */
    uint32_t features, seed, sequence, begin;
    unsigned used; /* blocks of the log, in use */
    struct tag tags[TAGS];
    uint32_t revoked[TAGS];
    struct damage damages[DAMAGES];
    unsigned tag_count, revoked_count, damage_count;
    size_t commits, copies; /* written so far */
};

static void put(unsigned char *at, uint32_t value) {
    at[0] = (unsigned char)(value >> 24);
    at[1] = (unsigned char)(value >> 16);
    at[2] = (unsigned char)(value >> 8);
    at[3] = (unsigned char)value;
}

static bool has_sums(const struct writer *writer) {
    return (writer->features & (FEATURE_SUM_2 | FEATURE_SUM_3)) != 0;
}

/* Returns the next block of the log, zeroed except for its head. */
static unsigned char *next_block(struct writer *writer, unsigned type) {
    unsigned at = 1 + (writer->begin + writer->used++) % (LOG - 1);
    unsigned char *block = writer->image + model.log[at] * BLOCK;

    memset(block, 0, BLOCK);
    if (type != 0) {
        memcpy(block, magic, sizeof magic);
        put(block + 4, type);
        put(block + 8, writer->sequence);
    }
    return block;
}

static void put_sum(const struct writer *writer, unsigned char *block, size_t at) {
    if (has_sums(writer)) {
        put(block + at, ext2fs_crc32c_le(writer->seed, block, BLOCK));
    }
}

/* Returns the checksum of a copy: of the block before its first bytes are escaped. */
static uint32_t sum_of(const struct writer *writer, const struct tag *tag) {
    unsigned char number[4];

    put(number, writer->sequence);
    return ext2fs_crc32c_le(ext2fs_crc32c_le(writer->seed, number, sizeof number), tag->bytes,
                            BLOCK);
}

/* Writes a tag and returns the position after it. */
static unsigned char *put_tag(const struct writer *writer, unsigned char *at, unsigned number) {
    const struct tag *tag = &writer->tags[number];
    uint32_t flags = (number > 0 ? FLAG_SAME_UUID : 0) |
                     (number + 1 == writer->tag_count ? FLAG_LAST : 0) |
                     (memcmp(tag->bytes, magic, sizeof magic) == 0 ? FLAG_ESCAPED : 0);
    uint32_t sum = sum_of(writer, tag);

    put(at, tag->block);
    if (writer->features & FEATURE_SUM_3) {
        put(at + 4, flags);
        put(at + 12, sum);
        at += 16;
    } else {
        put(at + 4, (writer->features & FEATURE_SUM_2 ? sum << 16 : 0) | flags);
        at += 8 + (writer->features & FEATURE_64BIT ? 4 : 0) +
              (writer->features & FEATURE_SUM_2 ? 2 : 0);
    }
    return at + (number == 0 ? 16 : 0);
}

static void write_copies(struct writer *writer) {
    unsigned char *block = next_block(writer, DESCRIPTOR), *at = block + 12;

    for (unsigned i = 0; i < writer->tag_count; i++) {
        at = put_tag(writer, at, i);
    }
    put_sum(writer, block, BLOCK - 4);
    for (unsigned i = 0; i < writer->tag_count; i++) {
        block = next_block(writer, 0);
        memcpy(block, writer->tags[i].bytes, BLOCK);
        if (memcmp(block, magic, sizeof magic) == 0) {
            memset(block, 0, sizeof magic);
        }
    }
}

static void write_revocations(struct writer *writer) {
    size_t size = writer->features & FEATURE_64BIT ? 8 : 4;
    unsigned char *block = next_block(writer, REVOKE);

    put(block + 12, (uint32_t)(16 + size * writer->revoked_count));
    for (unsigned i = 0; i < writer->revoked_count; i++) {
        put(block + 16 + size * i + size - 4, writer->revoked[i]);
    }
    put_sum(writer, block, BLOCK - 4);
}

static void commit(struct writer *writer) {
    unsigned char *block;

    if (writer->used + writer->tag_count + 3 > LOG_USED) {
        return;
    }
    if (writer->revoked_count > 0) {
        write_revocations(writer);
    }
    if (writer->tag_count > 0) {
        write_copies(writer);
    }
    block = next_block(writer, COMMIT);
    put(block + 52, 1700000000 + writer->sequence);
    put_sum(writer, block, 16);
    writer->commits++;
    writer->copies += writer->tag_count;
    writer->sequence++;
    writer->tag_count = writer->revoked_count = 0;
}

/* Adds a copy of a block with some bytes changed. Blocks at the beginning, which describe the file
 * system, are chosen more often. */
static void add_copy(struct writer *writer, struct script *script) {
    uint32_t block = take_wide(script);
    unsigned edits = take(script) % 8, at = 0;
    unsigned char *latest;

    block = 1 + (block & 0x8000 ? block % (BLOCKS - 1) : block % 64);
    latest = writer->latest + (size_t)block * BLOCK;
    for (unsigned i = 0; i < edits; i++) {
        unsigned place = take_wide(script) % BLOCK;

        latest[place] = (unsigned char)take(script);
    }
    while (at < writer->tag_count && writer->tags[at].block != block) {
        at++;
    }
    if (at < TAGS) {
        writer->tags[at].block = block;
        memcpy(writer->tags[at].bytes, latest, BLOCK);
        writer->tag_count += at == writer->tag_count;
    }
}

static void take_step(struct writer *writer, struct script *script) {
    switch (take(script) % 8) {
    case 0:
        commit(writer);
        break;
    case 1:
        if (writer->revoked_count < TAGS) {
            writer->revoked[writer->revoked_count++] = 1 + take_wide(script) % (BLOCKS - 1);
        }
        break;
    case 2:
        if (writer->damage_count < DAMAGES) {
            struct damage *damage = &writer->damages[writer->damage_count++];

            damage->block = take_wide(script) % LOG;
            damage->place = take_wide(script) % BLOCK;
            damage->value = take(script);
        }
        break;
    default:
        add_copy(writer, script);
    }
}

/* Reads features, first number, position of the first block, whether it was unmounted. */
static void begin(struct writer *writer, struct script *script) {
    static const uint32_t features[] = {0, FEATURE_64BIT, FEATURE_SUM_2, FEATURE_SUM_3,
                                        FEATURE_64BIT | FEATURE_SUM_3};
    unsigned char *super = writer->image + model.log[0] * BLOCK;
    unsigned mode = take(script);

    writer->features = FEATURE_REVOKE | features[mode % 5];
    writer->seed = ext2fs_crc32c_le(~0u, super + 48, 16);
    writer->sequence = 1 + take(script);
    writer->begin = take_wide(script);
    put(super + 40, writer->features);
    put(super + 24, writer->sequence);
    put(super + 28, mode & 0x80 ? 1 + writer->begin % (LOG - 1) : 0);
}

static void write_log(struct writer *writer, struct script *script) {
    unsigned char *super = writer->image + model.log[0] * BLOCK;

    begin(writer, script);
    while (script->at < script->end) {
        take_step(writer, script);
    }
    if (super[28] + super[29] + super[30] + super[31] == 0) {
        put(super + 24, writer->sequence);
    }
    for (unsigned i = 0; i < writer->damage_count; i++) {
        const struct damage *damage = &writer->damages[i];

        writer->image[model.log[damage->block] * BLOCK + damage->place] =
            (unsigned char)damage->value;
    }
}

/* --- reading it
 * ---------------------------------------------------------------------------------
 */

static void check_journal(const struct writer *writer, const struct journal *journal) {
    if (writer->damage_count > 0) {
        return;
    }
    if (journal->commit_count != writer->commits || journal->copy_count != writer->copies) {
        target_failed("%zu transactions with %zu copies were written, %zu with %zu are found",
                      writer->commits, writer->copies, journal->commit_count, journal->copy_count);
    }
    if (writer->commits > 0) {
        target_did("transactions");
    }
}

static void read_journal(const struct writer *writer) {
    struct journal journal = {0};
    struct error error = {0};
    ext2_filsys fs;

    must(ext_channel_open(model.descriptor, 0, &fs), "open");
    target_check_message(journal_read(&journal, fs, NULL, 0, &error), &error);
    check_journal(writer, &journal);
    journal_free(&journal);
    ext2fs_free(fs);
}

static void read_image(void) {
    const struct image_request request = {.path = "journal"};
    struct file_map map = {0};
    struct error error = {0};

    if (image_read_in_process(&request, model.descriptor, &map, &error)) {
        image_check(&map);
    } else {
        target_check_message(false, &error);
    }
    file_map_free(&map);
}

void journal_target(const uint8_t *bytes, size_t length) {
    size_t size = (size_t)BLOCK * BLOCKS;
    struct script script = {bytes, bytes + length};
    struct writer *writer = calloc(1, sizeof *writer);

    if (model.bytes == NULL) {
        make_model();
    }
    writer->image = malloc(size);
    writer->latest = malloc(size);
    memcpy(writer->image, model.bytes, size);
    memcpy(writer->latest, model.bytes, size);
    write_log(writer, &script);
    if (pwrite(model.descriptor, writer->image, size, 0) != (ssize_t)size) {
        target_failed("a file in memory cannot be written");
    }
    read_journal(writer);
    read_image();
    free(writer->image);
    free(writer->latest);
    free(writer);
}
