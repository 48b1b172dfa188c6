#include "model/allocation.h"

#include <string.h>

static const char *const words[ALLOCATION_WHATS] = {
    [ALLOCATION_DATA] = "data",       [ALLOCATION_METADATA] = "metadata",
    [ALLOCATION_HELD] = "held",       [ALLOCATION_FREED] = "freed",
    [ALLOCATION_CREATED] = "created", [ALLOCATION_DELETED] = "deleted",
    [ALLOCATION_LOST] = "lost",       [ALLOCATION_REGAINED] = "regained",
};

const char *allocation_word(enum allocation_what what) {
    return words[what];
}

enum allocation_what allocation_what(const char *word) {
    unsigned what = 0;

    while (what < ALLOCATION_WHATS && (word == NULL || strcmp(word, words[what]) != 0)) {
        what++;
    }
    return (enum allocation_what)what;
}
