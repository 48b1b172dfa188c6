-- report: chain
-- question: Which threads and devices were behind the time of calls?
-- title: Calls, what they waited for, and what those did meanwhile
-- kinds: calls spans
-- needs: duration=call log=states
-- when: picture
-- plot: calltree
-- options: with offset
-- tally: chain_tree
-- column: depth int - - how many waits deep
-- column: name text indented - the call, what ended its wait, what that one did meanwhile
-- column: calls int - - how many calls have a part of it
-- column: total duration ns less how much of it, of all calls
-- column: self duration ns less of that, what was followed no further
-- column: total_share share fraction - share of the time of all calls
SELECT t.depth, t.name, t.calls, t.total, t.self, 1.0 * t.total / nullif(w.time, 0)
FROM temp.chain_tree AS t
CROSS JOIN temp.why_total AS w
ORDER BY t.place
LIMIT ifnull(:top, -1);
-- include: why-remark
