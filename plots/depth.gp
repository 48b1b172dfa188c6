# Calls over time. Each thread has a panel with a box per call, from its begin to its end, above its
# caller. The threads with most calls come first. Calls that never ended are striped and extend to
# the end. If no call has an end, marks show the begins. A function has the same colour everywhere;
# colours have no other meaning. A box too small to be seen is omitted if another one is there,
# which keeps SVG and PDF small.
#
# On a character terminal, a box is a line with its name, padded with dashes.
# Columns: 1 time (nanoseconds since the start, or counter units), 3 name, 4 thread, 5 depth,
# 6 duration (nanoseconds or counter units), rows (that this one stands for).
# include: common
# include: boxes

# More panels would be unreadable; each result has its share of them. On character terminals,
# pictures follow one another.
count = small ? results : results > 4 ? 4 : results
most_threads = small ? 4 : 8 / count

# Axes use a suitable unit, with steps of 1, 2 or 5 times a power of ten. A clock without real time
# uses its own units.
second = has_clock ? 1e-9 : 1
scale_of(time) = !has_clock ? (time >= 1e6 ? 1e6 : 1) : \
    time >= 2 ? 1.0 : time >= 2e-3 ? 1e-3 : time >= 2e-6 ? 1e-6 : 1e-9
unit_of(scale) = !has_clock ? (scale > 1 ? "million " : "").duration_unit : \
    scale == 1 ? "s" : scale == 1e-3 ? "ms" : scale == 1e-6 ? "µs" : "ns"
name_of(time) = time == 0 ? "the start" : has_clock ? sprintf("%.9g s", time) : \
    sprintf("%.0f", time)
decimals(step) = step >= 0.9 ? 0 : ceil(-log10(step) - 1e-6)

# The first 500 threads of a result. A result without rows has one row of NaN. With --under, the
# lowest depth is not 0.
weight = field("rows")
array thread[500]
array calls[500]
array deepest[500]
add(name) = threads < 500 ? (threads = threads + 1, (thread[threads] = name), \
    (calls[threads] = 0), (deepest[threads] = 0), threads) : 0
find(name) = (found = 0, unused = sum [k = 1:threads] (thread[k] eq name ? (found = k) : 0), found)
known(name) = last > 0 && thread[last] eq name ? last : \
    (last = find(name), last = last > 0 ? last : add(name), last)
note_thread(t, depth) = ((calls[t] = calls[t] + column(weight)), (deepest[t] = larger(deepest[t], depth)))
note(t, time, duration, depth) = (n = n + 1, t > 0 ? note_thread(t, depth) : 0, \
    lowest = smaller(lowest, depth), begin = smaller(begin, time), \
    finish = larger(finish, time + larger(duration, 0)), ended = ended + (duration >= 0))
lasting(x) = valid(6) ? column(6) * second : -1
before(k, t) = calls[k] > calls[t] || (calls[k] == calls[t] && k < t) ? 1 : 0
rank(t) = 1 + (sum [k = 1:threads] before(k, t))

# Boxes to draw, of all panels of a result.
array panel[rows + 1]
array level[rows + 1]
array start[rows + 1]
array end[rows + 1]
array name[rows + 1]
array is_open[rows + 1]
array panel_of[500]
array full[most_threads * most_levels]
cell(time) = int((time - begin) / (finish - begin) * resolution)
draw(p, l, from, to, open, what) = (boxes = boxes + 1, (panel[boxes] = p), (level[boxes] = l), \
    (start[boxes] = from), (end[boxes] = to), (is_open[boxes] = open), (name[boxes] = what))
is_seen(slot, from, to) = cell(to) > cell(from) || full[slot] != cell(from)
fill(slot, from) = (full[slot] = cell(from))
place(p, l, from, to, open, what) = !is_seen((p - 1) * most_levels + l, from, to) ? 0 : \
    (fill((p - 1) * most_levels + l, from), draw(p, l, from, to, open, what))
panel_for(t) = t > 0 ? panel_of[t] : 501
take(p, l, time, duration, what) = p > most_threads || l > most_levels ? 0 : place(p, l, time, \
    duration >= 0 ? time + duration : ended > 0 ? finish : time, \
    duration < 0 && ended > 0, what)

# Character terminals: cells from the start of this box to the start of the next one.

