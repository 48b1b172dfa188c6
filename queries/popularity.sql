-- report: popularity
-- question: Which operations, files or sectors are used most?
-- key: name
-- order: count
-- worth: count share cumulative
-- meanless: rank cumulative
-- part: application
-- title: Popularity of applications
-- kinds: calls
-- when: of = application
-- options: mark
-- tally: operation
-- plot: popularity
-- part: cdf-file
-- title: Popularity of files
-- kinds: io
-- needs: object=file
-- when: cdf
-- tally: popular_file
-- fact: files report
-- plot: popularity
-- part: cdf-process
-- title: Popularity of processes
-- kinds: io
-- when: cdf
-- tally: process origin
-- plot: popularity
-- part: file
-- title: Popularity of files
-- kinds: calls io
-- when: of = file
-- tally: popular_file
-- plot: popularity
-- fact: files report
-- part: process
-- title: Popularity of processes
-- kinds: io
-- when: of = process
-- tally: process origin
-- plot: popularity
-- fact: processes report
-- part: sector
-- title: Popularity of sectors
-- kinds: io
-- needs: address=sector
-- when: of = sector
-- tally: popular_sector size
-- plot: popularity
-- part: weights-calls
-- title: Popularity of operations, and what they cost
-- kinds: calls
-- when: weights
-- tally: operation call_operation weights_of_times
-- plot: popularity
-- part: weights-spans
-- title: Popularity of operations, and what they cost
-- kinds: spans
-- when: weights
-- tally: operation span weights_of_times
-- plot: popularity
-- part: weights-io
-- title: Popularity of operations, and what they cost
-- kinds: io
-- when: weights
-- actions: all
-- tally: operation size weights
-- plot: popularity
-- part: operation
-- title: Popularity of operations
-- kinds: io spans
-- when: of = operation by default
-- options: mark
-- actions: all
-- tally: operation
-- part: call
-- title: Popularity of operations
-- kinds: calls
-- when: of = operation by default
-- options: mark
-- actions: all
-- tally: call_operation
-- part: call-process
-- title: Popularity of processes
-- kinds: calls
-- needs: actor=thread
-- when: of = process
-- tally: operation
-- plot: popularity
-- part: thread
-- title: Popularity of threads
-- kinds: calls
-- needs: actor=thread
-- when: of = thread
-- tally: operation
-- plot: popularity
-- part: weights-calls weights-spans weights-io
-- compare: rows
-- part: operation call application file process sector cdf-file cdf-process call-process thread
-- compare: counts value=count
-- part: all
-- column: rank number - - rank by count; 1 is the most frequent
-- column: name text - - name in the log
-- column: count int - - number of events, or of references, in the row
-- column: share share fraction - share of all
-- column: cumulative share fraction - cumulative share
-- part: weights-calls weights-spans weights-io
-- column: cost real weights less cost by --weights
-- column: cost_share share fraction - share of all costs
-- part: operation call
-- blank: mark
-- column: mark text - if mark - * if the name is also in the first --top rows of the other trace
--
-- Traps are identified by number, because some names are not unique. Android's methods are
-- identified by name, because their numbers differ between runs. `mark` is * for names in the first
-- :top rows of the trace of --mark, with the same filters; without --top, in any row.
-- part: application
-- blank: mark
-- column: mark text - if mark - * if the name is also in the first --top rows of the other trace
--
-- Applications are identified by database ID within a session.
-- part: operation call
WITH counted AS MATERIALIZED (
    SELECT n.kind, n.text AS name, n.code, sum(t.count) AS count
-- part: operation
    FROM temp.tally_operation AS t
-- part: call
    FROM (SELECT operation, sum(calls) AS count FROM temp.tally_call GROUP BY operation) AS t
-- part: operation call
    LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
    JOIN main.name AS n ON n.id = ifnull(m.merged, t.operation)
    GROUP BY n.kind, n.text, n.code
    HAVING sum(t.count) > 0
),
other_top AS (
    SELECT n.kind, n.text AS name, n.code
    FROM temp.marked_operation AS other
    JOIN main.name AS n ON n.id = other.operation
    GROUP BY n.kind, n.text, n.code
    ORDER BY sum(other.count) DESC, n.text, n.code
    LIMIT ifnull(:top, -1)
)
-- part: application
WITH counted AS MATERIALIZED (
    SELECT
        actor_label(a.name, a.code, a.session, s.sessions) AS name,
        actor_label(a.name, a.code, a.session, 1) AS application,
        a.code,
        a.session,
        sum(t.count) AS count
    FROM temp.tally_operation AS t
    JOIN main.actor AS a ON a.id = t.actor
    JOIN temp.selection AS s ON s.trace = a.trace
    GROUP BY actor_label(a.name, a.code, a.session, s.sessions), a.code, a.session
),
other_top AS (
    -- The other trace has its own sessions, so applications match by name or ID.
    SELECT actor_label(a.name, a.code, a.session, 1) AS label
    FROM temp.marked_operation AS other
    JOIN main.actor AS a ON a.id = other.actor
    GROUP BY label
    ORDER BY sum(other.count) DESC, label
    LIMIT ifnull(:top, -1)
)
-- part: weights-io
WITH
-- include: class-weight
,
-- Only one action of an I/O has a cost: that of --action, or the last stage that the trace has, as
-- in other reports. A trace without stages has all actions.
counted_action (trace, action) AS MATERIALIZED (
    SELECT s.trace, ifnull(s.action, (
        SELECT n.id FROM main.name AS n
        WHERE n.trace = s.trace AND n.kind = 'action' AND n.text IN ('C', 'D', 'I', 'G', 'Q')
        ORDER BY instr('CDIGQ', n.text)
        LIMIT 1))
    FROM temp.selection AS s
),
costed (operation, cost) AS (
    SELECT t.action, total(w.call * t.count + w.byte * t.bytes)
    FROM temp.tally_size AS t
    JOIN counted_action AS a ON a.trace = t.trace AND t.action = ifnull(a.action, t.action)
    LEFT JOIN class_weight AS w ON w.class = t.class
    GROUP BY t.action
-- part: weights-calls weights-spans
WITH
-- include: weight-of
, costed (operation, cost) AS (
    SELECT t.operation, w.call * t.count + w.byte * t.bytes
    FROM temp.tally_operation AS t
    JOIN weight_of AS w ON w.operation = t.operation
-- part: weights-calls
    UNION ALL
    SELECT t.operation, w.ms * t.total / 1e6
    FROM temp.tally_call AS t
    JOIN weight_of AS w ON w.operation = t.operation
-- part: weights-spans
    UNION ALL
    SELECT t.operation, w.ms * t.self / 1e6
    FROM temp.tally_span AS t
    JOIN weight_of AS w ON w.operation = t.operation
-- part: weights-calls weights-spans weights-io
),
counted AS MATERIALIZED (
    SELECT n.kind, n.text AS name, n.code, sum(t.count) AS count,
-- part: weights-calls weights-spans
        total(x.cost) AS cost
-- part: weights-io
        sum(x.cost) AS cost
-- part: weights-calls weights-spans weights-io
    FROM (SELECT operation, sum(count) AS count FROM temp.tally_operation GROUP BY operation) AS t
    LEFT JOIN (SELECT operation, total(cost) AS cost FROM costed GROUP BY operation) AS x
        ON x.operation = t.operation
    LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
    JOIN main.name AS n ON n.id = ifnull(m.merged, t.operation)
    GROUP BY n.kind, n.text, n.code
    HAVING sum(t.count) > 0
)
-- part: process cdf-process
WITH counted AS MATERIALIZED (
    -- include: popular-processes
)
-- part: call-process
WITH counted AS MATERIALIZED (
    -- include: popular-call-processes
)
-- part: thread
WITH counted AS MATERIALIZED (
    -- include: popular-threads
)
-- part: operation call application process cdf-process call-process thread weights-calls weights-spans weights-io
SELECT
    row_number() OVER popular AS rank,
    name,
    count,
    1.0 * count / (SELECT sum(count) FROM counted) AS share,
    1.0 * sum(count) OVER (popular ROWS UNBOUNDED PRECEDING) / (SELECT sum(count) FROM counted)
        AS cumulative
-- part: weights-calls weights-spans weights-io
    , cost
    , cost / nullif(total(cost) OVER (), 0) AS cost_share
FROM counted
WINDOW popular AS (ORDER BY count DESC, name, code)
ORDER BY rank
-- part: operation call
    , CASE WHEN EXISTS (
        SELECT 1 FROM other_top AS o
        WHERE o.kind = counted.kind AND o.name = counted.name
            AND (o.code IS counted.code OR o.kind = 'method')
    ) THEN '*' END AS mark
FROM counted
WINDOW popular AS (ORDER BY count DESC, name, code)
ORDER BY rank
-- part: application
    , CASE WHEN application IN (SELECT label FROM other_top) THEN '*' END AS mark
FROM counted
WINDOW popular AS (ORDER BY count DESC, name, code, session)
ORDER BY rank
-- part: process cdf-process call-process thread
FROM counted
WINDOW popular AS (ORDER BY count DESC, name)
ORDER BY rank
-- part: file cdf-file
-- Rows of temp.popular_file are in order of rank.
SELECT
    rank,
    name,
    count,
    1.0 * count / total AS share,
    1.0 * cumulative / total AS cumulative
FROM temp.popular_file AS p
ORDER BY p.rowid
-- part: sector
SELECT
    rank,
    sector AS name,
    count,
    1.0 * count / total AS share,
    1.0 * cumulative / total AS cumulative
FROM temp.popular_sector AS p
ORDER BY p.rowid
-- part: all
LIMIT ifnull(:rows, -1);
-- part: file cdf-file
-- remark excluded
SELECT 'excluded: ' || without || ' of ' || counted(count, 'event{s}') || ' without a file; shares are of the rest'
FROM temp.file_total
WHERE without > 0;
-- part: weights-calls weights-spans weights-io
-- include: weights-remark
-- part: process cdf-process
-- include: origin-remark
-- part: sector
-- include: without-data
-- part: cdf-file cdf-process
-- I/Os are named by action; there are too few actions for a curve.
-- remark definition
SELECT '--cdf of block I/O shows files where the log names them, else processes; --of chooses one of them';
