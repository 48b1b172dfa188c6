# The most frequent sequences of operations, as bars with their names. One panel per result, on a
# common scale.
# Columns: 1 rank, 2 sequence, 4 share (fraction).
# include: common
# include: axes

names_font = crowded ? little : 1
label_width = larger(name_room(names_font), measured && !panels ? letters_in(0.5, 1) : 0)

set xlabel fit_x("share of all sequences (%)")
set key off noautotitle
set style fill solid 1 border linecolor rgb "black"
if (!small) { \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 4; \
}

note(share) = (n = n + 1, n <= shown ? note_name(cut(strcol(2), label_width)) : 0, high = n <= shown ? larger(high, share) : high)
array n_of[count]
high = 0.0
do for [i = 1:count] { \
    n = 0; \
    stats $data index i - 1 using (absent(4) ? 1 : (note($4), 1)) nooutput; \
    n_of[i] = n; \
}
panel_title(i) = title_of_rows(i, small ? 50 : 70, n)
# include: panels
do for [i = 1:count] { \
    n = n_of[i]; \
    set autoscale; \
    # include: panel
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xrange [0:high > 0 ? 105 * high : 1]; \
    set yrange [(n < shown ? (n > 0 ? n : 1) : shown) + 0.5:0.5]; \
    eval before_plot; \
    plot $data index i - 1 every ::0::shown - 1 \
        using (0):1:(0):(100 * $4):($1 - half):($1 + half): \
        ytic(cut(strcol(2), label_width)) with boxxyerror linecolor rgb "#0072B2"; \
}
# include: end
