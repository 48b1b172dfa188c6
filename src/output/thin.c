#include "output/thin.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/saturate.h"
#include "base/memory.h"

enum { MOST_SHIFT = 62 };

#define NO_VALUE INT64_MIN

/* A row that is kept. */
struct kept {
    int64_t values[THINNING_KEYS];
    size_t start, length; /* of its line */
    uint64_t rows;        /* that it stands for */
};

/* What was seen of one key, whose parts are 2^shift wide and begin at multiples of that. */
struct range {
    int64_t least, most;
    bool any;
    unsigned shift;
};

struct thin {
    const struct thinning *thinning; /* borrowed */
    struct range ranges[THINNING_KEYS];
    struct kept *kept; /* owned */
    size_t count, room;
    struct text lines;
    uint32_t *index;   /* owned; by the place: number in `kept` and 1; 0: free */
    size_t index_size; /* a power of two */
    size_t most;       /* that may be kept */
    uint64_t seen;
};

struct thin *thin_new(const struct thinning *thinning) {
    struct thin *thin = xcalloc(1, sizeof *thin);

    thin->thinning = thinning;
    thin->most = THINNING_MOST;
    return thin;
}

void thin_free(struct thin *thin) {
    if (thin != NULL) {
        free(thin->kept);
        free(thin->index);
        text_free(&thin->lines);
        free(thin);
    }
}

/* --- places ------------------------------------------------------------------------------------
 */

static bool has_parts(const struct thin *thin, size_t key) {
    return thin->thinning->keys[key].parts > 0;
}

