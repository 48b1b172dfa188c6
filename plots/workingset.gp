# Mean working set by length of the window.
# layouts: overlay panels
# Columns: 1 references, 3 bytes.
# include: common
# include: axes
width(x) = $1
most_bytes = 0.0
stats $data using (missing(3) ? 1 : (most_bytes = larger(most_bytes, $3), 1)) nooutput
height(x) = $3 / unit_of_bytes(most_bytes)
low = 0
set xlabel fit_x("references in the window, log scale")
set ylabel fit_y("mean working set (".name_of_bytes(unit_of_bytes(most_bytes)).")")
# include: over-pages
