/* The columns of a trace (column_table.h), chunk by chunk, for those who pass over its events.
 *
 * The reader uses the connection and is for one thread at a time; what it gives, a piece, is
 * decoded without it, by any thread.
 */
#ifndef TRACETOOL_COLUMN_READER_H
#define TRACETOOL_COLUMN_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event_chunk.h"
#include "store/column_table.h"

/* --- checksums -----------------------------------------------------------------------------------
 */

/* The sums of the table `event_column`, by which a row is known to be as it was written.
 *
 * A row has one number of 64 bits. The upper half is of all that it says beside the code, so that
 * whoever passes a chunk over by its extents can trust these without reading it; the lower half is
 * of the code (event_chunk.h). Both are lower halves of XXH3 with 64 bits. tracetool-schema(7) says
 * which bytes they are of.
 */

/* What a row says beside its code. */
struct column_key {
    enum event_field field;
    int64_t trace, first, count, least, most;
    int64_t fields; /* of times: a bit 1 << enum event_field of each that the chunk has; else 0 */
};

/* The sum of a row; `code` is that of its code. */
int64_t column_sum(const struct column_key *key, uint32_t code);

/* Whether that is the sum of a row with this key, whatever its code. */
bool column_sum_fits(const struct column_key *key, int64_t sum);

/* --- the reader ----------------------------------------------------------------------------------
 */

/* A chunk. Zeroed: none yet; to be freed. */
struct column_piece {
    int64_t first; /* id of its first event */
    size_t count;
    struct event_chunk_part
        parts[EVENT_FIELDS]; /* of the fields that are read; size 0: none has one */
    struct text bytes;       /* owned: codes, once they are loaded */
};

struct column_reader;

/* Begins to read `fields` (enum event_column; time always) of the chunks that have events with ids
 * from `first` to `last`. `*reader` is NULL, without an error, when the trace has no columns. Owned
 * by the caller. */
bool column_reader_open(struct column_reader **reader, struct database *database, int64_t trace,
                        int64_t first, int64_t last, unsigned fields, struct error *error);
void column_reader_close(struct column_reader *reader);

/* The next chunk, in order, with its extents, which have the sum that they were written with;
 * `*some`: there was one. Fails where the columns are damaged. */
bool column_reader_next(struct column_reader *reader, struct column_piece *piece, bool *some,
                        struct error *error);

/* Loads the codes of the chunk that was given last. */
bool column_reader_load(struct column_reader *reader, struct column_piece *piece,
                        struct error *error);

/* Decodes `fields` (enum event_column), or times when `fields` is 0, into columns with room for the
 * piece, which have ids already. False when a code is damaged. */
bool column_piece_decode(const struct column_piece *piece, unsigned fields,
                         struct event_columns *columns);

/* The same of `count` of its events, at places that ascend: they come to the front. */
bool column_piece_decode_some(const struct column_piece *piece, unsigned fields,
                              struct event_columns *columns, const uint32_t *places, size_t count);

void column_piece_free(struct column_piece *piece);

#endif
