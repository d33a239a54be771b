CREATE TABLE `alumni_distinct` (
	`low_id` text NOT NULL,
	`high_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_date` integer NOT NULL,
	PRIMARY KEY(`low_id`, `high_id`)
);
--> statement-breakpoint
CREATE INDEX `alumni_distinct_high` ON `alumni_distinct` (`high_id`);--> statement-breakpoint
CREATE TABLE `alumni_merge` (
	`id` text PRIMARY KEY NOT NULL,
	`kept_id` text NOT NULL,
	`people` integer NOT NULL,
	`user_id` text NOT NULL,
	`created_date` integer NOT NULL,
	`undone_date` integer
);
--> statement-breakpoint
CREATE INDEX `alumni_merge_created` ON `alumni_merge` (`created_date`);--> statement-breakpoint
ALTER TABLE `alumni` ADD `merged_into` text;--> statement-breakpoint
CREATE INDEX `alumni_mobile` ON `alumni` (`mobile`,`id`) WHERE deleted_date IS NULL AND mobile <> '';--> statement-breakpoint
CREATE INDEX `alumni_name_tail` ON `alumni` (`name`,substr(`mobile`, -4),`mobile`,`id`) WHERE deleted_date IS NULL AND mobile <> '';--> statement-breakpoint
CREATE INDEX `alumni_before_person` ON `alumni_before` (`alumni_id`);