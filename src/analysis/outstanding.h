/* Requests that have not completed, sorted by first sector, then by age. They form an interval tree
 * (a treap); each node has the extreme values of its subtree. All functions take logarithmic time,
 * even if many requests start at the same sector. */
#ifndef TRACETOOL_OUTSTANDING_H
#define TRACETOOL_OUTSTANDING_H

#include <stddef.h>
#include <stdint.h>

enum asked_direction { ASKED_READ, ASKED_WRITE, ASKED_DISCARD, ASKED_OTHER, ASKED_DIRECTIONS };

/* Stage of a request, by the blktrace actions that it has not had yet. ASKED_UNTOUCHED: neither G,
 * M nor D; ASKED_TO_INSERT: neither I, M nor D; ASKED_TO_ISSUE: no D; ASKED_ISSUED: had D. A
 * request may be in several stages, but is always in one of the last two. */
enum asked_kind { ASKED_UNTOUCHED, ASKED_TO_INSERT, ASKED_TO_ISSUE, ASKED_ISSUED, ASKED_KINDS };

/* Minimum and maximum values over one or more requests that have not completed. */
struct asked_extremes {
    int64_t reach[ASKED_KINDS]; /* by stage: largest end sector of its requests; INT64_MIN: none */
    int64_t q_least, q_most, d_least, d_most;
    int64_t issued_end; /* largest end sector of an issued request; INT64_MIN: none */
};

/* A request that has not completed. q, g, i, m and d are the times of its blktrace actions Q, G, I,
 * M and D; EVENT_NONE: not in the log so far. */
struct asked {
    /* Children in the tree, and the treap's priority: private to outstanding.c. */
    struct asked *before, *after;
    uint64_t priority;
    uint64_t number; /* number in order of addition; newer requests have larger ones */
    /* start, end: first and end sector; left: number of sectors not completed yet */
    int64_t start, end, left;
    struct asked_extremes below; /* extremes of the subtree of this node */
    int64_t q, g, i, m, d;
    int64_t issued_end; /* end sector of what was issued to the device; it may be only a part */
    uint32_t actor;
    enum asked_direction direction;
    struct asked *older, *newer; /* for the caller: its list of requests, of all devices */
    size_t device;               /* for the caller: index of the device */
};

/* Search criteria. All limits are inclusive except `before` and `beyond`. */
struct asked_bounds {
    int64_t from, before; /* range of the first sector */
    int64_t beyond;       /* the request ends above this sector */
    unsigned kinds; /* bit set of 1 << enum asked_kind: the request is in one of these stages */
    int64_t q_least, q_most; /* range of time q; EVENT_NONE (unknown) is the smallest time */
    int64_t d_least, d_most; /* range of time d; EVENT_NONE (unknown) is the smallest time */
    int64_t issued_end; /* lower limit of issued_end, for issued requests only; INT64_MIN: any */
};

/* Adds a request, which the caller has filled in and owns. NULL is an empty tree. `number` must be
 * larger than that of all requests in the tree. */
void asked_add(struct asked **tree, struct asked *asked, uint64_t number);
void asked_remove(struct asked **tree, struct asked *asked);

/* Must be called after each change of a request in the tree, whose first sector must not change. */
void asked_update_tree(struct asked *tree, const struct asked *asked);

/* Return the first or last request that meets the criteria, in order of first sector and age; NULL:
 * none. */
struct asked *asked_first(struct asked *tree, const struct asked_bounds *bounds);
struct asked *asked_last(struct asked *tree, const struct asked_bounds *bounds);

#endif
