#include "wanted_devices.h"

#include <stdlib.h>
#include <string.h>

#include "model/partition.h"
#include "base/memory.h"

struct wanted_device {
    struct word text; /* as the user has it; borrowed */
    int64_t number;   /* device_number(); EVENT_NONE: it is a name */
    bool found;       /* a line was of it */
};

const char wanted_devices_left_out[] = "a line of a device that --only-device leaves out";

/* A device's number, whole or as MAJOR:MINOR; EVENT_NONE: it is none. */
static int64_t parse_device(struct word text) {
    struct word rest = text, part = word_field(&rest, ':');
    int64_t major, minor;

    if (part.length == text.length) {
        return word_number(text, UINT32_MAX, &minor) ? minor : EVENT_NONE;
    }
    return word_number(part, 4095, &major) && word_number(rest, 0xFFFFF, &minor)
               ? device_number((uint32_t)major, (uint32_t)minor)
               : EVENT_NONE;
}

bool wanted_devices_open(struct wanted_devices *wanted, const struct import *import, bool named,
                         struct error *error) {
    const char *const *chosen;
    size_t count = import_only_devices(import, &chosen);

    if (count == 0) {
        return true;
    }
    wanted->devices = xcalloc(count, sizeof *wanted->devices);
    wanted->count = count;
    for (size_t i = 0; i < count; i++) {
        struct wanted_device *device = &wanted->devices[i];

        device->text = word_of(chosen[i]);
        device->number = parse_device(device->text);
        if (!named && device->number == EVENT_NONE) {
            return error_set_status(error, EXIT_USAGE,
                                    "--only-device: devices of this format are numbers, whole or "
                                    "as MAJOR:MINOR, not '%s'",
                                    chosen[i]);
        }
    }
    return true;
}

/* Whether the user's word is the line's name, alone or with its minor number as NAME:MINOR. */
static bool is_named(struct word text, struct word name, int64_t minor) {
    struct word rest = text;
    int64_t number;

    if (text.length < name.length || memcmp(text.bytes, name.bytes, name.length) != 0) {
        return false;
    }
    if (text.length == name.length) {
        return true;
    }
    word_skip(&rest, name.length + 1);
    return text.bytes[name.length] == ':' && minor != EVENT_NONE &&
           word_number(rest, UINT32_MAX, &number) && number == minor;
}

bool wanted_devices_have(const struct wanted_devices *wanted, struct word name, int64_t device) {
    for (size_t i = 0; i < wanted->count; i++) {
        struct wanted_device *one = &wanted->devices[i];

        if (name.length > 0 ? is_named(one->text, name, device)
                            : device != EVENT_NONE && one->number == device) {
            one->found = true;
            return true;
        }
    }
    return wanted->count == 0;
}

bool wanted_devices_tell(const struct wanted_devices *wanted, struct import *import,
                         struct error *error) {
    size_t found = 0;

    for (size_t i = 0; i < wanted->count; i++) {
        found += wanted->devices[i].found;
    }
    if (found == 0 && wanted->count > 0) {
        return error_set(error, "no line is of a device that --only-device chooses");
    }
    for (size_t i = 0; i < wanted->count; i++) {
        if (!wanted->devices[i].found) {
            import_remark(import, "no line is of the device %.*s",
                          WORD_TEXT(wanted->devices[i].text));
        }
    }
    return true;
}

void wanted_devices_free(struct wanted_devices *wanted) {
    free(wanted->devices);
    *wanted = (struct wanted_devices){0};
}
