-- The usual questions, in SQL that SQLite and DuckDB read alike. The exports for Datasette, Grafana and Superset have
-- them, `doctor` checks their plans, and the article "Questions and queries" shows them with answers. A question is a
-- comment and a query: the comment's first line is the question, the others explain it. Days and deliveries are the
-- parameters :from, :to and :delivery_id.

-- What became of our messages?
-- log_date_status says whether the logs of that date are loaded: complete, partial, or NULL if not. A day of which they
-- are not has a few messages all the same, from late hits. It is no day to compare with.
SELECT day, (SELECT log_date_status FROM days WHERE days.day = daily_totals.day) log_date_status,
       sum(messages) messages, sum(impressed) impressed, sum(clicked) clicked, sum(opened) opened,
       round(1.0 * sum(opened) / sum(messages), 3) opened_of_messages
FROM daily_totals WHERE day BETWEEN :from AND :to GROUP BY day ORDER BY day;

-- Can yesterday be compared yet?
-- A day grows while hits come late. later_log_dates is how many log dates after it are loaded. From 2 on, nearly all
-- hits of the first 24 hours are there, unless a log date between them is missing. final is 1 when the day's events
-- stand. What became of its messages may still grow a little, until twice window_days after the day.
SELECT day, log_date_status, messages, later_log_dates, final FROM days WHERE day >= :from ORDER BY day;

-- Which platform opens more?
-- The open rate depends on what is known of a message. iOS reports arrivals, and Android does not, so that iOS has
-- messages that nobody saw. opened_of_impressed takes only messages that were shown, and can be compared. Days whose
-- log date is missing or partial are left out: of their messages often the open alone is known.
SELECT platform, sum(messages) messages, sum(impressed) impressed,
       round(1.0 * sum(opened) / sum(messages), 3) opened_of_messages,
       round(1.0 * sum(opened_impressed) / sum(impressed), 3) opened_of_impressed
FROM daily_totals WHERE day IN (SELECT day FROM days WHERE log_date_status = 'complete')
GROUP BY platform ORDER BY platform;

-- Does a platform get worse?
-- The rates of each complete day, side by side. Look for a platform that falls while the other stays.
SELECT day, round(1.0 * sum(opened_impressed) FILTER (WHERE platform = 'android')
         / sum(impressed) FILTER (WHERE platform = 'android'), 3) android,
       round(1.0 * sum(opened_impressed) FILTER (WHERE platform = 'ios')
         / sum(impressed) FILTER (WHERE platform = 'ios'), 3) ios
FROM daily_totals
WHERE day BETWEEN :from AND :to AND day IN (SELECT day FROM days WHERE log_date_status = 'complete')
GROUP BY day ORDER BY day;

-- How soon do people open?
-- Of the opened messages that were seen before, the share that was opened within a time. A message that is known only
-- by its open tells no time. It is not in opened_seen. Days with fewer than two later log dates are left out, because
-- their late opens are still to come.
SELECT platform, sum(opened_seen) opened_seen,
       round(1.0 * sum(opened_10s) / sum(opened_seen), 3) "10 s",
       round(1.0 * sum(opened_5m) / sum(opened_seen), 3) "5 min",
       round(1.0 * sum(opened_1h) / sum(opened_seen), 3) "1 h",
       round(1.0 * sum(opened_24h) / sum(opened_seen), 3) "24 h"
FROM daily_totals WHERE day IN (SELECT day FROM days WHERE later_log_dates >= 2 AND log_date_status = 'complete')
GROUP BY platform ORDER BY platform;

