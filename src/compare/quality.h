/* What a selection's events are good for: how many a filter leaves, how many have a time, and how
 * finely that is measured. */
#ifndef TRACETOOL_COMPARE_QUALITY_H
#define TRACETOOL_COMPARE_QUALITY_H

#include "report/query.h"
#include "select/selection.h"

/* Events of the first trace whose times are looked at. */
#define QUALITY_EVENTS 65536

/* Different times that must occur, for these to tell of the clock. */
#define QUALITY_TIMES 3

/* Hours of a day. */
#define QUALITY_HOURS 24

/* Stretches of time whose events are counted, of each trace. */
#define QUALITY_STRETCHES 30

/* Zeroed: nothing is known. Of block I/O, events are those of the counted action. */
struct compare_quality {
    int64_t selected, all;  /* events that pass the filter, and those of the traces; all is 0 where
                               no  filter is given */
    int64_t untimed, timed; /* of what latencies are counted of, without and with one */
    int64_t step; /* all times, more than 0 and no two of them the same, that were looked at
                     are multiples of it; 0: they were too few */
    bool hours[QUALITY_HOURS]; /* of the day, from the first event to the last … */
    bool has_hours;            /* … of traces that all have a wall clock */
    double joined;  /* share of pairs of issue and completion that join two requests, where events
                       are missing and the query looks at such times: an estimate */
    double counted; /* events that pass the filter, where rates matter … */
    double dispersion; /* … and how much more those of QUALITY_STRETCHES vary than if they
                          were independent (statistics_dispersion()) */
};

/* What is to be found out, beside what is known without a pass over the events. */
struct compare_quality_wanted {
    bool filter; /* how many events it leaves */
    bool times;  /* how finely they are measured */
    bool rates;  /* how evenly the events come */
};

/* While the report of the query is open. */
bool compare_quality_read(struct compare_quality *quality, const struct query *query,
                          const struct selection *selection,
                          const struct compare_quality_wanted *wanted, struct error *error);

#endif
