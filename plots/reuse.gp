# Miss ratio by the size of a cache.
# Columns: 2 bytes, 4 miss_ratio (fraction).
# include: common
# include: axes
width(x) = $2 / 1e6
height(x) = 100 * $4
low = 0
set xlabel "size of the cache (MB), log scale"
set ylabel "misses (% of references)"
# include: over-pages
