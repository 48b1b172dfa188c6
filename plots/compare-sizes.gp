# Comparison: cumulative sizes, by number.
# Columns: 1 size (bytes), cumulative_a, cumulative_b (fractions).
# include: common
# include: sides
curves = "cumulative_"
set ylabel fit_y(upright("share of those up to this size (%)", "share (%)"))
# include: two-sizes
