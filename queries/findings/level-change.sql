-- report: findings
-- title: a change of level
-- kinds: calls io spans
-- fact: times report
-- tally: level
-- weight: weight calls
-- say: from {time} on [the median {timed} is {later_time} instead of {earlier_time}][there are {later_rate} {noun} a second instead of {earlier_rate}] (p = {chance})
-- look: report rate --by level
-- why: From then on the program does something else, or the same work takes longer or shorter.
-- unless: The log has phases, such as reading and then writing.
-- source: The factor is tracetool's own choice; p is that of tracetool-compare(1), for blocks of time.
-- parameter: level-change-factor real 1.5 "least ratio of the two levels"
-- parameter: level-change-p real 0.01 "largest p-value"
-- parameter: level-change-count integer 1000 "least number of calls or I/Os"
-- parameter: level-change-share real 0.2 "least share of the calls or I/Os before, and after, the change"
-- column: fires int
-- column: value real
-- column: threshold real
-- column: weight share
-- column: time duration
-- column: earlier_time duration
-- column: later_time duration
-- column: earlier_rate real
-- column: later_rate real
-- column: noun text
-- column: timed text
-- column: chance real
-- Chooses the rate or the median time: the one with the smaller p-value, then the larger change.
WITH item AS (
    SELECT l.*, min(1.0 * l.count / l.all_count, 1 - 1.0 * l.count / l.all_count) AS weight, iif(l.timed, 1.0, 1e9 / l.length) AS unit, max(l.earlier, l.later) / max(min(l.earlier, l.later), 1e-9) AS factor,
        iif(t.kind = 'io', 'I/Os', 'calls') AS noun, iif(t.kind = 'io', 'time of I/Os from issue to completion', 'time of calls') AS what
    FROM temp.tally_level AS l
    JOIN main.trace AS t ON t.id = l.trace
    WHERE (l.timed OR t.clock_unit = 'ns') AND max(l.earlier, l.later) > 0
)
SELECT factor >= :level_change_factor AND chance <= :level_change_p AND all_count >= :level_change_count
        AND weight >= :level_change_share AS fires, factor AS value,
    :level_change_factor AS threshold, weight, time,
    iif(timed, CAST(earlier AS INTEGER), NULL) AS earlier_time, iif(timed, CAST(later AS INTEGER), NULL) AS later_time,
    iif(timed, NULL, earlier * unit) AS earlier_rate, iif(timed, NULL, later * unit) AS later_rate, noun,
    what AS timed, chance
FROM item
ORDER BY fires DESC, chance, factor DESC, timed DESC
LIMIT 1
