# Miss ratio by size of an LRU cache. With --cdf, the share of hits: references to a page that was used
# within so many distinct pages.
# layouts: overlay panels
# Columns: 2 bytes, 4 miss_ratio, cumulative (fractions).
# include: common
# include: axes
width(x) = $2
hits = field("cumulative")
height(x) = 100 * column(hits > 0 ? hits : 4)
low = 0
of_bytes = 1
set xlabel fit_x("size of the LRU cache".(measured ? "" : ", log scale"))
set ylabel fit_y(hits > 0 ? "hits (% of references), cumulative" : "miss ratio (%)")
# include: over-pages