-- What is the median time to open?
-- push.db counts the opens within steps of time, so the median and the 90th percentile lie between two steps. Days with
-- fewer than two later log dates are left out here too.
WITH sums AS (
  SELECT sum(opened_seen) opened_seen, sum(opened_10s) s10, sum(opened_1m) m1, sum(opened_5m) m5, sum(opened_15m) m15,
         sum(opened_30m) m30, sum(opened_1h) h1, sum(opened_2h) h2, sum(opened_6h) h6, sum(opened_12h) h12,
         sum(opened_24h) h24, sum(opened_72h) h72, sum(opened_7d) d7
  FROM daily_totals WHERE day IN (SELECT day FROM days WHERE later_log_dates >= 2 AND log_date_status = 'complete')
), steps AS (
  SELECT 0 number, '0 s' step, 0 opened UNION ALL SELECT 1, '10 s', s10 FROM sums UNION ALL SELECT 2, '1 min', m1 FROM sums
  UNION ALL SELECT 3, '5 min', m5 FROM sums UNION ALL SELECT 4, '15 min', m15 FROM sums
  UNION ALL SELECT 5, '30 min', m30 FROM sums UNION ALL SELECT 6, '1 h', h1 FROM sums
  UNION ALL SELECT 7, '2 h', h2 FROM sums UNION ALL SELECT 8, '6 h', h6 FROM sums
  UNION ALL SELECT 9, '12 h', h12 FROM sums UNION ALL SELECT 10, '24 h', h24 FROM sums
  UNION ALL SELECT 11, '72 h', h72 FROM sums UNION ALL SELECT 12, '7 days', d7 FROM sums
  UNION ALL SELECT 13, 'ever', opened_seen FROM sums
), parts AS (SELECT 'median' part, 0.5 AS share UNION ALL SELECT '90th percentile', 0.9)
SELECT part, opened_seen,
       (SELECT step FROM steps WHERE opened < share * opened_seen ORDER BY number DESC LIMIT 1) more_than,
       (SELECT step FROM steps WHERE opened >= share * opened_seen ORDER BY number LIMIT 1) at_most
FROM parts, sums WHERE opened_seen > 0 ORDER BY share;

-- How many opens happened on a day?
-- The funnel counts messages by their first day. daily_actions counts what happened on a day, whenever the message was
-- sent.
SELECT day, (SELECT log_date_status FROM days WHERE days.day = daily_actions.day) log_date_status, sum(events) opens
FROM daily_actions WHERE action = 'open' AND day BETWEEN :from AND :to GROUP BY day ORDER BY day;

-- At which hour do people open?
-- Hours are those of the pipeline's time zone. A day that is loaded in part may have only some of its hours, so only
-- complete days count.
SELECT hour, sum(events) opens FROM hourly_actions
WHERE action = 'open' AND day IN (SELECT day FROM days WHERE log_date_status = 'complete')
GROUP BY hour ORDER BY opens DESC, hour LIMIT 5;

-- On which weekdays?
-- calendar has every day, with its week, month and weekday. 1 is Monday. Only days whose log date is complete count, so
-- that opens divided by days is the mean of such a day.
SELECT weekday, count(DISTINCT calendar.day) AS days, coalesce(sum(events), 0) opens,
       round(1.0 * coalesce(sum(events), 0) / count(DISTINCT calendar.day), 1) mean
FROM calendar LEFT JOIN hourly_actions ON hourly_actions.day = calendar.day AND action = 'open'
WHERE log_date_status = 'complete' GROUP BY weekday ORDER BY weekday;

-- How do the weeks compare?
-- Compare what is of the same age: here, the opens within 24 hours, on complete days with at least two later log dates.
-- week_start is the Monday, and days is how many such days the week has. Divide by it where weeks have different
-- numbers.
SELECT iso_week, week_start, count(DISTINCT day) AS days, sum(messages) messages, sum(opened_24h) opened_24h,
       round(1.0 * sum(opened_24h) / sum(messages), 3) opened_24h_of_messages
FROM calendar JOIN daily_totals USING (day)
WHERE day IN (SELECT day FROM days WHERE later_log_dates >= 2) AND log_date_status = 'complete'
GROUP BY iso_week, week_start ORDER BY week_start;

