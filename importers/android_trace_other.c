/* Reports of simpleperf for other programs begin with `SIMPLEPERF`, followed by protobuf. */
#include "android_trace_other.h"

#include <stdbool.h>
#include <string.h>

static bool begins_with(const uint8_t *bytes, size_t length, const char *magic) {
    return length >= strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0;
}

const char *android_other_format(const uint8_t *bytes, size_t length) {
    if (begins_with(bytes, length, "PERFILE2") || begins_with(bytes, length, "PERFFILE")) {
        return "perf's perf.data, which is not an Android method trace: perf script -i perf.data "
               ">log, and import that";
    }
    if (begins_with(bytes, length, "SIMPLEPERF")) {
        return "a report of simpleperf: samples, which are not an Android method trace; open it in "
               "Android Studio or report with simpleperf";
    }
    return NULL;
}
