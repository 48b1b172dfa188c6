#include "model/io_pairing.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/event.h"

/* Returns the direction of a request with sectors, from its flags as imported or as stored. */
static enum io_direction io_direction_of(uint32_t flags) {
    if (flags & IO_FLAG_DISCARD) {
        return IO_DIRECTION_DISCARD;
    }
    switch (io_class_of(flags)) {
    case IO_READ:
    case IO_READSYNC:
        return IO_DIRECTION_READ;
    case IO_WRITE:
    case IO_WRITESYNC:
        return IO_DIRECTION_WRITE;
    case IO_FLUSH:
        return flags & IO_FLAG_FLUSH_WRITE ? IO_DIRECTION_WRITE : IO_DIRECTION_OTHER;
    default:
        return IO_DIRECTION_OTHER;
    }
}

struct io_key io_key_make(uint32_t flags, int64_t device, int64_t sector, int64_t blocks) {
    if ((flags & IO_FLAG_FLUSH) != 0 &&
        (sector == EVENT_NONE || blocks == EVENT_NONE || blocks == 0)) {
        return (struct io_key){IO_DIRECTION_FLUSH, device, 0};
    }
    return (struct io_key){io_direction_of(flags), device, sector};
}

/* A request that was queued (Q), or that was issued (D) and not completed. */
struct io_request {
    struct io_request *older,
        *newer; /* neighbours in the queue; for an unused record, `newer` is the next unused one */
    int64_t time, blocks;
    int64_t passed;              /* value of queue.taken when this request was added */
    int64_t asked, asked_before; /* when this request was queued (Q), and the key's previous one */
};

/* The requests with the same key (device, direction, sector), in order of time. */
struct io_queue {
    struct io_request *oldest, *newest; /* owned */
    int64_t taken; /* number of requests taken out by completions or issues so far */
};

/* An issue (D) matched with a completion (C): time of the issue, of the queueing (Q) of its
 * request, and of the queueing before that with the same key. */
struct chosen {
    int64_t issued, asked, asked_before;
};

struct pair_key {
    UT_hash_handle hh;
    struct io_key key;
    struct pair_key *before, *after; /* neighbours in the list of keys, by last use */
    int64_t issues, runs; /* number of issues; of those directly after another issue of this key */
    bool after_issue;     /* true: the last event with this key was an issue (D) */
    int64_t last_asked;   /* time of the last queueing (Q) with this key; EVENT_NONE: none */
    struct io_queue asked, issued;
    /* Owned; matched pairs not visited yet: `count` issues sorted by time, with their completions.
     */
    struct chosen *chosen;
    struct io_completion *completions;
    size_t count, chosen_capacity, completion_capacity;
};

struct io_pairing {
    bool (*visit)(void *context, const struct io_pair *pair, struct error *error);
    void *context;
    struct pair_key *keys;         /* owned hash table */
    struct pair_key *first, *last; /* the key used least recently, and the one used most recently */
    struct io_request *spare;      /* owned; unused request records */
    size_t key_count, request_count; /* request_count: number of requests in all queues */
};

struct io_pairing *io_pairing_new(bool (*visit)(void *context, const struct io_pair *pair,
                                                struct error *error),
                                  void *context) {
    struct io_pairing *pairing = xcalloc(1, sizeof *pairing);

    pairing->visit = visit;
    pairing->context = context;
    return pairing;
}

/* --- queues of requests ----------------------------------------------------------------------- */

static void unlink_request(struct io_pairing *pairing, struct io_queue *queue,
                           struct io_request *request) {
    *(request->older == NULL ? &queue->oldest : &request->older->newer) = request->newer;
    *(request->newer == NULL ? &queue->newest : &request->newer->older) = request->older;
    request->newer = pairing->spare;
    pairing->spare = request;
    pairing->request_count--;
}

static void clear_queue(struct io_pairing *pairing, struct io_queue *queue) {
    while (queue->oldest != NULL) {
        unlink_request(pairing, queue, queue->oldest);
    }
}

/* Appends a copy of a request to a queue, as the newest. */
static void append_request(struct io_pairing *pairing, struct io_queue *queue,
                           const struct io_request *from) {
    struct io_request *request = pairing->spare;

    if (request == NULL) {
        request = xmalloc(sizeof *request);
    } else {
        pairing->spare = request->newer;
    }
    *request = *from;
    request->passed = queue->taken;
    request->newer = NULL;
    request->older = queue->newest;
    *(queue->newest == NULL ? &queue->oldest : &queue->newest->newer) = request;
    queue->newest = request;
    pairing->request_count++;
}