-- Which days are unusual for their weekday?
-- The messages of a complete day against the mean of the same weekday in the four weeks before, of which two must be
-- complete: those below two thirds or above one and a half times.
WITH loaded AS (
  SELECT calendar.day, calendar.day_epoch / 86400 number, coalesce(messages, 0) messages
  FROM calendar LEFT JOIN days ON days.day = calendar.day
  WHERE calendar.log_date_status = 'complete'
)
SELECT a.day, a.messages, count(*) AS weeks, round(avg(b.messages)) usual, round(a.messages / avg(b.messages), 2) ratio
FROM loaded a JOIN loaded b ON a.number - b.number IN (7, 14, 21, 28)
WHERE a.day BETWEEN :from AND :to GROUP BY a.day, a.messages
HAVING count(*) > 1 AND 3 * a.messages NOT BETWEEN 2 * avg(b.messages) AND 4.5 * avg(b.messages) ORDER BY a.day;

-- What changed since the last publishing?
-- changes has a row for each day of which a publishing changed a row, with the sums before and after, when it was and which
-- log dates it brought.
SELECT day, events_after - events_before events, messages_after - messages_before messages,
       opened_after - opened_before opened
FROM changes WHERE number = (SELECT max(number) FROM changes) ORDER BY day;

-- Which deliveries were opened most?
-- deliveries has the names of the delivery files. Without a file, leave the join out.
SELECT delivery_id, label, sum(messages) messages, sum(opened) opened,
       round(1.0 * sum(opened) / sum(messages), 3) opened_of_messages
FROM daily_funnel JOIN deliveries USING (delivery_id) WHERE day BETWEEN :from AND :to
GROUP BY delivery_id, label ORDER BY opened DESC, delivery_id LIMIT 5;

-- What became of one delivery?
SELECT day, platform, sum(messages) messages, sum(arrived) arrived, sum(impressed) impressed, sum(clicked) clicked,
       sum(opened) opened
FROM daily_funnel WHERE delivery_id = :delivery_id GROUP BY day, platform ORDER BY day, platform;

-- What share of what was sent was shown and opened?
-- delivery_results has one row for each delivery, with sent from the delivery files or from events. Without sent the rates
-- are NULL; leave such deliveries out, or their opens would count without their sends. Leave out those as well that were
-- sent on a day whose log date is missing or partial, because most of their opens are in no log.
SELECT campaign, count(*) deliveries, sum(sent) sent,
       round(1.0 * sum(messages) / sum(sent), 3) messages_of_sent,
       round(1.0 * sum(impressed) / sum(sent), 3) impressed_of_sent,
       round(1.0 * sum(opened) / sum(sent), 3) opened_of_sent
FROM delivery_results
WHERE sent > 0 AND coalesce(sent_day, first_day) IN (SELECT log_date FROM partitions WHERE status = 'complete')
GROUP BY campaign ORDER BY sum(sent) DESC, campaign;

-- What share of what was sent arrived on the devices?
-- delivery_platforms has what was sent by platform, where a file splits it. Here only iOS devices report arrivals, and
-- not all of them do. So arrived_of_sent is what was reported, a lower bound, and NULL for the other platforms.
-- messages_of_sent is the share that any log speaks of: a message that was shown or opened did arrive.
SELECT platform, sum(sent) sent, sum(CASE WHEN arrived_of_sent IS NOT NULL THEN arrived END) arrived,
       round(1.0 * sum(CASE WHEN arrived_of_sent IS NOT NULL THEN arrived END) / sum(sent), 3) arrived_of_sent,
       round(1.0 * sum(messages) / sum(sent), 3) messages_of_sent
FROM delivery_platforms
WHERE sent > 0 AND delivery_id IN (SELECT delivery_id FROM delivery_results WHERE coalesce(sent_day, first_day) IN
                                   (SELECT log_date FROM partitions WHERE status = 'complete'))
GROUP BY platform ORDER BY platform;

-- Which deliveries are best?
-- By the share of what was sent that was opened. A small delivery has a high or a low rate by chance, so ask for a
-- size.
SELECT label, variant, sent, opened, round(opened_of_sent, 3) opened_of_sent
FROM delivery_results WHERE sent >= 100 ORDER BY delivery_results.opened_of_sent DESC, delivery_id LIMIT 5;

