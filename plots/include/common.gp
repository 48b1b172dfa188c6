# Definitions that most pictures need. It sets dashes alone; a plot can override definitions.

# Character terminals; details that do not fit are omitted.
small = GPVAL_TERM eq "dumb"
# TeX typesets the texts, all in one size.
is_tex = GPVAL_TERM eq "cairolatex"

larger(a, b) = a > b ? a : b
smaller(a, b) = a < b ? a : b

# Size of the picture in the unit of its fonts (pixels or points), and height of a letter in the
# usual font, as gnuplot reports them for the terminal. Characters count as squares.
after(text, part) = strstrt(text, part) > 0 ? text[strstrt(text, part) + strlen(part):*] : ""
number_end(text) = (stop = 0, unused = sum [k = 1:strlen(text)] \
    (stop == 0 && strstrt("0123456789.", text[k:k]) == 0 ? (stop = k) : 0), \
    stop > 0 ? stop - 1 : strlen(text))
number_of(text) = number_end(text) > 0 ? real(text[1:number_end(text)]) : 0
points(text) = number_of(text) * (text[number_end(text) + 1:number_end(text) + 2] eq "cm" ? 72 / 2.54 : \
    text[number_end(text) + 1:number_end(text) + 2] eq "in" ? 72 : 1)
unblanked(text) = strlen(text) > 1 && text[1:1] eq " " ? text[2:*] : text
or_else(number, other) = number > 0 ? number : other
term_size = after(terminal_options, "size ")
term_font = after(terminal_options, "font ")
fontscale = or_else(number_of(after(terminal_options, "fontscale ")), 1)
term_width = or_else(points(term_size), small ? 80 : 640)
term_height = or_else(points(unblanked(after(term_size, ","))), small ? 24 : 480)
base_size = or_else(number_of(after(term_font, ",")), 12)
letter = small ? 1 : base_size * fontscale
# cairo scales font sizes from points to pixels, in a PDF as well; the letters of TeX are narrower.
points_drawn = small || is_tex || GPVAL_TERM eq "svg" ? 1 : 4 / 3.0

# Settings of the program. in_page: the picture is part of a page, which has its own title and
# notes. Also the smallest readable fraction of the usual font, and options of the command. `layout`
# is "overlay" or "panels" if requested; only for plots with a line `# layouts:`.
if (!exists("in_page")) { in_page = 0 }
if (!exists("least_part")) { least_part = 0 }
if (!exists("no_title")) { no_title = 0 }
if (!exists("no_notes")) { no_notes = 0 }
if (!exists("has_caption")) { has_caption = 0 }
if (!exists("is_mono")) { is_mono = 0 }
if (!exists("layout")) { layout = "" }
# 1 and 2 for the first and second drawing of a picture with an explicit size, else 0 (see
# before_plot).
if (!exists("pass")) { pass = 0 }

# Narrow picture, such as a column of a paper: uses a compact layout.
letter_drawn = letter * (is_tex ? 4 / 3.0 : points_drawn)
compact = in_page || (!small && (term_width < 105 * 0.56 * letter_drawn || \
    term_height < 22 * 1.55 * letter_drawn))
# In a page, widths are estimated by number of letters; elsewhere they are measured.
measured = compact && !in_page
if (measured) { letter = letter_drawn; points_drawn = 1 }

# Number of letters of a font that fit into a fraction of the picture's width, and of lines for its
# height; and smaller fonts for labels of bars, for panels, and for notes.
letters_in(part, font) = int(part * term_width / (small ? 1 : (is_tex ? 0.5 : 0.56) * letter * font))
lines_in(part) = int(part * term_height / (small ? 1 : 1.55 * letter))
# In a page all letters have the same size, because narrow screens show pictures at half size.
sized(part) = sprintf(",%.3g", base_size * larger(part, in_page ? 1 : least_part))
little = in_page ? 1 : larger(compact ? 0.75 : 0.65, least_part)

# Position of keys that need their own space, as macro @key_place.
key_place = measured ? 'tmargin center horizontal width -1 spacing 0.9 font "'.sized(little).'"' : \
    in_page ? "tmargin center horizontal" : "outside right top vertical". \
    (!small && results > 6 ? ' spacing 0.9 font "'.sized(little).'"' : "")
