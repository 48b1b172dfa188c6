-- report: chain
-- question: Which threads and devices were behind the time of calls?
-- title: Calls and their waits, followed to other threads
-- kinds: calls spans
-- needs: duration=call log=states
-- when: picture
-- plot: calltree
-- options: with offset
-- tally: chain_tree
-- column: depth int - - depth, in waits
-- column: name text indented - the call, what ended its wait, what that one did meanwhile
-- column: calls int - - calls in which it occurs
-- column: total duration ns less its time in all calls
-- column: self duration ns less the part that was not followed further
-- column: total_share share fraction - share of the time of all calls
SELECT t.depth, t.name, t.calls, t.total, t.self, 1.0 * t.total / nullif(w.time, 0)
FROM temp.chain_tree AS t
CROSS JOIN temp.why_total AS w
ORDER BY t.place
LIMIT ifnull(:top, -1);
-- include: why-remark
