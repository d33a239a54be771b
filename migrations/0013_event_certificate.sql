ALTER TABLE `event` ADD `certificate_kind_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_registration` ADD `certificate_id` text DEFAULT '' NOT NULL;