/* Removes the newest request from a queue and returns it. Then drops requests that were passed over
 * too often: since they were added, IO_PAIRING_PASSED requests (one, if the key is not shared) have
 * been removed by this function. */
static struct io_request remove_newest(struct io_pairing *pairing, struct io_queue *queue,
                                       bool shared) {
    const int64_t most = shared ? IO_PAIRING_PASSED : 1;
    struct io_request taken = *queue->newest;

    unlink_request(pairing, queue, queue->newest);
    queue->taken++;
    while (queue->oldest != NULL && queue->taken - queue->oldest->passed >= most) {
        unlink_request(pairing, queue, queue->oldest);
    }
    return taken;
}

/* --- keys: device, direction and first sector ------------------------------------------------- */

static bool is_shared(const struct pair_key *key) {
    return key->issues >= IO_PAIRING_ISSUES && key->runs * IO_PAIRING_SHARE > key->issues;
}

static void free_chosen(struct pair_key *key) {
    free(key->chosen);
    free(key->completions);
    key->chosen = NULL;
    key->completions = NULL;
    key->chosen_capacity = key->completion_capacity = 0;
}

/* Visits the pairs of a key whose place in the order of issues is final: those issued before every
 * request that is still in flight. With `all`, visits all pairs. */
static bool visit_chosen(struct io_pairing *pairing, struct pair_key *key, bool all,
                         struct error *error) {
    size_t done = 0;

    while (done < key->count &&
           (all || key->issued.oldest == NULL || key->count - done > IO_PAIRING_CHOSEN ||
            key->chosen[done].issued < key->issued.oldest->time)) {
        const struct io_pair pair = {
            .completion = key->completions[done],
            .key = key->key,
            .issued = key->chosen[done].issued,
            .asked = key->chosen[done].asked,
            .asked_before = key->chosen[done].asked_before,
        };

        done++;
        if (!pairing->visit(pairing->context, &pair, error)) {
            return false;
        }
    }
    key->count -= done;
    if (key->count == 0) {
        free_chosen(key);
    } else if (done > 0) {
        memmove(key->chosen, key->chosen + done, key->count * sizeof *key->chosen);
        memmove(key->completions, key->completions + done, key->count * sizeof *key->completions);
    }
    return true;
}

static void unlink_pair_key(struct io_pairing *pairing, struct pair_key *key) {
    *(key->before == NULL ? &pairing->first : &key->before->after) = key->after;
    *(key->after == NULL ? &pairing->last : &key->after->before) = key->before;
}

static void link_pair_key_last(struct io_pairing *pairing, struct pair_key *key) {
    key->before = pairing->last;
    key->after = NULL;
    *(pairing->last == NULL ? &pairing->first : &pairing->last->after) = key;
    pairing->last = key;
}

static void drop_pair_key(struct io_pairing *pairing, struct pair_key *key) {
    clear_queue(pairing, &key->asked);
    clear_queue(pairing, &key->issued);
    unlink_pair_key(pairing, key);
    HASH_DEL(pairing->keys, key);
    pairing->key_count--;
    free_chosen(key);
    free(key);
}

/* Drops the least recently used keys, except the last used one, while there are too many keys or
 * requests. */
static bool io_pairing_make_room(struct io_pairing *pairing, struct error *error) {
    while (pairing->first != pairing->last && (pairing->key_count > IO_PAIRING_KEYS ||
                                               pairing->request_count >= IO_PAIRING_REQUESTS)) {
        if (!visit_chosen(pairing, pairing->first, true, error)) {
            return false;
        }
        drop_pair_key(pairing, pairing->first);
    }
    return true;
}

static struct pair_key *find_key(const struct io_pairing *pairing, const struct io_key *at) {
    struct pair_key *key;

    HASH_FIND(hh, pairing->keys, at, sizeof *at, key);
    return key;
}

/* Finds or adds a key, and makes it the last used one. Returns NULL with `error` set on failure. */
static struct pair_key *find_or_add_pair_key(struct io_pairing *pairing, const struct io_key *at,
                                             struct error *error) {
    struct pair_key *key = find_key(pairing, at);

    if (key != NULL) {
        unlink_pair_key(pairing, key);
        link_pair_key_last(pairing, key);
        return io_pairing_make_room(pairing, error) ? key : NULL;
    }
    HASH_NEW(pairing->keys, key, *at, key);
    key->last_asked = EVENT_NONE;
    pairing->key_count++;
    link_pair_key_last(pairing, key);
    return io_pairing_make_room(pairing, error) ? key : NULL;
}

void io_pairing_free(struct io_pairing *pairing) {
    if (pairing == NULL) {
        return;
    }
    while (pairing->first != NULL) {
        drop_pair_key(pairing, pairing->first);
    }
    while (pairing->spare != NULL) {
        struct io_request *request = pairing->spare;

        pairing->spare = request->newer;
        free(request);
    }
    free(pairing);
}

