# Mean working set by length of the window.
# layouts: overlay panels
# Columns: 1 references, 3 bytes.
# include: common
# include: axes
width(x) = $1
height(x) = $3 / 1e6
low = 0
set xlabel fit_x("references in the window, log scale")
set ylabel fit_y("mean working set (MB)")
# include: over-pages