little_font = sized(little)
# gnuplot reserves space for the names of a key as if they had the usual font, in an SVG of wide
# letters. What is too much for names of so many letters, for `set key width`.
key_slack(letters) = !measured ? 0 : (GPVAL_TERM eq "svg" ? -0.3 : -0.15) * letters
# And of keys below the axis: gnuplot puts them too close to its label.
key_below = "outside below horizontal".(small ? "" : " height 1")

# Lengths of the common prefix and suffix of all names of results, which are omitted if space is
# scarce.
letter_of(text, k) = k < 1 || k > strlen(text) ? "" : text[k:k]
name_start = 0; name_end = 0
do for [k = 1:results > 1 ? strlen(result_name[1]) : 0] { \
    if (name_start == k - 1 && (sum [r = 1:results] (letter_of(result_name[r], k) eq letter_of(result_name[1], k))) == results) { name_start = k }; \
    if (name_end == k - 1 && (sum [r = 1:results] (letter_of(result_name[r], strlen(result_name[r]) + 1 - k) eq \
        letter_of(result_name[1], strlen(result_name[1]) + 1 - k))) == results) { name_end = k }; \
}
own_part(name) = strlen(name) <= name_start + name_end ? name : (name_start > 2 ? "…" : name[1:name_start]) \
    .name[name_start + 1:strlen(name) - name_end].(name_end > 2 ? "…" : name[strlen(name) + 1 - name_end:*])
short_name(i, n) = strlen(result_name[i]) <= n ? result_name[i] : shorten(own_part(result_name[i]), n)

key_sample = small || results > 6 ? 2 : 4
# Keys of many curves at @key_place: number of lines, and letters per name. Curves without a line
# are not distinguished; the last line tells their number.
key_lines(x) = larger(2, int(lines_in(panel_height(0)) * (measured ? 0.36 : 0.95) / (measured ? 0.7 : 0.8)))
key_letters_wide(x) = letters_in(measured ? 1.9 * beside_middle(0) : in_page ? 0.9 * panel_width(0) : 0.4 * panel_width(0), \
    little * points_drawn)
key_columns(n, least) = smaller(ceil(1.0 * n / key_lines(0)), \
    larger(1, int(key_letters_wide(0) / (least + key_sample + 5.5))))
key_room(n, most) = small ? most : larger(5, smaller(most, int(key_letters_wide(0) / key_columns(n, 8) - key_sample - 5.5)))
key_named(n) = smaller(n, key_columns(n, 8) * key_lines(0) - (n > key_columns(n, 8) * key_lines(0)))
# The same for a key inside one of `parts` plots below one another.
inside_title(k, n, parts, name) = (inside_lines = larger(2, int(lines_in((measured ? 0.6 : 0.8) / parts) / 0.8 / points_drawn)), \
    small || in_page || n <= inside_lines || \
    k < inside_lines ? name : k == inside_lines ? sprintf("and %d more", n - k + 1) : "")
key_title(k, n, name) = k <= key_named(n) ? name : k == key_named(n) + 1 ? sprintf("and %d more", n - key_named(n)) : ""

# What shares are relative to: "row", "column" or "all"; "" for counts.
if (!exists("shares_of")) { shares_of = "" }

# Index of a column by name; 0 if it does not exist.
field(name) = (found = 0, unused = sum [k = 1:words(column_names)] \
    (word(column_names, k) eq name ? (found = k) : 0), found)

# Number of drawn notes.
notes_drawn = small || in_page || no_notes ? 0 : remarks

