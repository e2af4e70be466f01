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
-- 500 or more were sent, the log date of the day on which it began lacks nothing, a later one is loaded, and less than a
-- fifth of the usual share arrived or was seen: messages that were impressed, opened, or arrived unseen. usual is the
-- median of the deliveries whose sent is known in the same way, if they are five or more. A delivery began on its sent_day
-- where that is known, else on its first_day. A first_day after sent_day must be of such a log date, too. A delivery without
-- any hit has no first_day.
WITH whole AS (
  SELECT log_date FROM partitions
  WHERE status = 'complete' AND accepted_as_is = 0 AND coalesce(warnings, '') NOT LIKE '%missing_usual_files%'
    AND coalesce(warnings, '') NOT LIKE '%silent_hours%' AND log_date NOT IN (SELECT log_date FROM held)
), judged AS (
  SELECT delivery_id, label, sent_from, sent, impressed + opened_without_impression + arrived_unseen seen,
         1.0 * (impressed + opened_without_impression + arrived_unseen) / sent AS share
  FROM delivery_results
  WHERE sent >= 500 AND coalesce(sent_day, first_day) < (SELECT max(log_date) FROM partitions)
    AND coalesce(sent_day, first_day) IN (SELECT log_date FROM whole)
    AND (first_day < sent_day OR coalesce(first_day, sent_day) IN (SELECT log_date FROM whole))
), numbered AS (
  SELECT sent_from, share, row_number() OVER (PARTITION BY sent_from ORDER BY share) number,
         count(*) OVER (PARTITION BY sent_from) count
  FROM judged
), median AS (
  SELECT sent_from, avg(share) usual FROM numbered
  WHERE count >= 5 AND 2 * number BETWEEN count AND count + 2 GROUP BY sent_from
)
SELECT delivery_id, label, sent, seen, round(share, 3) AS share, round(usual, 3) usual
FROM judged JOIN median USING (sent_from) WHERE share < usual / 5 ORDER BY judged.share, delivery_id;

-- Which deliveries are best at equal age?
-- A delivery of yesterday had less time than one of last week. So take what each had: of the messages first seen on the
-- day on which it began those opened within 24 hours, where two later log dates are loaded.
WITH large AS (
  SELECT delivery_id, day, sum(messages) messages, sum(opened_24h) opened_24h FROM daily_funnel
  WHERE day IN (SELECT day FROM days WHERE later_log_dates >= 2 AND log_date_status = 'complete')
  GROUP BY day, delivery_id HAVING sum(messages) >= 100
)
SELECT delivery_id, label, day, large.messages, large.opened_24h,
       round(1.0 * large.opened_24h / large.messages, 3) opened_24h_of_messages
FROM large JOIN delivery_results USING (delivery_id)
WHERE day = coalesce(sent_day, first_day) ORDER BY 6 DESC, delivery_id LIMIT 5;

-- Why is sent many times too large?
-- delivery_results has one row for each delivery, daily_funnel one for each day, platform and log date of it. A join
-- repeats sent on each of these rows. Add up sent from delivery_results alone, and join only after the sums are made.
SELECT sum(delivery_results.sent) wrong, (SELECT sum(sent) FROM delivery_results WHERE messages > 0) AS "right"
FROM daily_funnel JOIN delivery_results USING (delivery_id);

