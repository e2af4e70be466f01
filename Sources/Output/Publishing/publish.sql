-- The tables that people read, as they follow from the rows by log date. Each statement gives all rows of the table that its
-- comment names, as far as they are touched:
--
--   temp.touched_days         the days of which a row has changed; touched_actions, touched_funnel: the rows of these days
--   temp.touched_deliveries   the deliveries of which something has changed; delivery_funnel: their rows of daily_funnel, added up by
--                             platform; delivery_days: the first and the last day of each; delivery_names: what events call it
--   temp.loaded               the log dates that are loaded
--
-- {sum(#) AS #} stands for as many terms as there are columns of the funnel: # is the name of each, in {not sent: #} of each
-- but sent. What stands in [ ] is repeated for each column that log dates may lack which settled before an earlier version of
-- the program had it.

-- daily_totals: daily_actions and daily_funnel, added up.
SELECT
  *,
  CASE WHEN sent + arrived + impressed > 0 THEN 1.0 * clicked / messages END AS clicked_of_messages,
  CASE WHEN sent + arrived + impressed > 0 THEN 1.0 * opened / messages END AS opened_of_messages,
  CASE WHEN sent + arrived + impressed > 0 THEN 1.0 * dismissed / messages END AS dismissed_of_messages,
  1.0 * opened_impressed / nullif(impressed, 0) AS opened_of_impressed
FROM (
  SELECT
    day, day || ' 00:00:00' AS day_start, unixepoch(day) AS day_epoch, platform,
    sum(events) AS events, sum(duplicates) AS duplicates, {sum(#) AS #}
  FROM (
    SELECT day, platform, sum(events) AS events, sum(duplicates) AS duplicates, {0 AS #} FROM temp.touched_actions
    GROUP BY day, platform
    UNION ALL
    SELECT day, platform, 0, 0, {sum(#)} FROM temp.touched_funnel GROUP BY day, platform
  )
  GROUP BY day, platform
);

-- deliveries: every delivery that the logs or the delivery files name. Where the files do not say what it is called, the events of
-- the latest log date do that say it.
SELECT
  delivery_id, coalesce(l.label, n.label) AS label, coalesce(l.campaign, n.campaign) AS campaign,
  coalesce(l.variant, n.variant) AS variant, sent_at,
  l.delivery_id IS NOT NULL AS in_file, first_day, last_day
FROM temp.touched_deliveries LEFT JOIN main._listed AS l USING (delivery_id)
LEFT JOIN temp.delivery_days USING (delivery_id) LEFT JOIN temp.delivery_names AS n USING (delivery_id)
WHERE l.delivery_id IS NOT NULL OR first_day IS NOT NULL;

-- delivery_results: what became of all messages of a delivery, beside what was sent: by the delivery files, or where they do not
-- say, by the events.
SELECT
  *,
  CASE WHEN EXISTS (SELECT 1 FROM main._reported WHERE action = 'failed') THEN 1.0 * failed / nullif(sent, 0) END
    AS failed_of_sent,
  CASE WHEN EXISTS (SELECT 1 FROM main._reported WHERE action = 'arrival') THEN 1.0 * arrived / nullif(sent, 0) END
    AS arrived_of_sent,
  1.0 * impressed / nullif(sent, 0) AS impressed_of_sent,
  1.0 * clicked / nullif(sent, 0) AS clicked_of_sent,
  1.0 * opened / nullif(sent, 0) AS opened_of_sent
FROM (
  SELECT
    d.delivery_id, d.label, d.campaign, d.variant, d.sent_at, sent_day, d.first_day, d.last_day,
    CASE WHEN says_sent THEN l.sent ELSE nullif(f.sent, 0) END AS sent,
    CASE WHEN l.sent IS NOT NULL THEN 'file' WHEN NOT coalesce(says_sent, 0) AND f.sent > 0 THEN 'events' END AS sent_from,
    delivered, {not sent: #}
  FROM (
    SELECT delivery_id, {sum(#) AS #}
    FROM (
      SELECT delivery_id, {0 AS #} FROM temp.touched_deliveries
      UNION ALL
      SELECT delivery_id, {#} FROM temp.delivery_funnel
    )
    GROUP BY delivery_id
  ) AS f JOIN main.deliveries AS d USING (delivery_id) LEFT JOIN main._listed AS l USING (delivery_id)
);

-- delivery_platforms: the same by platform, where there are messages or the delivery files split what was sent. Where they say
-- anything of a delivery, its events say nothing.
SELECT
  *,
  CASE WHEN platform IN (SELECT platform FROM main._reported WHERE action = 'failed') THEN 1.0 * failed / nullif(sent, 0) END
    AS failed_of_sent,
  CASE WHEN platform IN (SELECT platform FROM main._reported WHERE action = 'arrival') THEN 1.0 * arrived / nullif(sent, 0) END
    AS arrived_of_sent,
  1.0 * impressed / nullif(sent, 0) AS impressed_of_sent,
  1.0 * clicked / nullif(sent, 0) AS clicked_of_sent,
  1.0 * opened / nullif(sent, 0) AS opened_of_sent
FROM (
  SELECT
    delivery_id, platform,
    CASE WHEN says_sent THEN p.sent ELSE nullif(f.sent, 0) END AS sent,
    CASE WHEN p.sent IS NOT NULL THEN 'file' WHEN NOT coalesce(says_sent, 0) AND f.sent > 0 THEN 'events' END AS sent_from,
    p.delivered, {not sent: #}
  FROM (
    SELECT delivery_id, platform, {sum(#) AS #}
    FROM (
      SELECT delivery_id, platform, {#} FROM temp.delivery_funnel
      UNION ALL
      SELECT delivery_id, platform, {0}
      FROM temp.touched_deliveries CROSS JOIN main._listed_platforms USING (delivery_id)
    )
    GROUP BY delivery_id, platform
  ) AS f LEFT JOIN main._listed AS l USING (delivery_id)
  LEFT JOIN main._listed_platforms AS p USING (delivery_id, platform)
);

-- days: daily_totals by day, and how much of a day may still be missing.
SELECT
  day, day_start, day_epoch,
  (SELECT status FROM temp.loaded WHERE log_date = day) AS log_date_status,
  sum(events) AS events, sum(messages) AS messages,
  (
    SELECT count(*) FROM temp.loaded
    WHERE log_date > day AND log_date <= date(day, (SELECT value FROM main._facts WHERE key = 'window_days') || ' days')
  ) AS later_log_dates,
  coalesce(
    (SELECT max(log_date) FROM temp.loaded) > date(day, (SELECT value FROM main._facts WHERE key = 'window_days') || ' days'), 0
  ) AS final
FROM main.daily_totals
GROUP BY day;

-- partitions: the log dates that are loaded. The warnings are those of the load that stands, as is whether it was accepted.
SELECT
  log_date, status, files, records, accepted, filtered, rejected, events, duplicates, clock_fallback,
  (
    SELECT nullif(codes, '') FROM main._warnings AS w WHERE w.log_date = l.log_date AND w.version = l.version
  ) AS warnings,
  coalesce(
    (SELECT accepted FROM main._warnings AS w WHERE w.log_date = l.log_date AND w.version = l.version), 0
  ) AS accepted_as_is,
  pipeline
FROM temp.loaded AS l;

-- calendar: every day from the first log date to the last, and every other day that has figures. A week belongs to the year of
-- its Thursday. Days before the year 0 have no text: the first two days of it begin their week themselves.
WITH RECURSIVE
  span (day, last) AS (
    SELECT min(log_date), max(log_date) FROM temp.loaded
    UNION ALL
    SELECT date(day, '1 day'), last FROM span WHERE day < last
  ),
  dates (day, week_start) AS (
    SELECT day, date(day, '-' || ((strftime('%w', day) + 6) % 7) || ' days')
    FROM (SELECT day FROM span WHERE day IS NOT NULL UNION SELECT day FROM main.days)
  )
SELECT
  day, day || ' 00:00:00' AS day_start, unixepoch(day) AS day_epoch,
  (SELECT status FROM temp.loaded WHERE log_date = day) AS log_date_status,
  CAST(strftime('%Y', day) AS INTEGER) AS year, substr(day, 1, 7) AS month,
  max(strftime('%Y', week_start, '3 days'), '0000')
    || printf('-W%02d', (strftime('%j', week_start, '3 days') + 6) / 7) AS iso_week,
  max(week_start, '0000-01-01') AS week_start,
  (strftime('%w', day) + 6) % 7 + 1 AS weekday, strftime('%w', day) IN ('0', '6') AS is_weekend
FROM dates;

-- about: what the figures are about.
SELECT key, value FROM main._facts
WHERE key IN ('pipeline', 'timezone', 'window_days', 'schema_version', 'version', 'history_since')
UNION ALL SELECT 'first_day', min(day) FROM main.days
UNION ALL SELECT 'last_day', max(day) FROM main.days
UNION ALL SELECT 'first_log_date', min(log_date) FROM temp.loaded
UNION ALL SELECT 'last_log_date', max(log_date) FROM temp.loaded
[UNION ALL SELECT '#_known_since', min(day) FROM main.days
WHERE day > (SELECT coalesce(max(day), '') FROM main.daily_totals WHERE # IS NULL)
];