-- Which delivery failed?
-- 500 or more were sent, the log dates of sent_day and first_day are complete, a later one is loaded, and less than a
-- fifth of the usual share is known from any log. usual is the median of such deliveries. A delivery without any hit has
-- no first_day.
WITH known AS (
  SELECT delivery_id, label, sent, messages, 1.0 * messages / sent known FROM delivery_results
  WHERE sent >= 500 AND coalesce(first_day, sent_day) < (SELECT max(log_date) FROM partitions)
    AND coalesce(first_day, sent_day) IN (SELECT log_date FROM partitions WHERE status = 'complete')
    AND coalesce(sent_day, first_day) IN (SELECT log_date FROM partitions WHERE status = 'complete')
), numbered AS (
  SELECT known, row_number() OVER (ORDER BY known) number, count(*) OVER () count FROM known
), median AS (
  SELECT avg(known) usual FROM numbered WHERE 2 * number BETWEEN count AND count + 2
)
SELECT delivery_id, label, sent, messages, round(known, 3) known, round(usual, 3) usual
FROM known, median WHERE known < usual / 5 ORDER BY known, delivery_id;

-- Which deliveries are best at equal age?
-- A delivery of yesterday had less time than one of last week. So take what each had: of the messages first seen on its
-- first day those opened within 24 hours, where two later log dates are loaded.
WITH large AS (
  SELECT delivery_id, day, sum(messages) messages, sum(opened_24h) opened_24h FROM daily_funnel
  WHERE day IN (SELECT day FROM days WHERE later_log_dates >= 2 AND log_date_status = 'complete')
  GROUP BY day, delivery_id HAVING sum(messages) >= 100
)
SELECT delivery_id, label, first_day, large.messages, large.opened_24h,
       round(1.0 * large.opened_24h / large.messages, 3) opened_24h_of_messages
FROM large JOIN delivery_results USING (delivery_id)
WHERE day = first_day ORDER BY 6 DESC, delivery_id LIMIT 5;

-- Why is sent many times too large?
-- delivery_results has one row for each delivery, daily_funnel one for each day, platform and log date of it. A join
-- repeats sent on each of these rows. Add up sent from delivery_results alone, and join only after the sums are made.
SELECT sum(delivery_results.sent) wrong, (SELECT sum(sent) FROM delivery_results WHERE messages > 0) AS "right"
FROM daily_funnel JOIN delivery_results USING (delivery_id);

-- Which variant is better, and is it chance?
-- The variants of one campaign, added up over its deliveries: an average of the deliveries' rates would give a small
-- delivery as much weight as a large one. Deliveries that were sent on a day whose log date is missing or partial are
-- left out, or their variant would be the worse one. low and high are Wilson's 95 % interval. z compares with the best
-- variant of the campaign, in standard errors: beyond -3 or so, chance does not make it. sqrt needs SQLite 3.35 or later.
WITH variants AS (
  SELECT campaign, variant, count(*) deliveries, 1.0 * sum(sent) n, 1.0 * sum(opened) k, 1.0 * sum(opened) / sum(sent) p
  FROM delivery_results
  WHERE variant <> '' AND sent > 0
    AND coalesce(sent_day, first_day) IN (SELECT log_date FROM partitions WHERE status = 'complete')
  GROUP BY campaign, variant
), best AS (
  SELECT campaign, n, k, p FROM (
    SELECT campaign, n, k, p, row_number() OVER (PARTITION BY campaign ORDER BY p DESC, variant) place FROM variants)
  WHERE place = 1
)
SELECT campaign, variant, deliveries, CAST(variants.n AS INTEGER) sent, round(variants.p, 3) opened_of_sent,
       round((variants.p + 1.9208 / variants.n - 1.96 * sqrt(variants.p * (1 - variants.p) / variants.n
         + 0.9604 / variants.n / variants.n)) / (1 + 3.8416 / variants.n), 3) low,
       round((variants.p + 1.9208 / variants.n + 1.96 * sqrt(variants.p * (1 - variants.p) / variants.n
         + 0.9604 / variants.n / variants.n)) / (1 + 3.8416 / variants.n), 3) high,
       round((variants.p - best.p) / sqrt((variants.k + best.k) / (variants.n + best.n)
         * (1 - (variants.k + best.k) / (variants.n + best.n)) * (1 / variants.n + 1 / best.n)), 1) z
