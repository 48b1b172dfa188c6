# Distinct pages used, read, written, and both: one bar each, with its share. One panel per result.
# Columns: 1 access, 2 pages, 3 bytes, 4 share (a fraction).
# include: common
# include: axes
high_bytes = 0.0
stats $data using (missing(3) ? 1 : (high_bytes = larger(high_bytes, $3), 1)) nooutput
unit = unit_of_bytes(high_bytes)
set xlabel fit_x("different pages (".name_of_bytes(unit).")")
is_row(x) = !missing(3)
label(x) = is_row(0) ? strcol(1) : ""
bar_end(x) = is_row(0) ? $3 / unit : 0
bar_colour(x) = strcol(1) eq "read" ? 0x0072B2 : strcol(1) eq "written" ? 0xE69F00 : \
    strcol(1) eq "both" ? 0x009E73 : 0x606060
comment(x) = !is_row(0) ? "" : sprintf("%.0f", $2).(missing(4) ? "" : sprintf(", %.1f %%", 100 * $4))
comment_room = 0.35
# include: bars
