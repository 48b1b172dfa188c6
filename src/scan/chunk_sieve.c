#include "scan/chunk_sieve.h"

/* Of a field: its values by number, and which of them pass. 0: they may be too many to be asked for
 * one by one. `*passing`: how many pass. */
static size_t ask_values(struct chunk_sieve *chunk, const struct sieve *sieve,
                         const struct column_piece *piece, enum event_field field,
                         size_t *passing) {
    size_t kinds = column_piece_kinds(piece, field, chunk->values, CHUNK_SIEVE_VALUES);

    *passing = 0;
    for (size_t i = 0; i < kinds; i++) {
        chunk->passes[i] = sieve_passes(sieve, field, chunk->values[i]);
        *passing += chunk->passes[i];
    }
    return kinds;
}

/* Leaves the places of the runs that pass. */
static size_t keep_runs(const struct chunk_sieve *chunk, size_t runs, const uint32_t *places,
                        uint32_t *kept, size_t count) {
    size_t left = 0, at = 0;

    for (size_t run = 0; run < runs && at < count; run++) {
        /* Places that ascend and are as many as there are between the first and the last. */
        bool dense = places[count - 1] - places[at] == count - 1 - at;
        size_t end = at;

        if (dense) {
            end = chunk->ends[run] > places[count - 1] ? count
                  : chunk->ends[run] > places[at]      ? at + (chunk->ends[run] - places[at])
                                                       : at;
        } else {
            while (end < count && places[end] < chunk->ends[run]) {
                end++;
            }
        }
        for (; at < end && chunk->passes[chunk->numbers[run]]; at++) {
            kept[left++] = places[at];
        }
        at = end;
    }
    return left;
}

/* No branch depends on the numbers. */
static size_t keep_numbers(const struct chunk_sieve *chunk, const uint32_t *places, uint32_t *kept,
                           size_t count) {
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        kept[left] = places[i];
        left += chunk->passes[chunk->numbers[i]];
    }
    return left;
}

/* Leaves the events that pass by one field, where some of its values do and some do not. */
static bool keep_by_field(struct chunk_sieve *chunk, const struct column_piece *piece,
                          enum event_field field, const uint32_t **places, uint32_t *kept,
                          size_t *count) {
    size_t runs;

    if (!column_piece_decode_runs(piece, field, chunk->numbers, chunk->ends, &runs)) {
        return false;
    }
    if (runs > 0) {
        *count = keep_runs(chunk, runs, *places, kept, *count);
    } else if (column_piece_decode_kinds(piece, field, chunk->numbers, *places, *count)) {
        *count = keep_numbers(chunk, *places, kept, *count);
    } else {
        return false;
    }
    *places = kept;
    return true;
}

bool chunk_sieve_events(struct chunk_sieve *chunk, const struct sieve *sieve,
                        const struct column_piece *piece, struct event_columns *columns,
                        unsigned *decoded, const uint32_t **places, uint32_t *kept, size_t *count) {
    unsigned asked = 0;

    *decoded = (sieve->by_partition ? (unsigned)EVENT_OBJECT | EVENT_ADDRESS : 0) |
               (sieve->by_source ? (unsigned)EVENT_OBJECT | EVENT_SOURCE : 0);
    for (unsigned i = 0; i<EVENT_FIELDS && * count> 0; i++) {
        size_t kinds, passing;

        if (!sieve_asks(sieve, (enum event_field)i)) {
            continue;
        }
        kinds = ask_values(chunk, sieve, piece, (enum event_field)i, &passing);
        if (kinds == 0) {
            *decoded |= event_field_column((enum event_field)i);
            continue;
        }
        asked |= event_field_column((enum event_field)i);
        if (passing == 0) {
            *count = 0;
        } else if (passing < kinds &&
                   !keep_by_field(chunk, piece, (enum event_field)i, places, kept, count)) {
            return false;
        }
    }
    if (*count == 0 || *decoded == 0) {
        return true;
    }
    if (!column_piece_decode(piece, *decoded, columns)) {
        return false;
    }
    *count = sieve_events(sieve, columns, asked, places, kept, *count);
    return true;
}
