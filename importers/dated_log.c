#include "dated_log.h"

#include <string.h>

#include "base/clock.h"

enum { HEADER_LIMIT = 200 }; /* maximum bytes of the first line that are parsed */

/* Maximum distance of a time from the first event: 146 years. */
#define TIME_LIMIT (INT64_MAX / 2)

const char dated_log_far[] = "time more than 146 years from that of the first event";

bool dated_log_time(struct dated_log *log, int64_t time, int64_t *since) {
    if (!log->begun) {
        log->begun = 1;
        log->first = time;
    }
    *since = time - log->first;
    return *since <= TIME_LIMIT && *since >= -TIME_LIMIT;
}

/* Sets the wall clock of the trace's time 0 to the value of `start=` in the trace's first log. */
static void add_start(const struct dated_log *log, struct import *import, const char *value) {
    int64_t start, offset;
    bool has_zone;

    if (log->begun) {
        return;
    }
    if (!clock_parse(value, &start, &has_zone, &offset)) {
        import_remark(import,
                      "%s: the start in its first line is not a date and time, and is ignored",
                      import_source_name(import));
        return;
    }
    if (has_zone) {
        import_utc_offset(import, offset);
    } else {
        offset = import_utc_offset(import, EVENT_NONE);
        offset = offset == EVENT_NONE ? 0 : offset;
    }
    import_set_start_time(import, start - offset * INT64_C(60000000000));
    import_variant(import, "with start");
}

bool dated_log_read_header(struct dated_log *log, struct import *import, struct word line,
                           const char *magic, const char *what,
                           void (*take)(struct import *import, void *context, const char *word),
                           void *context) {
    char text[HEADER_LIMIT + 1];
    char *rest, *word;

    if (!word_begins(line, magic)) {
        return true;
    }
    line.length = line.length < HEADER_LIMIT ? line.length : HEADER_LIMIT;
    memcpy(text, line.bytes, line.length);
    text[line.length] = '\0';
    rest = text + strlen(magic);
    word = strsep(&rest, " \t\r");
    if (strcmp(word, "1") != 0) {
        return import_fail_file(import, "%s of a version other than 1, the only supported one",
                                what);
    }
    while ((word = strsep(&rest, " \t\r")) != NULL) {
        if (strncmp(word, "start=", 6) == 0) {
            add_start(log, import, word + 6);
        } else if (take != NULL) {
            take(import, context, word);
        }
    }
    return true;
}

bool dated_log_is_empty(struct word line) {
    return line.length == 0 || line.bytes[0] == '#' || word_unpad(line).length == 0;
}
