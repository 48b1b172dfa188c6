/* The two-user study: see README.md. */
#include "carriers.h"
#include "expect.h"
#include "lives.h"
#include "play.h"

#include <stdlib.h>
#include <string.h>

enum {
    USUAL_IOS = 400000,
    LEAST_IOS = 1000,
    MOST_IOS = 100000000,
    IOS_PER_FILE = 100,
    MOST_FILES = 100000
};
enum { PIECE = 1 << 20, SMALL_PIECE = 8192, SMALL_FILES = 60 };

static int usage(void) {
    fputs("usage: generate DIRECTORY [IOS]      IOS a user, 1000 to 100000000; else 400000\n"
          "       generate small DIRECTORY      some 200 I/Os a user\n",
          stderr);
    return 2;
}

/* Partitions by sector, as form D has no device. */
static void write_configuration(const char *directory) {
    char path[PATH_SIZE];
    FILE *file;
    set_path(path, "%s/study.yaml", directory);
    file = open_output(path);
    fputs("# The phones of the study. Sectors between the ranges are the modem's.\npartitions:\n",
          file);
    for (size_t i = 0; i < AREAS; i++) {
        if (areas[i].partition != PART_UNMAPPED) {
            fprintf(file, "  - {name: %s, first: %u, sectors: %u}\n",
                    partition_names[areas[i].partition], areas[i].first, areas[i].sectors);
        }
    }
    close_file(file);
}

static void write_user(const char *directory, unsigned user, uint32_t ios, size_t piece) {
    static Player player;
    static Carriers carriers;
    static Counts counts;
    char expected[PATH_SIZE];
    Io io;
    memset(&counts, 0, sizeof counts);
    start_playing(&player, user, ios);
    open_carriers(&carriers, directory, user, piece);
    while (play_next(&player, &io)) {
        count_io(&counts, &io);
        carry(&carriers, &io);
    }
    close_carriers(&carriers);
    require(counts.total == ios, "the day is not over");
    check_promises(&counts, user);
    set_path(expected, "%s/expected/user%u", directory, user + 1);
    make_directory(expected);
    write_expectations(expected, &counts, carriers.binary_bytes, carriers.uio_bytes);
}

static int write_study(const char *directory, const uint32_t ios[USERS], size_t piece,
                       uint32_t files) {
    char path[PATH_SIZE];
    make_directory(directory);
    set_path(path, "%s/expected", directory);
    make_directory(path);
    write_configuration(directory);
    for (unsigned user = 0; user < USERS; user++) {
        write_user(directory, user, ios[user], piece);
        write_lives(directory, user, files);
    }
    return 0;
}

int main(int count, char **arguments) {
    /* With these the writes are the whole multiple of the reads that the paper names. */
    static const uint32_t small[USERS] = {12 * 17, 19 * 11};
    unsigned long ios = USUAL_IOS;
    uint32_t files;
    char *end = "";
    if (count > 1 && strcmp(arguments[1], "small") == 0) {
        return count != 3 ? usage() : write_study(arguments[2], small, SMALL_PIECE, SMALL_FILES);
    }
    if (count == 3) {
        ios =
            arguments[2][0] >= '0' && arguments[2][0] <= '9' ? strtoul(arguments[2], &end, 10) : 0;
    }
    if (count < 2 || count > 3 || *arguments[1] == '-' || *end || ios < LEAST_IOS ||
        ios > MOST_IOS) {
        return usage();
    }
    files = (uint32_t)ios / IOS_PER_FILE;
    return write_study(arguments[1], (const uint32_t[]){(uint32_t)ios, (uint32_t)ios}, PIECE,
                       files < MOST_FILES ? files : MOST_FILES);
}
