/* Turns measured values into events of kind `results`, for importers of benchmark results. */
#ifndef TRACETOOL_MEASURED_H
#define TRACETOOL_MEASURED_H

#include "import/importer.h"
#include "input/word.h"

/* A measured value and what it measures. Words of length 0 are unknown. */
struct measured {
    struct word test, measure, unit;
    int64_t run;        /* number of the benchmark run; EVENT_NONE: unknown */
    int64_t millionths; /* value in millionths of the unit */
};

/* Parses a decimal number, with optional sign, point and exponent, to millionths. `*rounded`: it
 * has more than 6 decimals. False if it is no number, or its absolute value is 10^12 or more. */
bool measured_parse(struct word word, int64_t *millionths, bool *rounded);

/* Adds an event for a measured value. `*values` is the number of values added before: it becomes
 * the event's time and is then incremented. */
void measured_add(struct import *import, int64_t *values, const struct measured *measured);

/* Implement begin() and end() of an importer of measured values. `state` must begin with an int64_t
 * that counts the values. end() refuses a log without any. */
void measured_begin(struct import *import, void *state);
void measured_end(struct import *import, void *state, bool failed);

/* Implements dump() for a measured value: "[test] latency run 3 4799.000000". */
void measured_append_dump(const struct dump_event *dump, struct text *out);

/* Meanings of the columns of events that are measured values, and the bit set of these columns. */
extern const struct event_meaning measured_meanings[];
#define MEASURED_COLUMNS (EVENT_OPERATION | EVENT_ACTOR | EVENT_ADDRESS | EVENT_VALUE)

#endif
