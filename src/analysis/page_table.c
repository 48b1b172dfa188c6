#include "analysis/page_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash_seed.h"
#include "base/memory.h"

enum {
    SMALLEST = 1024, /* places of a table */
    BLOCK_BITS = 4,  /* 2^4 pages that follow one another are neighbours in the table */
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

/* The finisher of MurmurHash3: the same on all machines, since its high bits choose which pages are
 * sampled. */
static uint64_t mix(uint64_t number) {
    number ^= number >> 33;
    number *= UINT64_C(0xFF51AFD7ED558CCD);
    number ^= number >> 33;
    number *= UINT64_C(0xC4CEB9FE1A85EC53);
    return number ^ number >> 33;
}

static uint64_t hash_of(int64_t device, int64_t number) {
    return mix((uint64_t)number + UINT64_C(0x9E3779B97F4A7C15) * mix((uint64_t)device + 1));
}

static bool is_sampled(const struct page_table *table, int64_t device, int64_t number) {
    return table->shift == 0 || hash_of(device, number) >> (64 - table->shift) == 0;
}

/* Where a page is looked for first. Pages of a block lie side by side, so that a transfer, which
 * covers pages that follow one another, waits for memory once and not for each. They are turned
 * within it, by the hash: pages at equal distances would all be of one place else. */
static size_t first_place(const struct page_table *table, int64_t device, int64_t number) {
    uint64_t block = (uint64_t)number >> BLOCK_BITS;
    uint64_t hash =
        seeded_hash_number(block + UINT64_C(0x9E3779B97F4A7C15) * ((uint64_t)device + 1));
    uint64_t within = ((uint64_t)number + (hash >> 60)) & ((1 << BLOCK_BITS) - 1);

    return (hash << BLOCK_BITS | within) & (table->capacity - 1);
}

/* The next place where a page may be, for which pages of a block move on together: all places are
 * met, for the step is odd. */
static size_t next_place(const struct page_table *table, size_t at) {
    return (at + (1 << BLOCK_BITS) + 1) & (table->capacity - 1);
}

/* The place of the page, or the free one where it belongs. */
static struct page *find_place(const struct page_table *table, int64_t device, int64_t number) {
    size_t at = first_place(table, device, number);

    while (table->pages[at].slot != 0 &&
           (table->pages[at].number != number || table->pages[at].device != device)) {
        at = next_place(table, at);
    }
    return &table->pages[at];
}

static void tree_add(struct page_table *table, uint32_t slot, uint32_t change) {
    for (; slot <= table->slots; slot += slot & -slot) {
        table->tree[slot] += change;
    }
}

/* How many slots up to this one are of pages. */
static uint32_t tree_sum(const struct page_table *table, uint32_t slot) {
    uint32_t sum = 0;

    for (; slot > 0; slot -= slot & -slot) {
        sum += table->tree[slot];
    }
    return sum;
}

/* The tree of slots 1 to `table->used`, all of which are of pages. */
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

/* Numbers the slots of all pages anew, in their order: the rank of each is what the tree says.
 * Pages were given up, or slots were used up. */
static void renumber(struct page_table *table) {
    if (!table->distances || table->tree == NULL) {
        return;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        struct page *page = &table->pages[i];

        page->slot = page->slot == 0 ? 0 : tree_sum(table, page->slot);
    }
    fill_tree(table);
}

/* Puts the page at `at`, which is not in its place yet, there; one that is in the way, and is not
 * in its own either, goes next. What is placed stays, so all that lies before a placed page is
 * taken for good, as finding it needs. */
static void place(struct page_table *table, size_t at) {
    struct page page = table->pages[at];

    table->pages[at].slot = 0;
    while (page.slot != 0) {
        size_t to = first_place(table, page.device, page.number);
        struct page displaced;

        while (table->pages[to].slot != 0 && table->pages[to].placed) {
            to = next_place(table, to);
        }
        displaced = table->pages[to];
        page.placed = true;
        table->pages[to] = page;
        page = displaced;
    }
}

/* Puts all pages where they belong, without room for a second table. */
static void place_all(struct page_table *table) {
    for (size_t i = 0; i < table->capacity; i++) {
        table->pages[i].placed = false;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->pages[i].slot != 0 && !table->pages[i].placed) {
            place(table, i);
        }
    }
}

/* Places are visited in no order, so that nearly each visit would have the processor look up where
 * a small page of memory is. It is no error where the system has no larger ones. */
static void advise_huge_pages(void *memory, size_t size) {
    const uintptr_t huge = (uintptr_t)2 << 20;
    uintptr_t begin = ((uintptr_t)memory + huge - 1) & ~(huge - 1),
              end = ((uintptr_t)memory + size) & ~(huge - 1);

    if (begin < end) {
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    }
}

/* As many places as there may ever be: the system gives memory to those only that are in use, and
 * larger pages of it than where a table moves as it grows. */
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

/* Twice the room, or the first. */
static void grow(struct page_table *table) {
    size_t capacity = table->capacity == 0 ? SMALLEST : 2 * table->capacity;

    table->pages = table->pages == NULL ? new_pages(table) : table->pages;
    if (table->distances) {
        renumber(table);
        table->tree = xrealloc(table->tree, (capacity + 1) * sizeof *table->tree);
    }
    table->capacity = capacity;
    table->slots = (uint32_t)capacity;
    place_all(table);
    if (table->distances) {
        fill_tree(table);
    }
}

/* Gives up the pages that are not sampled any more. */
static void halve(struct page_table *table) {
    table->shift++;
    for (size_t i = 0; i < table->capacity; i++) {
        struct page *page = &table->pages[i];

        if (page->slot != 0 && !is_sampled(table, page->device, page->number)) {
            if (table->distances) {
                tree_add(table, page->slot, UINT32_MAX); /* one less */
            }
            page->slot = 0;
            table->used--;
        }
    }
    place_all(table);
    renumber(table);
}

/* Room for one more page and one more use. */
static void make_room(struct page_table *table) {
    if (2 * (table->used + 1) > table->capacity && table->used < table->most) {
        grow(table);
    }
    if (table->distances && table->next_slot > table->slots) {
        renumber(table);
    }
}

void page_table_expect(const struct page_table *table, int64_t device, int64_t number) {
    if (table->capacity > 0 && is_sampled(table, device, number)) {
        const struct page *page = &table->pages[first_place(table, device, number)];

        __builtin_prefetch(&page->device, 1);
        __builtin_prefetch(&page->slot, 1); /* may be in another line of the cache */
    }
}

struct page_use page_table_use(struct page_table *table, int64_t device, int64_t number) {
    struct page_use use = {0};
    struct page *page;

    if (!is_sampled(table, device, number)) {
        return use;
    }
    make_room(table);
    page = find_place(table, device, number);
    use.first = page->slot == 0;
    if (use.first) {
        while (table->used >= table->most && table->shift < 63) {
            halve(table);
        }
        if (!is_sampled(table, device, number)) {
            return use;
        }
        page = find_place(table, device, number);
        *page = (struct page){.device = device, .number = number};
        table->used++;
    } else if (table->distances) {
        int64_t later = (int64_t)table->used - tree_sum(table, page->slot);

        use.distance = later > INT64_MAX >> table->shift ? INT64_MAX : later << table->shift;
        tree_add(table, page->slot, UINT32_MAX); /* one less */
    }
    page->slot = table->distances ? table->next_slot++ : 1;
    if (table->distances) {
        tree_add(table, page->slot, 1);
    }
    use.page = page;
    return use;
}
