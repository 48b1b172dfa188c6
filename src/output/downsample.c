#include "output/downsample.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/saturate.h"
#include "base/memory.h"

enum { MOST_SHIFT = 62 };

#define NO_VALUE INT64_MIN

/* A row that is kept for drawing. */
struct kept {
    int64_t values[DOWNSAMPLING_KEYS];
    size_t start, length, room; /* position of the row's output line in `lines`, and its space */
    uint64_t rows;              /* number of rows in its cell, which it represents */
    int64_t weight;             /* sum of their weights */
};

/* Range of a key's values so far; its intervals are 2^shift wide and begin at multiples of that. */
struct range {
    int64_t least, most;
    bool any;
    unsigned shift;
};

struct downsample {
    const struct downsampling *downsampling; /* borrowed */
    struct range ranges[DOWNSAMPLING_KEYS];
    struct kept *kept; /* owned */
    size_t count, room;
    struct text lines;
    uint32_t *index;   /* owned hash table: index of a row in `kept` plus 1; 0: free slot */
    size_t index_size; /* number of slots, a power of two */
    size_t most;       /* limit of rows in `kept` */
    size_t chosen;     /* index in `kept` of the row whose line is stored next */
    uint64_t seen, choices;
};

struct downsample *downsample_new(const struct downsampling *downsampling) {
    struct downsample *downsample = xcalloc(1, sizeof *downsample);

    downsample->downsampling = downsampling;
    downsample->most = DOWNSAMPLING_MOST;
    return downsample;
}

void downsample_free(struct downsample *downsample) {
    if (downsample != NULL) {
        free(downsample->kept);
        free(downsample->index);
        text_free(&downsample->lines);
        free(downsample);
    }
}

static bool downsample_has_parts(const struct downsample *downsample, size_t key) {
    return downsample->downsampling->keys[key].parts > 0;
}

/* Maps a value to an integer: an integer to itself, texts and reals to a hash (64 bits). */
static int64_t downsample_number_of(const struct value *value) {
    switch (value->type) {
    case VALUE_INTEGER:
        return value->integer;
    case VALUE_REAL:
        return (int64_t)(XXH3_64bits(&value->real, sizeof value->real) >> 1);
    case VALUE_TEXT:
    case VALUE_BLOB:
        return (int64_t)(XXH3_64bits(value->bytes, value->length) >> 1);
    default:
        return NO_VALUE;
    }
}

static int64_t downsampling_key_value(const struct downsampling_key *key,
                                      const struct value *values) {
    int64_t number = downsample_number_of(&values[key->column]);

    if (key->has_plus && number != NO_VALUE && values[key->plus].type == VALUE_INTEGER &&
        values[key->plus].integer > 0) {
        add_saturated(&number, values[key->plus].integer);
    }
    return number;
}

/* Relies on gcc and clang, which round down when they shift a negative number right. */
static int64_t part_of_key_range(const struct downsample *downsample, size_t key, int64_t value) {
    return value == NO_VALUE ? value : value >> downsample->ranges[key].shift;
}

static uint64_t downsample_parts_of(const struct range *range) {
    return range->any ? (uint64_t)(range->most >> range->shift) -
                            (uint64_t)(range->least >> range->shift) + 1
                      : 0;
}

static bool is_same_place(const struct downsample *downsample, const int64_t *left,
                          const int64_t *right) {
    size_t key = 0;

    while (key < downsample->downsampling->count &&
           part_of_key_range(downsample, key, left[key]) ==
               part_of_key_range(downsample, key, right[key])) {
        key++;
    }
    return key == downsample->downsampling->count;
}

/* Returns the slot for a row in the hash table; it is free if no kept row is in the same cell. */
static uint32_t *downsample_find(const struct downsample *downsample, const int64_t *values) {
    int64_t place[DOWNSAMPLING_KEYS] = {0};
    size_t at;

    for (size_t key = 0; key < downsample->downsampling->count; key++) {
        place[key] = part_of_key_range(downsample, key, values[key]);
    }
    at = XXH3_64bits(place, sizeof place) & (downsample->index_size - 1);
    while (downsample->index[at] != 0 &&
           !is_same_place(downsample, downsample->kept[downsample->index[at] - 1].values, values)) {
        at = (at + 1) & (downsample->index_size - 1);
    }
    return &downsample->index[at];
}

