-- report: findings
-- title: files searched for in vain
-- kinds: calls
-- needs: value=result
-- tally: call_operation file_found
-- weight: weight calls
-- say: {failed} of {calls} {noun} a path found no file (ENOENT, ENOTDIR)[; {most} of them in {folder}]
-- look: report errors
-- why: The search path lists folders without the file first, or the file is optional.
-- unless: A compiler or an interpreter starts: it searches once.
-- source: tracetool's own choice; no published threshold is known.
-- parameter: searched-in-vain-share real 0.2 "share of calls on paths"
-- parameter: searched-in-vain-calls integer 20 "least number of such calls"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: failed int
-- column: calls int
-- column: noun text
-- column: most int
-- column: folder path
-- Calls that take a path: not those of the file system that take a descriptor or a handle, or an
-- empty path with AT_EMPTY_PATH.
WITH on_path (id) AS MATERIALIZED (
    SELECT x.id
    FROM temp.selection AS s
    CROSS JOIN main.name AS x ON x.trace = s.trace
    WHERE x.text IN ('execve', 'execveat') OR call_wait(x.text) = 'filesystem'
        AND x.text NOT IN ('close', 'fallocate', 'fchdir', 'fchmod', 'fchown', 'fchown32', 'fgetxattr', 'flistxattr',
            'fremovexattr', 'fsetxattr', 'fstat', 'fstat64', 'fstatfs', 'fstatfs64', 'ftruncate', 'ftruncate64',
            'futimes', 'getdents', 'getdents64', 'open_by_handle_at')
),
vain (id) AS MATERIALIZED (
    SELECT x.id
    FROM temp.selection AS s
    CROSS JOIN main.name AS x ON x.trace = s.trace
    WHERE x.text IN ('ENOENT', 'ENOTDIR')
),
summed AS (
    SELECT sum(calls) - (SELECT ifnull(sum(f.calls), 0) FROM temp.file_found AS f JOIN main.name AS n ON n.id = f.operation
            WHERE NOT f.failed AND f.returned AND f.operation IN on_path AND call_does(n.text) IS NOT 'open') AS calls, sum(iif(error IN vain, calls, 0)) AS failed, max(failed AND error = 0) AS is_unknown
    FROM temp.tally_call
    WHERE returned AND operation IN on_path
),
-- Path up to its last slash.
folder AS (
    SELECT rtrim(rtrim(o.name, replace(o.name, '/', '')), '/') AS name, sum(p.calls) AS calls
    FROM (
        SELECT object, sum(calls) AS calls
        FROM temp.file_found
        WHERE error IN vain AND operation IN on_path
        GROUP BY object
    ) AS p
    JOIN main.object AS o ON o.id = p.object
    WHERE o.name LIKE '%/%'
    GROUP BY 1
    ORDER BY 2 DESC, 1
    LIMIT 1
)
-- NULL if the log does not have the errors of failed calls.
SELECT iif(s.is_unknown, NULL, 1.0 * s.failed / s.calls > :searched_in_vain_share
        AND s.failed >= :searched_in_vain_calls) AS fires,
    1.0 * s.failed / s.calls AS value, :searched_in_vain_share AS threshold,
    1.0 * s.failed / (SELECT sum(calls) FROM temp.tally_call) AS weight,
    s.failed, s.calls, iif(s.calls = 1, 'call that takes', 'calls that take') AS noun, f.calls AS most, iif(f.name = '', '/', f.name) AS folder
FROM summed AS s
LEFT JOIN folder AS f
WHERE s.calls > 0
