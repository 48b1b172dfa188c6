/* Packets of Perfetto's traces and events of ftrace by field number: their names, and the text that
 * the kernel prints for an event.
 *
 * Sources: google/perfetto, protos/perfetto/trace; the kernel's include/trace/events. */
#ifndef TRACETOOL_PERFETTO_EVENTS_H
#define TRACETOOL_PERFETTO_EVENTS_H

#include "base/text.h"
#include "protobuf.h"

#define PERFETTO_FIELDS 24 /* of an event that are printed */

struct perfetto_kind {
    uint32_t field;
    const char *name;
    /* How the kernel prints the event; NULL: it is only counted. A conversion is %, a letter and
     * the number of the field (1 to 9, then a and on). The letters: d, u, x and o for a number, s
     * for a string, v for a device, l for the numbers of a list; others for names of numbers or
     * bits, such as i for a softirq. */
    const char *text;
};

/* The message of an event. */
struct perfetto_message {
    struct wire bytes;
    struct wire_field fields[PERFETTO_FIELDS]; /* the last of each number */
};

/* Returns what a field of an event, or of a packet, is; NULL if it is unknown. */
const struct perfetto_kind *perfetto_event_kind(uint64_t field);
const struct perfetto_kind *perfetto_packet_kind(uint64_t field);

/* Reads the fields of a message, as far as it is not damaged. */
void perfetto_message_read(struct perfetto_message *message, struct wire bytes);

/* Appends a message in the form of a kind's text. */
void perfetto_message_append(struct text *out, const char *text,
                             const struct perfetto_message *message);

/* Appends the first line of a string, at most 4,096 bytes. */
void perfetto_string_append(struct text *out, struct wire bytes);

#endif
