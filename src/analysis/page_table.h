/* Page table for reuse distances: each page with its last use, and the number of other pages used
 * since.
 *
 * A page is a unit of a device's addresses. Up to `most` pages are all kept. Beyond that, half of
 * them are discarded by a hash of their addresses, as is the same part of all later ones (SHARDS:
 * Waldspurger and others, FAST '15). Sampling by page preserves reuse; sampling events would
 * destroy it. `shift` counts the halvings: one page in 2^shift is kept, and its uses count 2^shift
 * times.
 *
 * Distances are counted by a Fenwick tree over time slots; each page has the slot of its last use
 * (Bennett and Kruskal 1975). When the slots are used up, the pages' slots are renumbered, so that
 * memory grows with pages, not with references. */
#ifndef TRACETOOL_PAGE_TABLE_H
#define TRACETOOL_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_TABLE_MOST (1 << 20) /* most pages that are kept; they take 88 MiB */

/* A page at its last use. Free if `slot` is 0. The table has twice as many entries as pages, so
 * every byte counts. */
struct page {
    int64_t device, number;
    int64_t time;         /* time of the last use, ns */
    union {               /* no caller needs both */
        int64_t position; /* number of the reference within the trace, from 0 */
        int64_t written;  /* time of the last write, if it was_written */
    };
    uint32_t slot; /* time slot, from 1 */
    bool placed;   /* private to the table */
    bool write;    /* the last use was a write */
    union {
        struct {
            bool was_read;    /* true: the page was read at some time */
            bool was_written; /* true: the page was written at some time */
        };
        struct {          /* bit sets of the sectors of a page of 4 KiB */
            uint8_t last; /* sectors of the last write, at `written` */
            uint8_t
                earlier; /* other sectors, of earlier writes; the first of these was at `time` */
        };
    };
};

struct page_table {
    size_t most;    /* limit of pages that are kept */
    bool distances; /* compute distances; without, there is no tree, and all slots are 1 */
    unsigned shift;
    struct page *pages; /* owned; hash table with open addressing; `capacity`, the number of
                           entries, is a power of 2 */
    size_t capacity, used;
    uint32_t *tree;            /* owned; Fenwick tree over slots 1 to `slots` */
    uint32_t slots, next_slot; /* next_slot: the first free slot */
};

/* Result of a reference. */
struct page_use {
    struct page *page; /* borrowed until the next call; NULL: not sampled */
    bool first;        /* first use of its page: all of `page` is 0 except its address and slot */
    int64_t distance;  /* other pages used since its last use, scaled by 2^shift; only if not first
                          and if distances are computed */
};

/* Discards all pages and frees their memory; the caller's settings stay. */
void page_table_free(struct page_table *table);

/* Discards all pages, but keeps their memory for reuse. */
void page_table_clear(struct page_table *table);

/* Returns the first page that is kept, from `number` to `last`, below INT64_MAX; if there is none,
 * a number above `last`. */
int64_t page_table_next_sampled(const struct page_table *table, int64_t device, int64_t number,
                                int64_t last);

/* Prefetches the entry for a later page_table_use(), so that lookups do not stall on memory. */
void page_table_expect(const struct page_table *table, int64_t device, int64_t number);

/* Finds or adds the page, and records a use. Updates only the slot; the other members keep their
 * values, for the caller to read and set. */
struct page_use page_table_use(struct page_table *table, int64_t device, int64_t number);

#endif
