#include "model/system_calls.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    enum call_does does;
} known[] = {
    {"open", CALL_OPENS},
    {"open64", CALL_OPENS},
    {"openat", CALL_OPENS},
    {"openat2", CALL_OPENS},
    {"creat", CALL_OPENS},
    {"read", CALL_READS},
    {"pread", CALL_READS},
    {"pread64", CALL_READS},
    {"readv", CALL_READS},
    {"preadv", CALL_READS},
    {"preadv2", CALL_READS},
    {"write", CALL_WRITES},
    {"pwrite", CALL_WRITES},
    {"pwrite64", CALL_WRITES},
    {"writev", CALL_WRITES},
    {"pwritev", CALL_WRITES},
    {"pwritev2", CALL_WRITES},
    {"fsync", CALL_SYNCS},
    {"fdatasync", CALL_SYNCS},
    {"unlink", CALL_UNLINKS},
    {"unlinkat", CALL_UNLINKS},
    {"ftruncate", CALL_TRUNCATES},
    {"ftruncate64", CALL_TRUNCATES},
    {"truncate", CALL_TRUNCATES},
    {"truncate64", CALL_TRUNCATES},
    {"fcntl", CALL_LOCKS},
    {"fcntl64", CALL_LOCKS},
    {"copy_file_range", CALL_COPIES},
    {"sendfile", CALL_COPIES},
    {"sendfile64", CALL_COPIES},
    {"splice", CALL_COPIES},
    {"tee", CALL_COPIES},
    {"vmsplice", CALL_WRITES},
};

enum call_does call_does(const char *name) {
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, name) == 0) {
            return known[i].does;
        }
    }
    return CALL_OTHER;
}

const char *call_does_word(enum call_does does) {
    switch (does) {
    case CALL_OPENS:
        return "open";
    case CALL_READS:
        return "read";
    case CALL_WRITES:
        return "write";
    case CALL_COPIES:
        return "copy";
    case CALL_SYNCS:
        return "fsync";
    case CALL_OTHER:
    case CALL_UNLINKS:
    case CALL_TRUNCATES:
    case CALL_LOCKS:
        break;
    }
    return NULL;
}
