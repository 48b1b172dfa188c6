# Shares of I/Os by class, stacked to 100 %. --share row: one bar per row, such as a partition or
# file type, stacked by class. --share column: one bar per class, stacked by row, most frequent
# first. If a class has plain and synchronous I/Os, one bar shows both together. One more bar is for
# all classes; not with --class, which selects classes. One panel per result, on a common scale.
# Columns: 1 what is counted by, a column for each class, total, reads, writes (fractions).
# include: common
# include: axes
total = field("total")
by_class = shares_of eq "row"
by_column = !by_class
no_part(x) = missing(total)
bar_name(x) = by_class ? strcol(1) : ""
kind_name(x) = strcol(1)
is_told_apart(x) = 1
order_by(x) = column(total)
largest(x) = by_class ? 0 : (largest_part = 0.0, \
    unused = sum [k = 1:words(column_bars)] ((largest_part = larger(largest_part, part(k))), 0), largest_part)
most = small ? 6 : crowded ? 7 : 10
unit = 0.01
is_time = 0
axis_end = 100
set xlabel fit_x(by_class ? "share of the row's I/Os (%)" : "share of the I/Os of the class (%)")

# Rows and classes with any I/O, which have a bar or a part of one.
array class_sum[classes]
do for [c = 1:classes] { class_sum[c] = 0.0 }
add_class(c) = (class_sum[c] = class_sum[c] + class_count(c))
stats $data using (no_part(0) ? 1 : (sum [c = 1:classes] (add_class(c), 0), 1)) nooutput
has(c) = class_sum[c] > 0
kinds_of_class = (has(1) || has(2)) + (has(3) || has(4)) + has(5) + has(6)
chosen = exists("classes_chosen")
is_column_bar(name) = name eq "total" ? !chosen && kinds_of_class > 1 : \
    name eq "reads" ? !chosen && has(1) && has(2) : name eq "writes" ? !chosen && has(3) && has(4) : \
    sum [c = 1:classes] (class(c) eq name && has(c))
column_bars = ""
do for [name in "total reads read readsync writes write writesync flush other"] { \
    if (is_column_bar(name)) { column_bars = column_bars.(column_bars eq "" ? "" : " ").name }; \
}
if (column_bars eq "") { exit status nothing }
part(k) = by_class ? class_count(k) : column(field(word(column_bars, k)))
# include: stacks
