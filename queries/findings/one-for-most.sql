-- report: findings
-- title: one file or process has most of the traffic
-- part: calls
-- kinds: calls
-- fact: file-names report
-- needs: object=file
-- tally: file_transfer
-- look: report files
-- part: io
-- kinds: io
-- tally: process
-- look: report process
-- part: all
-- weight: value bytes
-- say: {name} accounts for {bytes} of {all_bytes} transferred ({count} {what})
-- why: Nearly all of the traffic is here, so an improvement here counts most.
-- unless: Only that file or process was meant to be recorded.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: one-for-most-share real 0.8 "share of the bytes"
-- parameter: one-for-most-count integer 10 "least number of files or processes that transferred something"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: name path
-- column: bytes bytes
-- column: all_bytes bytes
-- column: count int
-- column: what text
-- column: look text
WITH item AS MATERIALIZED (
-- part: calls
    SELECT o.name, 'file' AS what, sum_time(t.bytes_read + t.bytes_written) AS bytes
    FROM temp.tally_file_locality AS t
    JOIN main.object AS o ON o.id = t.object
    WHERE o.name IS NOT NULL AND descriptor_wait(o.name, o.type) = 'file'
    GROUP BY o.name
-- part: io
    SELECT process AS name, 'process' AS what, sum_time(bytes) AS bytes
    FROM temp.tally_process
    WHERE process <> '' AND class <> io_class_number('other')
    GROUP BY process
-- part: all
),
total AS (
    SELECT sum_time(bytes) AS bytes, count(*) AS count FROM item WHERE bytes > 0
)
SELECT 1.0 * i.bytes / t.bytes > :one_for_most_share AND t.count >= :one_for_most_count AS fires,
    1.0 * i.bytes / t.bytes AS value, :one_for_most_share AS threshold, i.name, i.bytes, t.bytes AS all_bytes,
    t.count,
    i.what || CASE WHEN t.count = 1 THEN '' WHEN i.what = 'file' THEN 's' ELSE 'es' END AS what,
-- part: calls
    NULL AS look
-- part: io
    iif(EXISTS (SELECT 1 FROM temp.tally_process WHERE class = io_class_number('other') AND bytes > 0),
        'report process --not-class other', NULL) AS look
-- part: all
FROM item AS i, total AS t
WHERE t.bytes > 0
ORDER BY i.bytes DESC, i.name
LIMIT 1
