CREATE TABLE `alumni` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`cohort` integer,
	`graduation_year` integer,
	`major` text DEFAULT '' NOT NULL,
	`affiliation` text DEFAULT '' NOT NULL,
	`department` text DEFAULT '' NOT NULL,
	`position` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`mobile` text DEFAULT '' NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`zip_code` text DEFAULT '' NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`memo` text DEFAULT '' NOT NULL,
	`open_fields` text DEFAULT '[]' NOT NULL,
	`initials` text DEFAULT '' NOT NULL,
	`search_all` text DEFAULT '' NOT NULL,
	`search_open` text DEFAULT '' NOT NULL,
	`import_id` text,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`deleted_date` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alumni_name` ON `alumni` (`name`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_cohort` ON `alumni` (`cohort`,`name`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_year` ON `alumni` (`graduation_year`,`name`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_affiliation` ON `alumni` (`affiliation`,`name`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_created` ON `alumni` (`created_date`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_email` ON `alumni` (`email`) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `alumni_import_rows` ON `alumni` (`import_id`) WHERE import_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `alumni_bin` ON `alumni` (`deleted_date`) WHERE deleted_date IS NOT NULL;--> statement-breakpoint
CREATE TABLE `alumni_before` (
	`import_id` text NOT NULL,
	`alumni_id` text NOT NULL,
	`values` text NOT NULL,
	`version_after` integer NOT NULL,
	PRIMARY KEY(`import_id`, `alumni_id`)
);
--> statement-breakpoint
CREATE TABLE `alumni_import` (
	`id` text PRIMARY KEY NOT NULL,
	`file_id` text NOT NULL,
	`file_name` text NOT NULL,
	`user_id` text NOT NULL,
	`mode` text NOT NULL,
	`inserted` integer NOT NULL,
	`updated` integer NOT NULL,
	`created_date` integer NOT NULL,
	`undone_date` integer,
	`is_current` integer NOT NULL,
	CONSTRAINT "alumni_import_is_current" CHECK(is_current = 1)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alumni_import_created` ON `alumni_import` (`created_date`,`id`);--> statement-breakpoint
CREATE TABLE `alumni_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL
);
