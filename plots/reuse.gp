# Miss ratio by size of a cache. With --cdf, the share of hits: references to a page that was used
# within so many distinct pages.
# layouts: overlay panels
# Columns: 2 bytes, 4 miss_ratio, cumulative (fractions).
# include: common
# include: axes
width(x) = $2 / 1e6
hits = field("cumulative")
height(x) = 100 * column(hits > 0 ? hits : 4)
low = 0
set xlabel fit_x("size of the cache (MB), log scale")
set ylabel fit_y(hits > 0 ? "hits (% of references), cumulative" : "misses (% of references)")
# include: over-pages
