#include "scan/alike.h"

#include <string.h>

#include "base/saturate.h"

bool alike_can(struct alike *alike, const struct column_piece *piece, unsigned fields,
               size_t count) {
    size_t most = count / 2 < ALIKE_MOST ? count / 2 : ALIKE_MOST, all = 1, values = 0;

    memset(alike->kinds, 0, sizeof alike->kinds);
    for (unsigned i = 0; i < EVENT_FIELDS; i++) {
        size_t left = most / all < ALIKE_MOST - values ? most / all : ALIKE_MOST - values;

        if ((event_field_column((enum event_field)i) & fields) == 0) {
            continue;
        }
        alike->kinds[i] = left == 0 ? 0
                                    : column_piece_kinds(piece, (enum event_field)i,
                                                         alike->values + values, left);
        if (alike->kinds[i] == 0) {
            return false;
        }
        alike->first[i] = values;
        all *= alike->kinds[i];
        values += alike->kinds[i];
    }
    return true;
}

/* Numbers the events by their fields: `*all`, how many numbers there are. */
static bool number_events(struct alike *alike, const struct column_piece *piece,
                          const uint32_t *places, size_t count, size_t *all) {
    *all = 1;
    for (unsigned i = 0; i < EVENT_FIELDS; i++) {
        uint32_t kinds = (uint32_t)alike->kinds[i];
        uint32_t *numbers = *all == 1 ? alike->which : alike->numbers;

        if (kinds <= 1) {
            continue;
        }
        if (!column_piece_decode_kinds(piece, (enum event_field)i, numbers, places, count)) {
            return false;
        }
        for (size_t event = 0; event<count && * all> 1; event++) {
            alike->which[event] = alike->which[event] * kinds + numbers[event];
        }
        *all *= kinds;
    }
    if (*all == 1) {
        memset(alike->which, 0, count * sizeof *alike->which);
    }
    return true;
}

/* Counts them by number. */
static void count_events(struct alike *alike, size_t all, size_t count) {
    memset(alike->counts, 0, all * sizeof *alike->counts);
    for (size_t i = 0; i < count; i++) {
        alike->counts[alike->which[i]]++;
    }
}

static void add_sizes(struct alike *alike, size_t all, const int64_t *sizes, size_t count) {
    memset(alike->bytes, 0, all * sizeof *alike->bytes);
    for (size_t i = 0; i < count; i++) {
        add_saturated(&alike->bytes[alike->which[i]], sizes[i] == EVENT_NONE ? 0 : sizes[i]);
    }
}

/* The bytes of a number of events of one size. */
static int64_t bytes_of(int64_t size, uint32_t count) {
    int64_t bytes;

    if (size == EVENT_NONE) {
        return 0;
    }
    return __builtin_mul_overflow(size, count, &bytes) ? INT64_MAX : bytes;
}

/* Makes element `at` of the columns the event that has a number. */
static void put_event(const struct alike *alike, size_t number, struct event_columns *columns,
                      size_t at) {
    for (unsigned i = EVENT_FIELDS; i-- > 0;) {
        if (alike->kinds[i] > 0) {
            event_field_put((enum event_field)i, columns, at,
                            alike->values[alike->first[i] + number % alike->kinds[i]]);
            number /= alike->kinds[i];
        }
    }
}

bool alike_gather(struct alike *alike, const struct column_piece *piece, bool sizes,
                  const uint32_t *places, size_t count, struct event_columns *columns,
                  size_t *different) {
    bool by_size = alike->kinds[EVENT_FIELD_SIZE] > 0;
    size_t all;

    *different = 0;
    if (!number_events(alike, piece, places, count, &all)) {
        return false;
    }
    count_events(alike, all, count);
    if (sizes && !by_size) {
        if (!column_piece_decode_some(piece, EVENT_SIZE, columns, places, count)) {
            return false;
        }
        add_sizes(alike, all, columns->size, count);
    }
    for (size_t number = 0; number < all; number++) {
        size_t at = *different;

        if (alike->counts[number] > 0) {
            put_event(alike, number, columns, at);
            alike->counts[at] = alike->counts[number];
            alike->bytes[at] =
                by_size ? bytes_of(columns->size[at], alike->counts[at]) : alike->bytes[number];
            ++*different;
        }
    }
    columns->alike = alike->counts;
    columns->bytes = alike->bytes;
    return true;
}
