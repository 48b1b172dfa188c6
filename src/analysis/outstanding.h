/* Requests that have not completed, sorted by first sector, then by age. They form an interval tree
 * (a treap) whose nodes know the extremes below them. Each function takes logarithmic time, however
 * many requests wait at one sector. */
#ifndef TRACETOOL_OUTSTANDING_H
#define TRACETOOL_OUTSTANDING_H

#include <stddef.h>
#include <stdint.h>

enum asked_direction { ASKED_READ, ASKED_WRITE, ASKED_DISCARD, ASKED_OTHER, ASKED_DIRECTIONS };

/* Stage of a request by the actions it has not had yet. ASKED_UNTOUCHED: G, M and D;
 * ASKED_TO_INSERT: I, M and D; ASKED_TO_ISSUE: D. A request may be in several stages; it is always
 * in one of the last two. */
enum asked_kind { ASKED_UNTOUCHED, ASKED_TO_INSERT, ASKED_TO_ISSUE, ASKED_ISSUED, ASKED_KINDS };

/* Minimum and maximum values over one or more requests that have not completed. */
struct asked_extremes {
    int64_t reach[ASKED_KINDS]; /* largest end sector of requests in each stage; INT64_MIN: none */
    int64_t q_least, q_most, d_least, d_most;
    int64_t issued_end; /* largest end sector of an issued request; INT64_MIN: none */
};

/* A request that has not completed. q, g, i, m and d are the times of blktrace's actions Q, G, I, M
 * and D; EVENT_NONE: not known yet. */
struct asked {
    /* `before`, `after` and `priority` are private to the tree. */
    struct asked *before, *after;
    uint64_t priority;
    uint64_t number;             /* number by order of adding: a larger one is newer */
    int64_t start, end, left;    /* left: number of sectors that are not completed */
    struct asked_extremes below; /* extremes of this node and its descendants */
    int64_t q, g, i, m, d;
    int64_t issued_end; /* end sector of the part that was issued to the device */
    uint32_t actor;
    enum asked_direction direction;
    struct asked *older, *newer; /* list of requests of all devices; for the caller */
    size_t device;               /* index of the device; for the caller */
};

/* Criteria for a search. All limits are inclusive except `before` and `beyond`. */
struct asked_bounds {
    int64_t from, before;    /* first sector */
    int64_t beyond;          /* the end of the request is above this sector */
    unsigned kinds;          /* bits 1 << enum asked_kind: the request is in one of these stages */
    int64_t q_least, q_most; /* limits of q; unknown times, EVENT_NONE, are the smallest */
    int64_t d_least, d_most; /* limits of d; unknown times, EVENT_NONE, are the smallest */
    int64_t issued_end;      /* least issued_end of issued requests; INT64_MIN: any */
};

/* Adds a request, which the caller has filled in and owns. An empty tree is NULL. `number` is
 * larger than that of any request in the tree. */
void asked_add(struct asked **tree, struct asked *asked, uint64_t number);
void asked_remove(struct asked **tree, struct asked *asked);

/* Updates the tree after a change of a request in it. Its first sector must not change. */
void asked_update_tree(struct asked *tree, const struct asked *asked);

/* Return the first and last request, in the tree's order, that meets the criteria; NULL: none. */
struct asked *asked_first(struct asked *tree, const struct asked_bounds *bounds);
struct asked *asked_last(struct asked *tree, const struct asked_bounds *bounds);

#endif
