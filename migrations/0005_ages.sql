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
