/* The records of dwTrace logs, and what the header says of how they are written. dwtrace.c tells of
 * the format. */
#ifndef TRACETOOL_DWTRACE_RECORD_H
#define TRACETOOL_DWTRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwtrace_settings.h"

enum dwtrace_type { DWTRACE_ENTRY = 1, DWTRACE_EXIT, DWTRACE_DATA, DWTRACE_WRAP };

/* What is said of a parameter. A value follows UNFORMATTED, and those from DWTRACE_KNOWN_CONTROLS
 * on: for a STRUCT that is described what it holds, else as many bytes as a value has, without a
 * meaning that is known. */
enum dwtrace_control { DWTRACE_UNFORMATTED, DWTRACE_NULLPTR, DWTRACE_NOTALIGNED };

enum {
    DWTRACE_MAGIC_SIZE = 4,
    /* The longest record: data, with a length and a timestamp of 64 bits. */
    DWTRACE_RECORD_LIMIT = 3 + 16 + 2 + 65535,
    DWTRACE_MOST_PARAMETERS = 255,
    /* The longest list of parameters, from its count on, in the form of the database. */
    DWTRACE_LIST_LIMIT = 1 + DWTRACE_MOST_PARAMETERS * (4 + DWTRACE_MOST_STRUCTURE),
};

/* Why a record is none: these very strings are what dwtrace_parse_record() returns, and reasons in
 * the ledger. */
extern const char dwtrace_bad_type[], dwtrace_bad_length[], dwtrace_bad_parameter[],
    dwtrace_bad_control[], dwtrace_data_overrun[], dwtrace_truncated[], dwtrace_bad_wrap[];

/* How the records of a file are written: its header, and the configuration. */
struct dwtrace_layout {
    unsigned version, unknown_flags;
    bool big_endian;
    bool lengths;            /* records carry their length, and wrap records may occur */
    bool parameters;         /* of entries and exits */
    unsigned timestamp_size; /* 0, 4 or 8 bytes */
    uint32_t process;
    uint32_t maximum;         /* bytes of a file, 0: no limit */
    unsigned header_size;     /* bytes */
    unsigned most_parameters; /* a record with more is not believed */
    bool only_known; /* nor is one with a format control that nobody describes, as in a search */
    bool stored;     /* lists are in the form of the database */
    const struct dwtrace_settings *settings; /* for structures; borrowed, NULL: there are none */
};

/* A parameter of a list, which points into its bytes. */
struct dwtrace_parameter {
    unsigned type, control;
    const uint8_t *value;
    size_t size; /* bytes of the value, 0: there is none */
};

/* A record, which points into the bytes it was parsed from. */
struct dwtrace_record {
    enum dwtrace_type type;
    size_t length; /* all of it, in bytes */
    uint32_t function, thread;
    uint64_t timestamp;    /* 0 when there is none */
    int32_t code;          /* of an exit */
    unsigned parameters;   /* how many */
    const uint8_t *bytes;  /* the list of parameters from its count on, or the data */
    uint32_t bytes_length; /* of that; 0: there is none */
    uint32_t size;         /* bytes of the parameters' values, or of the data */
    bool as_stored;        /* the list is in the form of the database as it is */
};

/* Whether `length` bytes begin like a log. */
bool dwtrace_is_magic(const uint8_t *bytes, size_t length);

/* Reads the DWTRACE_HEADER_SIZE bytes at `bytes`. False when the magic is not there. */
bool dwtrace_parse_header(const uint8_t *bytes, const struct dwtrace_settings *settings,
                          struct dwtrace_layout *layout);

/* Parses the record at `bytes`, `available` of which are there, at least one. NULL when it is whole
 * and good, else the reason why not; of `record`, only `parameters` means something then. */
const char *dwtrace_parse_record(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                 size_t available, struct dwtrace_record *record);

/* Parses a list of parameters, at most `available` (one or more) bytes: sets those fields of
 * `record` that it concerns. NULL when it is good, else the reason why not: `overrun` when it is
 * longer. */
const char *dwtrace_parse_list(const struct dwtrace_layout *layout, const uint8_t *bytes,
                               size_t available, const char *overrun,
                               struct dwtrace_record *record);

/* Parses the parameter at `*at` of a list of `available` bytes, and goes on behind it. NULL when it
 * is good, else the reason why not. */
const char *dwtrace_parse_parameter(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                    size_t available, const char *overrun, size_t *at,
                                    struct dwtrace_parameter *parameter);

/* Copies the list of parameters of a record to `list` (DWTRACE_LIST_LIMIT bytes) in the form of the
 * database: all numbers little-endian, and between a format control that is not known and its value
 * the size of that in two bytes. Returns its length. */
size_t dwtrace_normalise_list(const struct dwtrace_layout *layout,
                              const struct dwtrace_record *record, uint8_t *list);

#endif
