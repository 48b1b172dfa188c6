#include "log.h"

#include "browser.h"

#include <inttypes.h>

enum { NAME_SIZE = 512 };

/* A day and 12 minutes after the device was switched on, not at a whole microsecond. */
const struct log_style plain_style = {
    .columns = "tpiobc", .separator = '\t', .newline = "\n", .base = INT64_C(87123456789012)};

static void put_field(struct bytes *bytes, const struct play *play, const struct event *event,
                      const struct log_style *style, char column) {
    char name[NAME_SIZE] = "-";
    int function = column == 'b' ? event->function : event->caller;

    switch (column) {
    case 't':
        put_text(bytes, "%" PRId64, style->base + event->at.wall - event->back);
        break;
    case 'p':
        put_text(bytes, "%d", BROWSER_PID);
        break;
    case 'i':
        put_text(bytes, "%d", play->program->threads[event->thread].tid);
        break;
    case 'o':
        put_text(bytes, "%c", event->action == ENTRY ? 'E' : 'X');
        break;
    default:
        if (function >= 0) {
            function_name(play->program, function, name, sizeof name);
        }
        put_text(bytes, "%s", name);
    }
}

static void put_comments(struct bytes *bytes, const struct log_style *style, size_t event) {
    if (style->comments && event % 5 == 0) {
        put_text(bytes, "# a remark of the logger\t%zu%s%s", event, style->newline, style->newline);
    }
}

void write_log(struct bytes *bytes, const struct play *play, const struct log_style *style,
               size_t *begins) {
    if (style->header != NULL) {
        put_text(bytes, "%s%s", style->header, style->newline);
    }
    for (size_t i = 0; i < play->event_count; i++) {
        put_comments(bytes, style, i);
        if (begins != NULL) {
            begins[i] = bytes->length;
        }
        for (const char *column = style->columns; *column != '\0'; column++) {
            put_field(bytes, play, &play->events[i], style, *column);
            if (column[1] != '\0') {
                put(bytes, &style->separator, 1);
            }
        }
        put_text(bytes, "%s", style->newline);
    }
}

void write_probes(struct bytes *bytes, const struct program *program, size_t count, const bool *on,
                  const char *newline) {
    static const char *const resolutions[] = {"process", "thread", "method", "loop"};
    char name[NAME_SIZE];

    put_text(bytes, "# name\tresolution\torigin\tstatus%s", newline);
    for (size_t i = 0; i < count; i++) {
        const struct function *function = &program->functions[i];

        function_name(program, (int)i, name, sizeof name);
        put_text(bytes, "%s\t%s\t%s\t%s%s", name, resolutions[function->resolution],
                 function->framework ? "framework" : "app", on[i] ? "on" : "off", newline);
    }
}
