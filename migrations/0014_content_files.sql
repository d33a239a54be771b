CREATE TABLE `content_file` (
	`code` text NOT NULL,
	`file_id` text NOT NULL,
	PRIMARY KEY(`code`, `file_id`)
);
--> statement-breakpoint
CREATE INDEX `content_file_id` ON `content_file` (`file_id`);--> statement-breakpoint
ALTER TABLE `center` ADD `image_alt` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `popup` ADD `position` text DEFAULT 'right' NOT NULL;--> statement-breakpoint
ALTER TABLE `popup` ADD `size` text DEFAULT 'md' NOT NULL;