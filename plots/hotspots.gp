# Time by item of a profile, at one or several resolutions, from coarse to fine: one bar per
# process, thread, method or loop. Dark is the time without probe overhead, light the overhead. The
# share of its parent, the number of calls and the rounds are next to the bar. One panel per result.
# Columns: 1 name, 2 resolution, 3 calls, 4 measured, 5 corrected (nanoseconds or counter units),
# 6 share (fraction), 7 rounds (where it was asked for a study).
# include: common
# include: axes

# More than 8 panels would be unreadable. There are four resolutions.
if (!measured) { count = panels && results > 8 ? 8 : results; columns = count <= 4 ? 1 : 2 }
part_of_font = crowded ? little : 1
text_font = sized(part_of_font)
comment_font = sized(smaller(part_of_font, 0.8))
label_width = name_room(part_of_font)
panel_left(i) = panels ? (i - 1) / panel_lines(0) * panel_width(0) : 0.0
panel_bottom(i) = foot + (panels ? panel_lines(0) - 1 - (i - 1) % panel_lines(0) : 0) * panel_height(0)

set tics font text_font
set ytics scale 0
own_y = 1
set key below samplen 2 font text_font
if (!small) { \
    set key @key_place reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# A result without rows has one row of NaN. The title names the resolution if all rows have the
# same.
spent(column_number) = valid(column_number) ? column(column_number) / scale : 0
longest(x) = larger(spent(4), spent(5))
names_font = part_of_font
note(total, resolution, length) = (n = n + 1, \
    n <= shown ? note_name(strcol(1)." (".strcol(2).")") : 0, high = n <= shown ? larger(high, total) : high, \
    beside = n <= shown ? larger(beside, length) : beside, \
    mixed = n > 1 && resolution ne common ? 1 : mixed, common = resolution)
name(x) = missing(3) ? "" : mixed && strcol(2) ne "" ? \
    shorten(strcol(1), label_width - strlen(strcol(2)) - 3)." (".strcol(2).")" : \
    shorten(strcol(1), label_width)
calls(number) = sprintf(number == 1 ? "%.0f call" : "%.0f calls", number)
comment(x) = missing(3) ? "" : \
    (valid(6) ? sprintf("%.1f %%, ", 100 * column(6)) : "").calls(column(3)) \
    .(valid(4) || valid(5) ? "" : ", no time") \
    .(!valid(7) ? "" : (strstrt(strcol(7), ",") > 0 ? ", rounds " : ", round ").strcol(7))
array n_of[count]
array beside_of[count]
array common_of[count]
array mixed_of[count]
high = 0.0
scale = 1.0
do for [i = 1:count] { \
    n = 0; beside = 0; mixed = 0; common = ""; \
    stats $data index i - 1 using (missing(3) ? 1 : \
        (note(longest(0), strcol(2), strlen(comment(0))), 1)) nooutput; \
    n_of[i] = n; beside_of[i] = beside; common_of[i] = common; mixed_of[i] = mixed; \
}
scale = scale_of(high)
names_length = smaller(names_length, label_width)

# Width of the panel without names and key, and number of letters of a comment that fit.
key_part = small || (panels && columns > 1) ? 0 : 16.0 / letters_in(1, points_drawn)
width_left = panel_width(0) - (small ? (names_length + 3.0) / term_width : names_part(0)) - key_part
letters_left = letters_in(larger(0.15, width_left), smaller(part_of_font, 0.8) * points_drawn)
room_for_bars(beside) = larger(0.25, 1 - ((measured ? 1.2 : 1) * beside + (panels ? 6.0 : 3.0)) / letters_left)
panel_title(i) = measured || in_page || no_title ? title_of_rows(i, 0, n) : (panels ? "" : (given_title ne "" ? given_title : report_title).": ") \
    .(n == 0 || mixed || common eq "" ? "" : common.(panels ? ": " : ", ")) \
    .cut(results > 1 ? result_name[i] : trace_names, small ? 30 : 50).some_shown(i, shown, n)
if (panels) { \
    set multiplot layout (count + columns - 1) / columns, columns columnsfirst downwards \
        title (given_title ne "" ? given_title : report_title) \
        .some_of_all(count, results, "results"); \
}
if (crowded && !measured) { \
    set xtics offset 0, 0.4; \
    set key spacing 0.8 samplen 1; \
    set tmargin 1.8; \
    set bmargin 2.5; \
}
if (panels && columns > 1) { \
    unset key; \
}
do for [i = 1:count] { \
    n = n_of[i]; beside = beside_of[i]; common = common_of[i]; mixed = mixed_of[i]; \
    set autoscale; \
    # include: panel
    set title panel_title(i) font text_font offset 0, crowded ? -0.4 : 0; \
    set format x (scale == 1 && high >= 1e5 ? "%.0f" : "%g"); \
    set xlabel "time (".unit_of(scale).")".(panels && columns > 1 ? \
        "; dark: corrected, light: measured" : "") \
        font text_font offset 0, crowded ? 1 : 0; \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    range = high > 0 ? high / scale / room_for_bars(beside) : 1.0; \
    set xrange [0:range]; \
    tic_step = step(range, columns == 1 && !small ? 8 : 5); \
    set xtics tic_step; \
    set yrange [(n < 6 ? 6 : n < shown ? n : shown) - 0.5:-0.5]; \
    eval before_plot; \
    plot $data index i - 1 every ::0::shown - 1 \
            using (0):0:(0):(spent(5)):($0 - half):($0 + half):ytic(name(0)) with boxxyerror \
            linecolor rgb "#0072B2" fillstyle solid 1 border linecolor rgb "black" \
            title "corrected", \
        $data index i - 1 every ::0::shown - 1 \
            using (0):0:(spent(5)):(longest(0)):($0 - half):($0 + half) with boxxyerror \
            linecolor rgb "#C3DFF0" fillstyle solid 1 border linecolor rgb "black" \
            title "measured", \
        $data index i - 1 every ::0::shown - 1 using (longest(0)):0:(comment(0)) \
            with labels left offset 1, 0 font comment_font notitle; \
}
# include: end
