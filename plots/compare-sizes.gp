# Comparison: cumulative sizes, by number.
# Columns: 1 size (bytes), cumulative_a, cumulative_b (fractions).
# include: common
# include: sides
curves = "cumulative_"
set ylabel fit_y(upright("cumulative share (%)", "share (%)"))
# include: two-sizes
