-- report: findings
-- title: reads the same again
-- kinds: calls
-- fact: file-names report
-- needs: address=offset
-- tally: again call_operation
-- weight: weight bytes
-- say: {bytes} were read from {distinct} of files, each byte {value} times on average[; {most} from {of_file} of {file}][; estimated from one page in {sample}]
-- look: report reuse
-- why: The program does not keep what it read, or reads overlapping parts.
-- unless: The file changes in between, as files in /proc and /sys do.
-- source: tracetool's own choice; Drishti has no trigger for it.
-- parameter: reads-again-factor real 3 "bytes read per distinct byte"
-- parameter: reads-again-bytes integer 1048576 "least number of bytes that were read again"
-- column: fires int
-- column: value real
-- column: threshold real
-- column: weight share
-- column: bytes bytes
-- column: distinct bytes
-- column: most bytes
-- column: of_file bytes
-- column: file path
-- column: sample int
-- Gaps of less than 128 bytes between reads may count as read.
WITH item AS MATERIALIZED (
    SELECT o.name, sum_time(t.bytes) AS bytes, min(sum_time(t.bytes), sum_time(t."distinct")) AS part, max(t.sample) AS sample
    FROM temp.tally_again AS t
    JOIN main.object AS o ON o.id = t.within
    WHERE t.seconds IS NULL
        -- MobiGen's name for many files
        AND NOT ((o.name = '/data/data' OR o.name NOT LIKE '/%') AND EXISTS (SELECT 1 FROM main.remark AS r
            WHERE r.trace = o.trace AND r.text LIKE 'opens of paths that MobiGen did not know%'))
    GROUP BY o.name
),
total AS (
    SELECT sum_time(bytes) AS bytes, sum_time(part) AS part, nullif(max(sample), 1) AS sample FROM item
),
file AS (
    SELECT * FROM item WHERE name IS NOT NULL ORDER BY bytes - part DESC, name LIMIT 1
)
SELECT 1.0 * t.bytes / t.part > :reads_again_factor AND t.bytes - t.part >= :reads_again_bytes AS fires,
    1.0 * t.bytes / t.part AS value, :reads_again_factor AS threshold,
    min(1.0, 1.0 * (t.bytes - t.part) / (SELECT nullif(sum_time(c.bytes), 0) FROM temp.tally_call AS c
        JOIN main.name AS n ON n.id = c.operation WHERE call_does(n.text) IN ('read', 'write', 'copy'))) AS weight,
    t.bytes, t.part AS "distinct", f.bytes AS most, f.part AS of_file, f.name AS file, t.sample
FROM total AS t
LEFT JOIN file AS f
WHERE t.part > 0
