# The most frequent sequences of operations as bars with their names. One panel a result.
# Columns: 1 rank, 2 sequence, 4 share (fraction).
small = GPVAL_TERM eq "dumb"
cut(text, n) = strlen(text) > n ? text[1:n - 1]."…" : text
shown = small ? 16 : results == 1 ? 20 : results == 2 ? 10 : 6
half = small ? 0 : 0.4

# The terminal's characters are too few for panels: there one picture follows the other. Elsewhere
# more than 6 would be too small to read.
panels = results > 1 && !small
count = panels && results > 6 ? 6 : results
columns = count <= 3 ? 1 : 2
label_width = columns == 1 ? 45 : 30

set xlabel "share of all sequences (%)"
set border 3
set tics nomirror
unset key
set style fill solid 1 border linecolor rgb "black"
if (!small) { \
    set tics out; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 4; \
}

# A result without rows has one of NaN.
absent(column) = strcol(1) eq "NaN" || !valid(column)
note(share) = (n = n + 1, high = share > high ? share : high)
panel_title(i) = cut(panels ? result_name[i] : \
    report_title.": ".(results > 1 ? result_name[i] : trace_names), small ? 50 : 70) \
    .(n > shown ? sprintf(" (%d of %d)", shown, n) : "")
if (panels) { \
    set multiplot layout (count + columns - 1) / columns, columns \
        title report_title.(count < results ? sprintf(" (%d of %d traces)", count, results) : ""); \
}
if (panels && columns > 1) { \
    set tics font ",9"; \
    set title font ",9"; \
    set xlabel font ",9"; \
    set ylabel font ",9"; \
}
do for [i = 1:count] { \
    n = 0; high = 0.0; \
    set autoscale; \
    stats $data index i - 1 using (absent(4) ? 1 : (note($4), 1)) nooutput; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xrange [0:high > 0 ? 105 * high : 1]; \
    set yrange [(n < shown ? (n > 0 ? n : 1) : shown) + 0.5:0.5]; \
    plot $data index i - 1 every ::0::shown - 1 \
        using (0):1:(0):(100 * $4):($1 - half):($1 + half): \
        ytic(cut(strcol(2), label_width)) with boxxyerror linecolor rgb "#0072B2"; \
}
if (panels) { \
    unset multiplot; \
}
