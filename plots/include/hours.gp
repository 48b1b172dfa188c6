# Axes of hours, over all results. `total` is the column of a bar's height. of_day tells whether
# hours are those of the day, or since the start. A bar of several hours has their mean.
total = field("total") > 0 ? field("total") : field("count")
of_day = field("of_day")
hours = field("hours")
hours_of_bar(x) = hours > 0 ? column(hours) : 1
last = 0; high = 0.0; folded = 0
per_hour(number) = 1.0 * number / hours_of_bar(0)
note(hour, number) = (last = larger(last, hour + hours_of_bar(0) - 1), high = larger(high, per_hour(number)))
bar_begin(x) = $1 - 0.4
bar_end(x) = $1 + hours_of_bar(0) - 0.6
note_kind(x) = (folded = of_day > 0 ? int(column(of_day)) : last == 23)
stats $data using (missing(total) ? 1 : (note($1, column(total)), note_kind(0), 1)) nooutput
if (high <= 0) { exit status nothing }
# Many bars have no edges, which would cover them.
edges = last < 200 ? 'border linecolor rgb "black"' : "noborder"
set xlabel fit_x(folded ? "hour of the day" : "hours since the start")
set xrange [-0.6:last + 0.6]
own_x = 1
set xtics compact && last > 11 && last <= 25 ? 6 : last <= 25 && !small && columns == 1 ? 1 : last <= 50 ? 3 : last < 1200 ? ceil(last / 120.0) * 12 : step(last, 8)
set yrange [0:1.05 * high]
panel_title(i) = title_of_result(i, small ? 60 : 80)
if (!small) { set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }
