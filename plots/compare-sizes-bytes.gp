# Comparison: cumulative sizes, weighted by bytes.
# Columns: 1 size (bytes), bytes_cumulative_a, bytes_cumulative_b (fractions).
# include: common
# include: sides
curves = "bytes_cumulative_"
set ylabel fit_y(upright("share of the bytes in those up to this size (%)", "bytes (%)"))
# include: two-sizes
