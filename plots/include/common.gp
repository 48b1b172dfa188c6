# What most pictures need. It defines, and sets nothing; a plot may define it anew.

# Drawn with characters: what does not fit there is left out.
small = GPVAL_TERM eq "dumb"

# Of a long text the beginning, of a name the end, which tells more.
cut(text, n) = strlen(text) > n ? text[1:n - 1]."…" : text
shorten(name, n) = strlen(name) > n ? name[1:n / 3]."…".name[strlen(name) - n + n / 3 + 2:*] : name
larger(a, b) = a > b ? a : b
smaller(a, b) = a < b ? a : b

# One panel a result. The terminal's characters are too few for panels: there one picture follows
# the other. Elsewhere more than 6 would be too small to read.
panels = results > 1 && !small
count = panels && results > 6 ? 6 : results
columns = count <= 3 ? 1 : 2

# Rows that a panel shows as bars, and half the width of one.
shown = small ? 16 : results == 1 ? 20 : results == 2 ? 10 : 6
half = small ? 0 : 0.4

# Titles, of `width` characters: of all results in one picture, of all panels, of one, with how many
# of n rows are shown there.
title_of_all(width) = cut(results > 1 ? report_title : report_title.": ".trace_names, width)
title_of_panels(x) = \
    report_title.(count < results ? sprintf(" (%d of %d traces)", count, results) : "")
title_of_result(i, width) = cut(panels ? result_name[i] : \
    report_title.": ".(results > 1 ? result_name[i] : trace_names), width)
shown_of(n) = n > shown ? sprintf(" (%d of %d)", shown, n) : ""

# A result without rows has one of NaN. Where the first column is a name, which may be that or
# missing, the column itself tells.
absent(column) = strcol(1) eq "NaN" || !valid(column)
missing(column) = strcol(column) eq "NaN" || !valid(column)

# gnuplot 5.4 crashes when a plot of labels has one point and its place is NaN: a label that is not
# wanted stands outside of the picture.
nowhere = -1e9

# Durations are in the unit that fits. A clock that is not real counts in units of its own.
has_clock = duration_unit eq "ns"
scale_of(time) = !has_clock ? (time >= 1e6 ? 1e6 : 1) : \
    time >= 2e9 ? 1e9 : time >= 2e6 ? 1e6 : time >= 2e3 ? 1e3 : 1
unit_of(scale) = !has_clock ? (scale > 1 ? "million " : "").duration_unit : \
    scale == 1e9 ? "s" : scale == 1e6 ? "ms" : scale == 1e3 ? "µs" : "ns"

# A step for the axis: 1, 2 or 5 and zeros, at most so many.
step(range, most) = (least = 1.0 * range / most, power = 10.0**floor(log10(least)), \
    power * (least <= 1.000001 * power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10))

# Results of one picture are told apart by colour, marks and dashes.
palette_colour(i) = word("#0072B2 #E69F00 #009E73 #CC79A7 #000000 #56B4E9 #D55E00", (i - 1) % 7 + 1)
palette_mark(i) = int(word("7 4 9 6 5 8 13", (i - 1) % 7 + 1))
palette_dashes(i) = (i - 1) % 5 + 1

# Classes of I/O: colour tells reads from writes; synchronous ones are striped.
class(c) = word("read readsync write writesync other", c)
class_colour(c) = word("#0072B2 #0072B2 #E69F00 #E69F00 #606060", c)
class_tint(c) = c == 2 ? "#D4E8F5" : "#FBEBC8"
class_pattern(c) = int(word("3 4 3 5 0", c))
