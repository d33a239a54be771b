CREATE TABLE `age_clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`trusted_date` integer NOT NULL,
	`jumped_date` integer,
	`last_date` integer
);
--> statement-breakpoint
ALTER TABLE `certificate_kind` ADD `start_year` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `certificate_kind` ADD `start_number` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
DROP TRIGGER page_stamp_certificate_kind_changed;
--> statement-breakpoint
CREATE TRIGGER page_stamp_certificate_kind_changed AFTER UPDATE OF id, name, body, organization, chair, seal_id, with_affiliation, with_purpose, number_pattern, start_year, start_number, months, self_issue, sort_order, is_closed, version ON certificate_kind WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER due_counted_none AFTER UPDATE ON due_people WHEN NEW.people = 0 BEGIN
  DELETE FROM due_people WHERE period = NEW.period AND state = NEW.state;
END;
--> statement-breakpoint
DELETE FROM due_people WHERE people = 0;
--> statement-breakpoint
UPDATE alumni_certificate SET expires_date = ((expires_date + 32400000) / 86400000 + 1) * 86400000 - 32400001 WHERE expires_date IS NOT NULL;
--> statement-breakpoint
UPDATE confirmation_round SET end_date = ((end_date + 32400000) / 86400000 + 1) * 86400000 - 32400001 WHERE status = 'open' AND end_date IS NOT NULL;
--> statement-breakpoint
UPDATE board_item SET pinned_until = pinned_until + 999 WHERE (pinned_until + 32401000) % 86400000 = 0;
