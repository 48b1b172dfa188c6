# Shares within containers, such as file types within partitions: one bar per partition, stacked by
# file type, in the same order and colours everywhere, most frequent first. A bar is 100 %, or the
# partition's share of all I/Os (--share all). With --share row, one bar of 100 % per file type
# within each partition, stacked by class. One panel per result.
# Columns: 1 partition, 2 file_type, count or total, share (fraction of the partition), classes.
# include: common
# include: axes
count_column = larger(field("count"), field("total"))
share_column = field("share")
by_class = shares_of eq "row"
by_column = 0
bar_name(x) = by_class ? strcol(1).": ".strcol(2) : strcol(1)
kind_name(x) = strcol(2)
no_part(x) = missing(share_column)
part(k) = by_class ? class_count(k) : column(shares_of eq "all" ? count_column : share_column)
is_told_apart(x) = 1
order_by(x) = column(count_column)
largest(x) = column(shares_of eq "column" ? share_column : count_column)
most = small ? 6 : crowded ? 7 : panels || shares_of eq "column" ? 10 : 20
unit = 0.01
is_time = 0
axis_end = shares_of eq "all" ? 0 : 100
set xlabel by_class ? "share of the row's I/Os (%)" : shares_of eq "all" ? "share of all I/Os (%)" : \
    "share of the I/Os of the ".word(column_names, 1)." (%)"
# include: stacks