# Notes below the picture: ledger and remarks, as many lines as fit into a quarter of the picture.
# Long lines are cut at a blank, the last one with dots. On a terminal they follow the picture; in a
# page they are next to it, as is the title.
remark_line(k) = (results > 1 && remark_of[k] > 0 ? result_name[remark_of[k]].": " : "").remark[k]
foot_width = small ? 0 : letters_in(0.97, little * points_drawn)
most_foot_lines = notes_drawn == 0 ? 0 : int(lines_in(measured ? 0.12 : 0.22) / little)
last_blank(text, n) = (blank_at = n, unused = sum [k = 1:n] (text[k:k] eq " " ? (blank_at = k) : 0), blank_at)
line_end(text) = strlen(text) <= foot_width ? strlen(text) : last_blank(text, foot_width)
foot_text = ""
foot_lines = 0
foot_left_out = 0
do for [remark_number = 1:notes_drawn] { \
    foot_rest = remark_line(remark_number); \
    while (strlen(foot_rest) > 0) { \
        foot_lines = foot_lines + 1; \
        if (foot_lines > most_foot_lines) { foot_left_out = 1 }; \
        foot_cut = foot_lines == most_foot_lines && strlen(foot_rest) > line_end(foot_rest); \
        foot_text = foot_text.(foot_lines > most_foot_lines ? "" : (foot_lines > 1 ? "\n" : "") \
            .(foot_cut ? foot_rest[1:last_blank(foot_rest, foot_width - 2)]."…" : foot_rest[1:line_end(foot_rest)])); \
        foot_rest = strlen(foot_rest) > line_end(foot_rest) ? \
            foot_rest[line_end(foot_rest) + 1:*] : ""; \
    }; \
}
foot_lines = smaller(foot_lines, most_foot_lines)
if (foot_left_out > 0) { \
    foot_lines = foot_lines + 1; \
    foot_text = foot_text."\n".(has_caption ? "more in the caption" : \
        "more in the picture's description; --caption FILE writes all"); \
}
foot_line = small ? 0 : (is_tex ? 1.25 : 1.6) * little * letter / term_height
foot = foot_lines > 0 ? (foot_lines + 0.7) * foot_line : 0.0

# Width of a text in heights of its font: letters are wide, narrow, or medium.
letter_width(c) = strstrt("mwMW@%—…", c) > 0 ? 1.0 : strstrt("iljftr.,:;'|!/()[] -", c) > 0 ? 0.4 : \
    strstrt("ABCDEGHKLNOPQRSTUVXYZ&<>=+~#", c) > 0 ? 0.78 : 0.62
text_width(text) = strlen(text) < 1 ? 0 : sum [k = 1:strlen(text)] letter_width(text[k:k])

# Number of letters at the beginning, or at the end, of a text that fit the space.
room_end(text, room) = (room_used = 0.0, room_last = 0, unused = sum [k = 1:strlen(text)] \
    (room_used = room_used + letter_width(text[k:k]), room_used <= room ? (room_last = k) : 0), room_last)
end_room(text, room) = (room_used = 0.0, room_last = 0, unused = sum [k = 1:strlen(text)] \
    (room_used = room_used + letter_width(text[strlen(text) - k + 1:strlen(text) - k + 1]), \
    room_used <= room ? (room_last = k) : 0), room_last)

# Shortens a text to its beginning, or a name to its end, which is more significant: to a number of
# letters, or, if space is scarce, to their mean width.
by_width = measured || pass > 0
cut(text, n) = by_width ? (strlen(text) < 1 || text_width(text) <= 0.56 * n ? text : \
    text[1:room_end(text, 0.56 * n - 1)]."…") : strlen(text) > n ? text[1:n - 1]."…" : text
shorten(name, n) = by_width ? (strlen(name) < 1 || text_width(name) <= 0.6 * n ? name : \
    name[1:room_end(name, 0.2 * n - 0.5)]."…".name[strlen(name) + 1 - end_room(name, 0.4 * n - 0.5):*]) : \
    strlen(name) > n ? name[1:n / 3]."…".name[strlen(name) - n + n / 3 + 2:*] : name

# The label of a tic is a number format, so that % in names is doubled.
tic_label(name) = (percent_at = strstrt(name, "%"), percent_at == 0 ? name : \
    name[1:percent_at - 1]."%%".tic_label(name[percent_at + 1:*]))

# One panel per result. Character terminals have no space for panels; there one picture follows the
# other. Otherwise more than 6 panels would be unreadable; small pictures have as many as fit.
# Alternatively all results are overlaid; then a picture has the results from first_of(i) to
# last_of(i).
over = results > 1 && layout eq "overlay"
panels = results > 1 && !small && !over
most_rows_of_panels = measured ? \
    larger(1, smaller(6, int(((1 - foot) * term_height - 2.4 * letter) / (13 * little * letter)))) : 3
count = over ? 1 : !panels ? results : smaller(results, measured ? most_rows_of_panels : 6)
first_of(i) = over ? 1 : i
last_of(i) = over ? results : i
columns = count <= most_rows_of_panels ? 1 : 2

# Three panels or more have small letters, so that their keys fit.
crowded = panels && (count > 2 || measured)

# For plots that draw all results in one, without panels.
all_in_one = "panels = 0; count = 1; columns = 1; crowded = 0; heading = 0.0"

