# I/Os by hour: bars stacked by class. One panel per result, on a common scale, as the papers
# compare users. Colours distinguish reads and writes; synchronous ones are striped.
# Columns: hour, a column for each class, total, of_day (whether these are hours of the day), hours
# (of the bar).
# include: common
# include: axes
# include: hours

set ylabel fit_y("I/Os")
set key @key_place invert samplen 2
if (!small) { set key reverse Left }
# include: panels
if (crowded) { set key font little_font spacing 0.95 samplen 1 }
do for [i = 1:count] { \
    # include: panel
    set title panel_title(i); \
    eval before_plot; \
    plot for [c = 2:4:2] $data index i - 1 \
            using (of_class(c, $1)):total:(bar_begin(0)):(bar_end(0)): \
            (per_hour(class_from(c))):(per_hour(class_to(c))) with boxxyerror \
            linecolor rgb class_tint(c) fillstyle solid 1 notitle, \
        for [c = 1:classes] $data index i - 1 \
            using (of_class(c, $1)):total:(bar_begin(0)):(bar_end(0)): \
            (per_hour(class_from(c))):(per_hour(class_to(c))) with boxxyerror \
            linecolor rgb class_colour(c) fillstyle transparent pattern class_pattern(c) \
            @edges title class_title(c); \
}
# include: end