/* --- a request is queued (Q) ------------------------------------------------------------------ */

bool io_pairing_queue(struct io_pairing *pairing, const struct io_key *at, int64_t time,
                      int64_t blocks, struct error *error) {
    struct pair_key *key = find_or_add_pair_key(pairing, at, error);
    struct io_request asked = {.time = time, .blocks = blocks, .asked = time};

    if (key == NULL) {
        return false;
    }
    if (pairing->request_count >= IO_PAIRING_REQUESTS) { /* requests of other keys were dropped */
        clear_queue(pairing, &key->asked);
    }
    asked.asked_before = key->last_asked;
    key->last_asked = time;
    append_request(pairing, &key->asked, &asked);
    return true;
}

bool io_pairing_is_queued(const struct io_pairing *pairing, const struct io_key *at) {
    const struct pair_key *key = find_key(pairing, at);

    return key != NULL && key->asked.newest != NULL;
}

/* Puts the rest of a request, without its first `blocks` sectors, back into the queue of the key
 * with the new first sector, as the newest. */
static bool reinsert_rest_of_request(struct io_pairing *pairing, struct io_key at,
                                     struct io_request rest, int64_t blocks, bool issued,
                                     struct error *error) {
    struct pair_key *key;

    at.sector += blocks;
    rest.blocks -= blocks;
    key = find_or_add_pair_key(pairing, &at, error);
    if (key != NULL) {
        append_request(pairing, issued ? &key->issued : &key->asked, &rest);
    }
    return key != NULL;
}

/* Finds when the request at these sectors was queued, and removes its queued requests. If several
 * queued requests were merged into it, the earliest time is used. */
static bool io_pairing_take_queued(struct io_pairing *pairing, struct io_key at, int64_t blocks,
                                   struct io_request *request, struct error *error) {
    struct pair_key *key = find_key(pairing, &at);

    request->asked = request->asked_before = EVENT_NONE;
    if (at.direction == IO_DIRECTION_FLUSH) {
        /* one flush completes all flushes that were queued before */
        if (key != NULL && key->asked.oldest != NULL) {
            request->asked = key->asked.oldest->asked;
            request->asked_before = key->asked.oldest->asked_before;
            clear_queue(pairing, &key->asked);
        }
        return true;
    }
    while (key != NULL && key->asked.newest != NULL) {
        struct io_request asked = remove_newest(pairing, &key->asked, is_shared(key));

        if (request->asked == EVENT_NONE) {
            request->asked_before = asked.asked_before;
        }
        if (request->asked == EVENT_NONE || asked.asked < request->asked) {
            request->asked = asked.asked;
        }
        if (blocks > 0 && asked.blocks > blocks) {
            return reinsert_rest_of_request(pairing, at, asked, blocks, false, error);
        }
        blocks -= asked.blocks;
        at.sector += asked.blocks;
        key = blocks > 0 && asked.blocks > 0 ? find_key(pairing, &at) : NULL;
    }
    return true;
}

/* --- a request is issued (D) or requeued (R) -------------------------------------------------- */

bool io_pairing_issue(struct io_pairing *pairing, const struct io_key *at, int64_t time,
                      int64_t blocks, struct error *error) {
    struct io_request request = {.time = time, .blocks = blocks};
    struct pair_key *key;

    if (!io_pairing_take_queued(pairing, *at, blocks, &request, error)) {
        return false;
    }
    key = find_or_add_pair_key(pairing, at, error);
    if (key == NULL) {
        return false;
    }
    key->issues++;
    key->runs += key->after_issue;
    key->after_issue = true;
    if (pairing->request_count >= IO_PAIRING_REQUESTS && key->issued.oldest != NULL) {
        unlink_request(pairing, &key->issued, key->issued.oldest);
    }
    append_request(pairing, &key->issued, &request);
    return true;
}

/* Puts the queueing (Q) back, so that the next issue of the request finds it. */
bool io_pairing_requeue(struct io_pairing *pairing, const struct io_key *at) {
    struct pair_key *key = find_key(pairing, at);
    struct io_request request;

    if (key == NULL || key->issued.newest == NULL) {
        return false;
    }
    request = *key->issued.newest;
    unlink_request(pairing, &key->issued, key->issued.newest);
    key->after_issue = false;
    if (request.asked != EVENT_NONE) {
        append_request(pairing, &key->asked, &request);
    }
    return true;
}

/* --- a request is completed (C) --------------------------------------------------------------- */

