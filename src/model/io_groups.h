/* I/Os of the same action, flags and hour as one with its number.
 *
 * Tallies that count by nothing else have a few rows, into which events come by thousands: they are
 * told of each group once. Events come in order of time, nearly, so one hour at a time is enough.
 */
#ifndef TRACETOOL_IO_GROUPS_H
#define TRACETOOL_IO_GROUPS_H

#include "model/event.h"
#include "model/tally.h"

/* The tallies that can be told of groups, as a bit set of enum tally_kind. */
#define IO_GROUPS_TALLIES                                                                          \
    (1u << TALLY_HOUR | 1u << TALLY_OPERATION | 1u << TALLY_ORIGIN | 1u << TALLY_LETTERS)

#define IO_GROUPS      64
#define IO_GROUP_SLOTS (4 * IO_GROUPS)

/* Of one hour. With `count` 0 it is empty. */
struct io_groups {
    size_t count;
    int64_t begins; /* the hour; a time of the trace */
    struct {
        int64_t time; /* of one of its events */
        uint32_t operation, flags;
    } groups[IO_GROUPS];
    uint32_t events[IO_GROUPS];
    int64_t bytes[IO_GROUPS];
    uint8_t slots[IO_GROUP_SLOTS]; /* of a hash table: numbers of groups, from 1 */
};

/* Adds the first of `count` events, and those behind it up to one that has no place: it is of
 * another hour, or there are too many groups. Returns how many were added: all, or groups are to be
 * counted and emptied before the rest. */
size_t io_groups_add(struct io_groups *groups, const struct tally_context *context,
                     const struct event *events, size_t count);

/* The groups, for tally_add(): `count` of them. Borrowed until the next call. */
struct tally_events io_groups_events(const struct io_groups *groups);

#endif
