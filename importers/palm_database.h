/* The Palm database container (.pdb): header, record list, and where each record lies.
 *
 * Facts: Palm File Format Specification. All integers are big-endian. A record's length is not
 * stored: it ends where the next block begins, the last one at the end of the file.
 */
#ifndef TRACETOOL_PALM_DATABASE_H
#define TRACETOOL_PALM_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/reader.h"

#define PALM_HEADER_SIZE         78
#define PALM_ENTRY_SIZE          8  /* of a record */
#define PALM_RESOURCE_ENTRY_SIZE 10 /* of a resource */
#define PALM_ATTRIBUTE_RESOURCES 0x0001

struct palm_record {
    uint32_t offset; /* in the file */
    bool good;       /* it lies in the file, behind the list and the record in front of it, and not
                        beyond records that follow */
};

struct palm_database {
    char name[32 * 4 + 1]; /* escaped, so that it can be shown */
    char type[4 * 4 + 1];  /* likewise */
    char creator[4 * 4 + 1];
    bool resources;              /* a resource database (PRC): entries have 10 bytes */
    uint16_t count;              /* of records, as the header says */
    struct palm_record *records; /* owned; of a record database only */
    uint16_t listed; /* entries that were read: fewer than `count` when the list, by that count,
                        would not fit into the file */
};

/* Whether the bytes could be the beginning of such a container: plausible header and list. */
bool palm_database_sniff(const uint8_t *bytes, size_t length, bool whole);

/* Whether header bytes (at least PALM_HEADER_SIZE) carry that type and creator. */
bool palm_database_is(const uint8_t *header, const char *type, const char *creator);

/* Reads header and record list at the cursor, which stands at the file's beginning, and judges the
 * place of every record. False with `error` set when the header is cut short or has a chained
 * list. A wrong count is not an error: see `listed`. */
bool palm_database_read(struct palm_database *database, struct reader *reader, struct error *error);

void palm_database_free(struct palm_database *database);

/* Where record `index`, whose place is good, ends: at the next good record's offset, else the end
 * of the file, INT64_MAX when that is not known. */
int64_t palm_database_end(const struct palm_database *database, uint16_t index,
                          const struct reader *reader);

#endif
