/* Requests that have not completed, sorted by first sector, older ones first. An interval tree (a
 * treap) whose nodes know the extremes below them. Each function takes logarithmic time, however
 * many requests wait at one sector.
 */
#ifndef TRACETOOL_OUTSTANDING_H
#define TRACETOOL_OUTSTANDING_H

#include <stddef.h>
#include <stdint.h>

enum asked_direction { ASKED_READ, ASKED_WRITE, ASKED_DISCARD, ASKED_OTHER, ASKED_DIRECTIONS };

/* Stage of a request. A request may be in several stages; it is always in one of the last two. */
enum asked_kind { ASKED_UNTOUCHED, ASKED_TO_INSERT, ASKED_TO_ISSUE, ASKED_ISSUED, ASKED_KINDS };

/* Minimum and maximum values over one or more outstanding requests. */
struct asked_extremes {
    int64_t reach[ASKED_KINDS]; /* largest end, by kind; INT64_MIN: none */
    int64_t q_least, q_most, d_least, d_most;
    int64_t issued_end; /* largest end sector of an issued request; INT64_MIN: none */
};

/* A request. q, g, i, m and d are the times of blktrace's actions; EVENT_NONE: not known yet. */
struct asked {
    /* Private to the tree, as is `priority`. */
    struct asked *before, *after;
    uint64_t priority;
    uint64_t number;             /* order of adding: larger is newer */
    int64_t start, end, left;    /* size in sectors; sectors not yet completed */
    struct asked_extremes below; /* extremes of this node and its descendants */
    int64_t q, g, i, m, d;
    int64_t issued_end; /* end sector of the dispatched request */
    uint32_t actor;
    enum asked_direction direction;
    struct asked *older, *newer; /* list over all devices; for the caller */
    size_t device;               /* position on the device; for the caller */
};

/* Search criteria. All limits are inclusive except `before` and `beyond`. */
struct asked_bounds {
    int64_t from, before;    /* first sector */
    int64_t beyond;          /* lower bound of the request's end */
    unsigned kinds;          /* stage, one of: bits 1 << enum asked_kind */
    int64_t q_least, q_most; /* EVENT_NONE is the smallest */
    int64_t d_least, d_most; /* EVENT_NONE is the smallest */
    int64_t issued_end;      /* minimum issued_end of issued requests; INT64_MIN: any */
};

/* Adds a request that the caller has filled in and owns; NULL is the empty tree. `number` must
 * exceed all those in the tree. */
void asked_add(struct asked **tree, struct asked *asked, uint64_t number);
void asked_remove(struct asked **tree, struct asked *asked);

/* Updates the tree. Call it after changing any member of a request in the tree; the first sector
 * must not change. */
void asked_update_tree(struct asked *tree, const struct asked *asked);

/* Return the first and the last matching request in the tree's order; NULL if none matches.
 * Borrowed. */
struct asked *asked_first(struct asked *tree, const struct asked_bounds *bounds);
struct asked *asked_last(struct asked *tree, const struct asked_bounds *bounds);

#endif
