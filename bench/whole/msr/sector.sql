-- trace: msr
-- report: popularity --of sector --top 100
-- columns: name count
SELECT sector, count(*) FROM io GROUP BY sector ORDER BY count(*) DESC, sector LIMIT 100;
