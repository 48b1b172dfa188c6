#include "base/words.h"

#include <string.h>

bool word_in(const char *words, const char *word) {
    size_t length = strlen(word);

    for (const char *at = words; *at != '\0';) {
        size_t run = strcspn(at, " ");

        if (run == length && memcmp(at, word, length) == 0) {
            return true;
        }
        at += run + strspn(at + run, " ");
    }
    return false;
}
