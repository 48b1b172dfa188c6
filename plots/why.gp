# Time of calls by cause: one bar per call, thread, process or file, stacked by cause, in the same
# order and colours everywhere. One panel per result, on a common scale.
# Columns: 1 the group, 3 cause, time (nanoseconds).
# include: common
# include: axes
time_column = field("time")
no_part(x) = missing(time_column)
part(x) = column(time_column)
largest(x) = column(time_column)
most = small ? 6 : 7
is_told_apart(x) = 1
order_by(x) = column(time_column)
unit = 1
axis_end = 0
is_time = 1
axis_of = "time in calls"
by_class = 0
by_column = 0
bar_name(x) = strcol(1)
kind_name(x) = strcol(3)
# include: stacks
