/* Devices, or files in their place, of which a log has names and not numbers: each name gets a
 * number, from 1 in the order in which they occur, which serves as the major number of a device. */
#ifndef TRACETOOL_DEVICE_NAMES_H
#define TRACETOOL_DEVICE_NAMES_H

#include "input/word.h"
#include "import/importer.h"

enum {
    DEVICE_NAMES = 4095,      /* as many as there are major numbers */
    DEVICE_NAME_LENGTH = 255, /* bytes */
};

/* Reason in the ledger, where there are more, or a longer one. */
extern const char device_names_full[];

/* Zeroed: none. */
struct device_names {
    struct device_name *names, *last; /* the former owned */
};

/* The number of a name. False: it gets none. */
bool device_names_find(struct device_names *names, struct word name, uint32_t *number);

/* A remark with the first of them. `major`: they are minor numbers of it, from 0 on; -1: they are
 * major numbers. */
void device_names_tell(struct import *import, const struct device_names *names, int major);

/* Reads what a trace goes on with, and keeps it, behind the numbers of the importer. */
void device_names_read(struct import *import, struct device_names *names);
void device_names_write(struct import *import, const struct device_names *names);

void device_names_free(struct device_names *names);

#endif
