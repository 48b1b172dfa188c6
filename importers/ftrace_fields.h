/* Fields of file systems' events: `KEY VALUE KEY VALUE …` or `KEY = VALUE, KEY = VALUE, …`. */
#ifndef TRACETOOL_FTRACE_FIELDS_H
#define TRACETOOL_FTRACE_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "input/word.h"

/* What stands behind `KEY ` or `KEY = ` between blanks, up to the end of the line; false when the
 * key is not there. */
bool ftrace_field(struct word fields, const char *key, struct word *value);

/* A number, hexadecimal behind 0x; `*number` stays when the key is not there. False: it is there,
 * and none in range. */
bool ftrace_field_number(struct word fields, const char *key, int64_t least, int64_t most,
                         int64_t *number);

/* `dev 254,0` or `dev = (254,0)`; false: neither. */
bool ftrace_field_device(struct word fields, int64_t *device);

#endif
