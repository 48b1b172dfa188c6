# Times from a use of a page to its next read or write: for each pair of uses, a line from the
# shortest to the longest, with marks at the 50th, 90th and 99th percentile. One panel per result.
# Columns: 1 access, count, share, min, max, p50, p90, p99 (nanoseconds or counter units).
# include: common
# include: axes
# include: time-groups
time_label = "time since the last use"
# include: times
