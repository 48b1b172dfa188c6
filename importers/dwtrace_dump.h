/* Parses dwTrace records, and shows events for `dump`: parameters, return codes and data. */
#ifndef TRACETOOL_DWTRACE_DUMP_H
#define TRACETOOL_DWTRACE_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "config/config.h"
#include "config/section.h"
#include "import/importer.h"
#include "dwtrace_settings.h"

/* Implement dump_span(), begin_dump() and end_dump() of the importer (importer.h). */
void dwtrace_dump_span(const struct dump_event *dump, enum dump_moment moment, struct text *out);
bool dwtrace_begin_dump(const struct config *config, void **state, struct error *error);
void dwtrace_end_dump(void *state);

/* Configuration section `formatters`: programs that format parameter values. Its value has a type
 * private to dwtrace_dump.c. */
extern const struct config_section dwtrace_formatters_section;

enum dwtrace_type { DWTRACE_ENTRY = 1, DWTRACE_EXIT, DWTRACE_DATA, DWTRACE_WRAP };

enum {
    DWTRACE_MAGIC_SIZE = 4,
    /* Maximum bytes of a record: one of data, with a length and a timestamp of 64 bits. */
    DWTRACE_RECORD_LIMIT = 3 + 16 + 2 + 65535,
    DWTRACE_MOST_PARAMETERS = 255,
    /* Maximum bytes of a list of parameters as stored in the database, with its count. */
    DWTRACE_LIST_LIMIT = 1 + DWTRACE_MOST_PARAMETERS * (4 + DWTRACE_MOST_STRUCTURE),
};

/* Why a record is bad: strings returned by dwtrace_parse_record(), also stored in ledger.reason. */
extern const char dwtrace_bad_type[], dwtrace_bad_length[], dwtrace_bad_parameter[],
    dwtrace_bad_control[], dwtrace_data_overrun[], dwtrace_truncated[], dwtrace_bad_wrap[];

/* Layout of a file's records, from its header and the configuration. */
struct dwtrace_layout {
    unsigned version, unknown_flags;
    bool big_endian;
    bool lengths;            /* true: records have a length, and the file may have a wrap record */
    bool parameters;         /* true: entries and exits have parameters */
    unsigned timestamp_size; /* bytes of a timestamp: 0, 4 or 8 */
    uint32_t process;
    uint32_t maximum;         /* maximum bytes of a file; 0: no limit */
    unsigned header_size;     /* bytes */
    unsigned most_parameters; /* a record with more parameters is treated as damaged */
    bool only_known; /* true: for a search; a parameter with an unknown format control is bad */
    bool stored;     /* true: the parameters come from the database, not from a log */
    const struct dwtrace_settings *settings; /* has the configured structures; NULL: none */
};

/* A parsed record; pointers refer to the parsed bytes. */
struct dwtrace_record {
    enum dwtrace_type type;
    size_t length; /* bytes of the record, with type and length */
    uint32_t function, thread;
    uint64_t timestamp;    /* 0 if the log has no timestamps */
    int32_t code;          /* return code of an exit */
    unsigned parameters;   /* number of parameters */
    const uint8_t *bytes;  /* the parameters, preceded by their number; or the data */
    uint32_t bytes_length; /* length of `bytes`; 0: no parameters and no data */
    uint32_t size;         /* bytes of the parameters' values, or of the data */
    bool as_stored;        /* true: `bytes` can be stored in the database without conversion */
};

/* Returns whether the bytes begin with the magic number of a dwTrace log. */
bool dwtrace_is_magic(const uint8_t *bytes, size_t length);

/* Reads the DWTRACE_HEADER_SIZE bytes at `bytes`. False if the magic number is missing. */
bool dwtrace_parse_header(const uint8_t *bytes, const struct dwtrace_settings *settings,
                          struct dwtrace_layout *layout);

/* Parses the record at `bytes`, of which `available`, at least one, can be read. Returns NULL, or
 * why the record is bad; then only `parameters` is set in `record`. */
const char *dwtrace_parse_record(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                 size_t available, struct dwtrace_record *record);

/* Converts a record's parameters to the format of the database, in `list` (DWTRACE_LIST_LIMIT
 * bytes): all numbers are little-endian, and an unknown format control is followed by the size of
 * its value in two bytes. Returns the length. */
size_t dwtrace_normalise_list(const struct dwtrace_layout *layout,
                              const struct dwtrace_record *record, uint8_t *list);

#endif
