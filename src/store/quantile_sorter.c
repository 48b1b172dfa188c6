/* Finds numbers by rank. Numbers beyond a limit go to a temporary file, so memory is bounded.
 * Integers are compared exactly; if there are reals, too, all are compared as reals. */
#include "store/functions.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/file.h"

/* The integers or the reals, 64 bits each; those beyond NUMBERS_IN_MEMORY are in a file. */
struct column {
    uint64_t *bits; /* owned */
    size_t count, capacity;
    int file;        /* descriptor of the temporary file; -1: none */
    int64_t in_file; /* number of values in the file */
};

struct quantile_sorter {
    struct column integers, reals;
    /* owned; all sort keys in order, if nothing is in a file; NULL: not sorted yet */
    uint64_t *keys;
};

struct quantile_sorter *quantile_sorter_new(void) {
    struct quantile_sorter *numbers = xcalloc(1, sizeof *numbers);

    numbers->integers.file = -1;
    numbers->reals.file = -1;
    return numbers;
}

static void free_column(struct column *column) {
    sqlite3_free(column->bits);
    if (column->file >= 0) {
        close(column->file);
    }
}

void quantile_sorter_free(struct quantile_sorter *numbers) {
    if (numbers != NULL) {
        free_column(&numbers->integers);
        free_column(&numbers->reals);
        sqlite3_free(numbers->keys);
        free(numbers);
    }
}

/* --- adding numbers to a sorter --------------------------------------------------------------- */

static bool move_to_file(struct column *column, struct error *error) {
    if ((column->file < 0 && (column->file = temporary_file_create(NULL, error)) < 0) ||
        !temporary_file_write(column->file, column->bits, column->count * sizeof *column->bits,
                              error)) {
        return false;
    }
    column->in_file += (int64_t)column->count;
    column->count = 0;
    return true;
}

static bool quantile_sorter_grow(struct column *column) {
    size_t capacity = column->capacity == 0 ? 64 : 2 * column->capacity;
    uint64_t *bits = sqlite3_realloc64(column->bits, capacity * sizeof *bits);

    if (bits == NULL) {
        return false;
    }
    column->bits = bits;
    column->capacity = capacity;
    return true;
}

static bool quantile_sorter_store(struct column *column, uint64_t bits, struct error *error) {
    if ((column->count == NUMBERS_IN_MEMORY && !move_to_file(column, error)) ||
        (column->count == column->capacity && !quantile_sorter_grow(column))) {
        return false;
    }
    column->bits[column->count++] = bits;
    return true;
}

bool quantile_sorter_add(struct quantile_sorter *numbers, struct number number,
                         struct error *error) {
    uint64_t bits;

    sqlite3_free(numbers->keys);
    numbers->keys = NULL;
    if (!number.is_real) {
        return quantile_sorter_store(&numbers->integers, (uint64_t)number.integer, error);
    }
    memcpy(&bits, &number.real, sizeof bits);
    return quantile_sorter_store(&numbers->reals, bits, error);
}

static int64_t quantile_sorter_count_of(const struct column *column) {
    return column->in_file + (int64_t)column->count;
}

int64_t quantile_sorter_count(const struct quantile_sorter *numbers) {
    return quantile_sorter_count_of(&numbers->integers) + quantile_sorter_count_of(&numbers->reals);
}

/* --- keys: unsigned integers in the same order as the numbers --------------------------------- */

#define SIGN ((uint64_t)1 << 63)

static uint64_t key_of_real(double real) {
    uint64_t bits;

    real += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &real, sizeof bits);
    return bits & SIGN ? ~bits : bits | SIGN;
}

static double real_of_key(uint64_t key) {
    uint64_t bits = key & SIGN ? key & ~SIGN : ~key;
    double real;

    memcpy(&real, &bits, sizeof real);
    return real;
}

static uint64_t quantile_sorter_key_of(const struct quantile_sorter *numbers,
                                       const struct column *column, uint64_t bits) {
    double real;

    if (column == &numbers->integers) {
        return quantile_sorter_count_of(&numbers->reals) == 0 ? bits ^ SIGN
                                                              : key_of_real((double)(int64_t)bits);
    }
    memcpy(&real, &bits, sizeof real);
    return key_of_real(real);
}

