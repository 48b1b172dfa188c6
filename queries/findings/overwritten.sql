-- report: findings
-- title: data overwritten soon
-- kinds: io
-- needs: address=sector
-- tally: again letters
-- weight: weight bytes
-- say: {again} of {bytes} written replaced data at most {seconds} seconds old, by sectors of 512 bytes[; estimated from one page in {sample}]
-- look: report rewrites
-- why: The first write was unnecessary if the program could have kept the data that long.
-- unless: A journal or a database log rewrites the same place on purpose.
-- source: 30 seconds is how old Linux lets what was written become (dirty_expire_centisecs); a third is tracetool's own choice.
-- parameter: overwritten-share real 0.333333 "share of the bytes written"
-- parameter: overwritten-seconds integer 30 "largest age of the overwritten data in seconds, up to 3600"
-- parameter: overwritten-bytes integer 1048576 "least number of bytes written again"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: again bytes
-- column: bytes bytes
-- column: seconds int
-- column: sample int
-- NULL if the log's clock does not tell seconds.
WITH item AS (
    SELECT sum_time(bytes) AS bytes,
        iif((SELECT t.clock_unit FROM temp.selection AS s JOIN main.trace AS t ON t.id = s.trace) = 'ns',
            ifnull(sum_time(iif(seconds BETWEEN 1 AND :overwritten_seconds, bytes, 0)), 0), NULL) AS again,
        nullif(max(sample), 1) AS sample
    FROM temp.tally_again
)
SELECT 1.0 * again / bytes > :overwritten_share AND again >= :overwritten_bytes AS fires, 1.0 * again / bytes AS value,
    :overwritten_share AS threshold,
    min(1.0, 1.0 * again / (SELECT nullif(sum_time(l.bytes), 0) FROM temp.tally_letters AS l
        WHERE io_class(l.letters) <> 'other')) AS weight,
    again, bytes, :overwritten_seconds AS seconds, sample
FROM item
WHERE bytes > 0
