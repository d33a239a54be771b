ALTER TABLE `event` ADD `reminder_days` integer;--> statement-breakpoint
ALTER TABLE `event` ADD `reminded_date` integer;--> statement-breakpoint
ALTER TABLE `event_registration` ADD `letter` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `event_registration_letter` ON `event_registration` (`item_id`,`turn`) WHERE letter <> '';