/* Palm database container (.pdb): header, record list, and the place of each record.
 *
 * Facts: Palm File Format Specification. All integers are big-endian. A record's length is not
 * stored: a record ends at the start of the next block, the last one at the end of the file. */
#ifndef TRACETOOL_PALM_DATABASE_H
#define TRACETOOL_PALM_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/reader.h"

#define PALM_HEADER_SIZE         78
#define PALM_ENTRY_SIZE          8  /* bytes of a record's entry */
#define PALM_RESOURCE_ENTRY_SIZE 10 /* bytes of a resource's entry */
#define PALM_ATTRIBUTE_RESOURCES 0x0001

struct palm_record {
    uint32_t offset; /* offset of the record from the start of the file */
    /* The record's place is valid: in the file, after the list and the record before it, and not
     * beyond later records. */
    bool good;
};

struct palm_database {
    char name[32 * 4 + 1]; /* escaped for display */
    char type[4 * 4 + 1];  /* escaped for display */
    char creator[4 * 4 + 1];
    bool resources;              /* a resource database (PRC): entries have 10 bytes */
    uint16_t count;              /* number of records by the header */
    struct palm_record *records; /* owned; only in a record database */
    /* Entries read; less than `count` if a list of that length does not fit into the file. */
    uint16_t listed;
};

/* Returns whether the bytes could begin such a container: the header and list are plausible. */
bool palm_database_sniff(const uint8_t *bytes, size_t length, bool whole);

/* Returns whether a header (at least PALM_HEADER_SIZE bytes) has that type and creator. */
bool palm_database_is(const uint8_t *header, const char *type, const char *creator);

/* Reads header and record list, and checks the place of every record. The cursor must be at the
 * start of the file. False with `error` set if the header is cut off or has a chained list. A wrong
 * count is not an error: see `listed`. */
bool palm_database_read(struct palm_database *database, struct reader *reader, struct error *error);

void palm_database_free(struct palm_database *database);

/* Returns the end of record `index`, whose place must be good: the next good record's offset, else
 * the end of the file; INT64_MAX if that is unknown. */
int64_t palm_database_end(const struct palm_database *database, uint16_t index,
                          const struct reader *reader);

#endif
