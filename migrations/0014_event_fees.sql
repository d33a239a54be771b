ALTER TABLE `event` ADD `fees` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `event` ADD `fee_days` integer;--> statement-breakpoint
ALTER TABLE `event` ADD `cancels_unpaid` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `event_registration` ADD `fee_code` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_registration` ADD `fee` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `event_registration` ADD `fee_reminded_date` integer;
--> statement-breakpoint
DROP TRIGGER due_summed_new;
--> statement-breakpoint
CREATE TRIGGER due_summed_new AFTER INSERT ON due BEGIN
  INSERT INTO due_sum (period, kind_id, cohort, state, dues, amount, paid)
    VALUES (NEW.period, NEW.kind_id, coalesce(NEW.cohort, ''), CASE WHEN NEW.is_exempt THEN 'exempt' WHEN NEW.paid >= NEW.amount THEN 'paid' WHEN NEW.paid > 0 THEN 'partial' ELSE 'unpaid' END, 1, 1 * NEW.amount, 1 * NEW.paid)
    ON CONFLICT DO UPDATE SET dues = dues + excluded.dues, amount = amount + excluded.amount, paid = paid + excluded.paid;
  INSERT INTO due_standing (alumni_id, period, state)
    SELECT NEW.alumni_id, k.value, (SELECT coalesce(CASE WHEN max(is_listed) IS NOT 1 THEN ''
        WHEN k.value = '' THEN nullif(count(DISTINCT iif((NOT is_exempt AND paid < amount), substr(period, 1, 4), NULL)), 0)
        WHEN min(is_exempt) THEN 'exempt' WHEN NOT max((NOT is_exempt AND paid < amount)) THEN 'paid'
        WHEN sum(iif(is_exempt, 0, paid)) > 0 THEN 'partial' ELSE 'unpaid' END, '')
      FROM due WHERE alumni_id = NEW.alumni_id AND period BETWEEN k.value AND k.value || iif(length(k.value) IN (0, 4), '~', '') AND (period = k.value OR instr(period, '-행사') = 0))
    FROM json_each(json_array('', substr(NEW.period, 1, 4), NEW.period)) AS k WHERE true
    ON CONFLICT DO UPDATE SET state = excluded.state WHERE state <> excluded.state;
  DELETE FROM due_standing WHERE alumni_id = NEW.alumni_id AND state = '';
  UPDATE due SET (name, cohort, is_listed) =
    (SELECT coalesce(max(name), ''), max(cohort), coalesce(max(deleted_date IS NULL), 0) FROM alumni WHERE alumni.id = due.alumni_id)
    WHERE id = NEW.id AND NEW.name = '';
END;

--> statement-breakpoint
DROP TRIGGER due_summed_changed;
--> statement-breakpoint
CREATE TRIGGER due_summed_changed AFTER UPDATE OF alumni_id, period, kind_id, cohort, amount, paid, is_exempt, is_listed ON due BEGIN
  INSERT INTO due_sum (period, kind_id, cohort, state, dues, amount, paid)
    VALUES (OLD.period, OLD.kind_id, coalesce(OLD.cohort, ''), CASE WHEN OLD.is_exempt THEN 'exempt' WHEN OLD.paid >= OLD.amount THEN 'paid' WHEN OLD.paid > 0 THEN 'partial' ELSE 'unpaid' END, -1, -1 * OLD.amount, -1 * OLD.paid)
    ON CONFLICT DO UPDATE SET dues = dues + excluded.dues, amount = amount + excluded.amount, paid = paid + excluded.paid;
  INSERT INTO due_sum (period, kind_id, cohort, state, dues, amount, paid)
    VALUES (NEW.period, NEW.kind_id, coalesce(NEW.cohort, ''), CASE WHEN NEW.is_exempt THEN 'exempt' WHEN NEW.paid >= NEW.amount THEN 'paid' WHEN NEW.paid > 0 THEN 'partial' ELSE 'unpaid' END, 1, 1 * NEW.amount, 1 * NEW.paid)
    ON CONFLICT DO UPDATE SET dues = dues + excluded.dues, amount = amount + excluded.amount, paid = paid + excluded.paid;
  DELETE FROM due_sum WHERE period = OLD.period AND kind_id = OLD.kind_id AND cohort = coalesce(OLD.cohort, '') AND dues = 0;
  INSERT INTO due_standing (alumni_id, period, state)
    SELECT OLD.alumni_id, k.value, (SELECT coalesce(CASE WHEN max(is_listed) IS NOT 1 THEN ''
        WHEN k.value = '' THEN nullif(count(DISTINCT iif((NOT is_exempt AND paid < amount), substr(period, 1, 4), NULL)), 0)
        WHEN min(is_exempt) THEN 'exempt' WHEN NOT max((NOT is_exempt AND paid < amount)) THEN 'paid'
        WHEN sum(iif(is_exempt, 0, paid)) > 0 THEN 'partial' ELSE 'unpaid' END, '')
      FROM due WHERE alumni_id = OLD.alumni_id AND period BETWEEN k.value AND k.value || iif(length(k.value) IN (0, 4), '~', '') AND (period = k.value OR instr(period, '-행사') = 0))
    FROM json_each(json_array('', substr(OLD.period, 1, 4), OLD.period)) AS k WHERE true
    ON CONFLICT DO UPDATE SET state = excluded.state WHERE state <> excluded.state;
  DELETE FROM due_standing WHERE alumni_id = OLD.alumni_id AND state = '';
  INSERT INTO due_standing (alumni_id, period, state)
    SELECT NEW.alumni_id, k.value, (SELECT coalesce(CASE WHEN max(is_listed) IS NOT 1 THEN ''
        WHEN k.value = '' THEN nullif(count(DISTINCT iif((NOT is_exempt AND paid < amount), substr(period, 1, 4), NULL)), 0)
        WHEN min(is_exempt) THEN 'exempt' WHEN NOT max((NOT is_exempt AND paid < amount)) THEN 'paid'
        WHEN sum(iif(is_exempt, 0, paid)) > 0 THEN 'partial' ELSE 'unpaid' END, '')
      FROM due WHERE alumni_id = NEW.alumni_id AND period BETWEEN k.value AND k.value || iif(length(k.value) IN (0, 4), '~', '') AND (period = k.value OR instr(period, '-행사') = 0))
    FROM json_each(json_array('', substr(NEW.period, 1, 4), NEW.period)) AS k WHERE true
    ON CONFLICT DO UPDATE SET state = excluded.state WHERE state <> excluded.state;
  DELETE FROM due_standing WHERE alumni_id = NEW.alumni_id AND state = '';
END;

--> statement-breakpoint
DROP TRIGGER due_summed_gone;
--> statement-breakpoint
CREATE TRIGGER due_summed_gone AFTER DELETE ON due BEGIN
  INSERT INTO due_sum (period, kind_id, cohort, state, dues, amount, paid)
    VALUES (OLD.period, OLD.kind_id, coalesce(OLD.cohort, ''), CASE WHEN OLD.is_exempt THEN 'exempt' WHEN OLD.paid >= OLD.amount THEN 'paid' WHEN OLD.paid > 0 THEN 'partial' ELSE 'unpaid' END, -1, -1 * OLD.amount, -1 * OLD.paid)
    ON CONFLICT DO UPDATE SET dues = dues + excluded.dues, amount = amount + excluded.amount, paid = paid + excluded.paid;
  DELETE FROM due_sum WHERE period = OLD.period AND kind_id = OLD.kind_id AND cohort = coalesce(OLD.cohort, '') AND dues = 0;
  INSERT INTO due_standing (alumni_id, period, state)
    SELECT OLD.alumni_id, k.value, (SELECT coalesce(CASE WHEN max(is_listed) IS NOT 1 THEN ''
        WHEN k.value = '' THEN nullif(count(DISTINCT iif((NOT is_exempt AND paid < amount), substr(period, 1, 4), NULL)), 0)
        WHEN min(is_exempt) THEN 'exempt' WHEN NOT max((NOT is_exempt AND paid < amount)) THEN 'paid'
        WHEN sum(iif(is_exempt, 0, paid)) > 0 THEN 'partial' ELSE 'unpaid' END, '')
      FROM due WHERE alumni_id = OLD.alumni_id AND period BETWEEN k.value AND k.value || iif(length(k.value) IN (0, 4), '~', '') AND (period = k.value OR instr(period, '-행사') = 0))
    FROM json_each(json_array('', substr(OLD.period, 1, 4), OLD.period)) AS k WHERE true
    ON CONFLICT DO UPDATE SET state = excluded.state WHERE state <> excluded.state;
  DELETE FROM due_standing WHERE alumni_id = OLD.alumni_id AND state = '';
END;
--> statement-breakpoint
CREATE TRIGGER due_registration_gone AFTER DELETE ON event_registration BEGIN
  DELETE FROM due WHERE id = OLD.id AND paid = 0;
  UPDATE due SET name = '' WHERE id = OLD.id AND alumni_id = OLD.id;
END;
