# Events per second over time of the seven most frequent groups, or their mean number of running
# calls, or their share of time: a mark for each interval with any, joined by a line if every
# interval has one. One panel per result, on common scales.
# Columns: 1 time (seconds or counter units), 2 name, count and rate, or one of depth and share,
# rank.
# include: common
# include: axes
depth = field("depth")
share = field("share")
counts = depth > 0 ? depth : share > 0 ? share : field("count")
part = share > 0 ? 100 : 1
rank = field("rank")
drawn = small ? 4 : 7
rows_are = plural(word(column_names, 2))
note(x) = (n = n + 1, groups = larger(groups, column(rank)), begin = smaller(begin, $1), end = larger(end, $1), \
    high = larger(high, amount(0)), low = smaller(low, amount(0)), fast = larger(fast, missing(field("rate")) ? 0 : column(field("rate"))))
amount(x) = missing(counts) ? 0 : part * column(counts)
array n_of[count]
array groups_of[count]
high = 0.0; low = 0.0; fast = 0.0; begin = 1e300; end = 0.0
do for [i = 1:count] { \
    n = 0; groups = 0; \
    stats $data index i - 1 using (absent(1) ? 1 : (note(0), 1)) nooutput; \
    n_of[i] = n; groups_of[i] = groups; \
}
if (high <= low) { exit status nothing }
shown_column = fast > 0 ? field("rate") : counts
high = fast > 0 ? fast : high
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
if (end <= begin) { begin = 0.0; end = end > 0 ? end : 1.0 }
# include: since
set ylabel fit_y(depth > 0 ? "calls that run" : share > 0 ? "busy (%)" : fast > 0 ? "events per second" : "events")
set xrange [begin / time_unit:end / time_unit]
set yrange [1.05 * low:1.05 * high]
set key @key_place Left reverse samplen 1
if (!small) { set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }
# Rows of other groups do not interrupt a line of shares.
marked = share > 0 && !small ? "linespoints" : "points"
# Each result has its own groups.
array name[drawn]
put(k) = k <= drawn ? (names = larger(names, k), name[k] = (strcol(2) eq "" ? "(none)" : strcol(2))) : 0
find_names(x) = (k = int(column(rank)), put(k))
own_keys = 1
# include: panels
do for [i = 1:count] { \
    # include: panel
    do for [k = 1:drawn] { name[k] = "" }; \
    names = 0; \
    if (n_of[i] > 0) { stats $data index i - 1 using (find_names(0), 1) nooutput }; \
    set title title_and(i, small ? 50 : 70, some_shown(i, drawn, groups_of[i])); \
    set label 1 (n_of[i] > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    eval before_plot; \
    if (share > 0 && names > 0) { set datafile missing NaN } else { names = drawn; set datafile missing }; \
    plot for [k = 1:names] $data index i - 1 using \
        (!absent(1) && column(rank) == k ? $1 / time_unit : NaN):(part * column(shown_column)) with @marked \
        linecolor rgb palette_colour(k) pointtype palette_mark(k) pointsize 0.5 \
        title shorten(name[k], small ? 16 : 24); \
}
# include: end
