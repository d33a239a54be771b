CREATE TABLE `agreement` (
	`code` text NOT NULL,
	`version` text NOT NULL,
	`title` text NOT NULL,
	`required` integer DEFAULT false NOT NULL,
	`content` text NOT NULL,
	`text_hash` text NOT NULL,
	`effective_date` integer NOT NULL,
	`is_current` integer DEFAULT false NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`code`, `version`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agreement_current` ON `agreement` (`code`) WHERE is_current = 1;--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`created_date` integer NOT NULL,
	`actor_user_id` text,
	`address` text NOT NULL,
	`action` text NOT NULL,
	`target_type` text NOT NULL,
	`target_id` text DEFAULT '' NOT NULL,
	`subject_count` integer DEFAULT 0 NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`detail` text,
	`request_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_created` ON `audit_log` (`created_date`);--> statement-breakpoint
CREATE INDEX `audit_log_actor` ON `audit_log` (`actor_user_id`,`created_date`);--> statement-breakpoint
CREATE TABLE `board` (
	`board_code` text PRIMARY KEY NOT NULL,
	`board_name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`board_type` text DEFAULT 'list' NOT NULL,
	`categories` text NOT NULL,
	`page_size` integer DEFAULT 10 NOT NULL,
	`use_comment` integer DEFAULT true NOT NULL,
	`use_secret` integer DEFAULT false NOT NULL,
	`file_max_count` integer DEFAULT 10 NOT NULL,
	`file_max_size` integer NOT NULL,
	`file_extensions` text NOT NULL,
	`last_item_no` integer DEFAULT 0 NOT NULL,
	`item_count` integer DEFAULT 0 NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`is_closed` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `board_order` ON `board` (`sort_order`);--> statement-breakpoint
CREATE TABLE `board_item` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`board_code` text NOT NULL,
	`item_no` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`category` text DEFAULT '' NOT NULL,
	`is_pinned` integer DEFAULT false NOT NULL,
	`pinned_until` integer,
	`is_secret` integer DEFAULT false NOT NULL,
	`show_item_to_main` integer DEFAULT false NOT NULL,
	`created_user_id` text NOT NULL,
	`created_user_name` text NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`deleted_date` integer,
	`view_count` integer DEFAULT 0 NOT NULL,
	`comment_count` integer DEFAULT 0 NOT NULL,
	`file_count` integer DEFAULT 0 NOT NULL,
	`thumbnail_file_id` text,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`board_code`) REFERENCES `board`(`board_code`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `board_item_no` ON `board_item` (`board_code`,`item_no`);--> statement-breakpoint
CREATE INDEX `board_item_created` ON `board_item` (`board_code`,`created_date`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_views` ON `board_item` (`board_code`,`view_count`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_title` ON `board_item` (`board_code`,`title`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_category` ON `board_item` (`board_code`,`category`,`created_date`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_pinned` ON `board_item` (`board_code`,`created_date`) WHERE is_pinned = 1 AND deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_main` ON `board_item` (`board_code`,`created_date`,`item_no`) WHERE show_item_to_main = 1 AND deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_writer` ON `board_item` (`created_user_id`);--> statement-breakpoint
CREATE TABLE `board_item_comment` (
	`id` text PRIMARY KEY NOT NULL,
	`item_id` integer NOT NULL,
	`parent_comment_id` text,
	`content` text NOT NULL,
	`created_user_id` text NOT NULL,
	`created_user_name` text NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`deleted_date` integer,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `board_item`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `board_item_comment_item` ON `board_item_comment` (`item_id`,`created_date`);--> statement-breakpoint
CREATE INDEX `board_item_comment_writer` ON `board_item_comment` (`created_user_id`);--> statement-breakpoint
CREATE TABLE `board_item_view` (
	`item_id` integer NOT NULL,
	`viewer_hash` text NOT NULL,
	`day` text NOT NULL,
	PRIMARY KEY(`item_id`, `viewer_hash`, `day`)
);
--> statement-breakpoint
CREATE INDEX `board_item_view_day` ON `board_item_view` (`day`);--> statement-breakpoint
CREATE TABLE `center` (
	`region_code` text PRIMARY KEY NOT NULL,
	`region_name` text NOT NULL,
	`center_name` text NOT NULL,
	`director` text DEFAULT '' NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`fax` text DEFAULT '' NOT NULL,
	`url` text DEFAULT '' NOT NULL,
	`directions` text DEFAULT '' NOT NULL,
	`introduction` text DEFAULT '' NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `center_order` ON `center` (`sort_order`);--> statement-breakpoint
CREATE TABLE `file` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`board_code` text,
	`item_id` integer,
	`owner_user_id` text NOT NULL,
	`file_name` text NOT NULL,
	`size` integer NOT NULL,
	`content_type` text NOT NULL,
	`hash` text,
	`status` text NOT NULL,
	`storage_key` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`created_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `file_item` ON `file` (`item_id`,`sort_order`);--> statement-breakpoint
CREATE INDEX `file_loose` ON `file` (`created_date`) WHERE status <> 'attached';--> statement-breakpoint
CREATE INDEX `file_owner` ON `file` (`owner_user_id`);--> statement-breakpoint
CREATE TABLE `message` (
	`id` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`pincode` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_date` integer,
	`created_date` integer NOT NULL,
	`sent_date` integer
);
--> statement-breakpoint
CREATE INDEX `message_due` ON `message` (`next_attempt_date`) WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX `message_created` ON `message` (`created_date`);--> statement-breakpoint
CREATE TABLE `profile_field` (
	`code` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`input_type` text NOT NULL,
	`required` integer DEFAULT false NOT NULL,
	`detail` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`is_closed` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rate_limit` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`reset_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rate_limit_reset` ON `rate_limit` (`reset_date`);--> statement-breakpoint
CREATE TABLE `refresh_token` (
	`hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`created_date` integer NOT NULL,
	`expires_date` integer NOT NULL,
	`used_date` integer,
	`successor_count` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `refresh_token_session` ON `refresh_token` (`session_id`);--> statement-breakpoint
CREATE TABLE `role` (
	`role_code` text PRIMARY KEY NOT NULL,
	`role_name` text NOT NULL,
	`permissions` text NOT NULL,
	`is_built_in` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `session` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_date` integer NOT NULL,
	`last_used_date` integer NOT NULL,
	`expires_date` integer NOT NULL,
	`revoked_date` integer,
	`revoked_reason` text,
	`user_agent` text NOT NULL,
	`address` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `session_user` ON `session` (`user_id`,`created_date`);--> statement-breakpoint
CREATE TABLE `site_setting` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`modified_date` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `user` (
	`id` text PRIMARY KEY NOT NULL,
	`user_name` text NOT NULL,
	`user_type` text NOT NULL,
	`role_code` text NOT NULL,
	`status` text NOT NULL,
	`password_hash` text NOT NULL,
	`profile` text NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`last_signin_date` integer,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`role_code`) REFERENCES `role`(`role_code`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `user_created` ON `user` (`created_date`);--> statement-breakpoint
CREATE INDEX `user_role` ON `user` (`role_code`,`user_type`);--> statement-breakpoint
CREATE TABLE `user_consent` (
	`user_id` text NOT NULL,
	`code` text NOT NULL,
	`version` text NOT NULL,
	`agreed` integer DEFAULT false NOT NULL,
	`text_hash` text NOT NULL,
	`created_date` integer NOT NULL,
	PRIMARY KEY(`user_id`, `code`, `version`, `created_date`)
);
--> statement-breakpoint
CREATE TABLE `user_key` (
	`user_key_type` text NOT NULL,
	`user_key_code` text NOT NULL,
	`user_id` text NOT NULL,
	`verified_date` integer,
	PRIMARY KEY(`user_key_type`, `user_key_code`),
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_key_user` ON `user_key` (`user_id`,`user_key_type`);--> statement-breakpoint
CREATE TABLE `verification` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`key_hash` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_date` integer NOT NULL,
	`expires_date` integer NOT NULL,
	`used_date` integer,
	`used_by_user_id` text
);
--> statement-breakpoint
CREATE INDEX `verification_key` ON `verification` (`key_hash`,`purpose`);--> statement-breakpoint
CREATE INDEX `verification_expires` ON `verification` (`expires_date`);