/* The devices that --only-device chooses out of a log of many. */
#ifndef TRACETOOL_WANTED_DEVICES_H
#define TRACETOOL_WANTED_DEVICES_H

#include "import/importer.h"
#include "input/word.h"

/* Reason in the ledger for lines of others. */
extern const char wanted_devices_left_out[];

/* Zeroed: all are wanted. */
struct wanted_devices {
    struct wanted_device *devices; /* owned */
    size_t count;
};

/* Takes what the user chose. `named`: the log has names for devices. False with `error` set where
 * it has numbers, and what was chosen is none. */
bool wanted_devices_open(struct wanted_devices *wanted, const struct import *import, bool named,
                         struct error *error);

/* Whether a line is of one of them. `name` is empty where the line has the number alone; `device`
 * is a device_number(), where the line has a name its minor number, or EVENT_NONE. */
bool wanted_devices_have(const struct wanted_devices *wanted, struct word name, int64_t device);

/* Remarks on those that no line was of; false with `error` set when that is all of them. */
bool wanted_devices_tell(const struct wanted_devices *wanted, struct import *import,
                         struct error *error);

void wanted_devices_free(struct wanted_devices *wanted);

#endif
