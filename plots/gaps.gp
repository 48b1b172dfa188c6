# Idle times: one vertical line each, at its start, as high as its length. One panel per result, on
# common scales.
# Columns: 1 start, since that of the trace, 2 end, 3 duration (nanoseconds or counter units).
# include: common
# include: axes
seconds(counted) = has_clock ? counted / 1e9 : counted

# The time axis begins at 0 unless the first gap is before it, or far from it (--from).
set ylabel fit_y(log_label("duration"))
set logscale y
log_y = 1
set key off noautotitle
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 5; \
}

# Omits lines that begin in the same 1200th of the time as a longer one, which hides them (rows are
# sorted, longest first). This keeps SVG and PDF small.
note(start, length) = (n = n + 1, low = length < low ? length : low, \
    high = length > high ? length : high, begin = start < begin ? start : begin, \
    end = start > end ? start : end)
array highest[1201]
drawn(start, length) = (place = int((start - begin) / (end - begin) * 1200) + 1, \
    highest[place] >= length ? NaN : (highest[place] = length, length))
panel_title(i) = title_and(i, small ? 50 : 70, \
    n > 20 && !measured ? " (dots: the 20 longest)" : "")
array n_of[count]
low = 1e300; high = 0.0; begin = 1e300; end = 0.0
do for [i = 1:count] { \
    n = 0; \
    stats $data index i - 1 using (absent(3) ? 1 : (note(seconds($1), $3), 1)) nooutput; \
    n_of[i] = n; \
}
if (high <= 0) { exit status nothing }
low = low > 0 ? low : 0.1 * high
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
if (end <= begin) { begin = 0.0; end = end > 0 ? end : 1.0 }
time_unit = has_clock ? unit_of_times(larger(end, -begin)) : 1
set xlabel fit_x("start of the gap".(has_clock ? " (".name_of_times(time_unit).")" : ""))
bottom = 10**floor(log10(low))
top = 10**ceil(log10(high) + 0.001)
# include: panels
do for [i = 1:count] { \
    n = n_of[i]; \
    # include: panel
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xrange [begin / time_unit:(end + 0.02 * (end - begin)) / time_unit]; \
    set yrange [bottom:top]; \
    do for [k = 1:1201] { highest[k] = 0 }; \
    eval log_tics("y", bottom, top, 1); \
    eval before_plot; \
    plot $data index i - 1 using (seconds($1) / time_unit):(absent(3) ? NaN : drawn(seconds($1), $3)) with impulses \
            linecolor rgb "#8DBDDD" linewidth 1 notitle, \
        $data index i - 1 every ::0::19 using (seconds($1) / time_unit):3 with impulses \
            linecolor rgb "#0072B2" linewidth 2, \
        $data index i - 1 every ::0::19 using (seconds($1) / time_unit):3 with points \
            linecolor rgb "#0072B2" pointtype 7 pointsize 0.8; \
}
# include: end
