CREATE TABLE `alumni_staged` (
	`import_id` text NOT NULL,
	`kind` text NOT NULL,
	`plan_no` integer NOT NULL,
	`part_no` integer NOT NULL,
	`rows` text NOT NULL,
	`hash` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`import_id`, `kind`, `plan_no`, `part_no`),
	FOREIGN KEY (`import_id`) REFERENCES `alumni_staging`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `alumni_staging` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`file_id` text DEFAULT '' NOT NULL,
	`file_name` text NOT NULL,
	`head` text NOT NULL,
	`parts` integer NOT NULL,
	`plan_no` integer DEFAULT 0 NOT NULL,
	`planned_revision` integer,
	`summary` text,
	`landed_date` integer,
	`created_date` integer NOT NULL,
	`touched_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alumni_staging_touched` ON `alumni_staging` (`touched_date`);--> statement-breakpoint
CREATE INDEX `alumni_staging_user` ON `alumni_staging` (`user_id`);