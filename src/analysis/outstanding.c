#include "analysis/outstanding.h"

#include <string.h>

#include "base/hash.h"
#include "model/event.h"

/* --- extremes below a node of the tree -------------------------------------------------------- */

static struct outstanding_extremes extremes_of_request(const struct outstanding_request *request) {
    const bool to_issue = request->d == EVENT_NONE, unmerged = to_issue && request->m == EVENT_NONE;

    return (struct outstanding_extremes){
        .reach = {[OUTSTANDING_UNTOUCHED] =
                      unmerged && request->g == EVENT_NONE ? request->end : INT64_MIN,
                  [OUTSTANDING_TO_INSERT] =
                      unmerged && request->i == EVENT_NONE ? request->end : INT64_MIN,
                  [OUTSTANDING_TO_ISSUE] = to_issue ? request->end : INT64_MIN,
                  [OUTSTANDING_ISSUED] = to_issue ? INT64_MIN : request->end},
        .q_least = request->q,
        .q_most = request->q,
        .d_least = request->d,
        .d_most = request->d,
        .issued_end = to_issue ? INT64_MIN : request->issued_end};
}

static int64_t outstanding_least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t later_time(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static void outstanding_widen(struct outstanding_extremes *extremes,
                              const struct outstanding_extremes *by) {
    for (int kind = 0; kind < OUTSTANDING_STAGES; kind++) {
        extremes->reach[kind] = later_time(extremes->reach[kind], by->reach[kind]);
    }
    extremes->q_least = outstanding_least(extremes->q_least, by->q_least);
    extremes->q_most = later_time(extremes->q_most, by->q_most);
    extremes->d_least = outstanding_least(extremes->d_least, by->d_least);
    extremes->d_most = later_time(extremes->d_most, by->d_most);
    extremes->issued_end = later_time(extremes->issued_end, by->issued_end);
}

/* Updates the extreme values of a node's subtree from its children. Returns false if they are
 * unchanged. */
static bool update_node_extremes(struct outstanding_request *node) {
    struct outstanding_extremes below = extremes_of_request(node);

    if (node->before != NULL) {
        outstanding_widen(&below, &node->before->below);
    }
    if (node->after != NULL) {
        outstanding_widen(&below, &node->after->below);
    }
    if (memcmp(&below, &node->below, sizeof below) == 0) {
        return false;
    }
    node->below = below;
    return true;
}

/* Returns whether a subtree with these extreme values may contain a request that meets the search
 * criteria. For the values of a single request, the answer is exact. */
static bool subtree_may_match(const struct outstanding_extremes *extremes,
                              const struct outstanding_bounds *bounds) {
    bool reaches = false;

    for (unsigned kind = 0; kind < OUTSTANDING_STAGES; kind++) {
        reaches |= (bounds->kinds >> kind & 1) != 0 && extremes->reach[kind] > bounds->beyond;
    }
    return reaches && extremes->q_most >= bounds->q_least && extremes->q_least <= bounds->q_most &&
           extremes->d_most >= bounds->d_least && extremes->d_least <= bounds->d_most &&
           extremes->issued_end >= bounds->issued_end;
}

/* --- changing the tree ------------------------------------------------------------------------ */

static bool outstanding_precedes(const struct outstanding_request *request,
                                 const struct outstanding_request *other) {
    return request->start != other->start ? request->start < other->start
                                          : request->number < other->number;
}

/* Splits a tree in two: requests that precede `at`, which is not in the tree, and all others. */
static void split_request_tree(struct outstanding_request *node,
                               const struct outstanding_request *at,
                               struct outstanding_request **before,
                               struct outstanding_request **after) {
    if (node == NULL) {
        *before = *after = NULL;
    } else if (outstanding_precedes(node, at)) {
        *before = node;
        split_request_tree(node->after, at, &node->after, after);
        update_node_extremes(node);
    } else {
        *after = node;
        split_request_tree(node->before, at, before, &node->before);
        update_node_extremes(node);
    }
}

/* Joins two trees into one. All requests of the first tree precede those of the second. */
static struct outstanding_request *join_request_trees(struct outstanding_request *before,
                                                      struct outstanding_request *after) {
    struct outstanding_request *top = before;

    if (before == NULL || after == NULL) {
        return before == NULL ? after : before;
    }
    if (before->priority > after->priority) {
        before->after = join_request_trees(before->after, after);
    } else {
        top = after;
        after->before = join_request_trees(before, after->before);
    }
    update_node_extremes(top);
    return top;
}

void outstanding_add(struct outstanding_request **tree, struct outstanding_request *request,
                     uint64_t number) {
    const struct outstanding_extremes own = extremes_of_request(request);
    struct outstanding_request **at = tree;

    request->number = number;
    request->priority = seeded_hash_number(number);
    while (*at != NULL && (*at)->priority >= request->priority) {
        outstanding_widen(&(*at)->below, &own);
        at = outstanding_precedes(request, *at) ? &(*at)->before : &(*at)->after;
    }
    split_request_tree(*at, request, &request->before, &request->after);
    *at = request;
    update_node_extremes(request);
}

/* This function and outstanding_update() change the extreme values of all nodes above the request,
 * up to the first node whose values stay the same. */
bool outstanding_remove(struct outstanding_request **tree, struct outstanding_request *request) {
    struct outstanding_request *node = *tree;

    if (node == request) {
        *tree = join_request_trees(node->before, node->after);
        return true;
    }
    return outstanding_remove(outstanding_precedes(request, node) ? &node->before : &node->after,
                              request) &&
           update_node_extremes(node);
}

bool outstanding_update(struct outstanding_request *node,
                        const struct outstanding_request *request) {
    return (node == request ||
            outstanding_update(outstanding_precedes(request, node) ? node->before : node->after,
                               request)) &&
           update_node_extremes(node);
}

static struct outstanding_request *outstanding_find(struct outstanding_request *node,
                                                    const struct outstanding_bounds *bounds,
                                                    bool last) {
    struct outstanding_request *found = NULL;

    if (node == NULL || !subtree_may_match(&node->below, bounds)) {
        return NULL;
    }
    /* Searches the subtree with the smaller (if `last`, the larger) sectors first, then the node
     * itself, then the other subtree. */
    if (last ? node->start < bounds->before : node->start >= bounds->from) {
        found = outstanding_find(last ? node->after : node->before, bounds, last);
    }
    if (found == NULL && node->start >= bounds->from && node->start < bounds->before) {
        const struct outstanding_extremes own = extremes_of_request(node);

        found = subtree_may_match(&own, bounds) ? node : NULL;
    }
    if (found == NULL && (last ? node->start >= bounds->from : node->start < bounds->before)) {
        found = outstanding_find(last ? node->before : node->after, bounds, last);
    }
    return found;
}

struct outstanding_request *outstanding_first(struct outstanding_request *tree,
                                              const struct outstanding_bounds *bounds) {
    return outstanding_find(tree, bounds, false);
}

struct outstanding_request *outstanding_last(struct outstanding_request *tree,
                                             const struct outstanding_bounds *bounds) {
    return outstanding_find(tree, bounds, true);
}
