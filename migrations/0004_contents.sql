CREATE TABLE `content` (
	`code` text PRIMARY KEY NOT NULL,
	`status` text DEFAULT 'draft' NOT NULL,
	`draft` text,
	`modified_date` integer NOT NULL,
	`modified_user_name` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `content_version` (
	`code` text NOT NULL,
	`version_no` integer NOT NULL,
	`value` text NOT NULL,
	`effective_date` integer NOT NULL,
	`created_date` integer NOT NULL,
	`created_user_name` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`code`, `version_no`)
);
--> statement-breakpoint
CREATE INDEX `content_version_effective` ON `content_version` (`code`,`effective_date`,`version_no`);--> statement-breakpoint
CREATE TABLE `popup` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`link_url` text DEFAULT '' NOT NULL,
	`start_date` integer NOT NULL,
	`end_date` integer NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`is_closed` integer DEFAULT false NOT NULL,
	`modified_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `popup_end` ON `popup` (`end_date`);--> statement-breakpoint
CREATE TABLE `quick_link` (
	`id` text PRIMARY KEY NOT NULL,
	`label` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`href` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `quick_link_order` ON `quick_link` (`sort_order`);--> statement-breakpoint
ALTER TABLE `center` ADD `image_file_id` text DEFAULT '' NOT NULL;