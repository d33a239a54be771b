ALTER TABLE `event` ADD `takes_guests` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `event_registration` ADD `guest_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_registration` ADD `guest_email` text DEFAULT '' NOT NULL;