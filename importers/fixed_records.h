/* Resynchronisation for fixed-size records without a magic number: finds the next good record after
 * a damaged one. Shared by the importers of such binary logs. */
#ifndef TRACETOOL_FIXED_RECORDS_H
#define TRACETOOL_FIXED_RECORDS_H

#include "import/importer.h"

struct fixed_records {
    size_t size; /* bytes of a record, at most 1024 */
    /* Returns whether the bytes look like a good record. */
    bool (*is_record)(const void *context, const uint8_t *bytes);
    const void *context; /* argument of is_record(); borrowed */
};

/* Rejects the record at the cursor. If a good record follows at the same alignment, rejects only
 * that record; else all bytes up to the next good one. */
void fixed_records_reject(struct import *import, const struct fixed_records *records,
                          struct reader *reader, const char *damage);

/* Rejects the bytes after the last whole record, if any. */
void fixed_records_end(struct import *import, const struct fixed_records *records,
                       struct reader *reader, const char *truncated);

/* Returns whether there are at least as many good records as gaps between them. */
bool fixed_records_fit(const struct fixed_records *records, const uint8_t *bytes, size_t length);

#endif
