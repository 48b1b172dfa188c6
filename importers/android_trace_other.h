/* Recognises other formats with files named `.trace`, so that they are refused by name. */
#ifndef TRACETOOL_ANDROID_TRACE_OTHER_H
#define TRACETOOL_ANDROID_TRACE_OTHER_H

#include <stddef.h>
#include <stdint.h>

/* Returns the format and what to do with it, to be printed after "FILE: "; NULL if unknown. */
const char *android_other_format(const uint8_t *bytes, size_t length);

#endif
