/* The dwTrace test data: see README.md. It shares nothing with tracetool, and gives the same bytes
 * everywhere.
 */
#include "big.h"
#include "damage.h"
#include "scenarios.h"
#include "wrap.h"

#include <stdlib.h>
#include <string.h>

static int usage(void) {
    fputs(
        "usage: generate-dwtrace samples DIRECTORY   the files that are committed\n"
        "       generate-dwtrace variants DIRECTORY  every variant of every play\n"
        "       generate-dwtrace wrap DIRECTORY      every place that a wrapping writer stands at\n"
        "       generate-dwtrace cuts DIRECTORY      two logs cut off at every byte\n"
        "       generate-dwtrace big BYTES SEED      a large log on stdout\n"
        "       generate-dwtrace big-expect BYTES SEED\n",
        stderr);
    return 2;
}

static bool parse_number(const char *text, uint64_t *number) {
    char *end;

    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0';
}

static int folder(const char *command, const char *directory) {
    if (strcmp(command, "samples") == 0) {
        write_samples(directory);
        write_damaged(directory);
    } else if (strcmp(command, "variants") == 0) {
        write_variants(directory);
    } else if (strcmp(command, "wrap") == 0) {
        write_wrapped(directory);
    } else if (strcmp(command, "cuts") == 0) {
        write_cuts(directory);
    } else {
        return usage();
    }
    return 0;
}

int main(int count, char **arguments) {
    uint64_t bytes, seed;

    if (count == 3) {
        return folder(arguments[1], arguments[2]);
    }
    if (count != 4 || !parse_number(arguments[2], &bytes) || !parse_number(arguments[3], &seed)) {
        return usage();
    }
    if (strcmp(arguments[1], "big") == 0) {
        write_big(bytes, seed);
    } else if (strcmp(arguments[1], "big-expect") == 0) {
        expect_big(bytes, seed);
    } else {
        return usage();
    }
    return 0;
}
