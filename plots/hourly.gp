# Calls by hour. Several results are side by side in each hour.
# Columns: hour, count, of_day (whether these are hours of the day).
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
width = 0.8 / results
left(i) = (i - 1) * width - 0.4
eval before_plot
plot for [i = 1:results] $data index i - 1 \
    using 1:total:($1 + left(i)):($1 + left(i) + width):(0):total with boxxyerror \
    linecolor rgb palette_colour(i) fillstyle pattern pattern(i) border linecolor rgb "black" \
    title results > 1 ? cut(result_name[i], small ? 24 : 30) : ""
# include: end
