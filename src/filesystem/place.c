#include "filesystem/place.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "filesystem/ext_reader.h"
#include "filesystem/f2fs_volume.h"

/* What the messages call file systems that can be read. */
#define KNOWN "ext2, ext3, ext4 or F2FS"

#define SECTOR 512

/* Whether a file system that can be read begins there. */
static bool is_known_at(int descriptor, uint64_t offset) {
    unsigned char head[2048];

    if (offset > INT64_MAX - sizeof head ||
        pread(descriptor, head, sizeof head, (off_t)offset) != (ssize_t)sizeof head) {
        return false;
    }
    return ext_is_there(head) || f2fs_is_there(head);
}

static bool expect_known(bool known, const char *where, struct error *error) {
    return known || error_set(error, "no " KNOWN " file system %s", where);
}

static uint64_t start_of(blkid_partition partition) {
    return (uint64_t)blkid_partition_get_start(partition) * SECTOR;
}

/* Whether that is what the partition is called, or its number. */
static bool is_called(blkid_partition partition, const char *wanted) {
    const char *name = blkid_partition_get_name(partition);
    char *rest;
    long number = strtol(wanted, &rest, 10);

    return (name != NULL && strcmp(name, wanted) == 0) ||
           (*wanted != '\0' && *rest == '\0' && number == blkid_partition_get_partno(partition));
}

/* Appends "userdata (byte 12582912)"; a partition without a name by its number. */
static void describe(blkid_partition partition, struct text *list) {
    const char *name = blkid_partition_get_name(partition);

    text_append_string(list, list->length == 0 ? "" : ", ");
    if (name != NULL && *name != '\0') {
        text_append_word(list, name);
    } else {
        text_append_integer(list, blkid_partition_get_partno(partition));
    }
    text_append_format(list, " (byte %llu)", (unsigned long long)start_of(partition));
}

static bool choose_named(int descriptor, blkid_partlist list, const char *wanted, uint64_t *offset,
                         struct error *error) {
    struct text all = {0};

    for (int i = 0; i < blkid_partlist_numof_partitions(list); i++) {
        blkid_partition partition = blkid_partlist_get_partition(list, i);

        if (is_called(partition, wanted)) {
            text_free(&all);
            *offset = start_of(partition);
            return expect_known(is_known_at(descriptor, *offset), "in that partition", error);
        }
        describe(partition, &all);
    }
    error_set(error, "there is no partition %s; there are %s", wanted, text_string(&all));
    text_free(&all);
    return false;
}

static bool choose_only(int descriptor, blkid_partlist list, uint64_t *offset,
                        struct error *error) {
    struct text all = {0};
    int count = 0;

    for (int i = 0; i < blkid_partlist_numof_partitions(list); i++) {
        blkid_partition partition = blkid_partlist_get_partition(list, i);

        if (is_known_at(descriptor, start_of(partition))) {
            *offset = start_of(partition);
            describe(partition, &all);
            count++;
        }
    }
    if (count == 0) {
        expect_known(false, "in any of its partitions", error);
    } else if (count > 1) {
        error_set(error, "%d partitions have " KNOWN "; --partition says which: %s", count,
                  text_string(&all));
    }
    text_free(&all);
    return count == 1;
}

/* The table of partitions, in sectors of that size; NULL: there is none. */
static blkid_partlist read_table(blkid_probe probe, unsigned sector_size) {
    blkid_partlist list;

    if (blkid_probe_set_sectorsize(probe, sector_size) != 0) {
        return NULL;
    }
    list = blkid_probe_get_partitions(probe);
    return list != NULL && blkid_partlist_numof_partitions(list) > 0 ? list : NULL;
}

static bool choose(int descriptor, blkid_probe probe, const char *partition, uint64_t *offset,
                   struct error *error) {
    blkid_partlist list = NULL;

    if (blkid_probe_set_device(probe, descriptor, 0, 0) == 0) {
        list = read_table(probe, SECTOR);
        list = list == NULL ? read_table(probe, 4096) : list;
    }
    if (list == NULL) {
        return partition != NULL ? error_set(error, "it has no partitions")
                                 : expect_known(is_known_at(descriptor, 0),
                                                "at byte 0, and no partitions", error);
    }
    return partition != NULL ? choose_named(descriptor, list, partition, offset, error)
                             : choose_only(descriptor, list, offset, error);
}

bool place_find_of_device(int descriptor, uint64_t given, uint64_t *offset, struct error *error) {
    *offset = is_known_at(descriptor, given) ? given : 0;
    return expect_known(is_known_at(descriptor, *offset), "at that byte, nor at byte 0", error);
}

bool place_find(int descriptor, uint64_t given, const char *partition, uint64_t *offset,
                struct error *error) {
    blkid_probe probe;
    bool done;

    *offset = given == PLACE_NOT_GIVEN ? 0 : given;
    if (given != PLACE_NOT_GIVEN || (partition == NULL && is_known_at(descriptor, 0))) {
        return expect_known(is_known_at(descriptor, *offset), "at that byte", error);
    }
    probe = blkid_new_probe();
    done = choose(descriptor, probe, partition, offset, error);
    blkid_free_probe(probe);
    return done;
}
