# Calls by hour. Several results are side by side in each hour.
# Columns: hour, count, of_day (whether these are hours of the day), hours (of the bar).
# include: common
eval all_in_one
pattern(i) = int(word("3 4 3 5 0 7 6", (i - 1) % 7 + 1))
# include: axes
# include: hours
# include: foot

set title title_of_all(small ? 60 : 80)
set ylabel fit_y("calls")
set key @key_place samplen 2
if (!small) { set key reverse Left }
edge(i) = bar_begin(0) + (bar_end(0) - bar_begin(0)) * i / results
eval before_plot
plot for [i = 1:results] $data index i - 1 \
    using 1:total:(edge(i - 1)):(edge(i)):(0):(per_hour(column(total))) with boxxyerror \
    linecolor rgb palette_colour(i) fillstyle pattern pattern(i) @edges \
    title results > 1 ? cut(result_name[i], small ? 24 : 30) : ""
# include: end
