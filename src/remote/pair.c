#include "remote/pair.h"

int remote_pair_compare(const struct remote_pair *a, const struct remote_pair *b) {
    return a->trace != b->trace ? (a->trace > b->trace) - (a->trace < b->trace)
                                : (a->attempt > b->attempt) - (a->attempt < b->attempt);
}

struct remote_pair remote_pair_take(struct rowbinary_reader *reader) {
    struct remote_pair pair;

    pair.trace = rowbinary_u64(reader);
    pair.attempt = rowbinary_u64(reader);
    return pair;
}