# Position of panel i, above the notes and below the common title.
panel_lines(x) = panels ? (count + columns - 1) / columns : 1
heading = panels && !no_title ? 2.4 * letter / term_height : 0.0
panel_width(x) = panels ? 1.0 / columns : 1.0
panel_height(x) = (1 - foot - heading) / panel_lines(0)
panel_left(i) = panels ? (i - 1) % columns * panel_width(0) : 0.0
panel_bottom(i) = foot + (panels ? panel_lines(0) - 1 - (i - 1) / columns : 0) * panel_height(0)

# Number of rows that a panel shows as bars, and half the width of a bar.
shown = small ? larger(6, lines_in(1) - 8) : \
    measured ? larger(2, int((lines_in(panel_height(0)) - 5) / 1.1)) : larger(6, int((lines_in(panel_height(0)) - 6) / (results == 1 ? 1.1 : 1)))
half = small ? 0 : 0.4

# Number of letters of a bar's name: two fifths of the panel, or half if letters are wide.
name_room(font) = larger(10, letters_in(0.37 * panel_width(0), font * points_drawn))

# gnuplot reserves space for names as if all letters were wide. If a plot calls note_name() for each
# name before it includes panel or foot, the space fits the widest name, in letters of mean width,
# and the tic.
names_length = 0
names_font = 1
note_name(text) = (names_length = larger(names_length, small ? strlen(text) : text_width(text) / 0.62))
names_part(x) = ((compact ? 0.7 : 0.64) * names_length * names_font + 2.0) * points_drawn * letter / term_width

# Where space is scarce, the program draws everything twice. In the first pass, before_plot records
# the previous drawing; in the second it sets the tics of numeric axes, as many as fit. A plot with
# other tics sets own_x or own_y.
if (pass != 2) { \
    array label_lines[2]; label_lines[1] = 1; label_lines[2] = 1; \
    array x_from[40]; array x_to[40]; array x_base[40]; array x_room[40]; array x_middle[40]; \
    array y_from[40]; array y_to[40]; array y_base[40]; array y_room[40]; \
    do for [k = 1:40] { x_middle[k] = 0.5; x_room[k] = 20; y_room[k] = 10 }; \
}
# More exactly, the number of rows that an axis of rows has space for; the first pass has more rows,
# so that the key is not larger in the second.
rows_that_fit(x) = !measured ? shown : pass == 1 ? larger(shown, 20) : \
    larger(2, int((y_room[1] - (label_lines[2] > label_lines[1] ? 1.3 : 0)) / (is_tex ? 1.4 : 1.25)))
own_x = 0; own_y = 0; log_x = 0; log_y = 0
# Whether the plot is the only one of the picture, which then centres its title.
alone = 1
# Small panels share one key, in the first panel, unless the plot sets own_keys.
own_keys = 0
plot_number = 0
note_axes(k) = k < 1 || k > 40 ? 0 : (x_middle[k] = \
    0.5 * (GPVAL_TERM_XMAX + GPVAL_TERM_XMIN) * GPVAL_TERM_SCALE / GPVAL_TERM_XSIZE, x_from[k] = GPVAL_X_MIN, x_to[k] = GPVAL_X_MAX, x_base[k] = log_x == 1 ? 10 : log_x, \
    y_from[k] = GPVAL_Y_MIN, y_to[k] = GPVAL_Y_MAX, y_base[k] = log_y == 1 ? 10 : log_y, \
    x_room[k] = 1.0 * (GPVAL_TERM_XMAX - GPVAL_TERM_XMIN) * GPVAL_TERM_SCALE / GPVAL_TERM_XSIZE * term_width / letter, \
    y_room[k] = 1.0 * (GPVAL_TERM_YMAX - GPVAL_TERM_YMIN) * GPVAL_TERM_SCALE / GPVAL_TERM_YSIZE * term_height / letter)
# Space on each side of the next plot's centre, as a fraction of the picture's width.
next_plot(x) = plot_number < 39 ? plot_number + 1 : 40
middle_in_panel(x) = columns > 1 && x > panel_width(0) ? x - panel_width(0) : x
beside_middle(x) = pass != 2 ? 0.45 * panel_width(0) : \
    smaller(middle_in_panel(x_middle[next_plot(0)]), panel_width(0) - middle_in_panel(x_middle[next_plot(0)]))
number_width(number) = 0.66 * strlen(sprintf("%g", number)) + 1.2
tics_wide(from, to, room) = larger(1, int(room / larger(number_width(from + (to - from) / 3.0 - (to - from) / 3.0), \
    larger(number_width(last_tic(to, step(to - from, 4))), number_width(step(to - from, 4))))))
