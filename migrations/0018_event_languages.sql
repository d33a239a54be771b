ALTER TABLE `event` ADD `english_notice` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `event` ADD `told` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_registration` ADD `language` text DEFAULT 'ko' NOT NULL;