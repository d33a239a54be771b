ALTER TABLE `event` ADD `attendance` text DEFAULT 'entry' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_registration` ADD `left_date` integer;