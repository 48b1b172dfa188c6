#include "report/overrun.h"

/* CPUs of traces after an overrun. Those with less than a quarter of the events of another are
 * idle: that they begin late tells nothing. */
#define CPUS                                                                                       \
    "WITH cpus AS (SELECT s.place, s.trace, s.first_event, l.cpu, l.first,"                        \
    " l.events >= (max(l.events) OVER (PARTITION BY l.trace) + 3) / 4 AS is_busy"                  \
    " FROM temp.selection AS s CROSS JOIN main.loss AS l ON l.trace = s.trace AND l.cpu >= 0"      \
    " AND l.events > 0"                                                                            \
    " WHERE (SELECT max(overwritten) FROM main.loss WHERE trace = s.trace) > 0)"

/* From when on all are there, where what is selected begins before. */
#define BEGINS                                                                                     \
    ", begins AS (SELECT place, trace, max(first) AS since,"                                       \
    " (SELECT clock_unit = 'ns' FROM main.trace WHERE id = cpus.trace) AS is_real"                 \
    " FROM cpus WHERE is_busy GROUP BY place"                                                      \
    " HAVING (SELECT time FROM main.event WHERE id = first_event) < max(first))"

/* The time as it is typed: milliseconds will do where there are many. */
#define TYPED                                                                                      \
    ", typed AS (SELECT place, trace, is_real, CASE WHEN NOT is_real THEN CAST(since AS TEXT)"     \
    " WHEN since >= 100000000 THEN printf('%d.%03d', (since + 999999) / 1000000000,"               \
    " (since + 999999) / 1000000 % 1000)"                                                          \
    " ELSE printf('%d.%06d', (since + 999) / 1000000000, (since + 999) / 1000 % 1000000) END"      \
    " AS time, (SELECT iif(count(*) = 1, 'only CPU ' || min(cpu) || '''s events are there',"       \
    " 'the events of some CPUs are missing') FROM cpus WHERE cpus.place = begins.place"            \
    " AND cpus.first < since) AS what FROM begins)"

const char overrun_remark[] =
    CPUS BEGINS TYPED " SELECT iif((SELECT count(*) FROM temp.selection) > 1, (SELECT name"
                      " FROM main.trace WHERE id = typed.trace) || ': ', '') || 'before ' || time"
                      " || iif(is_real, ' s ', ' ') || what || ': --from ' || time"
                      " || iif(is_real, 's', '') FROM typed ORDER BY place";