last_tic(to, every) = every > 0 ? every * floor(to / every) : to
# gnuplot 5.4 hangs if tics of a logarithmic axis are a factor of 1e8 apart. The limit here is 1e6,
# exp(14).
fit_step(from, to, base, most) = base > 1 ? real(base)**smaller(floor(14 / log(base)), \
    larger(1, ceil(log(to / from) / log(base) / larger(1, most)))) : step(to - from, most)
fits_axis(k, from, to) = k <= 40 && measured && to > from
before_plot = pass == 1 ? "unused = note_axes(plot_number); plot_number = plot_number + 1" : pass == 2 && measured ? \
    "plot_number = plot_number + 1; if (alone && !panels && plot_number <= 40) { set title offset screen 0.5 - x_middle[plot_number], 0 }; ". \
    "if (!own_x && fits_axis(plot_number, x_from[plot_number], x_to[plot_number])) { set xtics fit_step(x_from[plot_number], ". \
    "x_to[plot_number], x_base[plot_number], tics_wide(x_from[plot_number], x_to[plot_number], x_room[plot_number])) }; ". \
    "if (!own_y && fits_axis(plot_number, y_from[plot_number], y_to[plot_number])) { set ytics fit_step(y_from[plot_number], ". \
    "y_to[plot_number], y_base[plot_number], larger(1, int(y_room[plot_number] / 1.9))) }" : "plot_number = 0"

# Label of an axis, in two lines if it is too long.
two_lines(text, room) = (line_room = room_end(text, room), line_end_at = last_blank(text, line_room), \
    text[1:line_end_at]."\n".cut(text[line_end_at + 1:*], room / 0.56))
fit_text(text, room) = !measured || strlen(text) < 1 || text_width(text) <= room ? text : two_lines(text, room)
fit_y(text) = fit_text(text, pass == 2 ? y_room[next_plot(0)] + 3 : 0.55 * panel_height(0) * term_height / letter)
# The label of the horizontal axis; remembers its lines in each pass.
note_lines(text) = (pass > 0 ? (label_lines[pass] = strstrt(text, "\n") > 0 ? 2 : 1) : 0, text)
fit_x(text) = panels && measured ? cut(text, 1.9 * beside_middle(0) * letters_in(1, little)) : \
    note_lines(fit_text(text, 1.9 * beside_middle(0) * term_width / letter))

# Titles of `width` characters, or as many as fit: of all results in one picture, of all panels, or
# of one, with the number of shown rows out of n. In a small picture, a title is centred on the
# picture (before_plot), not on the axes.
title_room(width) = measured ? letters_in(panels ? 1.9 * beside_middle(0) : 0.97, crowded ? little : 1) : \
    pass == 2 ? smaller(letters_in(0.93 * panel_width(0), crowded ? little : 1) - 14, \
        larger(20, letters_in(2 * beside_middle(0), crowded ? little : 1) - 10)) : \
    larger(width, letters_in(0.93 * panel_width(0), crowded ? little : 1) - (small ? 4 : 14))
# If there is no space for the names of traces, the notes list them.
title_with(names, width) = !measured || text_width(report_title.": ".names) <= 0.56 * title_room(width) ? \
    report_title.": ".names : report_title
whole_title_of_all(width) = in_page || no_title ? "" : given_title ne "" ? given_title : \
    results > 1 ? report_title : title_with(trace_names, width)
title_of_all_and(width, more) = in_page ? unblanked(more) : no_title ? "" : \
    cut(whole_title_of_all(width), title_room(width) - letters_of(more)).more
title_of_all(width) = title_of_all_and(width, "")
whole_title_of_result(i, width) = (in_page || no_title) && !panels ? "" : panels ? result_name[i] : \
    given_title eq "" ? title_with(results > 1 ? result_name[i] : trace_names, width) : \
    given_title.(results > 1 ? ": ".result_name[i] : "")

# A title and what follows it, in two lines if it is too long.
letters_of(text) = strlen(text) < 1 ? 0 : by_width ? text_width(text) / 0.56 : strlen(text)
with_more(text, more, room) = small || panels || letters_of(text.more) <= room ? cut(text, room - letters_of(more)).more : \
    (line_end_at = last_blank(text, room_end(text, 0.56 * room)), \
    text[1:line_end_at]."\n".cut(text[line_end_at + 1:*], room - letters_of(more)).more)
