/* What the importers of binary logs share whose records all have one size and no magic number:
 * where the next good record begins when one is damaged. */
#ifndef TRACETOOL_FIXED_RECORDS_H
#define TRACETOOL_FIXED_RECORDS_H

#include "import/importer.h"

struct fixed_records {
    size_t size; /* of a record, at most 1024 bytes */
    /* Whether a good record begins here, as far as its bytes tell. */
    bool (*is_record)(const void *context, const uint8_t *bytes);
    const void *context; /* of is_record(); borrowed */
};

/* Rejects the record at the cursor: it alone when a good one follows at the same alignment, else
 * all up to the next place where one begins. */
void fixed_records_reject(struct import *import, const struct fixed_records *records,
                          struct reader *reader, const char *damage);

/* Rejects what is left behind the last whole record, if anything is. */
void fixed_records_end(struct import *import, const struct fixed_records *records,
                       struct reader *reader, const char *truncated);

/* Whether there are at least as many good records as gaps between them. */
bool fixed_records_fit(const struct fixed_records *records, const uint8_t *bytes, size_t length);

#endif