/* Adds rows of the given weight to a cell. Returns whether the cell is represented by one of these
 * from now on. A random number decides, so that each row of a cell is as likely as its weight is
 * large; the same rows always give the same choices. */
static bool add_to_cell(struct downsample *downsample, struct kept *cell, uint64_t rows,
                        int64_t weight) {
    uint64_t random = XXH3_64bits(&downsample->choices, sizeof downsample->choices) >> 11;

    downsample->choices++;
    cell->rows += rows;
    add_saturated(&cell->weight, weight);
    return (double)random * 0x1p-53 * (double)cell->weight < (double)weight;
}

/* Copies the lines of kept rows, without those of dropped rows, into new memory. */
static void pack_lines(struct downsample *downsample) {
    struct text lines = {0};

    for (size_t i = 0; i < downsample->count; i++) {
        struct kept *kept = &downsample->kept[i];
        size_t start = lines.length;

        text_append(&lines, downsample->lines.bytes + kept->start, kept->length);
        kept->start = start;
        kept->room = kept->length;
    }
    text_free(&downsample->lines);
    downsample->lines = lines;
}

/* Rebuilds the hash table after intervals were widened. Merges kept rows that are now in the same
 * cell. */
static void rebuild_kept_row_index(struct downsample *downsample) {
    size_t count = 0;

    memset(downsample->index, 0, downsample->index_size * sizeof *downsample->index);
    for (size_t i = 0; i < downsample->count; i++) {
        struct kept kept = downsample->kept[i];
        uint32_t *slot = downsample_find(downsample, kept.values);

        if (*slot == 0) {
            downsample->kept[count++] = kept;
            *slot = (uint32_t)count;
        } else {
            struct kept *cell = &downsample->kept[*slot - 1];

            if (add_to_cell(downsample, cell, kept.rows, kept.weight)) {
                cell->start = kept.start;
                cell->length = kept.length;
            }
        }
    }
    downsample->count = count;
    pack_lines(downsample);
}

/* Extends the ranges of the keys by a row's values. Doubles a key's intervals while it has more
 * than twice the requested number. Returns whether any intervals changed. */
static bool downsample_widen(struct downsample *downsample, const int64_t *values) {
    bool wider = false;

    for (size_t key = 0; key < downsample->downsampling->count; key++) {
        struct range *range = &downsample->ranges[key];

        if (!downsample_has_parts(downsample, key) || values[key] == NO_VALUE) {
            continue;
        }
        range->least = range->any && range->least < values[key] ? range->least : values[key];
        range->most = range->any && range->most > values[key] ? range->most : values[key];
        range->any = true;
        while (range->shift < MOST_SHIFT &&
               downsample_parts_of(range) >
                   2 * (uint64_t)downsample->downsampling->keys[key].parts) {
            range->shift++;
            wider = true;
        }
    }
    return wider;
}

/* Returns the key with the most intervals relative to the requested number; the number of keys if
 * each has only one interval. */
static size_t find_finest_key(const struct downsample *downsample) {
    size_t found = downsample->downsampling->count;
    double most = 0;

    for (size_t key = 0; key < downsample->downsampling->count; key++) {
        double parts = (double)downsample_parts_of(&downsample->ranges[key]) /
                       downsample->downsampling->keys[key].parts;

        if (downsample_has_parts(downsample, key) &&
            downsample_parts_of(&downsample->ranges[key]) > 1 && parts > most) {
            most = parts;
            found = key;
        }
    }
    return found;
}

/* Reduces the number of kept rows below the limit: repeatedly doubles the intervals of the key that
 * has the most intervals relative to the requested number. So all keys stay about equally fine. */
static void coarsen_kept_rows(struct downsample *downsample) {
    size_t key;

    while (downsample->count >= downsample->most &&
           (key = find_finest_key(downsample)) < downsample->downsampling->count) {
        downsample->ranges[key].shift++;
        rebuild_kept_row_index(downsample);
    }
    if (downsample->count >= downsample->most) {
        downsample->most *= 2; /* rows differ only in keys without intervals, which cannot be
                                  widened: keeps more rows */
    }
}