title_and(i, width, more) = no_title && !panels ? "" : in_page && !panels ? unblanked(more) : \
    with_more(over ? whole_title_of_all(width) : whole_title_of_result(i, width), more, title_room(width))
title_of_part(i, width) = title_and(i, width, "")
title_of_result(i, width) = title_and(i, width, "")

# What rows of the first column are: "classes", "file types"; "rows" if the second one is of names, too.
plural(name) = strstrt(" attribute beside figure from idle items part rank start time waits_for ", " ".name." ") > 0 ? "rows" : \
    strstrt(name, "_") > 0 ? plural(name[1:strstrt(name, "_") - 1]." ".name[strstrt(name, "_") + 1:*]) : \
    strlen(name) > 1 && name[strlen(name) - 1:*] eq "ss" ? name."es" : name[strlen(name):*] eq "s" ? name : name[strlen(name):*] eq "y" ? name[1:strlen(name) - 1]."ies" : name."s"
# How many are drawn, for titles; the program adds it to the notes (include remarks).
drawn_notes = ""
rows_are = strstrt(" cause error mode name reference relation return sequence stage thread value waits_for ", \
    " ".word(column_names, 2)." ") > 0 ? "rows" : plural(word(column_names, 1))
note_drawn(text) = strstrt(drawn_notes, text) > 0 ? 0 : (drawn_notes = drawn_notes."drawn: ".text."\n")
title_drawn(whose, text) = (unused = note_drawn(whose.text), " (".text.")")
some_of(some, all, what) = sprintf("%d of %d %s", some, all, what)
some_of_all(some, all, what) = some >= all ? "" : title_drawn("", some_of(some, all, what))
some_shown(i, some, n) = some >= n ? "" : title_drawn(panels ? result_name[i].": " : "", some_of(some, n, rows_are))
# gnuplot draws the title of all panels in larger letters, for which small pictures have no space.
panels_font = measured ? 'font "'.sized(1).'"' : ""
some_without_name(some, all, what) = some_of_all(some, all, what) eq "" ? "" : sprintf(" (%d of %d)", some, all)
some_panels(x) = some_of_all(count, results, "traces")
title_of_panels(x) = (panels_rest = some_panels(0), no_title || (in_page && count == results) ? "" : \
    cut(given_title ne "" ? given_title : report_title, measured ? letters_in(0.96, 1) - letters_of(panels_rest) : 200).panels_rest)
title_of_rows(i, width, n) = title_and(i, width, some_shown(i, shown, n))

# Exit status `nothing` tells the program that no row can be drawn.
nothing = 3

# A result without rows has one row of NaN. If the first column is a name, which may be missing or
# "NaN", the given column decides.
absent(column) = strcol(1) eq "NaN" || !valid(column)
missing(column) = strcol(column) eq "NaN" || !valid(column)

# gnuplot 5.4 crashes if a plot of labels has one point at NaN. Unwanted labels are placed outside
# the picture instead.
nowhere = -1e9

# Divisor for times since the start: seconds, or a smaller unit below a hundredth of a second.
unit_of_times(end) = !has_clock ? (end >= 2e6 ? 1e6 : 1) : end >= 1e-2 ? 1 : end >= 1e-5 ? 1e-3 : end >= 1e-8 ? 1e-6 : 1e-9
name_of_times(unit) = !has_clock ? (unit > 1 ? "million " : "").duration_unit : \
    unit == 1 ? "s" : unit == 1e-3 ? "ms" : unit == 1e-6 ? "µs" : "ns"

# Durations have a suitable unit. A clock without real time uses its own units.
has_clock = duration_unit eq "ns"
scale_of(time) = !has_clock ? (time >= 1e6 ? 1e6 : 1) : \
    time >= 2e9 ? 1e9 : time >= 2e6 ? 1e6 : time >= 2e3 ? 1e3 : 1
unit_of(scale) = !has_clock ? (scale > 1 ? "million " : "").duration_unit : \
    scale == 1e9 ? "s" : scale == 1e6 ? "ms" : scale == 1e3 ? "µs" : "ns"