/* Stores a pair to be visited later, keeping the pairs sorted by issue. */
static void delay_pair(struct pair_key *key, const struct io_request *request,
                       const struct io_completion *completion) {
    struct chosen *chosen =
        array_grow(key->chosen, key->count, &key->chosen_capacity, sizeof *chosen);
    struct io_completion *completions;
    size_t at = key->count;

    key->chosen = chosen;
    completions =
        array_grow(key->completions, key->count, &key->completion_capacity, sizeof *completions);
    key->completions = completions;
    completions[key->count++] = *completion;
    while (at > 0 && chosen[at - 1].issued > request->time) {
        chosen[at] = chosen[at - 1];
        at--;
    }
    chosen[at] = (struct chosen){request->time, request->asked, request->asked_before};
}

/* Visits a completion with its issue, now or later: a key's pairs are visited in order of issue. */
static bool io_pairing_choose(struct io_pairing *pairing, struct pair_key *key,
                              const struct io_request *request,
                              const struct io_completion *completion, struct error *error) {
    const struct io_pair pair = {
        .completion = *completion,
        .key = key->key,
        .issued = request->time,
        .asked = request->asked,
        .asked_before = request->asked_before,
    };

    if (key->count == 0 && key->issued.oldest == NULL) {
        return pairing->visit(pairing->context, &pair, error);
    }
    delay_pair(key, request, completion);
    return visit_chosen(pairing, key, false, error);
}

/* Visits a completion that matches no issue: the issue is missing or comes later in the log. */
static bool visit_unpaired_completion(struct io_pairing *pairing, struct io_pair *pair,
                                      int64_t blocks, struct error *error) {
    struct pair_key *key = find_key(pairing, &pair->key);
    struct io_request asked = {.asked = EVENT_NONE, .asked_before = EVENT_NONE};

    pair->issued = EVENT_NONE;
    /* Stacked devices complete requests without issuing them, so the completion is matched with the
     * newest queued request. */
    if (!pair->part && !pair->whole && key != NULL && key->asked.newest != NULL &&
        key->asked.newest->blocks <= blocks && pair->key.direction != IO_DIRECTION_FLUSH) {
        asked = remove_newest(pairing, &key->asked, is_shared(key));
    }
    pair->asked = asked.asked;
    pair->asked_before = asked.asked_before;
    return pairing->visit(pairing->context, pair, error);
}

/* If a completion has more sectors than its request, ends the requests at the next sectors, too. */
static bool io_pairing_end_others(struct io_pairing *pairing, struct io_key at, int64_t covered,
                                  int64_t blocks, struct error *error) {
    while (covered > 0 && blocks > covered) {
        struct pair_key *key;
        struct io_request request;

        at.sector += covered;
        blocks -= covered;
        key = find_key(pairing, &at);
        if (key == NULL || key->issued.newest == NULL) {
            return true;
        }
        request = remove_newest(pairing, &key->issued, is_shared(key));
        if (!visit_chosen(pairing, key, false, error)) {
            return false;
        }
        if (request.blocks > blocks) {
            return reinsert_rest_of_request(pairing, at, request, blocks, true, error);
        }
        covered = request.blocks;
    }
    return true;
}

bool io_pairing_complete(struct io_pairing *pairing, const struct io_key *at,
                         const struct io_completion *completion, int64_t blocks,
                         struct error *error) {
    struct io_pair pair = {.completion = *completion, .key = *at};
    struct pair_key *key = find_or_add_pair_key(pairing, at, error);
    struct io_request request;

    if (key == NULL) {
        return false;
    }
    pair.whole = at->direction != IO_DIRECTION_FLUSH && blocks == 0 &&
                 (key->issued.newest == NULL || key->issued.newest->blocks != 0);
    if (!pair.whole) {
        key->after_issue = false;
    }
    if (pair.whole || key->issued.newest == NULL) {
        return visit_unpaired_completion(pairing, &pair, blocks, error);
    }
    request = remove_newest(pairing, &key->issued, is_shared(key));
    if (blocks > 0 && request.blocks > blocks) {
        pair.part = true;
        return visit_chosen(pairing, key, false, error) &&
               reinsert_rest_of_request(pairing, *at, request, blocks, true, error) &&
               visit_unpaired_completion(pairing, &pair, blocks, error);
    }
    return io_pairing_choose(pairing, key, &request, completion, error) &&
           io_pairing_end_others(pairing, *at, request.blocks, blocks, error);
}

bool io_pairing_end(struct io_pairing *pairing, struct error *error) {
    for (struct pair_key *key = pairing->first; key != NULL; key = key->after) {
        if (!visit_chosen(pairing, key, true, error)) {
            return false;
        }
    }
    return true;
}
