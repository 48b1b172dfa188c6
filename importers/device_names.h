/* Numbers for devices that a log gives only by name, or for files that count as devices. Names are
 * numbered from 1, in order of first occurrence. The number is used as a device's major number. */
#ifndef TRACETOOL_DEVICE_NAMES_H
#define TRACETOOL_DEVICE_NAMES_H

#include "input/word.h"
#include "import/importer.h"

enum {
    DEVICE_NAMES = 4095,      /* maximum names: as many as there are major numbers */
    DEVICE_NAME_LENGTH = 255, /* bytes */
};

/* Reason (ledger.reason) for rejecting a record: too many device names, or a name is too long. */
extern const char device_names_full[];

/* The device names of a trace with their numbers. Initialise with zeros. */
struct device_names {
    struct device_name *names, *last; /* owned hash table; the name that was looked up last */
};

/* Finds the number of a name, or assigns one. False: the name is too long, or no number is free. */
bool device_names_find(struct device_names *names, struct word name, uint32_t *number);

/* Adds a remark that lists the first names with their numbers. `major` -1: the numbers are major
 * numbers. Otherwise they are minor numbers of `major`, from 0. */
void device_names_add_remark(struct import *import, const struct device_names *names, int major);

/* Read and write the names in the state stored for --append, after the importer's own numbers. */
void device_names_read(struct import *import, struct device_names *names);
void device_names_write(struct import *import, const struct device_names *names);

void device_names_free(struct device_names *names);

#endif
