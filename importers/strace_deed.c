#include "strace_deed.h"

struct word strace_argument(const struct strace_deed *deed, int place) {
    return place < 0 || (size_t)place >= deed->argument_count
               ? (struct word){"", 0}
               : strace_value(deed->arguments[place]);
}

bool strace_has(struct word word, const char *text) {
    return memmem(word.bytes, word.length, text, strlen(text)) != NULL;
}

bool strace_has_flag(struct word flags, const char *name, int64_t bit) {
    struct word rest;
    int64_t number;

    return strace_has(flags, name) ||
           (strace_number(flags, &number, &rest) && rest.length == 0 && (number & bit) != 0);
}

bool strace_is_command(struct word argument, const char *name, int64_t number) {
    struct word rest;
    int64_t found;

    return strace_number(argument, &found, &rest) && word_trim(rest).length == 0
               ? found == number
               : strace_has(argument, name) &&
                     (word_is(argument, name) || strace_has(argument, "/*"));
}

bool strace_shares(const struct strace_deed *deed, const char *flag, int64_t bit) {
    int place = deed->call->more;

    /* In words they may stand in any argument, by the kernel's order of them. */
    for (size_t i = 0; place >= 0 && i < deed->argument_count; i++) {
        if (strace_has(deed->arguments[i], flag)) {
            return true;
        }
    }
    return word_is(deed->name, "clone") && strace_has_flag(strace_argument(deed, 0), flag, bit);
}

bool strace_is_good(const struct strace_deed *deed) {
    return deed->result->known && deed->result->value >= 0;
}
