/* Values that somebody measured, as events of a trace of results: who reads tables of them shares
 * this. */
#ifndef TRACETOOL_MEASURED_H
#define TRACETOOL_MEASURED_H

#include "import/importer.h"
#include "input/word.h"

/* A value. Words of length 0: not known. */
struct measured {
    struct word test, measure, unit;
    int64_t run;        /* EVENT_NONE: not known */
    int64_t millionths; /* of the unit */
};

/* A decimal number, with a sign, a point and an exponent or without, in millionths. `*rounded`: it
 * has more digits than these. False when it is none, or 10^12 or farther from 0. */
bool measured_parse(struct word word, int64_t *millionths, bool *rounded);

/* An event of it; `*values`, how many there were before, is its place. */
void measured_keep(struct import *import, int64_t *values, const struct measured *measured);

/* A value that is kept in millionths: "[test] latency run 3 4799.000000". */
void measured_dump(const struct dump_event *dump, struct text *out);

/* What columns of such events mean; and those that it sets. */
extern const struct event_meaning measured_meanings[];
#define MEASURED_COLUMNS (EVENT_OPERATION | EVENT_ACTOR | EVENT_ADDRESS | EVENT_VALUE)

#endif
