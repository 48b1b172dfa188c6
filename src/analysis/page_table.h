/* Page table for reuse distances: has for each page its last use, and can count the other pages
 * used since. A page is a unit of a device's addresses.
 *
 * All pages are kept, up to `most`. Beyond that, half of them are discarded by a hash of their
 * addresses, as is the same part of all later ones (SHARDS: Waldspurger and others, FAST '15). A
 * sample of pages keeps their reuse; a sample of events would destroy it. `shift` counts the
 * halvings: one page in 2^shift is kept, and its uses count 2^shift times.
 *
 * Distances are counted by a Fenwick tree over time slots; each page has the slot of its last use
 * (Bennett and Kruskal 1975). When the slots are used up, they are renumbered, so that memory grows
 * with pages, not with references. */
#ifndef TRACETOOL_PAGE_TABLE_H
#define TRACETOOL_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_TABLE_MOST (1 << 20) /* usual limit of pages that are kept; they take 88 MiB */

/* A page at its last use. The entry is free if `slot` is 0. The table has twice as many entries as
 * pages, so every byte counts. */
struct page {
    int64_t device, number;
    int64_t time;         /* time of the last use, ns */
    union {               /* an analysis uses only one of these two numbers */
        int64_t position; /* number of the page's last reference within the trace, from 0 */
        int64_t written;  /* time of the last write, if `was_written` */
    };
    uint32_t slot; /* time slot of the last use, from 1 */
    bool placed;   /* private to the table: was moved to its entry */
    bool write;    /* the last use was a write */
    union {
        struct {
            bool was_read;    /* true: the page was read at some time */
            bool was_written; /* true: the page was written at some time */
        };
        struct {          /* for pages of 4 KiB: bit sets of their 8 sectors */
            uint8_t last; /* sectors that the last write covered, at time `written` */
            uint8_t
                /* Other sectors, which earlier writes covered, the first of them at `time`. */
                earlier;
        };
    };
};

struct page_table {
    size_t most;    /* limit of pages that are kept */
    bool distances; /* true: computes distances. False: there is no tree, and all slots are 1 */
    unsigned shift;
    /* Owned; hash table with open addressing; `capacity`: number of entries, a power of 2. */
    struct page *pages;
    size_t capacity, used;
    uint32_t *tree;            /* owned; Fenwick tree over slots 1 to `slots` */
    uint32_t slots, next_slot; /* next_slot: the first free slot */
};

/* What page_table_record_use() has found about a reference to a page. */
struct page_use {
    struct page *page; /* borrowed until the next call; NULL: the page is not in the sample */
    bool first; /* first use of the page: all members of `page` are 0 except address and slot */
    /* Number of other pages used since the last use, times 2^shift; unset for a first use, and if
     * distances are not computed. */
    int64_t distance;
};

/* Discards all pages and frees their memory; the caller's settings remain. */
void page_table_free(struct page_table *table);

/* Discards all pages, but keeps their memory for reuse. */
void page_table_clear(struct page_table *table);

/* Returns the first page from `number` to `last` (below INT64_MAX) that is in the sample; if there
 * is none, a number above `last`. */
int64_t page_table_next_sampled(const struct page_table *table, int64_t device, int64_t number,
                                int64_t last);

/* Prefetches the entry of a page for a later page_table_record_use(), which then need not wait. */
void page_table_prefetch(const struct page_table *table, int64_t device, int64_t number);

/* Finds or adds a page, and records a use of it. Updates only its slot; all other members of the
 * page keep their values, which the caller reads and sets. */
struct page_use page_table_record_use(struct page_table *table, int64_t device, int64_t number);

#endif
