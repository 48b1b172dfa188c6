# Operations over time: one dot per call, on the line of its name, most frequent at the top; names
# without a line share the last one. One panel per result, on a common time axis. Rows that would
# coincide were already removed (thin). With more than 20000 calls, or if rows are counts (heatmap),
# the picture shows the number per part of the time.
# Columns: 1 time (seconds since the start), 3 name, rank (of the name, by how many calls it has; all
# from the hundredth on have that), rows; or count and length (of an interval, as time) in place of rows.
# include: common
# include: axes
# include: heat
length = field("length")
weight = field(length > 0 ? "count" : "rows")

part_of_font = crowded ? little : small ? 1 : 0.8
text_font = sized(part_of_font)
label_width = larger(12, letters_in(0.35 * panel_width(0), part_of_font))
set ytics scale 0 font text_font
own_y = 1
set key off noautotitle
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 5; \
}

# Lines of a panel. If there are more names than lines, the last line is for all others.
rank_column = field("rank")
most = smaller(99, larger(3, small ? lines_in(1) - 8 : \
    int((lines_in(panel_height(0)) - 5) / part_of_font / 1.05)))
names_font = part_of_font
note(time, rank) = (all = all + 1, events = events + column(weight), \
    rank <= most ? note_name(shorten(strcol(3), label_width)) : 0, ranks = larger(ranks, rank), \
    begin = smaller(begin, time), end = larger(end, time + (length > 0 ? column(length) : 0)))
all = 0; events = 0; ranks = 0; begin = 1e300; end = 0.0
stats $data using (missing(rank_column) ? 0 : (note($1, column(rank_column)), 0)) nooutput
if (all == 0) { exit status nothing }
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
if (end <= begin) { begin = 0.0; end = end > 0 ? end : 1.0 }
# include: since
line_of(rank) = rank > lines || (rank == lines && n_ranks > lines) ? lines : rank
array name[most]
keep(line, what) = (name[line] = what)
keep_name(rank, what) = (n = n + 1, n_ranks = larger(n_ranks, rank), \
    rank <= most ? keep(rank, what) : 0)
panel_title(i) = title_of_result(i, small ? 60 : 80)

# The grid, and the middle of a cell. If rows are intervals, which each result has its own, cells
# are several intervals wide to be visible. Each panel has its own colour scale.
array first_time[count]
array cell_length[count]
note_grid(i) = (length > 0 ? ((first_time[i] = smaller(first_time[i], $1)), \
    (cell_length[i] = larger(1, ceil((end - begin) / heat_wide / column(length))) * column(length))) : 0)
do for [i = 1:count] { \
    first_time[i] = length > 0 ? 1e300 : begin; cell_length[i] = (end - begin) / heat_wide; \
    stats $data index i - 1 using (missing(rank_column) ? 0 : (note_grid(i), 0)) nooutput; \
    first_time[i] = smaller(first_time[i], end); \
}
cell(time) = floor((time - first_time[i]) / cell_length[i] + 1e-6)
fill(x) = heat_add(cell($1), line_of(int(column(rank_column))) - 1, column(weight))
cell_time(u) = (first_time[i] + (u + 0.5) * cell_length[i]) / time_unit
is_counted = !small && (length > 0 || is_dense(events))
if (is_counted) { \
    set cblabel "calls" font little_font; \
    set cbtics font little_font; \
    set rmargin -1; \
}
own_keys = 1
# include: panels
do for [i = 1:count] { \
    n = 0; n_ranks = 0; \
    do for [k = 1:most] { name[k] = "" }; \
    # include: panel
    set autoscale; \
    stats $data index i - 1 using (missing(rank_column) ? 0 : \
        (keep_name(int(column(rank_column)), strcol(3)), 0)) nooutput; \
    lines = larger(1, smaller(most, n_ranks)); \
    if (n_ranks > lines) { name[lines] = "all others" }; \
    if (is_counted) { \
        unused = heat_size(ceil((end - first_time[i]) / cell_length[i] - 1e-6), lines); \
        stats $data index i - 1 using (missing(rank_column) ? 0 : (fill(0), 0)) nooutput; \
        set cbrange [log(2):heat_range(heat_most(0))]; \
    }; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xrange [begin / time_unit:end / time_unit]; \
    set yrange [lines + 0.5:0.5]; \
    unset ytics; \
    own_y = 1; set ytics () scale 0 font text_font; \
    do for [k = 1:n > 0 ? lines : 0] { set ytics add (tic_label(shorten(name[k], label_width)) k) }; \
    if (is_counted) { \
        set datafile separator whitespace; \
        eval before_plot; \
        plot sample [u=0:heat_columns - 1:1] [v=0:heat_rows - 1:1] '++' \
            using (cell_time($1)):($2 + 1):(heat_colour($1, $2)) with image notitle; \
        set datafile separator "\t"; \
    } else { eval before_plot; plot $data index i - 1 using (missing(rank_column) ? NaN : $1 / time_unit): \
        (line_of(int(column(rank_column)))) with points \
        pointtype (small ? 0 : 7) pointsize (n > 5000 ? 0.2 : 0.4) linecolor rgb "#0072B2"; }; \
}
# include: end