/* Texts and reals by what they hold: two different ones have the same number once in 2^64. */
static int64_t number_of(const struct value *value) {
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

static int64_t key_value(const struct thinning_key *key, const struct value *values) {
    int64_t number = number_of(&values[key->column]);

    if (key->has_plus && number != NO_VALUE && values[key->plus].type == VALUE_INTEGER &&
        values[key->plus].integer > 0) {
        add_saturated(&number, values[key->plus].integer);
    }
    return number;
}

/* The right shift of a negative number rounds down, as gcc and clang define it. */
static int64_t part_of(const struct thin *thin, size_t key, int64_t value) {
    return value == NO_VALUE ? value : value >> thin->ranges[key].shift;
}

static uint64_t parts_of(const struct range *range) {
    return range->any ? (uint64_t)(range->most >> range->shift) -
                            (uint64_t)(range->least >> range->shift) + 1
                      : 0;
}

static bool is_same_place(const struct thin *thin, const int64_t *left, const int64_t *right) {
    size_t key = 0;

    while (key < thin->thinning->count &&
           part_of(thin, key, left[key]) == part_of(thin, key, right[key])) {
        key++;
    }
    return key == thin->thinning->count;
}

/* Where in the index a place is, or would be. */
static uint32_t *find(const struct thin *thin, const int64_t *values) {
    int64_t place[THINNING_KEYS] = {0};
    size_t at;

    for (size_t key = 0; key < thin->thinning->count; key++) {
        place[key] = part_of(thin, key, values[key]);
    }
    at = XXH3_64bits(place, sizeof place) & (thin->index_size - 1);
    while (thin->index[at] != 0 &&
           !is_same_place(thin, thin->kept[thin->index[at] - 1].values, values)) {
        at = (at + 1) & (thin->index_size - 1);
    }
    return &thin->index[at];
}

/* --- what is kept ------------------------------------------------------------------------------
 */

/* Makes the index anew, of what is still of a place of its own; the others are counted there. */
static void rebuild(struct thin *thin) {
    size_t count = 0, end = 0;

    memset(thin->index, 0, thin->index_size * sizeof *thin->index);
    for (size_t i = 0; i < thin->count; i++) {
        struct kept kept = thin->kept[i];
        uint32_t *slot = find(thin, kept.values);

        if (*slot != 0) {
            thin->kept[*slot - 1].rows += kept.rows;
            continue;
        }
        memmove(thin->lines.bytes + end, thin->lines.bytes + kept.start, kept.length);
        kept.start = end;
        end += kept.length;
        thin->kept[count++] = kept;
        *slot = (uint32_t)count;
    }
    thin->count = count;
    thin->lines.length = end;
}

/* Room for one more, in a list and an index that are at most half full. */
static void make_room(struct thin *thin) {
    if (thin->count == thin->room) {
        thin->room = thin->room == 0 ? 1024 : 2 * thin->room;
        thin->index_size = 2 * thin->room;
        thin->kept = xreallocarray(thin->kept, thin->room, sizeof *thin->kept);
        thin->index = xreallocarray(thin->index, thin->index_size, sizeof *thin->index);
        rebuild(thin);
    }
}

/* Wider parts, where twice as many as asked for would not hold the value; true if there are. */
static bool widen(struct thin *thin, const int64_t *values) {
    bool wider = false;

    for (size_t key = 0; key < thin->thinning->count; key++) {
        struct range *range = &thin->ranges[key];

        if (!has_parts(thin, key) || values[key] == NO_VALUE) {
            continue;
        }
        range->least = range->any && range->least < values[key] ? range->least : values[key];
        range->most = range->any && range->most > values[key] ? range->most : values[key];
        range->any = true;
        while (range->shift < MOST_SHIFT &&
               parts_of(range) > 2 * (uint64_t)thin->thinning->keys[key].parts) {
            range->shift++;
            wider = true;
        }
    }
    return wider;
}

/* The key whose range has most parts, measured by how many were asked for; the count of keys where
 * all ranges are one part. */
static size_t finest(const struct thin *thin) {
    size_t found = thin->thinning->count;
    double most = 0;

    for (size_t key = 0; key < thin->thinning->count; key++) {
        double parts = (double)parts_of(&thin->ranges[key]) / thin->thinning->keys[key].parts;

        if (has_parts(thin, key) && parts_of(&thin->ranges[key]) > 1 && parts > most) {
            most = parts;
            found = key;
        }
    }
    return found;
}

/* Too many are kept: parts become twice as wide, of one key after the other, so that all are about
 * as fine; a range that still grows would else end finer than one that is known from the start. */
static void coarsen(struct thin *thin) {
    size_t key;

    while (thin->count >= thin->most && (key = finest(thin)) < thin->thinning->count) {
        thin->ranges[key].shift++;
        rebuild(thin);
    }
    if (thin->count >= thin->most) {
        thin->most *= 2; /* what has no parts makes up the places */
    }
}

bool thin_look(struct thin *thin, const struct value *values) {
    const struct thinning *thinning = thin->thinning;
    int64_t places[THINNING_KEYS] = {0};
    uint32_t *slot;
    bool is_new;

    thin->seen++;
    for (size_t key = 0; key < thinning->count; key++) {
        places[key] = key_value(&thinning->keys[key], values);
    }
    make_room(thin);
    if (widen(thin, places)) {
        rebuild(thin);
    }
    if (thin->count >= thin->most) {
        coarsen(thin);
    }
    slot = find(thin, places);
    is_new = *slot == 0;
    if (is_new) {
        struct kept *kept = &thin->kept[thin->count++];

        *kept = (struct kept){.rows = 0};
        memcpy(kept->values, places, sizeof places);
        *slot = (uint32_t)thin->count;
    }
    thin->kept[*slot - 1].rows++;
    return is_new;
}

void thin_keep(struct thin *thin, const char *line, size_t length) {
    struct kept *kept = &thin->kept[thin->count - 1];

    kept->start = thin->lines.length;
    kept->length = length;
    text_append(&thin->lines, line, length);
}

uint64_t thin_kept(const struct thin *thin) {
    return thin->count;
}

uint64_t thin_line(const struct thin *thin, size_t i, const char **line, size_t *length) {
    const struct kept *kept = &thin->kept[i];

    *line = thin->lines.bytes + kept->start;
    *length = kept->length;
    return kept->rows;
}

/* --- in words ----------------------------------------------------------------------------------
 */

static void append_key(const struct thin *thin, size_t i, const struct column *columns,
                       struct text *out) {
    const struct thinning_key *key = &thin->thinning->keys[i];

    if (has_parts(thin, i)) {
        text_append_format(out, "%llu parts of ", (unsigned long long)parts_of(&thin->ranges[i]));
    }
    text_append_string(out, columns[key->column].name);
    if (key->has_plus) {
        text_append_format(out, " + %s", columns[key->plus].name);
    }
}

void thin_append_remark(const struct thin *thin, const struct column *columns, struct text *out) {
    if (thin->count == thin->seen) {
        return;
    }
    text_append_format(out,
                       "drawn are %llu of %llu rows: the first of those that lie at one place (",
                       (unsigned long long)thin->count, (unsigned long long)thin->seen);
    for (size_t i = 0; i < thin->thinning->count; i++) {
        text_append_string(out, i > 0 ? ", " : "");
        append_key(thin, i, columns, out);
    }
    text_append_string(out, ")");
}
