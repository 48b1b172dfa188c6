# States of threads over time: one bar per thread, longest running at the top; above them one per
# processor that runs a thread. States differ in height and brightness, to be readable without
# colours. One panel per result, on a common time axis. Of states at one place, there are at most
# one running and one other, each drawn as long as all of its kind (thin).
# Columns: 1 time (seconds since the start), 2 duration (nanoseconds or counter units), 3 thread, 4 state,
# 5 processor, rank (of the thread, by how long it ran), ran (number of threads that ran), weight (sum of
# the durations).
# include: common
# include: axes
part_of_font = crowded ? little : small ? 1 : 0.8
text_font = sized(part_of_font)
label_width = larger(12, letters_in(0.25 * panel_width(0), part_of_font))
names_font = part_of_font
own_y = 1
set ytics scale 0 font text_font
set key outside above center horizontal reverse Left samplen 1 font text_font
if (small || letters_in(1, part_of_font) < 95) { unset key }
if (!small) { set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }

# Boxes of a state; later states are drawn over earlier ones.
kinds = 5
array kind_title[kinds] = ["sleeping", "stopped", small || letters_in(1, part_of_font) < 80 ? "waiting" : "waiting for a processor", \
    "uninterruptible", "running"]
array kind_colour[kinds] = ["#B8B8B8", "#CC79A7", "#F5B83D", "#000000", "#0072B2"]
array kind_half[kinds] = [0.06, 0.15, 0.4, 0.2, 0.4]
array kind_letter[kinds] = [".", "s", "w", "D", "#"]
kind_of(state) = state eq "running" ? 5 : state eq "uninterruptible" ? 4 : \
    state eq "preempted" || state eq "woken" ? 3 : \
    state eq "stopped" || state eq "traced" || state eq "parked" ? 2 : \
    state eq "sleeping" || state eq "idle" ? 1 : 0

rank_column = field("rank")
ran_column = field("ran")
weight_column = field("weight")
second = has_clock ? 1e-9 : 1
lasts(x) = !absent(1) && !missing(2)
# End of what is drawn of the rows at one place.
until(x) = smaller(end, $1 + column(weight_column) * second)
most = larger(2, small ? lines_in(1) - 8 : int((lines_in(panel_height(0)) - 5) / part_of_font / 1.05))
most_processors = smaller(64, larger(1, int(most / 3)))
most_threads = 40
of_thread(x) = !missing(rank_column) && column(rank_column) <= most_threads
note(x) = (all = all + 1, begin = smaller(begin, $1), end = larger(end, $1 + $2 * second), \
    of_thread(0) ? note_name(shorten(strcol(3), label_width)) : 0)
all = 0; begin = 1e300; end = 0.0
stats $data using (lasts(0) ? (note(0), 0) : 0) nooutput
if (all == 0) { exit status nothing }
unused = note_name("processor 10")
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
if (end <= begin) { begin = 0.0; end = end > 0 ? end : 1.0 }
# include: since
thinnest = (end - begin) / 2000
# Character terminals: as many characters as the bar is wide, at least one.
cell(time) = int((time - begin) / (end - begin) * cells)
letters(k) = (wide = larger(1, cell(until(0)) - cell($1)), many = kind_letter[k], \
    unused = sum [m = 1:8] (strlen(many) < wide ? ((many = many.many), 0) : 0), many[1:wide])
letters_at(line, k) = line < 1 || !lasts(0) || kind_of(strcol(4)) != k ? "" : letters(k)
place_at(line) = line < 1 || !lasts(0) ? nowhere : line

# Lines of a panel: processors by number, and threads by rank.
array name[most_threads]
keep(rank, what) = ((name[rank] = what), threads = larger(threads, rank), n = n + 1)
# Of more than most_threads, only those that ran are counted.
note_ran(x) = missing(ran_column) ? 0 : (ran = int(column(ran_column)))
note_processor(number) = number < 0 || number > 4095 || strstrt(seen, sprintf(" %d ", number)) ? 0 : \
    (seen = seen.sprintf("%d ", number), last_processor = larger(last_processor, number))
