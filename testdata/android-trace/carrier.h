/* Writes a play as an Android method trace, in every version. */
#ifndef ANDROID_TRACE_CARRIER_H
#define ANDROID_TRACE_CARRIER_H

#include "../rmp/play.h"

enum clocks { THREAD_CPU, WALL_CLOCK, DUAL };

/* How the file names a function; a line of NULL is made from the program's own words. */
struct listing {
    uint32_t value;
    const char *line; /* behind the value; "": not listed */
};

struct trace_style {
    int version;
    enum clocks clocks;
    const char *clock; /* as the file calls it */
    bool streaming;
    bool art; /* classes with dots and no line numbers; else with slashes, as Dalvik writes them */
    const char *overflow; /* value of data-file-overflow; NULL: false */
    int wrong_count;      /* num-method-calls is wrong by this */
    bool no_count, no_overhead;
    uint64_t start; /* microseconds; 0: the usual one */
};

/* What is not played but listed. */
struct extras {
    const char *threads; /* lines */
    const char *methods;
};

/* A file, and where in it things lie that can be damaged. */
struct trace {
    struct bytes bytes;
    size_t header;        /* magic of the binary part */
    size_t *begins;       /* of records, by event */
    size_t summary;       /* packet of it, streaming */
    size_t packet;        /* the first one of a method behind record 10, streaming */
    size_t before_packet; /* records in front of that */
};

/* Empties `trace` first. `listings` NULL: values by number, lines of the program's own words. */
void write_trace(struct trace *trace, const struct play *play, const struct trace_style *style,
                 const struct listing *listings, const struct extras *extras);
void free_trace(struct trace *trace);

#endif
