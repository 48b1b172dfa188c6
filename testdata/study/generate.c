/* The two-user study: see README.md. */
#include "carriers.h"
#include "expect.h"
#include "lives.h"
#include "play.h"

#include <stdlib.h>
#include <string.h>

enum {
    USUAL_IOS = 780000,
    LEAST_IOS = 900,
    MOST_IOS = 100000000,
    IOS_PER_FILE = 100,
    MOST_FILES = 100000
};
enum { PIECE = 1 << 20, SMALL_PIECE = 8192, SMALL_FILES = 60 };

static int usage(void) {
    fputs("usage: generate DIRECTORY [IOS]      IOS of both, 900 to 100000000; else 780000\n"
          "       generate small DIRECTORY      476 and 528 I/Os\n",
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

static void write_user(const char *directory, unsigned user, uint32_t ios, size_t piece,
                       Counts *counts) {
    static Player player;
    static Carriers carriers;
    char expected[PATH_SIZE];
    Io io;
    start_playing(&player, user, ios);
    open_carriers(&carriers, directory, user, piece);
    while (play_next(&player, &io)) {
        count_io(counts, &io);
        carry(&carriers, &io);
    }
    close_carriers(&carriers);
    require(counts->total == ios, "the day is not over");
    check_promises(counts, user);
    set_path(expected, "%s/expected/user%u", directory, user + 1);
    make_directory(expected);
    write_expectations(expected, counts, carriers.binary_bytes, carriers.uio_bytes);
}

static int write_study(const char *directory, const uint32_t ios[USERS], size_t piece,
                       uint32_t files) {
    static Counts counts[USERS];
    char path[PATH_SIZE];
    make_directory(directory);
    set_path(path, "%s/expected", directory);
    make_directory(path);
    write_configuration(directory);
    for (unsigned user = 0; user < USERS; user++) {
        write_user(directory, user, ios[user], piece, &counts[user]);
        write_lives(directory, user, files);
    }
    check_promises_of_both(counts);
    return 0;
}

int main(int count, char **arguments) {
    /* User 1 does 7 of 19 reads, with which 40 and 78 % of executables are 64 % over both, and 16
     * and 10 writes a read are 12.2: 119 of 251 I/Os. */
    static const uint32_t small[USERS] = {4 * 119, 4 * 132};
    unsigned long ios = USUAL_IOS;
    uint32_t files, first;
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
    files = (uint32_t)ios / 2 / IOS_PER_FILE;
    first = (uint32_t)(ios * 119 / 251);
    return write_study(arguments[1], (const uint32_t[]){first, (uint32_t)ios - first}, PIECE,
                       files < MOST_FILES ? files : MOST_FILES);
}