# A duration with a suitable unit, as the label of a tic.
in_words(time) = !has_clock ? sprintf("%.0f", time) : time >= 1e12 ? sprintf("%.0f s", time / 1e9) : \
    time >= 1e9 ? sprintf("%.3g s", time / 1e9) : \
    time >= 1e6 ? sprintf("%.3g ms", time / 1e6) : time >= 1e3 ? sprintf("%.3g µs", time / 1e3) : \
    sprintf("%.0f ns", time)

# Bytes in the units of the tables: a divisor, its name, and an amount in words.
unit_of_bytes(most) = most >= 2.0**31 ? 2.0**30 : most >= 2.0**21 ? 2.0**20 : most >= 2.0**11 ? 2.0**10 : 1
name_of_bytes(unit) = word("bytes KiB MiB GiB", 1 + int(log(unit) / log(1024) + 0.5))
bytes_in_words(amount) = amount < 1024 ? sprintf(amount < 1 ? "%.2g B" : "%.4g B", amount) : \
    sprintf("%.3g %s", amount / unit_of_bytes(2 * amount), name_of_bytes(unit_of_bytes(2 * amount)))

# Step of an axis: 1, 2 or 5 times a power of ten, for at most so many steps.
step(range, most) = (least = 1.0 * range / most, power = 10.0**floor(log10(least)), \
    power * (least <= 1.000001 * power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10))

# Tics of a logarithmic axis whose range the plot has set to `from` and `to`: `eval log_tics("x",
# …)`. `unit` is the value of 1 on the axis in duration units; 0 for other numbers. Labels are at 1, 2
# and 5 times powers of ten if they fit; else at powers of ten, or, if that is less than two, at some
# of the former; else at equal steps. Tics without labels are between them. `beside_letters` are the
# letters of names and keys beside the axis. gnuplot 5.4 drops a tic at the lower end of the axis,
# which therefore is moved a little.
plain(number) = number >= 1e15 || (number > 0 && number < 1e-9) ? sprintf("%g", number) : number >= 1e9 ? sprintf("%gG", number / 1e9) : number >= 1e6 ? sprintf("%gM", number / 1e6) : \
    number >= 1e4 ? sprintf("%gk", number / 1e3) : number >= 0.001 || number <= 0 ? sprintf("%g", number) : \
    sprintf(sprintf("%%.%.0ff", ceil(-log10(number) - 1e-9)), number)
mark_words(number, unit) = unit > 0 && has_clock ? in_words(number * unit) : plain(number * (unit > 0 ? unit : 1))
inside(number) = larger(log_from * 1.000001, smaller(log_to * 0.999999, number))
add_mark(list, words, number, level) = list.(list eq "" ? "" : ", ").sprintf('"%s" %.12g %d', words, inside(number), level)
of_three(k) = 10.0**floor(k / 3.0) * (k - 3 * floor(k / 3.0) == 0 ? 1 : k - 3 * floor(k / 3.0) == 1 ? 2 : 5)
threes(k, stride, to, unit, list) = of_three(k) > 1.000001 * to ? list : \
    threes(k + stride, stride, to, unit, add_mark(list, mark_words(of_three(k), unit), of_three(k), 0))
first_three(k, from) = of_three(k) < 0.999999 * from ? first_three(k + 1, from) : k
threes_in(k, to) = k / 3.0 + 20 < log10(to) ? 60 : of_three(k) > 1.000001 * to ? 0 : 1 + threes_in(k + 1, to)
powers(e, stride, to, unit, list) = e > log10(to) + 1e-6 ? list : \
    powers(e + stride, stride, to, unit, add_mark(list, mark_words(10.0**e, unit), 10.0**e, 0))
steps(k, pace, to, unit, list) = k * pace > 1.000001 * to ? list : \
    steps(k + 1, pace, to, unit, add_mark(list, mark_words(k * pace, unit), k * pace, 0))
steps_in(from, to, pace) = floor(to / pace + 1e-6) - ceil(from / pace - 1e-6) + 1
pace_for(from, to, most) = steps_in(from, to, step(to - from, most)) > 1 || most > 8 ? step(to - from, most) : pace_for(from, to, most + 1)
nine(k) = 10.0**floor(k / 9.0) * (1 + k - 9 * floor(k / 9.0))
small_marks(k, stride, from, to, list) = nine(k) > to ? list : small_marks(k + stride, stride, from, to, \
    nine(k) < from ? list : add_mark(list, "", nine(k), 1))
