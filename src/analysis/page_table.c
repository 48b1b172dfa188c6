#include "analysis/page_table.h"

#include <stdlib.h>
#include <string.h>

#define SMALLEST 1024 /* places of a table */

void page_table_init(struct page_table *table, size_t most, bool distances) {
    *table = (struct page_table){.most = most, .distances = distances};
}

void page_table_free(struct page_table *table) {
    free(table->pages);
    free(table->tree);
    page_table_init(table, table->most, table->distances);
}

/* The finisher of MurmurHash3: the same on all machines. Its low bits choose places, the high ones
 * which pages are sampled. */
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

/* The place of the page, or the free one where it belongs. */
static struct page *find_place(const struct page_table *table, int64_t device, int64_t number) {
    size_t at = (size_t)hash_of(device, number) & (table->capacity - 1);

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
    if (!table->distances) {
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

/* Twice the room, or the first. */
static bool grow(struct page_table *table, struct error *error) {
    struct page_table grown = *table;

    grown.capacity = table->capacity == 0 ? SMALLEST : 2 * table->capacity;
    grown.slots = (uint32_t)grown.capacity;
    grown.pages = calloc(grown.capacity, sizeof *grown.pages);
    grown.tree = table->distances ? calloc(grown.slots + (size_t)1, sizeof *grown.tree) : NULL;
    if (grown.pages == NULL || (table->distances && grown.tree == NULL)) {
        free(grown.pages);
        free(grown.tree);
        return error_no_memory(error);
    }
    if (table->used > 0) {
        renumber(table);
    }
    for (size_t i = 0; i < table->capacity; i++) {
        const struct page *page = &table->pages[i];

        if (page->slot != 0) {
            *find_place(&grown, page->device, page->number) = *page;
        }
    }
    free(table->pages);
    free(table->tree);
    *table = grown;
    if (table->distances) {
        fill_tree(table);
    }
    return true;
}

/* Gives up the pages that are not sampled any more. */
static bool halve(struct page_table *table, struct error *error) {
    struct page *old = table->pages;

    table->pages = calloc(table->capacity, sizeof *table->pages);
    if (table->pages == NULL) {
        table->pages = old;
        return error_no_memory(error);
    }
    table->shift++;
    for (size_t i = 0; i < table->capacity; i++) {
        if (old[i].slot == 0) {
            continue;
        }
        if (is_sampled(table, hash_of(old[i].device, old[i].number))) {
            *find_place(table, old[i].device, old[i].number) = old[i];
        } else {
            if (table->distances) {
                tree_add(table, old[i].slot, UINT32_MAX); /* one less */
            }
            table->used--;
        }
    }
    free(old);
    renumber(table);
    return true;
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
    page = find_place(table, device, number);
    use->first = page->slot == 0;
    if (use->first) {
        while (table->used >= table->most && table->shift < 63) {
            if (!halve(table, error)) {
                return false;
            }
        }
        if (!is_sampled(table, hash)) {
            return true;
        }
        page = find_place(table, device, number);
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
