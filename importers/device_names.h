/* Numbers for devices that a log gives only by name, or for files that count as devices. Names are
 * numbered from 1, in order of first occurrence. device_names_device() makes devices of them. */
#ifndef TRACETOOL_DEVICE_NAMES_H
#define TRACETOOL_DEVICE_NAMES_H

#include "input/word.h"
#include "import/importer.h"
#include "model/partition.h"

enum {
    DEVICE_MAJORS = 4095,
    DEVICE_MINORS = 65536,             /* minor numbers of a name */
    DEVICE_NAMES = 16 * DEVICE_MAJORS, /* maximum names: 2^20 minor numbers, in parts */
    DEVICE_NAME_LENGTH = 255,          /* bytes */
};

/* Reason (ledger.reason) for rejecting a record: too many device names, or a name is too long. */
extern const char device_names_full[];

/* The device names of a trace with their numbers. Initialise with zeros. */
struct device_names {
    struct device_name *names, *last; /* owned hash table; the name that was looked up last */
};

/* Finds the number of a name, or assigns one. False: the name is too long, or no number is free. */
bool device_names_find(struct device_names *names, struct word name, uint32_t *number);

/* Returns the device for the number of a name. Names beyond the 4095th get the major numbers again,
 * and the next 65536 minor numbers. */
static inline int64_t device_names_device(uint32_t number) {
    return device_number(1 + (number - 1) % DEVICE_MAJORS,
                         (number - 1) / DEVICE_MAJORS * DEVICE_MINORS);
}

/* Adds a remark that lists the first names with their numbers. `major` -1: the numbers are major
 * numbers. Otherwise they are minor numbers of `major`, from 0. */
void device_names_add_remark(struct import *import, const struct device_names *names, int major);

/* Read and write the names in the state stored for --append, after the importer's own numbers. */
void device_names_read(struct import *import, struct device_names *names);
void device_names_write(struct import *import, const struct device_names *names);

void device_names_free(struct device_names *names);

#endif
