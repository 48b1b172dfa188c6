#include "analysis/page_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash_seed.h"
#include "base/memory.h"

#define SMALLEST 1024 /* places of a table */

void page_table_init(struct page_table *table, size_t most, bool distances) {
    *table = (struct page_table){.most = most, .distances = distances};
}

void page_table_free(struct page_table *table) {
    free(table->pages);
    free(table->tree);
    page_table_init(table, table->most, table->distances);
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

static bool is_sampled(const struct page_table *table, uint64_t hash) {
    return table->shift == 0 || hash >> (64 - table->shift) == 0;
}

/* Where the page with that hash is looked for first. */
static size_t first_place(const struct page_table *table, uint64_t hash) {
    return seeded_hash_number(hash) & (table->capacity - 1);
}

/* The place of the page with that hash, or the free one where it belongs. */
static struct page *find_place(const struct page_table *table, int64_t device, int64_t number,
                               uint64_t hash) {
    size_t at = first_place(table, hash);

    while (table->pages[at].slot != 0 &&
           (table->pages[at].number != number || table->pages[at].device != device)) {
        at = (at + 1) & (table->capacity - 1);
    }
    return &table->pages[at];
}

/* --- slots of time -----------------------------------------------------------------------------
 */

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

/* --- room --------------------------------------------------------------------------------------
 */

/* Puts the page at `at`, which is not in its place yet, there; one that is in the way, and is not
 * in its own either, goes next. What is placed stays, so all that lies before a placed page is
 * taken for good, as finding it needs. */
static void place(struct page_table *table, size_t at) {
    struct page page = table->pages[at];

    table->pages[at].slot = 0;
    while (page.slot != 0) {
        size_t to = first_place(table, hash_of(page.device, page.number));
        struct page displaced;

        while (table->pages[to].slot != 0 && table->pages[to].placed) {
            to = (to + 1) & (table->capacity - 1);
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

/* Twice the room, or the first. */
static bool grow(struct page_table *table, struct error *error) {
    size_t before = table->capacity, capacity = before == 0 ? SMALLEST : 2 * before;
    struct page *pages = xrealloc(table->pages, capacity * sizeof *pages);

    advise_huge_pages(pages, capacity * sizeof *pages);
    memset(pages + before, 0, (capacity - before) * sizeof *pages);
    table->pages = pages;
    if (table->distances) {
        uint32_t *tree;

        renumber(table);
        tree = xrealloc(table->tree, (capacity + 1) * sizeof *tree);
        table->tree = tree;
    }
    table->capacity = capacity;
    table->slots = (uint32_t)capacity;
    place_all(table);
    if (table->distances) {
        fill_tree(table);
    }
    return true;
}

/* Gives up the pages that are not sampled any more. */
static void halve(struct page_table *table) {
    table->shift++;
    for (size_t i = 0; i < table->capacity; i++) {
        struct page *page = &table->pages[i];

        if (page->slot != 0 && !is_sampled(table, hash_of(page->device, page->number))) {
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
static bool make_room(struct page_table *table, struct error *error) {
    if (2 * (table->used + 1) > table->capacity && table->used < table->most &&
        !grow(table, error)) {
        return false;
    }
    if (table->distances && table->next_slot > table->slots) {
        renumber(table);
    }
    return true;
}

/* --- use ---------------------------------------------------------------------------------------
 */

void page_table_expect(const struct page_table *table, int64_t device, int64_t number) {
    uint64_t hash = hash_of(device, number);

    if (table->capacity > 0 && is_sampled(table, hash)) {
        const struct page *page = &table->pages[first_place(table, hash)];

        __builtin_prefetch(&page->device, 1);
        __builtin_prefetch(&page->slot, 1); /* may be in another line of the cache */
    }
}

bool page_table_use(struct page_table *table, int64_t device, int64_t number, struct page_use *use,
                    struct error *error) {
    uint64_t hash = hash_of(device, number);
    struct page *page;

    *use = (struct page_use){0};
    if (!is_sampled(table, hash)) {
        return true;
    }
    if (!make_room(table, error)) {
        return false;
    }
    page = find_place(table, device, number, hash);
    use->first = page->slot == 0;
    if (use->first) {
        while (table->used >= table->most && table->shift < 63) {
            halve(table);
        }
        if (!is_sampled(table, hash)) {
            return true;
        }
        page = find_place(table, device, number, hash);
        *page = (struct page){.device = device, .number = number};
        table->used++;
    } else if (table->distances) {
        int64_t later = (int64_t)table->used - tree_sum(table, page->slot);

        use->distance = later > INT64_MAX >> table->shift ? INT64_MAX : later << table->shift;
        tree_add(table, page->slot, UINT32_MAX); /* one less */
    }
    page->slot = table->distances ? table->next_slot++ : 1;
    if (table->distances) {
        tree_add(table, page->slot, 1);
    }
    use->page = page;
    return true;
}
