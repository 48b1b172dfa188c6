/* Numbers for devices (or files in their place) in logs with names only. Each name gets a number
 * from 1, in order of first occurrence. It serves as the major number of a device. */
#ifndef TRACETOOL_DEVICE_NAMES_H
#define TRACETOOL_DEVICE_NAMES_H

#include "input/word.h"
#include "import/importer.h"

enum {
    DEVICE_NAMES = 4095,      /* most names: there are as many major numbers */
    DEVICE_NAME_LENGTH = 255, /* bytes */
};

/* Reason in the ledger: too many names, or a name that is too long. */
extern const char device_names_full[];

/* Initialise with zeros. */
struct device_names {
    struct device_name *names, *last; /* `names` is owned */
};

/* Finds the number of a name, or assigns one. False if the name is too long or no number is free.
 */
bool device_names_find(struct device_names *names, struct word name, uint32_t *number);

/* Adds a note with the first names. `major`: the numbers are minor numbers of that major number,
 * from 0; -1: they are major numbers. */
void device_names_report(struct import *import, const struct device_names *names, int major);

/* Read and write the names in the resume state, after the importer's own numbers. */
void device_names_read(struct import *import, struct device_names *names);
void device_names_write(struct import *import, const struct device_names *names);

void device_names_free(struct device_names *names);

#endif
