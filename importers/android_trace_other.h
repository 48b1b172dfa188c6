/* Other formats whose files end in `.trace`, to be refused by name. */
#ifndef TRACETOOL_ANDROID_TRACE_OTHER_H
#define TRACETOOL_ANDROID_TRACE_OTHER_H

#include <stddef.h>
#include <stdint.h>

/* What the file is and what to do with it, for behind "FILE: "; NULL: none of those known. */
const char *android_other_format(const uint8_t *bytes, size_t length);

#endif
