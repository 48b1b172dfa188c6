-- remark
-- Time zone of the hours.
WITH zone AS (
    SELECT DISTINCT t.utc_offset AS minutes
    FROM temp.selection AS s
    CROSS JOIN main.trace AS t ON t.id = s.trace
),
zones AS (
    SELECT
        group_concat(CASE
            WHEN minutes IS NULL THEN 'UTC'
            ELSE printf('UTC%s%02d:%02d', iif(minutes < 0, '-', '+'), abs(minutes) / 60,
                abs(minutes) % 60) END, ', ') AS names,
        count(*) AS number,
        count(minutes) AS known
    FROM (SELECT minutes FROM zone ORDER BY minutes IS NULL, minutes)
)
SELECT CASE
    WHEN (SELECT min(of_day) < max(of_day) FROM temp.selection)
        THEN 'not all logs have a time of day: hours count from the start of each trace (where it has a time of day, from the full hour before), and may exceed 24'
    WHEN NOT (SELECT min(of_day) FROM temp.selection)
        THEN 'the log has no date or time of day: hours count from the '
            || iif((SELECT max(abs(first_hour)) FROM temp.selection) > 0, 'full hour in which the trace began', 'start of the trace')
            || ' and may exceed 24'
    WHEN NOT (SELECT min(wall) FROM temp.selection)
        THEN iif(:timeline IS NULL, 'hours of the day',
            'hours since the full hour in which the trace began')
            || ', from the log; date unknown (import --start sets it)'
    ELSE iif(:timeline IS NULL, 'hours of the day',
        'hours since the full hour in which the trace began')
        || CASE
            WHEN known = 0 THEN ', UTC: the log has no zone'
            WHEN number = 1 THEN ', local to the device: ' || names
            ELSE ', each trace in the zone of its device: ' || names
                || iif(known < number, ' where a log has no zone', '') END
    END
FROM zones;
