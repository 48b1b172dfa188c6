#include "android_file_types.h"

#include <string.h>

/* Names of file type codes, indexed by code. Code 0, a block without a file, has the name "other",
 * as in MOST's text logs. */
static const struct {
    const char *most;
    const char *realtime; /* type in Table II of Kim et al., "Real-time IO Trace Analysis of
                             Smartphone Users" */
} types[ANDROID_FILE_TYPES] = {
    {"other", "miscellaneous"},
    {"sqlite-db", "sqlite-db"},
    {"sqlite-journal", "sqlite-journal"},
    {"sqlite-wal", "sqlite-other"},
    {"sqlite-temp", "sqlite-other"},
    {"multimedia", "multimedia"},
    {"executable", "executable"},
    {"resource", "resource"},
    {"temp", "miscellaneous"},
    {"other", "miscellaneous"},
    {"anonymous", "miscellaneous"},
    {"tracer", "miscellaneous"}, /* the tracer's own files: *.uio, *.ufls, *.um, *.umd */
    {"tracer", "miscellaneous"},
    {"tracer", "miscellaneous"},
    {"tracer", "miscellaneous"},
};

const char *android_file_type(const struct config *config, unsigned code) {
    if (code >= ANDROID_FILE_TYPES) {
        return NULL;
    }
    return config->file_type_count == 0 && config->file_type_list != NULL &&
                   strcmp(config->file_type_list, "realtime") == 0
               ? types[code].realtime
               : types[code].most;
}

bool android_date_seconds(const struct android_date *date, int64_t *seconds) {
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = date->year % 4 == 0; /* this rule for leap years is correct from 2000 to 2099 */
    int64_t days;

    *seconds = 0;
    if (date->year < 2000 || date->year > 2099 || date->month < 1 || date->month > 12 ||
        date->day < 1 || date->hour < 0 || date->hour > 23 || date->minute < 0 ||
        date->minute > 59 || date->second < 0 || date->second > 59 ||
        date->day > lengths[date->month - 1] + (leap && date->month == 2)) {
        return false;
    }
    days = 10957 + (date->year - 2000) * 365 + (date->year - 2000 + 3) / 4 +
           before[date->month - 1] + (leap && date->month > 2) + date->day - 1;
    *seconds = days * 86400 + date->hour * 3600 + date->minute * 60 + date->second;
    return true;
}
