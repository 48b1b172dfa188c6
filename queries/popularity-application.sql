-- report: popularity
-- title: Popularity of applications
-- kinds: calls
-- when: of = application
-- options: mark
-- tally: operation
-- plot: popularity
-- include: popularity-columns
-- column: mark text if mark
--
-- An application is told apart by its database ID within a session.
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
    -- Sessions are the other trace's own: applications are the same by name or ID.
    SELECT actor_label(a.name, a.code, a.session, 1) AS label
    FROM temp.marked_operation AS other
    JOIN main.actor AS a ON a.id = other.actor
    GROUP BY label
    ORDER BY sum(other.count) DESC, label
    LIMIT ifnull(:top, -1)
)
SELECT
    -- include: popularity
    , CASE WHEN application IN (SELECT label FROM other_top) THEN '*' END AS mark
FROM counted
WINDOW popular AS (ORDER BY count DESC, name, code, session)
ORDER BY rank
LIMIT ifnull(:rows, -1);
