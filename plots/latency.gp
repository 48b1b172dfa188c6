# Times of I/Os, of stages of these or of calls, by class, process and so on: a line from the shortest to the longest, with
# marks where 50, 90, 99 and, where the column is there, 99.9 % are done, and at the maximum. One panel
# a result, all with the same axis.
# Columns: 1 what they are by, stage (behind it, or alone), count, min, p50, p90, p99, p99.9, max
# (nanoseconds or counter units), share.
# include: common
# include: axes
# include: time-groups
# include: times
