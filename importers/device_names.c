#include "device_names.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

enum {
    TOLD = 20,       /* names */
    TOLD_LENGTH = 32 /* bytes of each */
};

const char device_names_full[] = "more than 4095 names of devices, or one of more than 255 bytes";

struct device_name {
    UT_hash_handle hh; /* keeps the order in which they were added */
    uint32_t number;
    size_t length;
    char name[];
};

/* NULL when there is no room. */
static struct device_name *add(struct device_names *names, struct word word) {
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
        if (found == NULL && (found = add(names, name)) == NULL) {
            return false;
        }
        names->last = found;
    }
    *number = found->number;
    return true;
}

/* "web is 1, usr is 2" */
void device_names_tell(struct import *import, const struct device_names *names) {
    const struct device_name *name = NULL, *next;
    struct text list = {0};

    HASH_ITER(hh, names->names, name, next) {
        if (name->number <= TOLD) {
            text_append_string(&list, name->number == 1 ? "" : ", ");
            text_append_escaped(&list, name->name,
                                name->length < TOLD_LENGTH ? name->length : TOLD_LENGTH);
            text_append_format(&list, " is %u", name->number);
        }
    }
    if (names->names != NULL) {
        import_remark(import, "devices have names, numbered as major numbers: %s%s",
                      text_string(&list), HASH_COUNT(names->names) > TOLD ? " and so on" : "");
    }
    text_free(&list);
}

void device_names_free(struct device_names *names) {
    struct device_name *name = NULL, *next;

    HASH_ITER(hh, names->names, name, next) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is in the list has neighbours.
         */
        HASH_DEL(names->names, name);
        free(name);
    }
}

/* --- what --append goes on with --------------------------------------------------------------- */

/* The names in order, each as hexadecimal digits. */
static bool read_names(struct device_names *names, struct word rest) {
    struct word hex;

    while ((hex = word_next(&rest)).length > 0) {
        uint8_t name[DEVICE_NAME_LENGTH];
        size_t length;

        if (!word_hex_bytes(hex, sizeof name, name, &length) || length == 0 ||
            add(names, (struct word){(const char *)name, length}) == NULL) {
            return false;
        }
    }
    return true;
}

/* Takes the numbers off what was kept. */
static bool read_numbers(struct word *rest, const struct resume_value *values, size_t count) {
    struct word begin = *rest;
    struct text numbers = {0};
    bool done;

    for (size_t i = 0; i < 2 * count; i++) {
        word_next(rest);
    }
    text_append(&numbers, begin.bytes, (size_t)(rest->bytes - begin.bytes));
    done = resume_state_parse(text_string(&numbers), values, count);
    text_free(&numbers);
    return done;
}

bool device_names_read(struct import *import, struct device_names *names,
                       const struct resume_value *values, size_t count, bool *goes_on,
                       struct error *error) {
    const char *text = import_kept(import);
    struct word rest;

    *goes_on = text != NULL;
    if (text == NULL) {
        return true;
    }
    rest = word_of(text);
    return (read_numbers(&rest, values, count) && read_names(names, rest)) ||
           error_set(error, "what was kept to go on with the trace is damaged: %s", text);
}

bool device_names_write(struct import *import, const struct device_names *names,
                        const struct resume_value *values, size_t count, struct error *error) {
    const struct device_name *name = NULL, *next;
    struct text text = {0};
    bool done;

    resume_state_format(&text, values, count);
    HASH_ITER(hh, names->names, name, next) {
        text_append_char(&text, ' ');
        text_append_hex(&text, name->name, name->length);
    }
    done = import_keep(import, text_string(&text), error);
    text_free(&text);
    return done;
}
