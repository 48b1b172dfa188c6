/* The pages of a trace, each with when it was used last: how many others were used since, and who
 * used it.
 *
 * A page is a unit of a device's addresses. Up to `most` pages all are kept. Beyond that half of
 * them are given up, by a hash of their addresses, and the same part of all that follow (SHARDS:
 * Waldspurger and others, FAST '15): sampling by page keeps reuse as it is, where sampling events
 * would destroy it. `shift` is how often that was done: one page in 2^shift is kept, and what is
 * seen of it counts 2^shift times.
 *
 * Distances are counted by a Fenwick tree over slots of time, of which each page has that of its
 * last use (Bennett and Kruskal 1975). When the slots are used up, those of the pages are numbered
 * anew, so that memory grows with pages and not with references.
 */
#ifndef TRACETOOL_PAGE_TABLE_H
#define TRACETOOL_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_TABLE_MOST (1 << 20) /* pages; 88 MiB */

/* A page, as it was when it was used last. Free where `slot` is 0. There are twice as many places
 * as pages, so that each byte of it counts. */
struct page {
    int64_t device, number;
    int64_t time;         /* ns */
    union {               /* nobody wants both */
        int64_t position; /* number of the reference within the trace, from 0 */
        int64_t written;  /* time of the last write, if it was_written */
    };
    uint32_t slot;    /* of time, from 1 */
    bool placed;      /* the table's own */
    bool write;       /* the last use */
    bool was_read;    /* ever */
    bool was_written; /* likewise */
};

struct page_table {
    size_t most;    /* pages that are kept */
    bool distances; /* are wanted: without, there is no tree, and all slots are 1 */
    unsigned shift;
    struct page *pages; /* owned; open addressing, `capacity` of them, a power of 2 */
    size_t capacity, used;
    uint32_t *tree;            /* owned; Fenwick tree over slots 1 to `slots` */
    uint32_t slots, next_slot; /* the first that is free */
};

/* What a reference found. */
struct page_use {
    struct page *page; /* borrowed until the next call; NULL: it is not sampled */
    bool first;        /* of its page: all of `page` is 0 but what it is called, and the slot */
    int64_t distance;  /* other pages used since its last use, scaled by 2^shift; only if not first,
                          and if distances are wanted */
};

/* Gives up all pages; what the caller set stays. */
void page_table_free(struct page_table *table);

/* The same, but keeps their memory for other pages. */
void page_table_clear(struct page_table *table);

/* Has the processor fetch what page_table_use() will look at: said some uses before it, these need
 * not wait for memory one after another. */
void page_table_expect(const struct page_table *table, int64_t device, int64_t number);

/* Finds the page, or makes it, and notes that it is used now. What the struct holds besides its
 * slot is as before, for the caller to look at and to set. */
struct page_use page_table_use(struct page_table *table, int64_t device, int64_t number);

#endif
