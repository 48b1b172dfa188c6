-- report: functions
-- page: 10
-- question: Which functions take the most time?
-- kinds: spans
-- options: corrected measured
-- tally: span depth
-- worth: self self_share calls total max mean
-- part: per-thread
-- title: Time by thread and function
-- when: per-thread
-- plot: threads
-- compare: times key=thread,name calls=calls time=self
-- column: thread text - - the thread
-- part: weights
-- title: Time and cost by function
-- when: weights
-- tally: operation weights_of_times
-- plot: functions
-- part: main
-- title: Time by function
-- instead: syscalls
-- part: main weights
-- key: name
-- order: self
-- compare: times calls=calls time=self
-- part: all
-- column: name text - - name in the log
-- column: calls int - - number of calls
-- column: total duration ns less time of the calls, with their callees
-- column: self duration ns less time in the function itself, without its callees
-- column: min duration ns less minimum
-- column: mean duration ns less mean
-- column: max duration ns less maximum
-- column: self_share share fraction - share of all time of this kind
-- part: weights
-- column: cost real weights less cost by --weights; milliseconds are self time
-- column: cost_share share fraction - share of all costs
-- part: main weights
--
-- `total` sums the outermost calls; other times are over all calls: docs/spans.md.
--
-- First groups by operation, which needs no sorting; then merges operations of the same name in
-- several traces. LIMIT 0 skips the unneeded branch; a WHERE would be evaluated for each row.
-- part: per-thread
-- column: rank number if picture
-- part: weights
WITH
-- include: weight-of
, costed AS MATERIALIZED (
    SELECT operation, total(cost) AS cost
    FROM (
        SELECT
            ifnull(m.merged, t.operation) AS operation,
            w.call * t.count + w.byte * t.bytes AS cost
        FROM temp.tally_operation AS t
        JOIN weight_of AS w ON w.operation = t.operation
        LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
        UNION ALL
        SELECT ifnull(m.merged, t.operation), w.ms * t.self / 1e6
        FROM temp.tally_span AS t
        JOIN weight_of AS w ON w.operation = t.operation
        LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
    )
    GROUP BY 1
),
-- part: main
WITH
-- part: main weights
by_operation AS NOT MATERIALIZED (
    SELECT
        t.operation,
        -- include: span-sums
    FROM temp.tally_span AS t
    GROUP BY t.operation
),
counted AS MATERIALIZED (
    SELECT * FROM (
        SELECT * FROM by_operation
        LIMIT iif(EXISTS (SELECT 1 FROM temp.merged_operation), 0, -1)
    )
    UNION ALL
    SELECT * FROM (
        SELECT
            m.merged AS operation,
            -- include: span-sums
        FROM by_operation AS t
        JOIN temp.merged_operation AS m ON m.id = t.operation
        GROUP BY 1
        LIMIT iif(EXISTS (SELECT 1 FROM temp.merged_operation), -1, 0)
    )
)
SELECT
    n.text AS name,
-- part: per-thread
WITH counted AS (
    SELECT
        a.tid,
        a.label AS thread,
        n.text AS name,
        n.code,
        -- include: span-sums
    FROM temp.tally_span AS t
    LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
    JOIN main.name AS n ON n.id = ifnull(m.merged, t.operation)
    JOIN temp.thread AS a ON a.id = t.actor
    GROUP BY a.tid, a.label, n.kind, n.text, n.code
),
-- For pictures: rank of each function by its time over all threads.
ranks AS MATERIALIZED (
    SELECT name AS ranked, row_number() OVER (ORDER BY sum(self) DESC, name) AS rank
    FROM counted
    WHERE :picture
    GROUP BY name
)
SELECT
    thread,
    name,
-- part: all
    -- All columns but the last, from those of span-sums.sql.
    calls,
    total,
    self,
    least,
    sum / timed + (sum % timed + timed / 2) / timed AS mean,
    most
-- part: main weights
    , self / nullif((SELECT total(self) FROM counted), 0.0) AS self_share
-- part: weights
    , ifnull(x.cost, 0.0) AS cost
    , ifnull(x.cost, 0.0) / nullif((SELECT total(cost) FROM costed), 0.0) AS cost_share
-- part: main weights
FROM counted
JOIN main.name AS n ON n.id = counted.operation
-- part: weights
LEFT JOIN costed AS x ON x.operation = counted.operation
-- part: main weights
ORDER BY self DESC, name, n.code
LIMIT ifnull(:rows, -1);
-- part: per-thread
    , self / nullif(total(self) OVER (), 0.0) AS self_share
    , rank
FROM counted
LEFT JOIN ranks ON ranked = name
ORDER BY tid, thread, self DESC, name, code
LIMIT ifnull(:top, -1);
-- part: all
-- remark loss
SELECT text FROM temp.span_remark;
-- include: open-share
-- part: weights
-- include: weights-remark
