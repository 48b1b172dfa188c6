-- report: popularity
-- title: Popularity of operations in a sample of the log
-- kinds: calls io spans
-- when: every
-- parameter: every integer none "popularity in a sample of one event in N"
-- parameter: draw integer none "with --every: seed of a random sample, in which each event has a chance of 1 in N"
-- events: yes
-- actions: all
-- tally: operation
-- plot: none
-- key: name
-- column: rank number - - rank by count; 1 is the most frequent
-- column: name text - - name in the log
-- column: count int - - number of events, or of references, in the row
-- column: share share fraction - share of all
-- column: cumulative share fraction - cumulative share
-- column: sample_count int - - number in the sample
-- column: sample_share share fraction - share of the sample
-- column: sample_cumulative share fraction - cumulative share of the sample
-- column: error real fraction - share in the sample minus share of all
-- column: expected_error real fraction - standard deviation of that error over random samples of this size
-- meanless: rank cumulative sample_cumulative
--
-- The sample is every Nth event, including the first. With --draw, events are drawn by number,
-- mixed with the seed by squaring modulo a prime, so that samples are reproducible.
WITH
-- include: sampled
SELECT
    rank,
    name,
    count,
    share,
    cumulative,
    sampled AS sample_count,
    sample_share,
    sample_cumulative,
    sample_share - share AS error,
    sqrt(share * (1 - share) * (1 - 1.0 / max(:every, 1)) * max(:every, 1) / (SELECT sum(count) FROM ranked))
        AS expected_error
FROM ranked
ORDER BY rank
LIMIT ifnull(:rows, -1);
-- remark
WITH
-- include: sampled
SELECT printf('sample (%s): %d of %s, %d of %s', iif(:draw IS NULL,
    printf('one event in %d, evenly spaced', max(:every, 1)), printf('1 in %d at random, seed %d', max(:every, 1), :draw)),
    sum(sampled), counted(sum(count), 'event{s}'), count(*) FILTER (WHERE sampled > 0), counted(count(*), 'operation{s}'))
FROM ranked;
-- remark
WITH
-- include: sampled
SELECT printf('Kolmogorov''s D: %.6f (largest difference of sample_cumulative and cumulative); '
    || 'error of the sample''s share of the top 1, 3, 10: %+.6f, %+.6f, %+.6f',
    max(abs(sample_cumulative - cumulative)),
    round(total(sample_share - share) FILTER (WHERE rank <= 1), 6) + 0.0,
    round(total(sample_share - share) FILTER (WHERE rank <= 3), 6) + 0.0,
    round(total(sample_share - share) FILTER (WHERE rank <= 10), 6) + 0.0)
FROM ranked;
-- remark
SELECT 'expected_error: sqrt(p (1 - p) (1 - 1/N) N / events) of a share p, for samples of 1 event in N drawn at random';
