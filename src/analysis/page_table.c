#include "analysis/page_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum {
    SMALLEST = 1024, /* least number of entries of a table */
    /* 2^4 consecutive sampled pages form a block, which has adjacent entries in the table. */
    BLOCK_BITS = 4,
    SHIFT_MOST = 57, /* limit of halvings, so that no shift of a page number has 64 bits */
    TREE_LEVELS = 6, /* levels of halves that are chosen by the bits of one hash */
};

void page_table_free(struct page_table *table) {
    free(table->pages);
    free(table->tree);
    *table = (struct page_table){.most = table->most, .distances = table->distances};
}

void page_table_clear(struct page_table *table) {
    struct page *pages = table->pages;

    if (table->capacity > 0) {
        memset(pages, 0, table->capacity * sizeof *pages);
    }
    table->pages = NULL;
    page_table_free(table);
    table->pages = pages;
}

/* Mixes the bits of a number (finaliser of MurmurHash3). It is unseeded, so that all machines
 * select the same sample of pages by the hash's high bits. */
static uint64_t mix_hash_bits(uint64_t number) {
    number ^= number >> 33;
    number *= UINT64_C(0xFF51AFD7ED558CCD);
    number ^= number >> 33;
    number *= UINT64_C(0xC4CEB9FE1A85EC53);
    return number ^ number >> 33;
}

/* The sample has one page of each aligned pair of pages; after the next halving, one of each
 * aligned four; and so on. A random bit chooses between two halves, so each sample is a part of the
 * one before, and the sampled pages of a long transfer are found without looking at the others.
 *
 * Returns random bits that choose within 2^(level + TREE_LEVELS) aligned pages, of which `number`
 * is the first page divided by their count. Bit 1 chooses between two halves, bits 2 and 3 between
 * the halves of these, and so on to halves of 2^level pages. */
static uint64_t random_bits(int64_t device, int64_t number, unsigned level) {
    return mix_hash_bits((uint64_t)number + level +
                         UINT64_C(0x9E3779B97F4A7C15) * ((uint64_t)device + 1));
}

/* Returns which half of group `number` of pages is in the sample: 0 or 1. The group is `depth`
 * levels below the one that the random bits are for. */
static int64_t sampled_half(uint64_t bits, int64_t number, unsigned depth) {
    const uint64_t first = UINT64_C(1) << depth;

    return (int64_t)(bits >> (first | ((uint64_t)number & (first - 1))) & 1);
}

static bool is_sampled(const struct page_table *table, int64_t device, int64_t number) {
    for (unsigned low = 0; low < table->shift; low += TREE_LEVELS) {
        const unsigned top = low + TREE_LEVELS;
        const uint64_t bits = random_bits(device, number >> top, low);

        for (unsigned level = low + 1; level <= table->shift && level <= top; level++) {
            if ((number >> (level - 1) & 1) != sampled_half(bits, number >> level, top - level)) {
                return false;
            }
        }
    }
    return true;
}

/* Returns the page in the sample of the 2^shift pages that begin at `group` << shift. */
static int64_t sampled_page_of(const struct page_table *table, int64_t device, int64_t group) {
    int64_t number = group;

    for (unsigned level = table->shift; level > 0;) {
        const unsigned low = (level - 1) / TREE_LEVELS * TREE_LEVELS, top = low + TREE_LEVELS;
        const uint64_t bits = random_bits(device, number >> (top - level), low);

        for (; level > low; level--) {
            number = 2 * number + sampled_half(bits, number, top - level);
        }
    }
    return number;
}

int64_t page_table_next_sampled(const struct page_table *table, int64_t device, int64_t number,
                                int64_t last) {
    int64_t next;

    if (table->shift == 0 || number > last) {
        return number;
    }
    next = sampled_page_of(table, device, number >> table->shift);
    if (next < number && number >> table->shift < last >> table->shift) {
        next = sampled_page_of(table, device, (number >> table->shift) + 1);
    }
    return next >= number ? next : last + 1;
}

/* Returns the index at which the search for a page starts. Sampled pages of a block have adjacent
 * entries, so a transfer of consecutive pages waits for memory once. The hash rotates them inside
 * the block, because equidistant pages would collide otherwise. Every second halving joins blocks:
 * if each did, rehashing would take more time than the search saves. */
static size_t first_probe_of_page(const struct page_table *table, int64_t device, int64_t number) {
    const uint64_t group = (uint64_t)number >> (table->shift & ~1u), block = group >> BLOCK_BITS;
    uint64_t hash =
        seeded_hash_number(block + UINT64_C(0x9E3779B97F4A7C15) * ((uint64_t)device + 1));
    uint64_t within = (group + (hash >> 60)) & ((1 << BLOCK_BITS) - 1);

    return (hash << BLOCK_BITS | within) & (table->capacity - 1);
}

/* Returns the index after `at` in a search. The step keeps the pages of a block adjacent, and is
 * odd, so it reaches all entries. */
static size_t next_probe_of_page(const struct page_table *table, size_t at) {
    return (at + (1 << BLOCK_BITS) + 1) & (table->capacity - 1);
}

/* Returns the entry of a page; if the page is missing, the free entry to use for it. */
static struct page *page_table_find_place(const struct page_table *table, int64_t device,
                                          int64_t number) {
    size_t at = first_probe_of_page(table, device, number);

    while (table->pages[at].slot != 0 &&
           (table->pages[at].number != number || table->pages[at].device != device)) {
        at = next_probe_of_page(table, at);
    }
    return &table->pages[at];
}

static void tree_add(struct page_table *table, uint32_t slot, uint32_t change) {
    for (; slot <= table->slots; slot += slot & -slot) {
        table->tree[slot] += change;
    }
}

