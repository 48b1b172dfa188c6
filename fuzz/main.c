/* Replays files without libFuzzer, with any compiler: fuzz-TARGET FILE…, or $FUZZ_TARGET.
 *
 *     replay --targets          lists the targets
 *     FUZZ_TARGET=most replay FILE…     prints what it did and how often
 *     replay --all FOLDER…      FOLDER/TARGET-anything: each file to the target of its name
 *     FUZZ_TARGET=most replay --cut TIMES FILE…
 *                               each file cut this many times, evenly; 0: at every byte
 *     FUZZ_TARGET=most replay --time FILE…
 *                               prints the CPU time of each in milliseconds
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "target.h"

/* Reads a whole file; NULL if it cannot be read. */
static uint8_t *read_whole(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    struct stat status;
    uint8_t *bytes = NULL;

    if (file != NULL && fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
        (bytes = malloc((size_t)status.st_size + 1)) != NULL) {
        *length = fread(bytes, 1, (size_t)status.st_size, file);
    }
    if (file != NULL) {
        fclose(file);
    }
    return bytes;
}

/* Allocates exactly the bytes of the input, so that a sanitizer sees the first one beyond it. */
static void run_exactly(const uint8_t *bytes, size_t length) {
    uint8_t *exact = malloc(length == 0 ? 1 : length);

    if (exact != NULL) {
        memcpy(exact, bytes, length);
        LLVMFuzzerTestOneInput(exact, length);
    }
    free(exact);
}

/* Runs the whole file; with `times`, that many of its prefixes instead, with 0 all of them. */
static bool replay(const char *path, const char *times) {
    size_t length = 0, step;
    uint8_t *bytes = read_whole(path, &length);

    if (bytes == NULL) {
        fprintf(stderr, "%s: cannot read\n", path);
        return false;
    }
    if (times == NULL) {
        run_exactly(bytes, length);
    } else {
        step = strtoul(times, NULL, 10);
        step = step == 0 ? 1 : length / step + 1;
        for (size_t end = 0; end < length; end += step) {
            run_exactly(bytes, end);
        }
    }
    free(bytes);
    return true;
}

static bool replay_timed(const char *path) {
    clock_t begin = clock();
    bool done = replay(path, NULL);

    printf("%ld\t%s\n", (long)((clock() - begin) / (CLOCKS_PER_SEC / 1000)), path);
    return done;
}

/* Finds the target by the prefix of a file's name. Names have dashes, so the longest wins. */
static bool choose_by_name(const char *file) {
    char name[64];

    for (size_t length = strlen(file); length-- > 1;) {
        if (length < sizeof name && file[length] == '-') {
            memcpy(name, file, length);
            name[length] = '\0';
            if (target_choose(name)) {
                return true;
            }
        }
    }
    return false;
}

static int replay_folder(const char *folder, int *replayed) {
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    char path[4096];
    int failures = directory == NULL;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "README.md") == 0) {
            continue;
        }
        fprintf(stderr, "%s\n", path);
        if (!choose_by_name(entry->d_name)) {
            fprintf(stderr, "%s: the name begins with no target's\n", path);
            failures++;
        } else if (replay(path, NULL)) {
            *replayed += 1;
        } else {
            failures++;
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return failures;
}

int main(int argument_count, char **arguments) {
    const char *way = argument_count > 1 ? arguments[1] : "", *times = NULL;
    int replayed = 0, failures = 0, first = 1;
    bool timed = strcmp(way, "--time") == 0;

    if (strcmp(way, "--targets") == 0) {
        target_list();
        return 0;
    }
    if (strcmp(way, "--cut") == 0 && argument_count > 2) {
        times = arguments[2];
        first = 3;
    }
    target_thorough = times == NULL && !timed;
    if (strcmp(way, "--all") == 0) {
        for (int i = 2; i < argument_count; i++) {
            failures += replay_folder(arguments[i], &replayed);
        }
    } else {
        LLVMFuzzerInitialize(&argument_count, &arguments);
        for (int i = first + timed; i < argument_count; i++) {
            failures += timed ? !replay_timed(arguments[i]) : !replay(arguments[i], times);
            replayed++;
        }
    }
    target_print_done();
    printf("%d replayed\n", replayed);
    return failures == 0 ? 0 : 1;
}