FROM variants JOIN best USING (campaign) ORDER BY campaign, opened_of_sent DESC, variant;

-- Which deliveries have no name, and which no hits?
-- Messages that are triggered by an event, and those that nobody entered, are in the logs alone. What was planned and not
-- sent yet is in the file alone.
SELECT in_file, deliveries.first_day IS NOT NULL in_logs, count(*) deliveries, sum(messages) messages
FROM deliveries JOIN delivery_results USING (delivery_id) GROUP BY 1, 2 ORDER BY 1, 2;

-- Which messages arrived and were never shown?
-- Such a device may have notifications switched off, or its impression was lost. Look for an app version or a delivery
-- in which they are many. Where a log date is missing or partial, impressions are missing too, so such days are left
-- out.
SELECT platform, sum(messages) arrived,
       sum(CASE WHEN has_impression THEN 0 ELSE messages END) never_shown
FROM daily_paths WHERE has_arrival AND day IN (SELECT day FROM days WHERE log_date_status = 'complete')
GROUP BY platform ORDER BY platform;

-- What do the SDKs get wrong?
-- Each open also sends a click, and what was opened was shown. Where many opens lack either, a version of the app sends
-- too little. Days whose log date is missing or partial are left out, because they lack either for another reason.
SELECT platform, sum(opened) opened, sum(opened_without_click) without_click,
       sum(opened_without_impression) without_impression
FROM daily_totals WHERE day IN (SELECT day FROM days WHERE log_date_status = 'complete')
GROUP BY platform ORDER BY platform;

-- How much is sent twice?
-- Duplicates are not counted in any figure. Their share tells how often apps send again.
SELECT source, action, sum(events) events, sum(duplicates) duplicates,
       round(1.0 * sum(duplicates) / (sum(events) + sum(duplicates)), 3) duplicates_of_all
FROM hourly_actions GROUP BY source, action HAVING sum(duplicates) > 40
ORDER BY duplicates_of_all DESC, source, action;

-- How late do hits come?
-- log_date is the log date whose files brought a hit; daily_actions has it too, by delivery. The hits that are not late
-- are the rest of the day's events. Of a day whose log date is missing, only the late hits are there, so only complete
-- days count. A file can hold some hits of the day after its date, if the server cuts its files later or in another
-- zone: these have -1.
WITH late AS (
  SELECT CAST((calendar.day_epoch - hourly_actions.day_epoch) / 86400 AS INTEGER) days_late, sum(events) events
  FROM hourly_actions JOIN calendar ON calendar.day = log_date
  WHERE log_date <> hourly_actions.day
    AND hourly_actions.day IN (SELECT day FROM days WHERE log_date_status = 'complete')
  GROUP BY 1
), complete AS (SELECT sum(events) events FROM days WHERE log_date_status = 'complete')
SELECT days_late, events, round(100.0 * events / (SELECT events FROM complete), 2) AS percent
FROM (
  SELECT days_late, events FROM late
  UNION ALL SELECT 0, events - coalesce((SELECT sum(events) FROM late), 0) FROM complete WHERE events > 0
)
ORDER BY days_late;

-- Is every day loaded?
-- The calendar ends with the last log date. Nights that are missing since then show in pushetl status --check.
SELECT calendar.day, coalesce(status, 'not loaded') status, records, rejected
FROM calendar LEFT JOIN partitions ON log_date = calendar.day
WHERE calendar.day >= (SELECT min(log_date) FROM partitions) ORDER BY calendar.day;

-- Which records could not be read?
-- pushetl rejects shows them, with the reason and the place.
SELECT source, reason, sum(records) records FROM outcomes
WHERE outcome = 'rejected' GROUP BY source, reason ORDER BY records DESC, source, reason LIMIT 5;
