# I/Os in flight: for each number, a box for the share of time with so many in flight, and a mark
# for the share of I/Os that found so many others. One panel per result, on common scales. If there
# are too many depths for boxes, lines replace them. With --cdf, steps: cumulative shares of time
# and of I/Os.
# Columns: 1 depth, share, seen_share, or cumulative, seen_cumulative (fractions).
# include: common
# include: axes
curves = field("seen_cumulative") > 0
time_share = field(curves ? "cumulative" : "share")
seen_share = field(curves ? "seen_cumulative" : "seen_share")

set xlabel fit_x("I/Os in flight")
set ylabel fit_y(curves ? "share with no more in flight (%)" : "share (%)")
set key @key_place samplen 1
if (!small) { \
    set key reverse Left; \
    set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

part(c) = valid(c) ? 100 * column(c) : 0
note(depth) = (all = all + 1, deepest = larger(deepest, depth), \
    highest = larger(highest, larger(part(time_share), part(seen_share))))
all = 0; deepest = 0; highest = 0
stats $data using (absent(1) ? 1 : (note($1), 1)) nooutput
if (all == 0) { exit status nothing }
set xrange [-0.7:deepest + 0.7]
set yrange [0:smaller(100, 1.08 * larger(highest, 1))]
set xtics step(deepest + 1, small ? 8 : columns > 1 ? 8 : 16) < 1 ? 1 : step(deepest + 1, small ? 8 : columns > 1 ? 8 : 16)
boxes = deepest <= (small ? 20 : 100 / columns)
panel_title(i) = title_of_result(i, small ? 60 : 80)
# include: panels
if (crowded) { set key font little_font spacing 0.95 samplen 1 }
do for [i = 1:count] { \
    n = 0; \
    # include: panel
    stats $data index i - 1 using (absent(1) ? 1 : (n = n + 1, 1)) nooutput; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    if (curves) { \
        eval before_plot; \
        plot $data index i - 1 using 1:(part(time_share)) with steps linewidth 2 linecolor rgb "#0072B2" \
                title "of the time", \
            $data index i - 1 using 1:(part(seen_share)) with steps linewidth 2 dashtype 2 \
                linecolor rgb "#D55E00" title "of the I/Os, at issue" \
    }; \
    if (!curves && boxes && !small) { \
        eval before_plot; \
        plot $data index i - 1 using 1:(part(time_share)):(0.8) with boxes fillstyle solid 0.6 \
                linecolor rgb "#0072B2" title "of the time", \
            $data index i - 1 using 1:(part(seen_share)) with points pointtype 7 pointsize 0.9 \
                linecolor rgb "#D55E00" title "of the I/Os, at issue" \
    }; \
    if (!curves && (!boxes || small)) { \
        eval before_plot; \
        plot $data index i - 1 using 1:(part(time_share)) with impulses linecolor rgb "#0072B2" \
                title "of the time", \
            $data index i - 1 using 1:(part(seen_share)) with points pointtype (small ? 4 : 7) \
                pointsize 0.4 linecolor rgb "#D55E00" title "of the I/Os, at issue" \
    }; \
}
# include: end
