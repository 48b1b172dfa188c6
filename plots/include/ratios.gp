# Axis of ratios b / a, in doublings: from log2(least) to log2(most). The plot defines `most_tics`.
# Tics are tick(0) to tick(ticks - 1), positioned at their log2().
log2(x) = log(x) / log(2.0)
least = smaller(least, 1)
most = larger(most, 1)
begin = log2(least) - 0.05 * larger(log2(most / least), 0.1)
end = log2(most) + 0.05 * larger(log2(most / least), 0.1)
doubles = end - begin > 2
stride = larger(1, ceil((end - begin) / most_tics))
pace = step(2.0**end - 2.0**begin, most_tics)
first = doubles ? stride * ceil(begin / stride) : pace * ceil(2.0**begin / pace)
tick(k) = doubles ? 2.0**(first + k * stride) : first + k * pace
ticks = doubles ? 1 + floor((end - first) / stride) : 1 + floor((2.0**end - first) / pace)
tick_words(ratio) = doubles && ratio < 1 ? sprintf("1/%.0f", 1 / ratio) : sprintf("%g", ratio)
