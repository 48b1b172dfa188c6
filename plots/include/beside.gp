# Vertical bars side by side, in per cent: `bars` of them for each row, which column 1 names. The
# plot defines: is_row(x), whether the row has any; bar_from(k) and bar_to(k), the ends of bar k
# (fractions; NaN: missing); bar_left(k) and bar_right(k), its edges relative to the row;
# bar_title(k), bar_colour(k), bar_pattern(k); and bar_label(k), the text above it.
set ylabel fit_y("share (%)")
set xtics scale 0
own_x = 1
set key @key_place samplen 2
if (!small) { \
    set key reverse Left; \
    set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

stats $data index 0 using (is_row(0) ? 1 : NaN) nooutput
set xrange [-0.6:larger(STATS_records, 1) - 0.4]
if (compact && STATS_records > 4) { set xtics rotate by -30 }
set yrange [0:110]
set ytics 20
panel_title(i) = title_of_result(i, small ? 60 : 80)
bar_font = bars > 2 && !small ? sized(0.8) : ""
percent(share) = columns > 1 ? "" : \
    sprintf(compact || (small && bars > 2) ? "%.0f" : "%.1f", 100 * share)
# include: panels
if (crowded) { set key font little_font spacing 0.95 samplen 1 }
do for [i = 1:count] { \
    # include: panel
    set title panel_title(i); \
    eval before_plot; \
    plot for [k = 1:bars] $data index i - 1 using 0:(100 * bar_to(k)):($0 + bar_left(k)): \
            ($0 + bar_right(k)):(100 * bar_from(k)):(100 * bar_to(k)):xtic(1) with boxxyerror \
            linecolor rgb bar_colour(k) fillstyle pattern bar_pattern(k) \
            border linecolor rgb "black" title bar_title(k), \
        for [k = 1:bars] $data index i - 1 \
            using (is_row(0) ? $0 + 0.5 * (bar_left(k) + bar_right(k)) : nowhere): \
            (bar_label(k) eq "" ? nowhere : 100 * bar_to(k)):(bar_label(k)) \
            with labels offset 0, 0.6 font bar_font notitle; \
}
# include: end
