# Which operation when: a dot for each call, on the line of its name, the names with most calls at the
# top; those for which there is no line share the last. One panel a result, all with the same times.
# Rows that would lie on others have been left out already (thin). Beyond 20000 calls the picture shows how
# many there are in each part of the time instead.
# Columns: 1 time (seconds since the start), 3 name, rank (of the name, by how many calls it has; all
# from the hundredth on have that), rows.
# include: common
# include: axes
# include: heat
weight = field("rows")

part_of_font = panels && count > 2 ? little : small ? 1 : 0.8
text_font = sized(part_of_font)
label_width = larger(12, letters_in(0.35 * panel_width(0), part_of_font))
set ytics scale 0 font text_font
unset key
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 5; \
}

# Lines of a panel, the last of which is for all others where there are more names.
rank_column = field("rank")
most = smaller(99, larger(3, small ? lines_in(1) - 8 : \
    int((lines_in(panel_height(0)) - 5) / part_of_font / 1.05)))
names_font = part_of_font
note(time, rank) = (all = all + 1, events = events + column(weight), \
    rank <= most ? note_name(shorten(strcol(3), label_width)) : 0, ranks = larger(ranks, rank), \
    begin = smaller(begin, time), end = larger(end, time))
all = 0; events = 0; ranks = 0; begin = 1e300; end = 0.0
stats $data using (missing(rank_column) ? 0 : (note($1, column(rank_column)), 0)) nooutput
if (all == 0) { exit status nothing }
if (begin < 0.2 * end) { begin = 0.0 }
if (end <= begin) { begin = 0.0; end = end > 0 ? end : 1.0 }
# include: since
line_of(rank) = rank > lines || (rank == lines && n_ranks > lines) ? lines : rank
array name[most]
keep(line, what) = (name[line] = what)
keep_name(rank, what) = (n = n + 1, n_ranks = larger(n_ranks, rank), \
    rank <= most ? keep(rank, what) : 0)
panel_title(i) = title_of_result(i, small ? 60 : 80)

# The grid, and where the middle of a cell is. Each panel has colours of its own scale.
fill(x) = heat_add(1.0 * heat_wide * ($1 - begin) / (end - begin), line_of(int(column(rank_column))) - 1, column(weight))
cell_time(u) = (begin + (u + 0.5) / heat_wide * (end - begin)) / time_unit
if (is_dense(events)) { \
    set cblabel "calls" offset -1, 0 font little_font; \
    set cbtics font little_font; \
    set rmargin -1; \
}
# include: panels
do for [i = 1:count] { \
    n = 0; n_ranks = 0; \
    # include: panel
    set autoscale; \
    stats $data index i - 1 using (missing(rank_column) ? 0 : \
        (keep_name(int(column(rank_column)), strcol(3)), 0)) nooutput; \
    lines = larger(1, smaller(most, n_ranks)); \
    if (n_ranks > lines) { name[lines] = "all others" }; \
    if (is_dense(events)) { \
        unused = heat_size(heat_wide, lines); \
        stats $data index i - 1 using (missing(rank_column) ? 0 : (fill(0), 0)) nooutput; \
        set cbrange [log(2):heat_range(heat_most(0))]; \
    }; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xrange [begin / time_unit:end / time_unit]; \
    set yrange [lines + 0.5:0.5]; \
    unset ytics; \
    set ytics () scale 0 font text_font; \
    do for [k = 1:n > 0 ? lines : 0] { set ytics add (shorten(name[k], label_width) k) }; \
    if (is_dense(events)) { \
        set datafile separator whitespace; \
        plot sample [u=0:heat_wide - 1:1] [v=0:heat_rows - 1:1] '++' \
            using (cell_time($1)):($2 + 1):(heat_colour($1, $2)) with image notitle; \
        set datafile separator "\t"; \
    } else { plot $data index i - 1 using (missing(rank_column) ? NaN : $1 / time_unit): \
        (line_of(int(column(rank_column)))) with points \
        pointtype (small ? 0 : 7) pointsize (n > 5000 ? 0.2 : 0.4) linecolor rgb "#0072B2"; }; \
}
# include: end