take(x) = (note_ran(0), (of_thread(0) ? keep(int(column(rank_column)), strcol(3)) : 0), \
    strcol(4) eq "running" && !missing(5) ? note_processor(int($5)) : 0)
processor_line(number) = (place = 0, \
    unused = sum [k = 1:processors] (word(shown_processors, k) eq sprintf("%d", number) ? (place = k) : 0), place)
thread_line(rank) = rank > threads_shown ? 0 : processors + 0.5 + rank
line_of(x) = of_thread(0) ? thread_line(int(column(rank_column))) : 0
processor_of(x) = missing(5) ? 0 : processor_line(int($5))
at(line, kind) = line < 1 || !lasts(0) || kind_of(strcol(4)) != kind ? NaN : line
left(x) = $1 / time_unit
right(x) = larger(until(0), $1 + thinnest) / time_unit
# include: panels
do for [i = 1:count] { \
    n = 0; threads = 0; ran = 0; seen = " "; last_processor = -1; \
    do for [k = 1:most_threads] { name[k] = "" }; \
    # include: panel
    set autoscale; \
    stats $data index i - 1 using (lasts(0) ? (take(0), 0) : of_thread(0) ? (name[int(column(rank_column))] = strcol(3), 0) : 0) nooutput; \
    shown_processors = ""; processors = 0; \
    do for [k = 0:last_processor] { \
        if (processors < most_processors && strstrt(seen, sprintf(" %d ", k))) { \
            processors = processors + 1; shown_processors = shown_processors.sprintf("%d ", k); \
        } \
    }; \
    threads_shown = larger(1, smaller(threads, most - processors)); \
    lines = processors + threads_shown + 0.5; \
    set title title_and(i, small ? 50 : 70, \
        some_of_all(threads_shown, ran, ran > most_threads ? "threads that ran" : "threads") \
        .(processors_shown = some_of_all(processors, words(seen), "processors"), measured ? "" : processors_shown)) \
        .(small ? "\n# running, w waiting, D uninterruptible, s stopped, . sleeping" : ""); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xrange [begin / time_unit:end / time_unit]; \
    set yrange [lines + 0.6:0.4]; \
    unset ytics; \
    own_y = 1; set ytics () scale 0 font text_font; \
    do for [k = 1:processors] { set ytics add ("processor ".word(shown_processors, k) k) }; \
    do for [k = 1:n > 0 ? threads_shown : 0] { \
        set ytics add (tic_label(shorten(name[k], label_width)) processors + 0.5 + k) \
    }; \
    eval before_plot; \
    if (small) { \
        set multiplot; \
        plot [begin / time_unit:end / time_unit] -1 notitle; \
        cells = GPVAL_TERM_XMAX - GPVAL_TERM_XMIN; \
        plot for [k = 1:kinds] $data index i - 1 using (left(0)):(place_at(line_of(0))): \
            (letters_at(line_of(0), k)) with labels left notitle, \
        $data index i - 1 using (left(0)):(place_at(processor_of(0))):(letters_at(processor_of(0), kinds)) \
            with labels left notitle; \
        unset multiplot; \
    } else { \
        plot for [k = 1:kinds] $data index i - 1 using (left(0)):(at(line_of(0), k)):(left(0)):(right(0)): \
            (line_of(0) - kind_half[k]):(line_of(0) + kind_half[k]) \
            with boxxyerror fillstyle solid 1 noborder linecolor rgb kind_colour[k] notitle, \
        $data index i - 1 using (left(0)):(at(processor_of(0), kinds)):(left(0)):(right(0)): \
            (processor_of(0) - 0.4):(processor_of(0) + 0.4) \
            with boxxyerror fillstyle solid 1 noborder linecolor rgb kind_colour[kinds] notitle, \
        for [k = kinds:1:-1] keyentry with lines linewidth 24 * kind_half[k] linecolor rgb kind_colour[k] \
            title kind_title[k]; \
    }; \
}
# include: end