/* Returns the number of time slots from 1 to `slot` that are in use. */
static uint32_t tree_sum(const struct page_table *table, uint32_t slot) {
    uint32_t sum = 0;

    for (; slot > 0; slot -= slot & -slot) {
        sum += table->tree[slot];
    }
    return sum;
}

/* Fills the Fenwick tree for time slots 1 to `table->used` in use, and the others free. */
static void fill_tree(struct page_table *table) {
    memset(table->tree, 0, (table->slots + (size_t)1) * sizeof *table->tree);
    for (uint32_t slot = 1; slot <= table->slots; slot++) {
        uint32_t above = slot + (slot & -slot);

        table->tree[slot] += slot <= table->used;
        if (above <= table->slots) {
            table->tree[above] += table->tree[slot];
        }
    }
    table->next_slot = (uint32_t)table->used + 1;
}

/* Renumbers the time slots of all pages from 1, in the same order. Needed when pages were dropped
 * or all slots are used up. */
static void renumber_slots(struct page_table *table) {
    if (!table->distances || table->tree == NULL) {
        return;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        struct page *page = &table->pages[i];

        page->slot = page->slot == 0 ? 0 : tree_sum(table, page->slot);
    }
    fill_tree(table);
}

/* Rehashing: moves the page at index `at` to the first entry on its search path that has no
 * `placed` page. If that entry has another page, moves that page in turn. Placed pages never move
 * again, so search paths have no gaps. */
static void page_table_place(struct page_table *table, size_t at) {
    struct page page = table->pages[at];

    table->pages[at].slot = 0;
    while (page.slot != 0) {
        size_t to = first_probe_of_page(table, page.device, page.number);
        struct page displaced;

        while (table->pages[to].slot != 0 && table->pages[to].placed) {
            to = next_probe_of_page(table, to);
        }
        displaced = table->pages[to];
        page.placed = true;
        table->pages[to] = page;
        page = displaced;
    }
}

/* Rehashes all pages in place. */
static void rehash_pages(struct page_table *table) {
    for (size_t i = 0; i < table->capacity; i++) {
        table->pages[i].placed = false;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->pages[i].slot != 0 && !table->pages[i].placed) {
            page_table_place(table, i);
        }
    }
}

/* Reserves memory for the table's maximum size at once. The kernel provides only the pages that are
 * used. More of them are huge pages than if the table was reallocated as it grows. */
static struct page *new_pages(const struct page_table *table) {
    size_t capacity = SMALLEST;
    struct page *pages;

    while (capacity < 2 * table->most) {
        capacity *= 2;
    }
    pages = xcalloc(capacity, sizeof *pages);
    advise_huge_pages(pages, capacity * sizeof *pages);
    return pages;
}

/* Doubles the number of entries, or allocates the first ones. */
static void page_table_grow(struct page_table *table) {
    size_t capacity = table->capacity == 0 ? SMALLEST : 2 * table->capacity;

    table->pages = table->pages == NULL ? new_pages(table) : table->pages;
    if (table->distances) {
        renumber_slots(table);
        table->tree = xrealloc(table->tree, (capacity + 1) * sizeof *table->tree);
    }
    table->capacity = capacity;
    table->slots = (uint32_t)capacity;
    rehash_pages(table);
    if (table->distances) {
        fill_tree(table);
    }
}

/* Halves the sampling rate, and drops the pages that are not in the new sample. */
static void drop_unsampled_pages(struct page_table *table) {
    table->shift++;
    for (size_t i = 0; i < table->capacity; i++) {
        struct page *page = &table->pages[i];

        if (page->slot != 0 && !is_sampled(table, page->device, page->number)) {
            if (table->distances) {
                tree_add(table, page->slot, UINT32_MAX); /* adds -1: the slot is free */
            }
            page->slot = 0;
            table->used--;
        }
    }
    rehash_pages(table);
    renumber_slots(table);
}

void page_table_prefetch(const struct page_table *table, int64_t device, int64_t number) {
    if (table->capacity > 0) {
        const struct page *page = &table->pages[first_probe_of_page(table, device, number)];

        __builtin_prefetch(&page->device, 1);
        /* also prefetches `slot`, which may be in another cache line than `device` */
        __builtin_prefetch(&page->slot, 1);
    }
}

struct page_use page_table_record_use(struct page_table *table, int64_t device, int64_t number) {
    struct page_use use = {0};
    struct page *page;

    if (!is_sampled(table, device, number)) {
        return use;
    }
    /* Makes room for one more page, and for one more time slot. */
    if (2 * (table->used + 1) > table->capacity && table->used < table->most) {
        page_table_grow(table);
    }
    if (table->distances && table->next_slot > table->slots) {
        renumber_slots(table);
    }
    page = page_table_find_place(table, device, number);
    use.first = page->slot == 0;
    if (use.first) {
        while (table->used >= table->most && table->shift < SHIFT_MOST) {
            drop_unsampled_pages(table);
        }
        if (!is_sampled(table, device, number)) {
            return use;
        }
        page = page_table_find_place(table, device, number);
        *page = (struct page){.device = device, .number = number};
        table->used++;
    } else if (table->distances) {
        int64_t later = (int64_t)table->used - tree_sum(table, page->slot);

        use.distance = later > INT64_MAX >> table->shift ? INT64_MAX : later << table->shift;
        tree_add(table, page->slot, UINT32_MAX); /* adds -1: the slot is free */
    }
    page->slot = table->distances ? table->next_slot++ : 1;
    if (table->distances) {
        tree_add(table, page->slot, 1);
    }
    use.page = page;
    return use;
}