bool downsample_keeps_row(struct downsample *downsample, const struct value *values) {
    const struct downsampling *downsampling = downsample->downsampling;
    int64_t places[DOWNSAMPLING_KEYS] = {0};
    const struct value *weight = downsampling->has_weight ? &values[downsampling->weight] : NULL;
    struct kept *cell;
    uint32_t *slot;

    downsample->seen++;
    for (size_t key = 0; key < downsampling->count; key++) {
        places[key] = downsampling_key_value(&downsampling->keys[key], values);
    }
    /* Makes room for a row; the hash table is at most half full. */
    if (downsample->count == downsample->room) {
        downsample->room = downsample->room == 0 ? 1024 : 2 * downsample->room;
        downsample->index_size = 2 * downsample->room;
        downsample->kept =
            xreallocarray(downsample->kept, downsample->room, sizeof *downsample->kept);
        downsample->index =
            xreallocarray(downsample->index, downsample->index_size, sizeof *downsample->index);
        rebuild_kept_row_index(downsample);
    }
    if (downsample_widen(downsample, places)) {
        rebuild_kept_row_index(downsample);
    }
    if (downsample->count >= downsample->most) {
        coarsen_kept_rows(downsample);
    }
    slot = downsample_find(downsample, places);
    if (*slot == 0) {
        *slot = (uint32_t)++downsample->count;
        downsample->kept[*slot - 1] = (struct kept){.rows = 0};
        memcpy(downsample->kept[*slot - 1].values, places, sizeof places);
    }
    downsample->chosen = *slot - 1;
    cell = &downsample->kept[downsample->chosen];
    return add_to_cell(downsample, cell, 1,
                       weight != NULL && weight->type == VALUE_INTEGER && weight->integer > 0
                           ? weight->integer
                           : 0) ||
           cell->rows == 1;
}

void downsample_store(struct downsample *downsample, const char *line, size_t length) {
    struct kept *kept = &downsample->kept[downsample->chosen];

    kept->length = length;
    if (length <= kept->room) {
        memcpy(downsample->lines.bytes + kept->start, line, length);
    } else {
        kept->start = downsample->lines.length;
        kept->room = length;
        text_append(&downsample->lines, line, length);
    }
}

uint64_t downsample_count_kept(const struct downsample *downsample) {
    return downsample->count;
}

uint64_t downsample_line(const struct downsample *downsample, size_t i, const char **line,
                         size_t *length, int64_t *weight) {
    const struct kept *kept = &downsample->kept[i];

    *line = downsample->lines.bytes + kept->start;
    *length = kept->length;
    *weight = kept->weight;
    return kept->rows;
}

static void downsample_append_key(const struct downsample *downsample, size_t i,
                                  const struct column *columns, struct text *out) {
    const struct downsampling_key *key = &downsample->downsampling->keys[i];

    if (downsample_has_parts(downsample, i)) {
        text_append_format(out, "%llu parts of ",
                           (unsigned long long)downsample_parts_of(&downsample->ranges[i]));
    }
    text_append_string(out, columns[key->column].name);
    if (key->has_plus) {
        text_append_format(out, " + %s", columns[key->plus].name);
    }
}

void downsample_append_remark(const struct downsample *downsample, const struct column *columns,
                              struct text *out) {
    if (downsample->count == downsample->seen) {
        return;
    }
    text_append_format(out, "drawn: %llu of %llu rows; of rows at the same place, only ",
                       (unsigned long long)downsample->count, (unsigned long long)downsample->seen);
    if (downsample->downsampling->has_weight) {
        text_append_format(out, "one at random, by %s (",
                           columns[downsample->downsampling->weight].name);
    } else {
        text_append_string(out, "the first (");
    }
    for (size_t i = 0; i < downsample->downsampling->count; i++) {
        text_append_string(out, i > 0 ? ", " : "");
        downsample_append_key(downsample, i, columns, out);
    }
    text_append_string(out, ")");
}
