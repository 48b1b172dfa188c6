# Cumulative sizes of both sides. The plot defines `curves`, the common part of its column names
# before the side's letter.
# include: axes
axis = "size, log scale"
# include: sizes
in_words(size) = sprintf("%.0f bytes", size)
curve_of_a = field(curves."a")
curve_of_b = field(curves."b")
curve(k) = k == 1 ? curve_of_a : curve_of_b
# include: two-curves