-- Which variant is better, and is it chance?
-- The variants of one campaign, added up over its deliveries: an average of the deliveries' rates would give a small
-- delivery as much weight as a large one. Left out are deliveries that failed, as above, and those of a log date that is
-- missing, partial, held back, or lacks files or hours, or their variant would be the worse one. low and high are Wilson's
-- 95 % interval. z compares with the best variant of the campaign, in standard errors, which are larger where the
-- deliveries of one variant differ by more than chance: beyond -3 or so, chance does not make it. sqrt needs SQLite 3.35
-- or later.
WITH whole AS (
  SELECT log_date FROM partitions
  WHERE status = 'complete' AND accepted_as_is = 0 AND coalesce(warnings, '') NOT LIKE '%missing_usual_files%'
    AND coalesce(warnings, '') NOT LIKE '%silent_hours%' AND log_date NOT IN (SELECT log_date FROM held)
), known AS (
  SELECT delivery_id, campaign, variant, sent_from, 1.0 * sent AS n, 1.0 * opened AS k,
         1.0 * (impressed + opened_without_impression + arrived_unseen) / sent AS share,
         sent >= 500 AND coalesce(sent_day, first_day) < (SELECT max(log_date) FROM partitions) AS is_judged
  FROM delivery_results
  WHERE sent > 0 AND coalesce(sent_day, first_day) IN (SELECT log_date FROM whole)
    AND (first_day < sent_day OR coalesce(first_day, sent_day) IN (SELECT log_date FROM whole))
), numbered AS (
  SELECT sent_from, share, row_number() OVER (PARTITION BY sent_from ORDER BY share) number,
         count(*) OVER (PARTITION BY sent_from) count
  FROM known WHERE is_judged
), median AS (
  SELECT sent_from, avg(share) usual FROM numbered
  WHERE count >= 5 AND 2 * number BETWEEN count AND count + 2 GROUP BY sent_from
), fair AS (
  SELECT campaign, variant, sent_from, n, k FROM known LEFT JOIN median USING (sent_from)
  WHERE campaign <> '' AND variant <> '' AND (NOT is_judged OR usual IS NULL OR share >= usual / 5)
), variants AS (
  SELECT campaign, variant, sent_from, count(*) deliveries, sum(n) n, sum(k) k, sum(k) / sum(n) AS p
  FROM fair GROUP BY campaign, variant, sent_from
), scatter AS (
  SELECT campaign, sent_from, sum(chi) / nullif(sum(degrees), 0) AS dispersion
  FROM (
    SELECT variants.campaign, variants.sent_from, deliveries - 1 AS degrees,
           sum(CASE WHEN p > 0 AND p < 1
                    THEN (fair.k - p * fair.n) * (fair.k - p * fair.n) / (fair.n * p * (1 - p)) END) chi
    FROM variants JOIN fair
      ON fair.campaign = variants.campaign AND fair.variant = variants.variant AND fair.sent_from = variants.sent_from
    WHERE variants.n >= 1000
    GROUP BY variants.campaign, variants.variant, variants.sent_from, deliveries)
  GROUP BY campaign, sent_from
), best AS (
  SELECT campaign, sent_from, n, k, p FROM (
    SELECT campaign, sent_from, n, k, p,
           row_number() OVER (PARTITION BY campaign, sent_from ORDER BY p DESC, variant) place
    FROM variants)
  WHERE place = 1
)
SELECT variants.campaign, variant, deliveries, CAST(variants.n AS INTEGER) sent, round(variants.p, 3) opened_of_sent,
       round((variants.p + 1.9208 / variants.n - 1.96 * sqrt(variants.p * (1 - variants.p) / variants.n
         + 0.9604 / variants.n / variants.n)) / (1 + 3.8416 / variants.n), 3) low,
       round((variants.p + 1.9208 / variants.n + 1.96 * sqrt(variants.p * (1 - variants.p) / variants.n
         + 0.9604 / variants.n / variants.n)) / (1 + 3.8416 / variants.n), 3) high,
       round((variants.p - best.p) / sqrt((variants.k + best.k) / (variants.n + best.n)
         * (1 - (variants.k + best.k) / (variants.n + best.n)) * (1 / variants.n + 1 / best.n)
         * CASE WHEN dispersion > 1 THEN dispersion ELSE 1 END), 1) z
FROM variants JOIN best USING (campaign, sent_from) LEFT JOIN scatter USING (campaign, sent_from)
ORDER BY variants.campaign, opened_of_sent DESC, variant;

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

