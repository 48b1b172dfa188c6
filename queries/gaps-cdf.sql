-- report: gaps
-- question: How long is nothing happening?
-- fact: times report
-- when: cdf
-- plot: gaps-cdf
-- worth: timeout count cumulative times_off off_share time_cumulative time
-- part: idle
-- title: Distribution of idle times
-- kinds: calls
-- needs: duration=call
-- tally: gap_step
-- Idle times as in gaps.sql, but all of them, regardless of --top. They are grouped by timeouts of
-- 1, 2, 5, 10, … units: the smallest one that they do not exceed.
-- part: states
-- title: Distribution of times without a running thread
-- kinds: states
-- tally: gap_step
-- Times without a running thread, as in gaps.sql.
-- part: io
-- title: Distribution of idle times
-- kinds: io
-- tally: idle_step
-- Times with nothing in flight, as in gaps.sql.
-- part: calls
-- title: Distribution of times between calls
-- kinds: calls
-- tally: gap_step
-- Times as in gaps.sql, but all of them, regardless of --top. They are grouped by limits of 1, 2,
-- 5, 10, … units: the smallest one that they do not exceed.
-- part: all
-- column: timeout duration ns - timeout: a device is switched off after so long an idle time
-- column: count int - - number of events, or of references, in the row
-- column: cumulative share fraction - cumulative share
-- column: time duration ns - total time
-- column: time_cumulative share fraction - cumulative share of the time
-- column: times_off int - - idle times longer than the timeout
-- column: off duration ns less time switched off, if a device is switched off after the timeout
-- column: off_share share fraction less share of the time from the first event to the last
-- column: beyond int if ccdf - number of larger values
--
WITH
-- Time that a device would be off if it were switched off after this idle time. `run` is the time
-- from the first to the last event.
run(time) AS (
    SELECT sum_time(e.time - s.time) FROM temp.selection AS x
    CROSS JOIN main.event AS s ON s.id = x.first_event
    CROSS JOIN main.event AS e ON e.id = x.last_event
    WHERE x.first_event <= x.last_event
),
summed AS (
    SELECT
        length AS timeout,
        count,
        time,
        sum(count) OVER up AS up_to,
        sum(time) OVER up AS time_up_to,
        sum(count) OVER () - sum(count) OVER up AS longer,
        sum(time) OVER () - sum(time) OVER up AS time_longer
    FROM temp.gap_step
    WINDOW up AS (ORDER BY length)
)
SELECT
    timeout,
    count,
    1.0 * up_to / (up_to + longer) AS cumulative,
    time,
    1.0 * time_up_to / (time_up_to + time_longer) AS time_cumulative,
    longer AS times_off,
    time_longer - timeout * longer AS off,
    1.0 * (time_longer - timeout * longer) / nullif((SELECT time FROM run), 0) AS off_share,
    longer AS beyond
FROM summed
WHERE up_to > 0
ORDER BY timeout;
-- remark definition
SELECT 'cumulative: share of the idle periods no longer than timeout; time_cumulative: their share of all idle time; off: '
    || 'the rest of longer ones, after timeout; off_share: off as a share of the time from the first event to the last';
-- include: outlying-remark
-- part: idle
-- remark definition
SELECT 'idle: no call runs; a call without a known end counts as zero length';
-- part: io
-- include: in-flight
-- part: states
-- include: counted-state-remark
