#include "remote/identity.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { RANDOM_BITS = 31, SECOND_BITS = 32 };

#define WITHOUT_EVENTS ((uint64_t)1 << (RANDOM_BITS + SECOND_BITS))

bool remote_identify(struct database *database, const struct catalog_trace *trace,
                     struct remote_identity *identity, struct error *error) {
    char half[TRACE_HASH_LENGTH / 2 + 1] = "";

    if (!trace_hash(database, trace->id, identity->hash, error)) {
        return false;
    }
    memcpy(half, identity->hash, sizeof half - 1);
    identity->key = strtoull(half, NULL, 16);
    return true;
}

bool remote_attempt_make(uint64_t *attempt, bool events, struct error *error) {
    uint64_t random, second = (uint64_t)time(NULL);

    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
        return error_set(error, "the system gives no random numbers");
    }
    *attempt = (events ? 0 : WITHOUT_EVENTS) |
               (second & (((uint64_t)1 << SECOND_BITS) - 1)) << RANDOM_BITS |
               (random & (((uint64_t)1 << RANDOM_BITS) - 1));
    return true;
}

int64_t remote_attempt_second(uint64_t attempt) {
    return (int64_t)((attempt & ~WITHOUT_EVENTS) >> RANDOM_BITS);
}