static void number_of_key(const struct quantile_sorter *numbers, uint64_t key,
                          struct number *number) {
    *number = (struct number){.is_real = quantile_sorter_count_of(&numbers->reals) > 0};
    if (number->is_real) {
        number->real = real_of_key(key);
    } else {
        number->integer = (int64_t)(key ^ SIGN);
    }
}

/* --- finding a rank if all numbers are in memory ---------------------------------------------- */

static int quantile_sorter_compare_keys(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

static size_t quantile_sorter_append_keys(const struct quantile_sorter *numbers,
                                          const struct column *column, uint64_t *keys) {
    for (size_t i = 0; i < column->count; i++) {
        keys[i] = quantile_sorter_key_of(numbers, column, column->bits[i]);
    }
    return column->count;
}

static bool sort_keys(struct quantile_sorter *numbers) {
    size_t count = (size_t)quantile_sorter_count(numbers);
    uint64_t *keys = sqlite3_malloc64(count * sizeof *keys);

    if (keys == NULL) {
        return false;
    }
    quantile_sorter_append_keys(numbers, &numbers->reals,
                                keys +
                                    quantile_sorter_append_keys(numbers, &numbers->integers, keys));
    qsort(keys, count, sizeof *keys, quantile_sorter_compare_keys);
    numbers->keys = keys;
    return true;
}

/* --- finding a rank with files: 16 bits of the key per pass ----------------------------------- */

enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS };

/* Radix search for the key at a rank: the remaining keys have the same upper bits as `key`. */
struct search {
    const struct quantile_sorter *numbers;
    uint64_t key;
    int unknown;     /* number of lower bits of `key` that are not known yet */
    int64_t *counts; /* number of remaining keys for each value of the next 16 bits */
};

static void count_keys(struct search *search, const struct column *column, const uint64_t *bits,
                       size_t count) {
    const int shift = search->unknown - DIGIT_BITS;

    for (size_t i = 0; i < count; i++) {
        uint64_t key = quantile_sorter_key_of(search->numbers, column, bits[i]);

        if (search->unknown == 64 || (key ^ search->key) >> search->unknown == 0) {
            search->counts[key >> shift & (DIGITS - 1)]++;
        }
    }
}

static bool count_column(struct search *search, const struct column *column, struct error *error) {
    uint64_t block[8192];
    const int64_t most = sizeof block / sizeof *block;

    for (int64_t at = 0; at < column->in_file; at += most) {
        size_t count = (size_t)(column->in_file - at < most ? column->in_file - at : most);

        if (!temporary_file_read(column->file, at * (int64_t)sizeof *block, block,
                                 count * sizeof *block, error)) {
            return false;
        }
        count_keys(search, column, block, count);
    }
    count_keys(search, column, column->bits, column->count);
    return true;
}

/* Finds the next 16 bits of the key at a rank. */
static bool find_next_digit(struct search *search, int64_t *rank, struct error *error) {
    uint64_t digit = 0;

    memset(search->counts, 0, DIGITS * sizeof *search->counts);
    if (!count_column(search, &search->numbers->integers, error) ||
        !count_column(search, &search->numbers->reals, error)) {
        return false;
    }
    while (digit < DIGITS - 1 && *rank > search->counts[digit]) {
        *rank -= search->counts[digit++];
    }
    search->unknown -= DIGIT_BITS;
    search->key |= digit << search->unknown;
    return true;
}

static bool search_files(const struct quantile_sorter *numbers, int64_t rank, uint64_t *key,
                         struct error *error) {
    struct search search = {.numbers = numbers, .unknown = 64};
    bool done = true;

    search.counts = sqlite3_malloc64(DIGITS * sizeof *search.counts);
    if (search.counts == NULL) {
        return false;
    }
    while (done && search.unknown > 0) {
        done = find_next_digit(&search, &rank, error);
    }
    sqlite3_free(search.counts);
    *key = search.key;
    return done;
}

bool quantile_sorter_find(struct quantile_sorter *numbers, int64_t rank, struct number *found,
                          struct error *error) {
    uint64_t key;

    if (numbers->integers.file >= 0 || numbers->reals.file >= 0) {
        if (!search_files(numbers, rank, &key, error)) {
            return false;
        }
    } else {
        if (numbers->keys == NULL && !sort_keys(numbers)) {
            return false;
        }
        key = numbers->keys[rank - 1];
    }
    number_of_key(numbers, key, found);
    return true;
}
