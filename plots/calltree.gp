# Call tree as a flame graph. Each path of calls is a box above its caller, as wide as its total;
# roots are at the bottom. Callees of one caller are sorted by size, so the axis is an amount of
# time, not its course. Uncovered parts of a box are self time. A function has the same colour
# everywhere; colours have no other meaning. Grey represents many boxes that are too narrow. One
# panel per result, on a common scale.
#
# With --inverted, callers are above their callees. A box is as wide as the self time of the
# function at the bottom on this path.
#
# On a character terminal, a box is a line with its name, padded with dashes.
# Columns: 1 depth, 2 name, 4 total, 5 self (nanoseconds or counter units), self_share (only upside
# down); rows depth first.
#
# An SVG is drawn by the program, not by this file, with zoom and search; there a box is as wide as the
# self times beneath it are together, or as its total if that is more:
# svg: flame graph
# include: common
# include: boxes

lines = small ? 1 : (count + columns - 1) / columns
narrowest = 0.001

# Positions of the boxes. Rows come depth first: if a row is not deeper than the previous one, all
# callees at that depth are complete. A box is as wide as its total, or as its callees together if
# that is more: calls that never ended add nothing to a total. For each level (depth + 1), `node` is
# the box that may still grow, and `place` the start of the next one.
depths = 0
stats $data using (absent(1) ? 0 : (depths = larger(depths, int(column(1))), 0)) nooutput
array node[depths + 3]
array place[depths + 3]
array from[most_levels]
array to[most_levels]
array run_level[int(most_levels / narrowest) + most_levels]
array run_start[int(most_levels / narrowest) + most_levels]
array run_end[int(most_levels / narrowest) + most_levels]
array level[rows + 1]
array start[rows + 1]
array end[rows + 1]
close(l) = (end[node[l]] = larger(end[node[l]], place[l + 1]), (place[l] = end[node[l]]))
close_to(l) = deepest < l ? 0 : (sum [k = l:deepest] (close(deepest + l - k), 0))
enter(l, total) = (n = n + 1, close_to(l), deepest = l, (node[l] = n), (level[n] = l), \
    (start[n] = place[l]), (end[n] = start[n] + total), (place[l + 1] = start[n]))

upside_down = field("self_share") > 0
width_column = upside_down ? 5 : 4
begin_tree(x) = (n = 0, deepest = 0, (level[1] = 1), (start[1] = 0.0), (end[1] = 0.0), \
    unused = sum [k = 1:depths + 3] (place[k] = 0.0, 0), 0)
take_row(x) = absent(1) ? 0 : enter(int(column(1)) + 1, valid(width_column) ? column(width_column) : 0)

# All panels have the scale of the longest one.
whole = 0.0
do for [i = 1:count] { \
    unused = begin_tree(0); \
    stats $data index i - 1 using (take_row(0), 0) nooutput; \
    unused = close_to(1); \
    whole = larger(whole, place[1]); \
}
if (whole <= 0) { exit status nothing }

# Boxes to draw.
width(k) = end[k] - start[k]
is_deep(k) = level[k] > levels
is_narrow(k) = !is_deep(k) && width(k) < narrowest * whole
drawn(k) = k <= n && !is_deep(k) && !is_narrow(k)
left_out(x) = (narrow > 0 ? sprintf("; %s: %.0f narrower than %g %%", small ? "dots" : "grey", \
    narrow, 100 * narrowest) : "") \
    .(deep > 0 ? sprintf(small ? "; %.0f deeper" : "; left out: %.0f deeper than %d levels", \
    deep, levels) : "")

# Boxes too narrow to draw are merged with neighbours on the same level, in grey.
grow(l, k) = (to[l] = end[k])
begin_run(l, k) = (end_run(l), (from[l] = start[k]), (to[l] = end[k]))
end_run(l) = to[l] - from[l] < narrowest * whole ? 0 : (runs = runs + 1, (run_level[runs] = l), \
    (run_start[runs] = from[l]), (run_end[runs] = to[l]))
merge(k) = !is_narrow(k) ? 0 : from[level[k]] >= 0 && start[k] <= to[level[k]] + 1e-9 * whole ? \
    grow(level[k], k) : begin_run(level[k], k)
row(x) = int($0) + 1
run(x) = int($1 + 0.5)
colour(k) = drawn(k) ? colour_of(strcol(2)) : 0

room(k) = width(k) / whole * cells - 1

# Character terminals: cells from the start of this box to the start of the next one.
dotted = "................"
do for [k = 1:5] { dotted = dotted.dotted }
dots(length) = length < 1 ? "" : dotted[1:length]
cell(time) = floor(time / whole * cells + 0.5)

panel_title(i) = title_of_result(i, small ? 60 : 80)
text_font = sized(panels ? little : 1)