-- Page: totals
-- The rows of daily_totals of a period. What begins with "Page" is asked by the report alone: {{#}} stands for columns of
-- counts, and checked(…) for a sum that is NULL where a value is no count.
SELECT day, platform, events, duplicates, {{#}} FROM daily_totals WHERE day BETWEEN :from AND :to;

-- Page: totals apart
-- The same of some deliveries, whose ids are a list of JSON.
SELECT day, platform, 0, 0, {{sum(#) AS #}}
FROM daily_funnel
WHERE day BETWEEN :from AND :to AND delivery_id IN (SELECT value FROM json_each(:ids))
GROUP BY day, platform;

-- Page: days of deliveries
-- What became of the messages of each day, by delivery. So the rows come as the key has them, and nothing is sorted.
SELECT day, delivery_id, {{checked(#)}} FROM daily_funnel WHERE day BETWEEN :from AND :to GROUP BY day, delivery_id;

-- Page: deliveries
-- Those that may have messages in the period, and those that were sent in it. Most rows of delivery_results, which are wide,
-- are of other periods, and are not read. A day of sending is at most a day from that of sent_at, which is in UTC.
SELECT r.delivery_id, r.label, r.campaign, r.variant, d.in_file, r.first_day, r.sent_day, r.sent, r.sent_from, r.delivered,
       {{r.#}}
FROM deliveries d CROSS JOIN delivery_results r USING (delivery_id)
WHERE d.last_day >= :from AND d.first_day <= :to
   OR d.sent_at BETWEEN date(:from, '-1 day') AND date(:to, '2 days') AND r.sent_day BETWEEN :from AND :to;

-- Page: log dates
-- The status of the partition, whether another pipeline file made it than the last, whether it was accepted, what the load
-- that stands has printed, and why the last load was held back or has failed.
WITH numbered AS (
  SELECT log_date, verdict, detail,
         row_number() OVER (PARTITION BY log_date ORDER BY started_at DESC, finished_at DESC) number,
         row_number() OVER (PARTITION BY log_date, verdict = 'failed' ORDER BY started_at DESC, finished_at DESC) of_kind
  FROM loads WHERE verdict <> 'held'
), standing AS (SELECT log_date, detail FROM numbered WHERE verdict <> 'failed' AND of_kind = 1
), failed AS (SELECT log_date, coalesce(detail, '') detail FROM numbered WHERE verdict = 'failed' AND number = 1
), dates AS (
  SELECT log_date FROM partitions UNION SELECT log_date FROM held UNION SELECT log_date FROM failed
)
SELECT dates.log_date, status, coalesce(pipeline <> (SELECT value FROM about WHERE key = 'pipeline'), 0),
       coalesce(accepted_as_is, 0), standing.detail, coalesce(held.detail, failed.detail)
FROM dates LEFT JOIN partitions USING (log_date) LEFT JOIN standing USING (log_date) LEFT JOIN failed USING (log_date)
LEFT JOIN held USING (log_date);

-- Page: days
SELECT day, messages, later_log_dates, final FROM days;

-- Page: main day
-- The day on which most events of the log date ?2 lie.
SELECT day FROM hourly_actions WHERE day BETWEEN ?1 AND ?3 AND log_date = ?2
GROUP BY day ORDER BY sum(events) DESC, day DESC LIMIT 1;

-- Page: lags
-- On which days the messages of each log date were first seen. daily_paths is the smallest table that tells.
SELECT log_date, day, sum(messages) FROM daily_paths GROUP BY day, log_date;

-- Page: cut files
SELECT path, status FROM files WHERE status <> 'ok' ORDER BY path;

-- Page: hours
SELECT day, hour, action, checked(events) FROM hourly_actions WHERE day BETWEEN :from AND :to GROUP BY day, hour, action;

-- Page: lateness
-- hourly_actions has the log dates of daily_actions in a twentieth of the rows.
SELECT log_date, checked(events), checked(duplicates), day FROM hourly_actions
WHERE day BETWEEN :from AND :to GROUP BY day, log_date;

-- Page: rejects
SELECT CASE outcome WHEN 'rejected' THEN reason END, checked(records), sum(records * (outcome = 'filtered'))
FROM outcomes WHERE log_date BETWEEN :from AND :to GROUP BY 1;

-- Page: some deliveries
-- Those of a campaign, or the like: :which.
SELECT r.delivery_id, r.label, r.campaign, r.variant, d.in_file, r.first_day, r.sent_day, r.sent, r.sent_from, r.delivered,
       {{r.#}}
FROM delivery_results r LEFT JOIN deliveries d USING (delivery_id)
WHERE :which ORDER BY coalesce(r.sent_day, r.first_day), r.delivery_id;

-- Page: first days
-- What became of the messages of some deliveries that were first seen in the 28 days from the one on which it began.
WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < 27)
SELECT r.delivery_id, platform, {{sum(f.#) AS #}}
FROM delivery_results r CROSS JOIN numbers CROSS JOIN daily_funnel f
  ON f.day = date(coalesce(r.sent_day, r.first_day), number || ' days') AND f.delivery_id = r.delivery_id
WHERE :which GROUP BY 1, 2;

-- Page: days since it began
-- What happened on each of these days.
WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < 27)
SELECT r.delivery_id, number, action, sum(events)
FROM delivery_results r CROSS JOIN numbers CROSS JOIN daily_actions a
  ON a.day = date(coalesce(r.sent_day, r.first_day), number || ' days') AND a.delivery_id = r.delivery_id
WHERE :which GROUP BY 1, 2, 3;

-- Page: sent by platform
SELECT r.delivery_id, platform, p.sent FROM delivery_platforms p JOIN delivery_results r USING (delivery_id)
WHERE :which AND p.sent NOT NULL;

-- Page: campaigns
-- All campaigns with messages, and the days on which the first and the last of their deliveries began.
SELECT campaign, min(coalesce(sent_day, first_day)), max(coalesce(sent_day, first_day)), count(*) FROM delivery_results
WHERE campaign <> '' AND first_day NOT NULL GROUP BY campaign ORDER BY max(coalesce(sent_day, first_day)) DESC, campaign;

-- Page: names
-- What a campaign or a delivery may be called.
SELECT DISTINCT campaign, delivery_id, label FROM delivery_results;
