#include "import/thread_files.h"

#include <string.h>

#include "import/importer.h"
#include "input/input.h"

enum { DIGITS = 7 }; /* of a thread's number, at most */

size_t thread_file_stem(const char *path) {
    size_t length = strlen(path), digits = 0;

    while (digits < length && path[length - digits - 1] >= '0' &&
           path[length - digits - 1] <= '9') {
        digits++;
    }
    return digits == 0 || digits > DIGITS || length < digits + 2 ||
                   path[length - digits - 1] != '.' || path[length - digits - 2] == '/'
               ? 0
               : length - digits - 1;
}

/* Whether an importer knows the beginning of a file for that of one thread. */
static bool is_of_thread(const struct config *config, const struct sniff *sniff) {
    const struct importer *importer;

    for (size_t i = 0; (importer = importer_at(config, i)) != NULL; i++) {
        if (importer->of_thread != NULL && importer->of_thread(sniff)) {
            return true;
        }
    }
    return false;
}

static bool holds_thread(const struct config *config, const char *path) {
    struct error ignored = {0};
    struct input *input = input_open(path, (struct input_stop){NULL, NULL}, &ignored);
    struct reader reader;
    bool holds = false;

    if (input != NULL && reader_init(&reader, input, &ignored)) {
        size_t length = reader_fill(&reader, SNIFF_LENGTH);
        struct sniff sniff = {
            .bytes = reader_bytes(&reader),
            .length = length < SNIFF_LENGTH ? length : SNIFF_LENGTH,
            .whole = length < SNIFF_LENGTH,
            .name = path,
        };

        holds = is_of_thread(config, &sniff);
        reader_free(&reader);
    }
    input_close(input);
    return holds;
}

size_t thread_files_count(const struct config *config, char *const *paths, size_t count) {
    size_t stem = thread_file_stem(paths[0]), found = 0;

    while (stem > 0 && found < count && thread_file_stem(paths[found]) == stem &&
           memcmp(paths[found], paths[0], stem) == 0 && input_is_file(paths[found]) &&
           holds_thread(config, paths[found])) {
        found++;
    }
    return found;
}