# Number of panels, and of threads in total.
array panel_count[count]
array thread_count[count]
all_panels = 0
begin_result(x) = (n = 0, threads = 0, last = 0, ended = 0, lowest = 1000000)
begin = 1e300
finish = -1e300
do for [i = 1:count] { \
    unused = begin_result(0); \
    stats $data index i - 1 using \
        (absent(1) ? 0 : (note(known(strcol(4)), column(1) * second, lasting(0), int(column(5))), 0)) \
        nooutput; \
    thread_count[i] = threads; \
    panel_count[i] = threads < 1 ? 1 : threads > most_threads ? most_threads : threads; \
    all_panels = all_panels + panel_count[i]; \
}
if (finish < begin) { exit status nothing }
if (begin > 0 && begin < 0.2 * finish) { begin = 0.0 }
if (finish <= begin) { finish = begin + 1000 * second }
threads_drawn(i) = panel_count[i] >= thread_count[i] ? "" : title_drawn(results > 1 ? result_name[i].": " : "", \
    sprintf("%d of %s%d threads", panel_count[i], thread_count[i] == 500 ? "at least " : "", thread_count[i]))
title_of(i) = cut(given_title ne "" ? given_title : results > 1 && !small ? report_title : \
    report_title.": ".(results > 1 ? result_name[i] : trace_names), title_room(small ? 50 : 70)) \
    .some_panels(0) \
    .(count == 1 || small ? threads_drawn(i) : "")
levels_of(t) = deepest[t] - lowest + 1
prefix(i) = results == 1 || small ? "" : cut(result_name[i], 30).": "
thread_title(i, t) = n == 0 ? (results > 1 && !small ? cut(result_name[i], 30) : "") : \
    prefix(i).(thread[t] eq "" ? "no thread" : "thread ".shorten(thread[t], 40)) \
    .sprintf(", %.0f call%s", calls[t], calls[t] == 1 ? "" : "s") \
    .(levels_of(t) > levels ? sprintf(", %d of %d levels", levels, levels_of(t)) : "")

# Boxes of one panel, indexed by the samples of "+": wide ones with an edge, narrow ones without,
# and striped ones.
box(x) = int($1 + 0.5)
is_wide(k) = cell(end[k]) - cell(start[k]) > 4
kind(k) = is_open[k] ? 3 : is_wide(k) ? 2 : 1
left(k) = (start[k] - origin) / scale
right(k) = (larger(end[k], start[k] + (finish - begin) / resolution) - origin) / scale
at(k, wanted) = panel[k] != p || kind(k) != wanted ? NaN : left(k)
label_at(k) = panel[k] != p ? nowhere : left(k)
colour(k) = panel[k] == p ? colour_of(name[k]) : 0
room(k) = (end[k] - start[k]) / (finish - begin) * cells - 1
label(k) = panel[k] != p || kind(k) == 1 ? "" : label_of(room(k), name[k])
dashed(k) = panel[k] == p ? line(cell(end[k]) - cell(start[k]), name[k]) : ""