first_power(from) = ceil(log10(from) - 1e-6)
powers_in(from, to) = floor(log10(to) + 1e-6) - first_power(from) + 1
all_small_marks(from, to) = small || powers_in(from, to) > 60 ? "" : \
    small_marks(9 * floor(log10(from)), powers_in(from, to) > 7 ? 9 : 1, from, to, "")
log_list(from, to, most, unit) = (k_of = first_three(3 * floor(log10(from)), from), log_from = from, log_to = to, \
    count_of = threes_in(k_of, to), stride_of = ceil(1.0 * powers_in(from, to) / larger(1, most)), \
    count_of > 2 && count_of <= most && (!measured || log10(to / from) / 0.301 <= 1.05 * (most - 1)) ? threes(k_of, 1, to, unit, all_small_marks(from, to)) : \
    powers_in(from, to) > 1 ? powers(first_power(from), stride_of, to, unit, all_small_marks(from, to)) : \
    count_of > 3 ? (stride_of = larger(2, floor((count_of - 1.0) / larger(1, most - 1))), \
        threes(k_of + int((count_of - 1) % stride_of / 2), stride_of, to, unit, all_small_marks(from, to))) : \
    (pace_of = pace_for(from, to, larger(2, smaller(most, 5))), steps(ceil(from / pace_of - 1e-6), pace_of, to, unit, "")))
beside_letters = 0
log_room(x) = int(0.9 / 7 * (letters_in(0.88 * panel_width(0), points_drawn) - beside_letters))
log_most(axis) = axis eq "x" ? (measured && pass == 2 ? larger(2, int(1 + x_room[next_plot(0)] / (crowded ? 4.8 * little : 4.8))) : \
    small || columns > 1 ? 5 : measured ? 6 : smaller(10, larger(2, log_room(0)))) : measured && pass == 2 ? larger(2, int(y_room[next_plot(0)] / 1.9)) : \
    small || count > 2 ? 4 : 10
log_tics(axis, from, to, unit) = (axis eq "x" ? (own_x = 1) : (own_y = 1), \
    sprintf("set %stics (%s)", axis, log_list(from, to, log_most(axis), unit)))
# Label of such an axis.
log_label(what) = what.(has_clock ? "" : " (".duration_unit.")").(measured ? "" : ", log scale")

# Results of one picture differ in colour, marks and dashes.
palette_colour(i) = word("#0072B2 #E69F00 #009E73 #CC79A7 #000000 #56B4E9 #D55E00", (i - 1) % 7 + 1)
# Marks of an SVG are not scaled with its letters.
mark_size = measured && GPVAL_TERM eq "svg" ? 0.8 : 1.2
palette_mark(i) = int(word("7 4 9 6 5 8 13", (i - 1) % 7 + 1))
palette_dashes(i) = (i - 1) % 5 + 1
# Short dashes: the key's samples, of key_sample letters, show them whole, unless there are many.
if (!small) { \
    set dashtype 2 (9, 5); \
    set dashtype 3 (2, 3); \
    set dashtype 4 (9, 3, 2, 3); \
    set dashtype 5 (7, 3, 2, 3, 2, 3); \
}

# I/O classes: colours distinguish reads and writes; synchronous ones are striped.
class(c) = word("read readsync write writesync flush other", c)
class_colour(c) = word("#0072B2 #0072B2 #E69F00 #E69F00 #009E73 #606060", c)
class_tint(c) = c == 2 ? "#D4E8F5" : "#FBEBC8"
class_pattern(c) = int(word("3 4 3 5 2 0", c))

# Columns of the classes: start and end of class c when stacked on the previous ones.
classes = 6
array class_field[classes]
# Classes that the log does not distinguish, and so no row has, are not drawn; their field is 0.
array class_column[classes]
do for [c = 1:classes] { class_column[c] = field(class(c)); class_field[c] = 0 }
look_for_class(c) = class_field[c] > 0 || class_column[c] == 0 || missing(class_column[c]) ? 0 : \
    (class_field[c] = class_column[c])
if (sum [c = 1:classes] class_column[c]) { \
    stats $data using (sum [c = 1:classes] (look_for_class(c), 0), 1) nooutput; \
}
of_class(c, value) = class_field[c] > 0 ? value : NaN
class_count(c) = class_field[c] > 0 && !missing(class_field[c]) ? column(class_field[c]) : 0
class_from(c) = c < 2 ? 0 : sum [k = 1:c - 1] class_count(k)
class_to(c) = class_from(c) + class_count(c)
class_title(c) = class_field[c] > 0 ? class(c) : ""
