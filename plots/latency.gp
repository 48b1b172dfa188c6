# Times of I/Os, of their stages or of calls, by class, process etc.: a line from the shortest to
# the longest, with marks at the 50th, 90th, 99th and, if available, 99.9th percentile, and at the
# maximum. One panel per result, on a common scale.
# Columns: 1 what they are by, stage (behind it, or alone), count, min, p50, p90, p99, p99.9, max
# (nanoseconds or counter units), share.
# include: common
# include: axes
# include: time-groups
# include: times
