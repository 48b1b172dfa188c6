# Horizontal bars: one per row, followed by a comment. One panel per result, on a common scale. The
# plot defines: is_row(x), whether the row has a bar; label(x), its name, of at most `label_width`
# letters; bar_end(x), its length; bar_colour(x), a number; comment(x); and comment_room, the space
# for comments as a fraction of the longest bar.
names_font = crowded ? little : 1
shown = rows_that_fit(0)
label_width = larger(name_room(names_font), measured && !panels ? letters_in(0.42, 1) : 0)
text_font = sized(names_font)
set tics font text_font
set key off noautotitle
set ytics scale 0
own_y = 1
if (!small) { set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }

note(end) = (n = n + 1, n <= shown ? (comment_wide = larger(comment_wide, text_width(comment(0)))) : 0, n <= shown ? note_name(label(0)) : 0, high = n <= shown ? larger(high, end) : high)
comment_wide = 0
array n_of[count]
high = 0.0
do for [i = 1:count] { \
    n = 0; \
    stats $data index i - 1 using (is_row(0) ? (note(bar_end(0)), 1) : 1) nooutput; \
    n_of[i] = n; \
}
if (high <= 0) { exit status nothing }
# include: panels
do for [i = 1:count] { \
    n = n_of[i]; \
    set autoscale; \
    # include: panel
    set title title_of_rows(i, small ? 50 : 70, n); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    bars_reach = measured && pass == 2 ? smaller(8, x_room[next_plot(0)] / \
        larger(1, x_room[next_plot(0)] - comment_wide - 3)) : 1 + (compact ? 2.4 : columns == 1 ? 1 : 2) * comment_room; \
    set xrange [0:high > 0 ? bars_reach * high : 1]; \
    own_x = 1; \
    if (compact) { set xtics step(bars_reach * high, measured && pass == 2 ? \
        smaller(4, tics_wide(0, bars_reach * high, x_room[next_plot(0)])) : 4) }; \
    set yrange [(n < 6 ? 6 : n < shown ? n : shown) - 0.5:-0.5]; \
    eval before_plot; \
    plot $data index i - 1 every ::0::shown - 1 \
            using (0):0:(0):(bar_end(0)):($0 - half):($0 + half):(bar_colour(0)):ytic(label(0)) \
            with boxxyerror linecolor rgb variable fillstyle solid 1 border linecolor rgb "black", \
        $data index i - 1 every ::0::shown - 1 using (bar_end(0)):0:(comment(0)) \
            with labels left offset 1, 0 font text_font; \
}
# include: end
