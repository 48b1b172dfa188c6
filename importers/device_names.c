#include "device_names.h"

#include "base/hash.h"
#include "base/memory.h"

enum {
    TOLD = 20,       /* maximum names in a remark */
    TOLD_LENGTH = 32 /* maximum bytes of a name in a remark */
};

const char device_names_full[] = "more than 65520 names of devices, or one of more than 255 bytes";

struct device_name {
    UT_hash_handle hh; /* links of the hash table, which keeps the order of insertion */
    uint32_t number;
    size_t length;
    char name[];
};

/* Adds a name. NULL if there are too many names, or it is too long. */
static struct device_name *device_names_add(struct device_names *names, struct word word) {
    struct device_name *name;

    if (HASH_COUNT(names->names) >= DEVICE_NAMES || word.length > DEVICE_NAME_LENGTH) {
        return NULL;
    }
    name = xcalloc(1, sizeof *name + word.length);
    name->number = HASH_COUNT(names->names) + 1;
    name->length = word.length;
    memcpy(name->name, word.bytes, word.length);
    HASH_ADD_KEYPTR(hh, names->names, name->name, name->length, name);
    return name;
}

bool device_names_find(struct device_names *names, struct word name, uint32_t *number) {
    struct device_name *found = names->last;

    if (found == NULL || found->length != name.length ||
        memcmp(found->name, name.bytes, name.length) != 0) {
        HASH_FIND(hh, names->names, name.bytes, name.length, found);
        if (found == NULL && (found = device_names_add(names, name)) == NULL) {
            return false;
        }
        names->last = found;
    }
    *number = found->number;
    return true;
}

/* Adds a remark that lists the names, such as "web is 1, usr is 2" or "ufs:0:0:0:0 is 4095:0". */
void device_names_add_remark(struct import *import, const struct device_names *names, int major) {
    const struct device_name *name = NULL, *next;
    struct text list = {0};

    HASH_ITER(hh, names->names, name, next) {
        if (name->number <= TOLD) {
            text_append_string(&list, name->number == 1 ? "" : ", ");
            text_append_escaped(&list, name->name,
                                name->length < TOLD_LENGTH ? name->length : TOLD_LENGTH);
            if (major < 0) {
                text_append_format(&list, " is %u", name->number);
            } else {
                text_append_format(&list, " is %d:%u", major, name->number - 1);
            }
        }
    }
    if (names->names != NULL) {
        import_remark(import, "devices have names%s: %s%s",
                      major < 0 ? ", numbered as major numbers" : "", text_string(&list),
                      HASH_COUNT(names->names) > TOLD ? " and so on" : "");
    }
    text_free(&list);
}

void device_names_free(struct device_names *names) {
    HASH_FREE(names->names);
}

/* --- storing the names for --append ----------------------------------------------------------- */

/* Reads the stored names in the order of their numbers. Each is written as hexadecimal digits. */
static bool device_names_read_names(struct device_names *names, struct word rest) {
    struct word hex;

    while ((hex = word_next(&rest)).length > 0) {
        uint8_t name[DEVICE_NAME_LENGTH];
        size_t length;

        if (!word_hex_bytes(hex, sizeof name, name, &length) || length == 0 ||
            device_names_add(names, (struct word){(const char *)name, length}) == NULL) {
            return false;
        }
    }
    return true;
}

void device_names_read(struct import *import, struct device_names *names) {
    if (import_saved_state(import) != NULL &&
        !device_names_read_names(names, word_of(import_saved_state(import)))) {
        import_refuse_saved_state(import);
    }
}

void device_names_write(struct import *import, const struct device_names *names) {
    const struct device_name *name = NULL, *next;
    struct text text = {0};

    HASH_ITER(hh, names->names, name, next) {
        text_append_char(&text, ' ');
        text_append_hex(&text, name->name, name->length);
    }
    import_save_state(import, text_string(&text));
    text_free(&text);
}
