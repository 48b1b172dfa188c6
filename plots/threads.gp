# Self time by thread: one bar each, stacked by function, in the same order and colours everywhere,
# largest total first. One panel per result, on a common scale.
# Columns: 1 thread, 2 name, 4 calls, self (nanoseconds or counter units), rank (of the function, by
# self time in all threads).
# include: common
# include: axes
self_column = field("self")
rank_column = field("rank")
no_part(x) = missing(self_column)
part(x) = column(self_column)
largest(x) = column(self_column)
most = small ? 6 : crowded ? 7 : panels ? 10 : 20
is_told_apart(x) = column(rank_column) <= 20
order_by(x) = column(self_column)
unit = 1
axis_end = 0
is_time = 1
by_class = 0
by_column = 0
bar_name(x) = strcol(1)
kind_name(x) = strcol(2)
# include: stacks
