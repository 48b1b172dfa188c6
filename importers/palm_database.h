/* Palm database (.pdb), a container of records: its header, list of records, and the offset of each
 * record. Source: Palm File Format Specification. All integers are big-endian. A record's length is
 * not stored: a record ends where the next one begins, the last one at the end of the file. */
#ifndef TRACETOOL_PALM_DATABASE_H
#define TRACETOOL_PALM_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/reader.h"

#define PALM_HEADER_SIZE         78
#define PALM_ENTRY_SIZE          8  /* bytes of an entry in the list of records */
#define PALM_RESOURCE_ENTRY_SIZE 10 /* bytes of an entry in the list of resources */
#define PALM_ATTRIBUTE_RESOURCES 0x0001

struct palm_record {
    uint32_t offset; /* offset of the record from the start of the file */
    /* True: `offset` is in the file, after the list of records and the previous record, and not
     * beyond later records. */
    bool good;
};

struct palm_database {
    char name[32 * 4 + 1]; /* name of the database, escaped for display */
    char type[4 * 4 + 1];  /* four-letter type of the database, escaped for display */
    char creator[4 * 4 + 1];
    bool resources;              /* true: a resource database (.prc), whose entries have 10 bytes */
    uint16_t count;              /* number of records according to the header */
    struct palm_record *records; /* owned; NULL for a resource database */
    /* Number of entries read: less than `count` if the file ends before that many. */
    uint16_t listed;
};

/* Returns whether the bytes begin with a plausible header and list of records. `whole`: they are
 * all bytes of a file. */
bool palm_database_sniff(const uint8_t *bytes, size_t length, bool whole);

/* Returns whether a header (at least PALM_HEADER_SIZE bytes) has a given type and creator. */
bool palm_database_has_type(const uint8_t *header, const char *type, const char *creator);

/* Reads header and list of records, and checks the offset of every record. The reader must be at
 * the start of the file. Returns false, with `error` set, if the header is cut off or has a chained
 * list. A wrong count is no error: see `listed`. */
bool palm_database_read(struct palm_database *database, struct reader *reader, struct error *error);

void palm_database_free(struct palm_database *database);

/* Returns the offset of the end of the record `index`, whose offset must be valid. That is the
 * start of the next valid record, or for the last one the end of the file; INT64_MAX if unknown. */
int64_t palm_database_record_end(const struct palm_database *database, uint16_t index,
                                 const struct reader *reader);

#endif
