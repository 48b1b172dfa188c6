# How long after the use before of a page it is read and written again: a line from the shortest to the
# longest time for each pair of uses, with marks where 50, 90 and 99 % are done. One panel a result.
# Columns: 1 access, count, share, min, max, p50, p90, p99 (nanoseconds or counter units).
# include: common
# include: axes
# include: time-groups
time_label = "time since the use of the page before"
# include: times
