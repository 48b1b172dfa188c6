# File types within partitions: a bar of 100 % for each partition, stacked of the shares of the file
# types, in the same order and colours everywhere: the most frequent first. After the first seven
# colours follow the same ones striped. One panel a result.
# Columns: 1 partition, 2 file_type, 3 count, 4 share (fraction of the partition).
# include: common
# include: axes
colour(t) = word("#0072B2 #E69F00 #009E73 #CC79A7 #606060 #56B4E9 #D55E00", (t - 1) % 7 + 1)
pattern(t) = t <= 7 ? 3 : t <= 14 ? 4 : 5

label_width = columns == 1 ? 20 : 12

set xlabel "share of the I/Os in the partition (%)"
set ytics scale 0
set key outside right top samplen 2
if (!small) { \
    set key reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# The file types of all results. A result without rows has one of NaN.
array type[100]
array amount[100]
array slot[100]
types = 0
index_of(name) = (found = 0, unused = sum [k = 1:types] (type[k] eq name ? (found = k) : 0), found)
add(name) = types < 100 ? (types = types + 1, type[types] = name, amount[types] = 0, types) : 100
known(name) = (at = index_of(name), at > 0 ? at : add(name))
count_in(t, number) = (amount[t] = amount[t] + number)
stats $data using (absent(4) ? 1 : (count_in(known(strcol(2)), $3), 1)) nooutput

# Their order; those beyond the last that can be told apart are one.
most = small ? 6 : columns > 1 ? 9 : 20
before(k, t) = amount[k] > amount[t] || (amount[k] == amount[t] && k < t) ? 1 : 0
rank(t) = 1 + sum [k = 1:types] before(k, t)
slots = types > most ? most + 1 : types
array slot_name[most + 1]
do for [t = 1:types] { \
    slot[t] = rank(t) > most ? most + 1 : rank(t); \
    slot_name[slot[t]] = slot[t] > most ? "all others" : type[t]; \
}

# The partitions of a result, whose rows stand together, and where their bars end.
array partition[shown]
array share[shown * (most + 1)]
enter(name) = n > 0 && name eq last ? n : (n = n + 1, last = name, \
    n <= shown ? (partition[n] = name, n) : n)
fill(cell, value) = (share[cell] = share[cell] + value)
note(name, t, value) = enter(name) > shown ? 0 : fill((n - 1) * (most + 1) + slot[t], value)
left(p, t) = t < 2 ? 0 : sum [k = 1:t - 1] share[(p - 1) * (most + 1) + k]
tic_font = panels && columns > 1 ? ",9" : ""
panel_title(i) = title_of_result(i, small ? 50 : 70).shown_of(n)
# include: panels
if (panels && columns > 1) { set key font ",8" spacing 0.8 samplen 0.5 }
do for [i = 1:count] { \
    n = 0; last = ""; \
    do for [k = 1:shown * (most + 1)] { share[k] = 0.0 }; \
    set autoscale; \
    stats $data index i - 1 using \
        (absent(4) ? 1 : (note(strcol(1), known(strcol(2)), $4), 1)) nooutput; \
    bars = n < shown ? n : shown; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xrange [0:100]; \
    set yrange [(bars > 0 ? bars : 1) - 0.5:-0.5]; \
    unset ytics; \
    set ytics () scale 0 font tic_font; \
    do for [p = 1:bars] { set ytics add (cut(partition[p], label_width) p - 1) }; \
    set print $bar; \
    do for [t = 1:slots] { \
        do for [p = 1:bars > 0 ? bars : 1] { \
            print sprintf("%d\t%.6f\t%.6f", p - 1, 100 * left(p, t), 100 * left(p, t + 1)); \
        }; \
    }; \
    set print; \
    bars = bars > 0 ? bars : 1; \
    plot for [t = 1:slots] $bar every ::(t - 1) * bars::t * bars - 1 \
        using 2:1:2:3:($1 - half):($1 + half) with boxxyerror linecolor rgb colour(t) \
        fillstyle pattern pattern(t) border linecolor rgb "black" \
        title cut(slot_name[t], columns > 1 ? 14 : 24); \
}
if (panels) { unset multiplot }
