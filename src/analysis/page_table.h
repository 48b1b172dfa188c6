/* Page table for reuse distances. It has the last use of each page, and counts how many other pages
 * were used since. A page is a unit of a device's addresses.
 *
 * Up to `most` pages are stored. When there are more, one of each two adjacent pages is dropped
 * from then on, by a hash of their addresses; then one of each two that remain, and so on. A sample
 * of pages preserves reuse; a sample of events would not (SHARDS: Waldspurger and others, FAST
 * '15). `shift` counts the halvings: one page in 2^shift is stored, and each of its uses counts
 * 2^shift times.
 *
 * Distances are counted by a Fenwick tree over time slots; each page has the slot of its last use
 * (Bennett and Kruskal 1975). When all slots are used, they are renumbered, so memory grows with
 * the number of pages, not of uses. */
#ifndef TRACETOOL_PAGE_TABLE_H
#define TRACETOOL_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_TABLE_MOST (1 << 20) /* usual limit of pages in a table; they take 88 MiB */

/* A page of a device, with its last use; the entry is free if `slot` is 0. The table has two
 * entries per page stored, so small entries matter. */
struct page {
    int64_t device, number;
    int64_t time;         /* time of the last use, ns */
    union {               /* each analysis uses only one of these */
        int64_t position; /* number of the last reference, from 0, in the trace's order */
        int64_t written;  /* time of the last write, if `was_written` */
    };
    uint32_t slot; /* time slot of the last use, from 1 */
    bool placed;   /* private to page_table.c: the page is in its final entry */
    bool write;    /* the last use was a write */
    union {
        struct {
            bool was_read;    /* true: the page was read before */
            bool was_written; /* true: the page was written before */
        };
        struct {          /* in again.c, for pages of 4 KiB: bit sets of the page's 8 sectors */
            uint8_t last; /* sectors of the last write, which was at time `written` */
            uint8_t
                /* Sectors of earlier writes, the oldest of which was at `time`. */
                earlier;
        };
    };
};

struct page_table {
    size_t most;    /* limit of pages in the table */
    bool distances; /* true: computes distances. False: no Fenwick tree, and all slots are 1 */
    unsigned shift;
    /* Owned; hash table with open addressing; `capacity`: number of entries, a power of 2. */
    struct page *pages;
    size_t capacity, used;
    uint32_t *tree; /* owned; Fenwick tree over time slots 1 to `slots`: numbers of used slots */
    uint32_t slots, next_slot; /* next_slot: the first free slot */
};

/* Result of page_table_record_use(). */
struct page_use {
    struct page *page; /* borrowed until the next call; NULL: the page is not in the sample */
    bool first; /* first use of the page: all members of `page` are 0 except address and slot */
    /* Number of other pages used since the last use, multiplied by 2^shift. Unset for a first use,
     * and if distances are not computed. */
    int64_t distance;
};

/* Discards all pages and frees their memory; the caller's settings remain. */
void page_table_free(struct page_table *table);

/* Discards all pages, but keeps their memory for reuse. */
void page_table_clear(struct page_table *table);

/* Returns the number of the first page from `number` to `last` (below INT64_MAX) that is in the
 * sample; if there is none, a number above `last`. */
int64_t page_table_next_sampled(const struct page_table *table, int64_t device, int64_t number,
                                int64_t last);

/* Prefetches the entry of a page for a later page_table_record_use(). */
void page_table_prefetch(const struct page_table *table, int64_t device, int64_t number);

/* Finds a page, or adds it, and records its use. Sets only its slot; the caller reads and sets the
 * other members of the page. */
struct page_use page_table_record_use(struct page_table *table, int64_t device, int64_t number);

#endif