set lmargin small ? 3 : 4
set rmargin small ? 3 : 4
set tmargin small ? 2 : panels ? 1.7 : 3
set bmargin small ? 3 : panels ? 2.5 : 4
set tics out
all_height = 1 - foot - (panels ? 0.06 : 0.0)
set size 1.0 / columns, all_height / lines
do for [i = 1:count] { \
    if (small || i == 1) { \
        set multiplot title panels ? title_of_panels(0) : ""; \
    }; \
    set origin (i - 1) % columns * 1.0 / columns, \
        small ? 0 : foot + all_height * (1 - (1.0 + (i - 1) / columns) / lines); \
    unset border; \
    unset tics; \
    unset key; \
    unset title; \
    unset xlabel; \
    unset ylabel; \
    unset label; \
    own_x = 1; own_y = 1; \
    eval before_plot; \
    plot [0:1] [0:1] -1; \
    if (foot > 0 && i == 1) { \
        set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
            font little_font textcolor rgb "#505050"; \
    }; \
    \
    unused = begin_tree(0); \
    stats $data index i - 1 using (take_row(0), 0) nooutput; \
    unused = close_to(1); \
    levels = small ? int(GPVAL_TERM_YMAX - GPVAL_TERM_YMIN + 0.5) : most_levels; \
    top = 1; deep = 0; narrow = 0; \
    unused = sum [k = 1:n] (deep = deep + is_deep(k), narrow = narrow + is_narrow(k), \
        top = drawn(k) && level[k] > top ? level[k] : top, 0); \
    runs = 0; run_level[1] = 0; run_start[1] = 0.0; run_end[1] = 0.0; \
    unused = sum [k = 1:most_levels] ((from[k] = -1.0), (to[k] = -1.0), 0); \
    unused = sum [k = 1:n] (merge(k), 0); \
    unused = sum [k = 1:most_levels] (end_run(k), 0); \
    unused = sum [k = 1:runs] (top = larger(top, run_level[k]), 0); \
    height = small ? levels : top > (panels ? 10 : 16) ? top : panels ? 10 : 16; \
    \
    line_height = (GPVAL_TERM_YMAX - GPVAL_TERM_YMIN) / height; \
    line_height = line_height * GPVAL_TERM_SCALE / GPVAL_TERM_VCHAR; \
    size = floor(font_size(0) * (line_height > 0.8 ? 0.8 : line_height)); \
    size = larger(1, size); \
    cells = (GPVAL_TERM_XMAX - GPVAL_TERM_XMIN) \
        / (small ? 1 : 1.05 * GPVAL_TERM_HCHAR / GPVAL_TERM_SCALE * size / font_size(0)); \
    scale = scale_of(whole); \
    set border 1; \
    set title panel_title(i) font text_font offset 0, panels ? -0.4 : 0; \
    set xlabel (upside_down ? "self time (" : "time (").unit_of(scale).")".left_out(0) \
        font text_font offset 0, panels ? 1 : 0; \
    set xtics nomirror scale small ? 0 : 1 autofreq font text_font offset 0, panels ? 0.4 : 0; \
    set format x (scale == 1 && whole >= 1e5 ? "%.0f" : "%g"); \
    set label 1 (n == 0 ? "no data" : place[1] > 0 ? "" : "no call has a duration") \
        at graph 0.5, graph 0.5 center; \
    set xrange [0:whole > 0 ? whole / scale : 1]; \
    set yrange [0:height]; \
    own_x = 0; \
    if (n == 0 || place[1] == 0) { \
        plot -1; \
    } else { if (small) { \
        eval before_plot; \
        plot sample [1:larger(runs, 1):1] "+" \
            using (runs == 0 ? nowhere : cell(run_start[run(0)]) * whole / scale / cells): \
            (run_level[run(0)]):(dots(cell(run_end[run(0)]) - cell(run_start[run(0)]))) \
            with labels left title "many", \
            $data index i - 1 using \
            (drawn(row(0)) ? cell(start[row(0)]) * whole / scale / cells : nowhere): \
            (level[row(0)]):(line(cell(end[row(0)]) - cell(start[row(0)]), strcol(2))) \
            with labels left title "names"; \
    } else { \
        eval before_plot; \
        plot sample [1:larger(runs, 1):1] "+" using (runs == 0 ? NaN : 0):(0): \
                (run_start[run(0)] / scale):(run_end[run(0)] / scale): \
                (run_level[run(0)] - 1):(run_level[run(0)]) \
                with boxxyerror linecolor rgb "#D8D8D8" fillstyle solid 1 noborder title "many", \
            $data index i - 1 \
                using (drawn(row(0)) && width(row(0)) < 0.004 * whole ? 0 : NaN): \
                (0):(start[row(0)] / scale):(end[row(0)] / scale): \
                (level[row(0)] - 1):(level[row(0)]):(colour(row(0))) \
                with boxxyerror linecolor rgb variable fillstyle solid 1 noborder \
                title "calls", \
            $data index i - 1 \
                using (drawn(row(0)) && width(row(0)) >= 0.004 * whole ? 0 : NaN): \
                (0):(start[row(0)] / scale):(end[row(0)] / scale): \
                (level[row(0)] - 1):(level[row(0)]):(colour(row(0))) \
                with boxxyerror linecolor rgb variable linewidth 0.5 fillstyle solid 1 \
                border linecolor rgb "white" title "calls", \
            $data index i - 1 \
                using (drawn(row(0)) ? (start[row(0)] + 0.5 * whole / cells) / scale : nowhere): \
                (level[row(0)] - 0.5): \
                (drawn(row(0)) ? label_of(room(row(0)), strcol(2)) : "") \
                with labels left font sprintf(",%d", size) title "names"; \
    } }; \
    if (small || i == count) { \
        unset multiplot; \
    } \
}
# include: remarks
