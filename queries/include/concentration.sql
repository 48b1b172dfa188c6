-- column: items integer
-- column: references integer
-- column: top_1 share fraction
-- column: top_10 share fraction
-- column: top_20 share fraction
-- column: gini real
-- column: entropy real bits
-- column: perplexity real
-- column: zipf real
-- column: zipf_error real
-- column: ks real
-- compare: rows alone
--
-- How unevenly the references are spread over the items, out of temp.concentration: what the first 1, 10 and
-- 20 % of the items have; Gini's coefficient; the entropy, and how many items of equal counts have it; Zipf's
-- exponent, as it fits best, its standard error, and how far the fit is off (KS).
SELECT
    items, "references", top_1, top_10, top_20, gini, entropy, perplexity, exponent, error, distance
FROM temp.concentration
WHERE items > 0;
-- remark
SELECT printf('less than 20 references an item (%.3g): ranks are taken from the same references, and so Zipf''s '
    || 'exponent is off', 1.0 * "references" / items)
FROM temp.concentration
WHERE "references" < 20.0 * items AND exponent IS NOT NULL;