text_font = small ? "" : little_font
height = 0
line_height = 1
set key off noautotitle
set style fill solid 1
own_x = 1
own_y = 1
if (!small) { \
    set multiplot title title_of(1); \
    set lmargin at screen 0.04; \
    set rmargin at screen 0.97; \
    if (foot > 0) { \
        set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
            font little_font textcolor rgb "#505050"; \
    }; \
    unset border; \
    unset tics; \
    eval before_plot; \
    plot [0:1] [0:1] -1; \
    unset label 99; \
    line_height = 1.0 * GPVAL_TERM_VCHAR / GPVAL_TERM_YSIZE; \
    height = (1 - foot - 2.2 * line_height - 2.4 * line_height * count) / all_panels; \
    upper = 1 - 2.2 * line_height; \
    plot_width = (GPVAL_TERM_XMAX - GPVAL_TERM_XMIN) * GPVAL_TERM_SCALE / GPVAL_TERM_HCHAR / 1.05; \
    resolution = 800; \
    levels = most_levels; \
}
do for [i = 1:count] { \
    if (count > 1) { \
        unused = begin_result(0); \
        stats $data index i - 1 using \
            (absent(1) ? 0 : (note(known(strcol(4)), column(1) * second, lasting(0), int(column(5))), 0)) \
            nooutput; \
    }; \
    if (n == 0) { \
        lowest = 0; \
        threads = 1; calls[1] = 0; deepest[1] = 0; thread[1] = ""; \
    }; \
    unused = sum [k = 1:threads] ((panel_of[k] = rank(k)), 0); \
    unused = sum [k = 1:most_threads * most_levels] ((full[k] = -1), 0); \
    scale = scale_of(finish - begin); \
    origin = finish / scale < 1e5 ? 0.0 : floor(begin / scale / 1000) * 1000 * scale; \
    tic_step = step((finish - begin) / scale, small ? 5 : 8); \
    do for [p = 1:panel_count[i]] { \
        t = sum [k = 1:threads] (panel_of[k] == p ? k : 0); \
        unset tics; \
        unset xlabel; \
        unset title; \
        unset border; \
        if (small) { \
            set multiplot; \
            set tmargin 3; \
            set bmargin 3; \
            eval before_plot; \
            plot [0:1] [0:1] -1; \
            resolution = GPVAL_TERM_XMAX - GPVAL_TERM_XMIN; \
            levels = int(GPVAL_TERM_YMAX - GPVAL_TERM_YMIN + 0.5); \
            set title title_of(i)."\n".thread_title(i, t); \
        } else { \
            set tmargin at screen upper - line_height; \
            upper = upper - height; \
            set bmargin at screen upper + 0.3 * line_height; \
            set title thread_title(i, t) font text_font offset 0, -0.7; \
        }; \
        if (p == 1) { \
            boxes = 0; \
            stats $data index i - 1 using (absent(1) ? 0 : \
                (take(panel_for(known(strcol(4))), int(column(5)) - lowest + 1, \
                column(1) * second, lasting(0), strcol(3)), 0)) nooutput; \
        }; \
        set border 1; \
        if (small || p == panel_count[i]) { \
            set xtics tic_step; \
            set xtics nomirror out scale (small ? 0 : 0.6) font text_font \
                offset 0, small ? 0 : 0.4; \
            set format x sprintf("%%.%df", decimals(tic_step)); \
            set xlabel "time since ".name_of(origin)." (".unit_of(scale).")" font text_font \
                offset 0, small ? 0 : 1; \
        }; \
        top = n == 0 ? 1 : smaller(levels, levels_of(t)); \
        top = small ? levels : larger(top, int((height / line_height - 1.3) / 2.5)); \
        set xrange [(begin - origin) / scale:(finish - origin) / scale]; \
        set yrange [0:top]; \
        set label 1 (n == 0 ? "no data" : boxes > 0 ? "" : "too deep") \
            at graph 0.5, graph 0.5 center; \
        box_height = (height / line_height - 1.3) / top; \
        size = larger(1, floor(font_size(0) * smaller(0.7, 0.9 * box_height))); \
        cells = small ? resolution : plot_width / size * font_size(0); \
        pad = 0.5 * (finish - begin) / scale / cells; \
        if (boxes == 0) { \
            plot -1; \
        } else { if (small) { \
            eval before_plot; \
            plot sample [1:boxes:1] "+" using (label_at(box(0))):(level[box(0)]): \
                (dashed(box(0))) with labels left title "names"; \
        } else { \
            eval before_plot; \
            plot sample [1:boxes:1] "+" using (at(box(0), 1)):(0):(left(box(0))):(right(box(0))): \
                    (level[box(0)] - 1):(level[box(0)]):(colour(box(0))) \
                    with boxxyerror linecolor rgb variable fillstyle solid 1 noborder \
                    title "calls", \
                [1:boxes:1] "+" using (at(box(0), 2)):(0):(left(box(0))):(right(box(0))): \
                    (level[box(0)] - 1):(level[box(0)]):(colour(box(0))) \
                    with boxxyerror linecolor rgb variable linewidth 0.3 fillstyle solid 1 \
                    border linecolor rgb "white" title "calls", \
                [1:boxes:1] "+" using (at(box(0), 3)):(0):(left(box(0))):(right(box(0))): \
                    (level[box(0)] - 1):(level[box(0)]):(colour(box(0))) \
                    with boxxyerror linecolor rgb variable linewidth 0.3 fillstyle pattern 4 \
                    border linecolor rgb "white" title "calls", \
                [1:boxes:1] "+" using (label_at(box(0)) + pad): \
                    (level[box(0)] - 0.5):(label(box(0))) \
                    with labels left font sprintf(",%d", size) title "names"; \
        } }; \
        if (small) { \
            unset multiplot; \
        }; \
    }; \
    if (!small) { \
        upper = upper - 2.4 * line_height; \
    }; \
}
if (!small) { unset multiplot }
# include: remarks
