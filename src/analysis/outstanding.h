/* Requests that have not completed, sorted by first sector, then by age. They form an interval tree
 * (a treap); each node has the extreme values of its subtree. All functions take logarithmic time,
 * even if many requests start at the same sector. */
#ifndef TRACETOOL_OUTSTANDING_H
#define TRACETOOL_OUTSTANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum outstanding_direction {
    OUTSTANDING_READ,
    OUTSTANDING_WRITE,
    OUTSTANDING_DISCARD,
    OUTSTANDING_OTHER,
    OUTSTANDING_DIRECTIONS
};

/* Stage of a request, by the blktrace actions that it has not had yet. OUTSTANDING_UNTOUCHED:
 * neither G, M nor D; OUTSTANDING_TO_INSERT: neither I, M nor D; OUTSTANDING_TO_ISSUE: no D;
 * OUTSTANDING_ISSUED: had D. A request may be in several stages, but is always in one of the last
 * two. */
enum outstanding_stage {
    OUTSTANDING_UNTOUCHED,
    OUTSTANDING_TO_INSERT,
    OUTSTANDING_TO_ISSUE,
    OUTSTANDING_ISSUED,
    OUTSTANDING_STAGES
};

/* Minimum and maximum values over one or more requests that have not completed. */
struct outstanding_extremes {
    int64_t reach[OUTSTANDING_STAGES]; /* by stage: largest end sector of its requests; INT64_MIN:
                                          none */
    int64_t q_least, q_most, d_least, d_most;
    int64_t issued_end; /* largest end sector of an issued request; INT64_MIN: none */
};

/* A request that has not completed. q, g, i, m and d are the times of its blktrace actions Q, G, I,
 * M and D; EVENT_NONE: not in the log so far. */
struct outstanding_request {
    /* Children in the tree, and the treap's priority: private to outstanding.c. */
    struct outstanding_request *before, *after;
    uint64_t priority;
    uint64_t number; /* number in order of addition; newer requests have larger ones */
    /* start, end: first and end sector; left: number of sectors not completed yet */
    int64_t start, end, left;
    struct outstanding_extremes below; /* extremes of the subtree of this node */
    int64_t q, g, i, m, d;
    int64_t issued_end; /* end sector of what was issued to the device; it may be only a part */
    uint32_t actor;
    enum outstanding_direction direction;
    struct outstanding_request *older,
        *newer;    /* for the caller: its list of requests, of all devices */
    size_t device; /* for the caller: index of the device */
};

/* Search criteria. All limits are inclusive except `before` and `beyond`. */
struct outstanding_bounds {
    int64_t from, before; /* range of the first sector */
    int64_t beyond;       /* the request ends above this sector */
    /* bit set of 1 << enum outstanding_stage: the request is in one of these stages */
    unsigned kinds;
    int64_t q_least, q_most; /* range of time q; EVENT_NONE (unknown) is the smallest time */
    int64_t d_least, d_most; /* range of time d; EVENT_NONE (unknown) is the smallest time */
    int64_t issued_end; /* lower limit of issued_end, for issued requests only; INT64_MIN: any */
};

/* Adds a request, which the caller has filled in and owns. NULL is an empty tree. `number` must be
 * larger than that of all requests in the tree. */
void outstanding_add(struct outstanding_request **tree, struct outstanding_request *request,
                     uint64_t number);
/* Removes a request. Returns whether extreme values of the tree's root changed. */
bool outstanding_remove(struct outstanding_request **tree, struct outstanding_request *request);

/* Must be called after each change of a request in the tree, whose first sector must not change.
 * Returns whether extreme values of the tree's root changed. */
bool outstanding_update(struct outstanding_request *tree,
                        const struct outstanding_request *request);

/* Return the first or last request that meets the criteria, in order of first sector and age; NULL:
 * none. */
struct outstanding_request *outstanding_first(struct outstanding_request *tree,
                                              const struct outstanding_bounds *bounds);
struct outstanding_request *outstanding_last(struct outstanding_request *tree,
                                             const struct outstanding_bounds *bounds);

#endif
