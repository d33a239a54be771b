CREATE TABLE `role` (
	`role_code` text PRIMARY KEY NOT NULL,
	`role_name` text NOT NULL,
	`permissions` text NOT NULL,
	`is_built_in` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `role_grant` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`role_code` text NOT NULL,
	`start_date` integer NOT NULL,
	`end_date` integer,
	`created_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `role_grant_user` ON `role_grant` (`user_id`,`start_date`);--> statement-breakpoint
CREATE INDEX `role_grant_role` ON `role_grant` (`role_code`);--> statement-breakpoint
CREATE TABLE `profile_field` (
	`code` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`input_type` text NOT NULL,
	`required` integer DEFAULT false NOT NULL,
	`detail` text NOT NULL,
	`english_name` text DEFAULT '' NOT NULL,
	`english_detail` text DEFAULT '[]' NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`is_closed` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refresh_token` (
	`hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`created_date` integer NOT NULL,
	`expires_date` integer NOT NULL,
	`used_date` integer,
	`successor_count` integer DEFAULT 0 NOT NULL,
	`parent_hash` text,
	`attempt_hash` text,
	FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `refresh_token_session` ON `refresh_token` (`session_id`);--> statement-breakpoint
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
	`second_factor_date` integer,
	`password_date` integer,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `session_user` ON `session` (`user_id`,`created_date`);--> statement-breakpoint
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
CREATE INDEX `user_name` ON `user` (`user_name`);--> statement-breakpoint
CREATE TABLE `user_consent` (
	`user_id` text NOT NULL,
	`code` text NOT NULL,
	`version` text NOT NULL,
	`agreed` integer DEFAULT false NOT NULL,
	`text_hash` text NOT NULL,
	`created_date` integer NOT NULL,
	`confirmed_date` integer,
	PRIMARY KEY(`user_id`, `code`, `version`, `created_date`)
);
--> statement-breakpoint
CREATE INDEX `user_consent_code` ON `user_consent` (`code`,`created_date`);--> statement-breakpoint
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
CREATE INDEX `verification_expires` ON `verification` (`expires_date`);--> statement-breakpoint
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
	`state` text DEFAULT '활동' NOT NULL,
	`state_date` text DEFAULT '' NOT NULL,
	`state_note` text DEFAULT '' NOT NULL,
	`refuses` text DEFAULT '' NOT NULL,
	`own` text DEFAULT '{}' NOT NULL,
	`open_fields` text DEFAULT '[]' NOT NULL,
	`initials` text DEFAULT '' NOT NULL,
	`search_all` text DEFAULT '' NOT NULL,
	`search_open` text DEFAULT '' NOT NULL,
	`import_id` text,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`deleted_date` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`email_hold` text,
	`merged_into` text
);
--> statement-breakpoint
CREATE INDEX `alumni_name` ON `alumni` (`name`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_cohort` ON `alumni` (`cohort`,`name`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_year` ON `alumni` (`graduation_year`,`name`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_affiliation` ON `alumni` (`affiliation`,`name`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_created` ON `alumni` (`created_date`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_email` ON `alumni` (`email`) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `alumni_search` ON `alumni` (`name`,`id`,`cohort`,`graduation_year`,`affiliation`,`department`,`position`,`major`,`initials`,`search_all`,`search_open`,`created_date`,`modified_date`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `alumni_mobile` ON `alumni` (`mobile`,`id`) WHERE deleted_date IS NULL AND mobile <> '';--> statement-breakpoint
CREATE INDEX `alumni_name_tail` ON `alumni` (`name`,substr(`mobile`, -4),`mobile`,`id`) WHERE deleted_date IS NULL AND mobile <> '';--> statement-breakpoint
CREATE INDEX `alumni_name_alike` ON `alumni` (lower(replace(name, ' ', '')),`name`,`id`) WHERE deleted_date IS NULL;--> statement-breakpoint
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
CREATE INDEX `alumni_before_person` ON `alumni_before` (`alumni_id`);--> statement-breakpoint
CREATE TABLE `alumni_distinct` (
	`low_id` text NOT NULL,
	`high_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_date` integer NOT NULL,
	PRIMARY KEY(`low_id`, `high_id`)
);
--> statement-breakpoint
CREATE INDEX `alumni_distinct_high` ON `alumni_distinct` (`high_id`);--> statement-breakpoint
CREATE TABLE `alumni_import_choice` (
	`form` text NOT NULL,
	`value` text NOT NULL,
	`alumni_id` text,
	`is_new` integer DEFAULT false NOT NULL,
	`used_date` integer NOT NULL,
	PRIMARY KEY(`form`, `value`)
);
--> statement-breakpoint
CREATE INDEX `alumni_import_choice_person` ON `alumni_import_choice` (`alumni_id`);--> statement-breakpoint
CREATE INDEX `alumni_import_choice_used` ON `alumni_import_choice` (`used_date`);--> statement-breakpoint
CREATE TABLE `alumni_import_form` (
	`id` text PRIMARY KEY NOT NULL,
	`heads` text NOT NULL,
	`columns` text NOT NULL,
	`answers` text NOT NULL,
	`used_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alumni_import_form_used` ON `alumni_import_form` (`used_date`);--> statement-breakpoint
CREATE TABLE `alumni_import` (
	`id` text PRIMARY KEY NOT NULL,
	`file_id` text NOT NULL,
	`file_name` text NOT NULL,
	`user_id` text NOT NULL,
	`mode` text NOT NULL,
	`inserted` integer NOT NULL,
	`updated` integer NOT NULL,
	`created_date` integer NOT NULL,
	`undo_started_date` integer,
	`undone_date` integer,
	`is_current` integer NOT NULL,
	CONSTRAINT "alumni_import_is_current" CHECK(is_current = 1)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alumni_import_created` ON `alumni_import` (`created_date`,`id`);--> statement-breakpoint
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
	`committed_date` integer,
	`created_date` integer NOT NULL,
	`touched_date` integer NOT NULL,
	`planned_parts` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alumni_staging_touched` ON `alumni_staging` (`touched_date`);--> statement-breakpoint
CREATE INDEX `alumni_staging_user` ON `alumni_staging` (`user_id`);--> statement-breakpoint
CREATE TABLE `alumni_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
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
CREATE INDEX `audit_log_target` ON `audit_log` (`target_type`,`target_id`,`created_date`);--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`created_date`);--> statement-breakpoint
CREATE TABLE `audit_subject` (
	`audit_id` integer NOT NULL,
	`part` integer NOT NULL,
	`ids` text NOT NULL,
	PRIMARY KEY(`audit_id`, `part`)
);
--> statement-breakpoint
CREATE TABLE `audit_person` (
	`subject_id` text NOT NULL,
	`audit_id` integer NOT NULL,
	PRIMARY KEY(`subject_id`, `audit_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `board` (
	`board_code` text PRIMARY KEY NOT NULL,
	`board_name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`english_name` text DEFAULT '' NOT NULL,
	`english_description` text DEFAULT '' NOT NULL,
	`english_categories` text DEFAULT '[]' NOT NULL,
	`board_type` text DEFAULT 'list' NOT NULL,
	`categories` text NOT NULL,
	`page_size` integer DEFAULT 10 NOT NULL,
	`use_comment` integer DEFAULT true NOT NULL,
	`use_secret` integer DEFAULT false NOT NULL,
	`use_events` integer DEFAULT false NOT NULL,
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
	`is_comment_closed` integer DEFAULT false NOT NULL,
	`created_user_id` text NOT NULL,
	`created_user_name` text NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`deleted_date` integer,
	`view_count` integer DEFAULT 0 NOT NULL,
	`comment_count` integer DEFAULT 0 NOT NULL,
	`file_count` integer DEFAULT 0 NOT NULL,
	`thumbnail_file_id` text,
	`event_start` integer,
	`event_end` integer,
	`is_event_all_day` integer DEFAULT false NOT NULL,
	`event_place` text DEFAULT '' NOT NULL,
	`event_deadline` integer,
	`is_event_cancelled` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`board_code`) REFERENCES `board`(`board_code`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `board_item_no` ON `board_item` (`board_code`,`item_no`);--> statement-breakpoint
CREATE INDEX `board_item_created` ON `board_item` (`board_code`,`created_date`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_views` ON `board_item` (`board_code`,`view_count`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_title` ON `board_item` (`board_code`,`title`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_category` ON `board_item` (`board_code`,`category`,`created_date`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_category_views` ON `board_item` (`board_code`,`category`,`view_count`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_category_title` ON `board_item` (`board_code`,`category`,`title`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_category_no` ON `board_item` (`board_code`,`category`,`item_no`) WHERE deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_pinned` ON `board_item` (`board_code`,`created_date`) WHERE is_pinned = 1 AND deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_main` ON `board_item` (`board_code`,`created_date`,`item_no`) WHERE show_item_to_main = 1 AND deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_event` ON `board_item` (`board_code`,`event_end`) WHERE event_start IS NOT NULL AND deleted_date IS NULL;--> statement-breakpoint
CREATE INDEX `board_item_writer` ON `board_item` (`created_user_id`);--> statement-breakpoint
CREATE INDEX `board_item_secret_writer` ON `board_item` (`created_user_id`) WHERE is_secret = 1;--> statement-breakpoint
CREATE INDEX `board_item_binned` ON `board_item` (`deleted_date`) WHERE deleted_date IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `board_item_comment_created` ON `board_item_comment` (`created_date`);--> statement-breakpoint
CREATE INDEX `board_item_comment_deleted` ON `board_item_comment` (`deleted_date`) WHERE deleted_date IS NOT NULL;--> statement-breakpoint
CREATE TABLE `board_item_count` (
	`board_code` text NOT NULL,
	`scope` text NOT NULL,
	`level` integer NOT NULL,
	`node` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`board_code`, `scope`, `level`, `node`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `board_item_revision` (
	`item_id` integer NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`category` text NOT NULL,
	`modified_user_id` text NOT NULL,
	`modified_user_name` text NOT NULL,
	`modified_date` integer NOT NULL,
	PRIMARY KEY(`item_id`, `version`)
);
--> statement-breakpoint
CREATE TABLE `board_item_search` (
	`item_id` integer PRIMARY KEY NOT NULL,
	`board_code` text NOT NULL,
	`secret_of` text,
	`created_date` integer NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`writer` text DEFAULT '' NOT NULL,
	`file` text DEFAULT '' NOT NULL,
	`attachment` text DEFAULT '' NOT NULL,
	`is_stale` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE INDEX `board_item_search_stale` ON `board_item_search` (`item_id`) WHERE is_stale = 1;--> statement-breakpoint
CREATE TABLE `board_item_view` (
	`item_id` integer NOT NULL,
	`day` text NOT NULL,
	`part` integer NOT NULL,
	`viewers` integer NOT NULL,
	PRIMARY KEY(`item_id`, `day`, `part`)
);
--> statement-breakpoint
CREATE INDEX `board_item_view_day` ON `board_item_view` (`day`);--> statement-breakpoint
CREATE TABLE `item_draft` (
	`user_id` text NOT NULL,
	`board_code` text NOT NULL,
	`item_no` integer DEFAULT 0 NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`fields` text NOT NULL,
	`file_ids` text NOT NULL,
	`modified_date` integer NOT NULL,
	PRIMARY KEY(`user_id`, `board_code`, `item_no`)
);
--> statement-breakpoint
CREATE INDEX `item_draft_modified` ON `item_draft` (`modified_date`);--> statement-breakpoint
CREATE TABLE `item_report` (
	`id` text PRIMARY KEY NOT NULL,
	`item_id` integer NOT NULL,
	`comment_id` text DEFAULT '' NOT NULL,
	`reporter_user_id` text NOT NULL,
	`reason` text NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`created_date` integer NOT NULL,
	`decided_date` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `item_report_once` ON `item_report` (`reporter_user_id`,`item_id`,`comment_id`);--> statement-breakpoint
CREATE INDEX `item_report_item` ON `item_report` (`item_id`);--> statement-breakpoint
CREATE INDEX `item_report_open` ON `item_report` (`created_date`) WHERE status = 'open';--> statement-breakpoint
CREATE TABLE `agreement` (
	`code` text NOT NULL,
	`version` text NOT NULL,
	`title` text NOT NULL,
	`required` integer DEFAULT false NOT NULL,
	`content` text NOT NULL,
	`english_title` text DEFAULT '' NOT NULL,
	`english_content` text DEFAULT '' NOT NULL,
	`text_hash` text NOT NULL,
	`effective_date` integer NOT NULL,
	`is_current` integer DEFAULT false NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`is_announced` integer DEFAULT false NOT NULL,
	`mailed_through` text,
	`mailed_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`code`, `version`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agreement_current` ON `agreement` (`code`) WHERE is_current = 1;--> statement-breakpoint
CREATE INDEX `agreement_announced` ON `agreement` (`effective_date`,`code`,`title`) WHERE is_announced = 1;--> statement-breakpoint
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
	`version` integer DEFAULT 1 NOT NULL,
	`image_file_id` text DEFAULT '' NOT NULL,
	`image_alt` text DEFAULT '' NOT NULL,
	`english_name` text DEFAULT '' NOT NULL,
	`english_director` text DEFAULT '' NOT NULL,
	`english_address` text DEFAULT '' NOT NULL,
	`english_directions` text DEFAULT '' NOT NULL,
	`english_introduction` text DEFAULT '' NOT NULL,
	`english_image_alt` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `center_order` ON `center` (`sort_order`);--> statement-breakpoint
CREATE TABLE `content` (
	`code` text PRIMARY KEY NOT NULL,
	`status` text DEFAULT 'draft' NOT NULL,
	`draft` text,
	`modified_date` integer NOT NULL,
	`modified_user_id` text,
	`modified_user_name` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `content_file` (
	`code` text NOT NULL,
	`file_id` text NOT NULL,
	PRIMARY KEY(`code`, `file_id`)
);
--> statement-breakpoint
CREATE INDEX `content_file_id` ON `content_file` (`file_id`);--> statement-breakpoint
CREATE TABLE `content_version` (
	`code` text NOT NULL,
	`version_no` integer NOT NULL,
	`value` text NOT NULL,
	`effective_date` integer NOT NULL,
	`created_date` integer NOT NULL,
	`created_user_id` text,
	`created_user_name` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`code`, `version_no`)
);
--> statement-breakpoint
CREATE INDEX `content_version_effective` ON `content_version` (`code`,`effective_date`,`version_no`);--> statement-breakpoint
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
	`created_date` integer NOT NULL,
	`pixel_width` integer,
	`pixel_height` integer
);
--> statement-breakpoint
CREATE INDEX `file_item` ON `file` (`item_id`,`sort_order`);--> statement-breakpoint
CREATE INDEX `file_loose` ON `file` (`created_date`) WHERE status <> 'attached';--> statement-breakpoint
CREATE INDEX `file_storage` ON `file` (`storage_key`);--> statement-breakpoint
CREATE INDEX `file_owner` ON `file` (`owner_user_id`);--> statement-breakpoint
CREATE INDEX `file_alumni` ON `file` (`id`) WHERE purpose = 'alumni' AND status = 'attached';--> statement-breakpoint
CREATE TABLE `kept_answer` (
	`key` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`answer` text NOT NULL,
	`created_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `kept_answer_created` ON `kept_answer` (`created_date`);--> statement-breakpoint
CREATE TABLE `rate_limit` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`reset_date` integer NOT NULL,
	`held` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rate_limit_reset` ON `rate_limit` (`reset_date`);--> statement-breakpoint
CREATE TABLE `site_setting` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`modified_date` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_template` (
	`kind` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`version` integer NOT NULL,
	`modified_date` integer NOT NULL
);
--> statement-breakpoint
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
	`sent_date` integer,
	`user_id` text,
	`once_key` text,
	`is_bulk` integer DEFAULT false NOT NULL,
	`is_advertising` integer DEFAULT false NOT NULL,
	`off_token` text,
	`batch_id` text,
	`provider_id` text,
	`about_people` text,
	`alimtalk` text,
	`provider_group` text,
	`file_id` text
);
--> statement-breakpoint
CREATE INDEX `message_due_single` ON `message` (`next_attempt_date`) WHERE status = 'queued' AND is_bulk = 0;--> statement-breakpoint
CREATE INDEX `message_due_bulk` ON `message` (`channel`,`is_advertising`,`next_attempt_date`) WHERE status = 'queued' AND is_bulk = 1;--> statement-breakpoint
CREATE INDEX `message_batch` ON `message` (`batch_id`) WHERE status = 'queued' AND batch_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `message_once` ON `message` (`once_key`) WHERE once_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `message_created` ON `message` (`created_date`);--> statement-breakpoint
CREATE INDEX `message_status` ON `message` (`status`,`created_date`);--> statement-breakpoint
CREATE INDEX `message_recipient` ON `message` (`recipient`);--> statement-breakpoint
CREATE INDEX `message_user` ON `message` (`user_id`);--> statement-breakpoint
CREATE INDEX `message_about` ON `message` (`about_people`) WHERE about_people IS NOT NULL;--> statement-breakpoint
CREATE INDEX `message_provider` ON `message` (`provider_id`) WHERE provider_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `message_pincode` ON `message` (`created_date`) WHERE pincode IS NOT NULL;--> statement-breakpoint
CREATE TABLE `notice_choice` (
	`kind` text NOT NULL,
	`target` text DEFAULT '' NOT NULL,
	`user_id` text NOT NULL,
	`is_on` integer NOT NULL,
	`created_date` integer NOT NULL,
	PRIMARY KEY(`kind`, `target`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `notice_choice_user` ON `notice_choice` (`user_id`);--> statement-breakpoint
CREATE TABLE `notice_pending` (
	`kind` text NOT NULL,
	`source_id` text NOT NULL,
	`item_id` integer NOT NULL,
	`done_user_id` text DEFAULT '' NOT NULL,
	`due_date` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `source_id`)
);
--> statement-breakpoint
CREATE INDEX `notice_pending_item` ON `notice_pending` (`item_id`);--> statement-breakpoint
CREATE TABLE `job` (
	`name` text PRIMARY KEY NOT NULL,
	`started_date` integer NOT NULL,
	`finished_date` integer,
	`status` text NOT NULL,
	`error` text DEFAULT '' NOT NULL,
	`ok_date` integer,
	`killed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `destruction` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`created_date` integer NOT NULL,
	`kind` text NOT NULL,
	`rule` text NOT NULL,
	`basis` text NOT NULL,
	`subject_ref` text DEFAULT '' NOT NULL,
	`count` integer NOT NULL,
	`fingerprint` text DEFAULT '' NOT NULL,
	`actor_user_id` text
);
--> statement-breakpoint
CREATE INDEX `destruction_created` ON `destruction` (`created_date`);--> statement-breakpoint
CREATE TABLE `privacy_request` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`user_id` text,
	`requester_name` text NOT NULL,
	`contact` text DEFAULT '' NOT NULL,
	`content` text NOT NULL,
	`answer` text DEFAULT '' NOT NULL,
	`extended_reason` text DEFAULT '' NOT NULL,
	`received_date` integer NOT NULL,
	`due_date` integer NOT NULL,
	`closed_date` integer,
	`handler_user_id` text,
	`modified_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `privacy_request_due` ON `privacy_request` (`status`,`due_date`);--> statement-breakpoint
CREATE INDEX `privacy_request_received` ON `privacy_request` (`received_date`);--> statement-breakpoint
CREATE INDEX `privacy_request_user` ON `privacy_request` (`user_id`);--> statement-breakpoint
CREATE TABLE `retention_notice` (
	`user_id` text NOT NULL,
	`created_date` integer NOT NULL,
	PRIMARY KEY(`user_id`, `created_date`)
);
--> statement-breakpoint
CREATE TABLE `retention_permit` (
	`rule` text PRIMARY KEY NOT NULL,
	`before_date` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `suspension` (
	`user_id` text PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`created_date` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `popup` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`english_title` text DEFAULT '' NOT NULL,
	`english_content` text DEFAULT '' NOT NULL,
	`link_url` text DEFAULT '' NOT NULL,
	`start_date` integer NOT NULL,
	`end_date` integer NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`is_closed` integer DEFAULT false NOT NULL,
	`modified_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` text DEFAULT 'right' NOT NULL,
	`size` text DEFAULT 'md' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `popup_end` ON `popup` (`end_date`);--> statement-breakpoint
CREATE TABLE `quick_link` (
	`id` text PRIMARY KEY NOT NULL,
	`label` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`href` text NOT NULL,
	`english_label` text DEFAULT '' NOT NULL,
	`english_note` text DEFAULT '' NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `quick_link_order` ON `quick_link` (`sort_order`);--> statement-breakpoint
CREATE TABLE `file_text` (
	`file_id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`created_date` integer NOT NULL
);
--> statement-breakpoint
CREATE VIRTUAL TABLE `board_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
--> statement-breakpoint
CREATE TABLE `deposit` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`paid_date` integer NOT NULL,
	`payer` text DEFAULT '' NOT NULL,
	`amount` integer DEFAULT 0 NOT NULL,
	`balance` integer,
	`hash` text NOT NULL,
	`allocated` integer DEFAULT 0 NOT NULL,
	`is_closed` integer DEFAULT false NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`work_id` text NOT NULL,
	`created_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deposit_hash` ON `deposit` (`hash`);--> statement-breakpoint
CREATE INDEX `deposit_paid` ON `deposit` (`paid_date`,`id`);--> statement-breakpoint
CREATE INDEX `deposit_open` ON `deposit` (`paid_date`,`id`) WHERE is_closed = 0 AND allocated < amount;--> statement-breakpoint
CREATE INDEX `deposit_work` ON `deposit` (`work_id`);--> statement-breakpoint
CREATE TABLE `due` (
	`id` text PRIMARY KEY NOT NULL,
	`alumni_id` text NOT NULL,
	`kind_id` text NOT NULL,
	`period` text NOT NULL,
	`amount` integer DEFAULT 0 NOT NULL,
	`paid` integer DEFAULT 0 NOT NULL,
	`is_exempt` integer DEFAULT false NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`due_day` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`cohort` integer,
	`is_listed` integer DEFAULT false NOT NULL,
	`work_id` text NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `due_person` ON `due` (`alumni_id`,`period`,`kind_id`);--> statement-breakpoint
CREATE INDEX `due_listed` ON `due` (`period`,`name`,`alumni_id`,`kind_id`);--> statement-breakpoint
CREATE INDEX `due_of_work` ON `due` (`work_id`);--> statement-breakpoint
CREATE TABLE `due_allocation` (
	`id` text PRIMARY KEY NOT NULL,
	`deposit_id` text NOT NULL,
	`due_id` text NOT NULL,
	`amount` integer DEFAULT 0 NOT NULL,
	`cause` text NOT NULL,
	`user_id` text NOT NULL,
	`created_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `due_allocation_due` ON `due_allocation` (`due_id`);--> statement-breakpoint
CREATE INDEX `due_allocation_deposit` ON `due_allocation` (`deposit_id`);--> statement-breakpoint
CREATE TABLE `due_kind` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`amount` integer DEFAULT 0 NOT NULL,
	`grade_field` text DEFAULT '' NOT NULL,
	`grades` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`is_closed` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `due_kind_order` ON `due_kind` (`sort_order`);--> statement-breakpoint
CREATE TABLE `due_payer` (
	`payer` text NOT NULL,
	`alumni_id` text NOT NULL,
	`used_date` integer NOT NULL,
	PRIMARY KEY(`payer`, `alumni_id`)
);
--> statement-breakpoint
CREATE INDEX `due_payer_person` ON `due_payer` (`alumni_id`);--> statement-breakpoint
CREATE TABLE `due_list_person` (
	`work_id` text NOT NULL,
	`alumni_id` text NOT NULL,
	`state` text NOT NULL,
	PRIMARY KEY(`work_id`, `alumni_id`)
);
--> statement-breakpoint
CREATE INDEX `due_list_person_lists` ON `due_list_person` (`alumni_id`);--> statement-breakpoint
CREATE TABLE `due_people` (
	`period` text NOT NULL,
	`state` text NOT NULL,
	`people` integer NOT NULL,
	PRIMARY KEY(`period`, `state`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `due_standing` (
	`alumni_id` text NOT NULL,
	`period` text NOT NULL,
	`state` text NOT NULL,
	PRIMARY KEY(`alumni_id`, `period`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `due_sum` (
	`period` text NOT NULL,
	`kind_id` text NOT NULL,
	`cohort` text NOT NULL,
	`state` text NOT NULL,
	`dues` integer NOT NULL,
	`amount` integer NOT NULL,
	`paid` integer NOT NULL,
	PRIMARY KEY(`period`, `kind_id`, `cohort`, `state`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `due_work` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`user_id` text NOT NULL,
	`added` integer NOT NULL,
	`matched` integer DEFAULT 0 NOT NULL,
	`created_date` integer NOT NULL,
	`undone_date` integer
);
--> statement-breakpoint
CREATE INDEX `due_work_created` ON `due_work` (`created_date`,`id`);--> statement-breakpoint
CREATE TRIGGER `board_item_counted_new` AFTER INSERT ON `board_item` WHEN NEW.deleted_date IS NULL BEGIN
  INSERT INTO board_item_count (board_code, scope, level, node, count)
  SELECT NEW.board_code, s.scope, l.value, (CASE s.scope WHEN 'no' THEN NEW.item_no ELSE NEW.created_date END) >> l.value, 1
  FROM (SELECT '' AS scope UNION ALL SELECT 'no' UNION ALL SELECT 'c:' || NEW.category WHERE NEW.category <> '' UNION ALL SELECT 'main' WHERE NEW.show_item_to_main = 1) AS s
  JOIN json_each(CASE s.scope WHEN 'no' THEN '[14,7]' ELSE '[33,26,19,12]' END) AS l
  WHERE true
  ON CONFLICT (board_code, scope, level, node) DO UPDATE SET count = count + excluded.count;
  UPDATE board SET item_count = item_count + (1) WHERE board_code = NEW.board_code;
END;
--> statement-breakpoint
CREATE TRIGGER `board_item_counted_out` AFTER UPDATE OF board_code, item_no, category, show_item_to_main, created_date, deleted_date ON `board_item`
WHEN OLD.deleted_date IS NULL AND (OLD.board_code, OLD.item_no, OLD.category, OLD.show_item_to_main, OLD.created_date, OLD.deleted_date) IS NOT (NEW.board_code, NEW.item_no, NEW.category, NEW.show_item_to_main, NEW.created_date, NEW.deleted_date) BEGIN
  INSERT INTO board_item_count (board_code, scope, level, node, count)
  SELECT OLD.board_code, s.scope, l.value, (CASE s.scope WHEN 'no' THEN OLD.item_no ELSE OLD.created_date END) >> l.value, -1
  FROM (SELECT '' AS scope UNION ALL SELECT 'no' UNION ALL SELECT 'c:' || OLD.category WHERE OLD.category <> '' UNION ALL SELECT 'main' WHERE OLD.show_item_to_main = 1) AS s
  JOIN json_each(CASE s.scope WHEN 'no' THEN '[14,7]' ELSE '[33,26,19,12]' END) AS l
  WHERE true
  ON CONFLICT (board_code, scope, level, node) DO UPDATE SET count = count + excluded.count;
  UPDATE board SET item_count = item_count + (-1) WHERE board_code = OLD.board_code;
END;
--> statement-breakpoint
CREATE TRIGGER `board_item_counted_in` AFTER UPDATE OF board_code, item_no, category, show_item_to_main, created_date, deleted_date ON `board_item`
WHEN NEW.deleted_date IS NULL AND (OLD.board_code, OLD.item_no, OLD.category, OLD.show_item_to_main, OLD.created_date, OLD.deleted_date) IS NOT (NEW.board_code, NEW.item_no, NEW.category, NEW.show_item_to_main, NEW.created_date, NEW.deleted_date) BEGIN
  INSERT INTO board_item_count (board_code, scope, level, node, count)
  SELECT NEW.board_code, s.scope, l.value, (CASE s.scope WHEN 'no' THEN NEW.item_no ELSE NEW.created_date END) >> l.value, 1
  FROM (SELECT '' AS scope UNION ALL SELECT 'no' UNION ALL SELECT 'c:' || NEW.category WHERE NEW.category <> '' UNION ALL SELECT 'main' WHERE NEW.show_item_to_main = 1) AS s
  JOIN json_each(CASE s.scope WHEN 'no' THEN '[14,7]' ELSE '[33,26,19,12]' END) AS l
  WHERE true
  ON CONFLICT (board_code, scope, level, node) DO UPDATE SET count = count + excluded.count;
  UPDATE board SET item_count = item_count + (1) WHERE board_code = NEW.board_code;
END;
--> statement-breakpoint
CREATE TRIGGER `board_item_counted_gone` AFTER DELETE ON `board_item` WHEN OLD.deleted_date IS NULL BEGIN
  INSERT INTO board_item_count (board_code, scope, level, node, count)
  SELECT OLD.board_code, s.scope, l.value, (CASE s.scope WHEN 'no' THEN OLD.item_no ELSE OLD.created_date END) >> l.value, -1
  FROM (SELECT '' AS scope UNION ALL SELECT 'no' UNION ALL SELECT 'c:' || OLD.category WHERE OLD.category <> '' UNION ALL SELECT 'main' WHERE OLD.show_item_to_main = 1) AS s
  JOIN json_each(CASE s.scope WHEN 'no' THEN '[14,7]' ELSE '[33,26,19,12]' END) AS l
  WHERE true
  ON CONFLICT (board_code, scope, level, node) DO UPDATE SET count = count + excluded.count;
  UPDATE board SET item_count = item_count + (-1) WHERE board_code = OLD.board_code;
END;
--> statement-breakpoint
CREATE TRIGGER `board_item_search_new` AFTER INSERT ON `board_item` BEGIN
  INSERT INTO board_item_search (item_id, board_code, secret_of, created_date)
  VALUES (NEW.id, NEW.board_code, iif(NEW.is_secret, NEW.created_user_id, NULL), NEW.created_date);
END;
--> statement-breakpoint
CREATE TRIGGER `board_item_search_stale` AFTER UPDATE OF board_code, is_secret, created_user_id, created_user_name, deleted_date ON `board_item`
WHEN (OLD.board_code, OLD.is_secret, OLD.created_user_id, OLD.created_user_name, OLD.deleted_date) IS NOT (NEW.board_code, NEW.is_secret, NEW.created_user_id, NEW.created_user_name, NEW.deleted_date) BEGIN
  UPDATE board_item_search SET board_code = NEW.board_code, secret_of = iif(NEW.is_secret, NEW.created_user_id, NULL), title = '', content = '', writer = '', file = '', attachment = '', is_stale = (NEW.deleted_date IS NULL) WHERE item_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER `board_item_search_dated` AFTER UPDATE OF created_date ON `board_item` WHEN OLD.created_date <> NEW.created_date BEGIN
  UPDATE board_item_search SET created_date = NEW.created_date WHERE item_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER `board_item_search_written` AFTER UPDATE OF is_stale ON `board_item_search` BEGIN
  DELETE FROM board_search WHERE rowid = NEW.item_id;
END;
--> statement-breakpoint
CREATE TRIGGER `board_item_search_gone` AFTER DELETE ON `board_item` BEGIN
  DELETE FROM board_search WHERE rowid = OLD.id;
  DELETE FROM board_item_search WHERE item_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_no_update` BEFORE UPDATE ON `audit_log` BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_no_delete` BEFORE DELETE ON `audit_log`
WHEN OLD.created_date > (unixepoch() - 31536000) * 1000
  OR NOT EXISTS (SELECT 1 FROM retention_permit WHERE rule = 'access-log' AND OLD.created_date < before_date)
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_subject_no_update` BEFORE UPDATE ON `audit_subject` BEGIN
  SELECT RAISE(ABORT, 'audit_subject is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_subject_no_delete` BEFORE DELETE ON `audit_subject`
WHEN (SELECT created_date FROM audit_log WHERE id = OLD.audit_id) > (unixepoch() - 31536000) * 1000
  OR NOT EXISTS (SELECT 1 FROM retention_permit WHERE rule = 'access-log' AND (SELECT created_date FROM audit_log WHERE id = OLD.audit_id) < before_date)
BEGIN
  SELECT RAISE(ABORT, 'audit_subject is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_person_new AFTER INSERT ON audit_subject BEGIN
  INSERT OR IGNORE INTO audit_person (subject_id, audit_id) SELECT value, NEW.audit_id FROM json_each(CASE WHEN json_valid(NEW.ids) THEN NEW.ids ELSE '[]' END);
END;
--> statement-breakpoint
CREATE TRIGGER audit_person_gone AFTER DELETE ON audit_subject BEGIN
  DELETE FROM audit_person WHERE audit_id = OLD.audit_id AND subject_id IN (SELECT value FROM json_each(CASE WHEN json_valid(OLD.ids) THEN OLD.ids ELSE '[]' END));
END;
--> statement-breakpoint
CREATE TRIGGER `destruction_no_update` BEFORE UPDATE ON `destruction` BEGIN
  SELECT RAISE(ABORT, 'destruction is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `destruction_no_delete` BEFORE DELETE ON `destruction` BEGIN
  SELECT RAISE(ABORT, 'destruction is append-only');
END;
--> statement-breakpoint
CREATE TABLE `alarm` (
	`key` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`started_date` integer NOT NULL,
	`mailed_date` integer,
	`acknowledged_date` integer,
	`acknowledged_user_id` text,
	`ended_date` integer
);
--> statement-breakpoint
CREATE TABLE `backup_before` (
	`table_name` text NOT NULL,
	`row_id` integer NOT NULL,
	`row` text NOT NULL,
	PRIMARY KEY(`table_name`, `row_id`)
);
--> statement-breakpoint
CREATE TABLE `backup_drill` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`started_date` integer NOT NULL,
	`finished_date` integer,
	`lease_id` text DEFAULT '' NOT NULL,
	`lease_date` integer,
	`interruptions` integer DEFAULT 0 NOT NULL,
	`state` text NOT NULL,
	`error` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `backup_drill_started` ON `backup_drill` (`started_date`);--> statement-breakpoint
CREATE TABLE `backup_run` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`started_date` integer NOT NULL,
	`finished_date` integer,
	`lease_id` text DEFAULT '' NOT NULL,
	`lease_date` integer,
	`interruptions` integer DEFAULT 0 NOT NULL,
	`state` text NOT NULL,
	`error` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `backup_run_started` ON `backup_run` (`started_date`);--> statement-breakpoint
CREATE UNIQUE INDEX `backup_run_running` ON `backup_run` (`status`) WHERE status = 'running';
--> statement-breakpoint
CREATE TABLE `recovery_code` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_date` integer NOT NULL,
	`used_date` integer,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recovery_code_user` ON `recovery_code` (`user_id`);--> statement-breakpoint
CREATE TABLE `second_factor` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`created_date` integer NOT NULL,
	`last_used_date` integer,
	`credential_id` text,
	`public_key` text,
	`counter` integer DEFAULT 0 NOT NULL,
	`transports` text,
	`sealed_secret` text,
	`last_step` integer,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `second_factor_credentialId_unique` ON `second_factor` (`credential_id`);--> statement-breakpoint
CREATE INDEX `second_factor_user` ON `second_factor` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `second_factor_totp` ON `second_factor` (`user_id`) WHERE kind = 'totp';--> statement-breakpoint
CREATE TABLE `second_factor_challenge` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `second_factor_challenge_expires` ON `second_factor_challenge` (`expires_date`);--> statement-breakpoint
CREATE TABLE `second_factor_recovery` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`requested_by_user_id` text NOT NULL,
	`reason` text NOT NULL,
	`created_date` integer NOT NULL,
	`usable_date` integer NOT NULL,
	`expires_date` integer NOT NULL,
	`closed_date` integer,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `second_factor_recovery_open` ON `second_factor_recovery` (`user_id`) WHERE closed_date IS NULL;--> statement-breakpoint
CREATE TABLE `moved_thing` (
	`site` text NOT NULL,
	`kind` text NOT NULL,
	`old_key` text NOT NULL,
	`old_number` integer,
	`old_path` text,
	`target_id` text NOT NULL,
	`was_here` integer DEFAULT false NOT NULL,
	`moving_id` text NOT NULL,
	PRIMARY KEY(`site`, `kind`, `old_key`)
);
--> statement-breakpoint
CREATE INDEX `moved_thing_moving` ON `moved_thing` (`moving_id`,`kind`);--> statement-breakpoint
CREATE INDEX `moved_thing_number` ON `moved_thing` (`kind`,`old_number`);--> statement-breakpoint
CREATE INDEX `moved_thing_path` ON `moved_thing` (`old_path`) WHERE old_path IS NOT NULL;--> statement-breakpoint
CREATE INDEX `moved_thing_target` ON `moved_thing` (`kind`,`target_id`);--> statement-breakpoint
CREATE TABLE `moving` (
	`id` text PRIMARY KEY NOT NULL,
	`site` text NOT NULL,
	`old_origin` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`created_user_id` text NOT NULL,
	`created_user_name` text NOT NULL,
	`created_date` integer NOT NULL,
	`committed_date` integer,
	`ended_date` integer,
	`lease_id` text DEFAULT '' NOT NULL,
	`lease_date` integer,
	`interruptions` integer DEFAULT 0 NOT NULL,
	`entries` text NOT NULL,
	`mapping` text,
	`state` text NOT NULL,
	`error` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `moving_open` ON `moving` ((1)) WHERE status IN ('uploading', 'checking', 'checked', 'committing', 'undoing');--> statement-breakpoint
CREATE INDEX `moving_created` ON `moving` (`created_date`);--> statement-breakpoint
CREATE TABLE `moving_archive` (
	`id` text PRIMARY KEY NOT NULL,
	`moving_id` text NOT NULL,
	`kind` text NOT NULL,
	`file_name` text NOT NULL,
	`size` integer NOT NULL,
	`storage_key` text NOT NULL,
	`upload_id` text NOT NULL,
	`status` text NOT NULL,
	`prefix` text DEFAULT '' NOT NULL,
	`created_date` integer NOT NULL,
	FOREIGN KEY (`moving_id`) REFERENCES `moving`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `moving_archive_moving` ON `moving_archive` (`moving_id`);--> statement-breakpoint
CREATE TABLE `moving_entry` (
	`archive_id` text NOT NULL,
	`name` text NOT NULL,
	`offset` integer NOT NULL,
	`compressed_size` integer NOT NULL,
	`size` integer NOT NULL,
	`method` integer NOT NULL,
	`crc` integer NOT NULL,
	PRIMARY KEY(`archive_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `moving_file` (
	`id` text PRIMARY KEY NOT NULL,
	`moving_id` text NOT NULL,
	`item_id` integer NOT NULL,
	`board_code` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`old_key` text NOT NULL,
	`old_number` integer,
	`path` text NOT NULL,
	`file_name` text NOT NULL,
	`purpose` text NOT NULL,
	`sort_order` integer NOT NULL,
	`created_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `moving_file_moving` ON `moving_file` (`moving_id`,`path`);--> statement-breakpoint
CREATE TABLE `moving_issue` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`moving_id` text NOT NULL,
	`code` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `moving_issue_once` ON `moving_issue` (`moving_id`,`code`,`subject`);--> statement-breakpoint
CREATE TABLE `moving_part` (
	`archive_id` text NOT NULL,
	`part_no` integer NOT NULL,
	`etag` text NOT NULL,
	PRIMARY KEY(`archive_id`, `part_no`),
	FOREIGN KEY (`archive_id`) REFERENCES `moving_archive`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `moving_seen` (
	`moving_id` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	PRIMARY KEY(`moving_id`, `kind`, `key`)
);
--> statement-breakpoint
CREATE TABLE `old_note` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`folder` text NOT NULL,
	`other_name` text NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`content` text NOT NULL,
	`sent_date` integer,
	`read_date` integer
);
--> statement-breakpoint
CREATE INDEX `old_note_user` ON `old_note` (`user_id`);
--> statement-breakpoint
CREATE TRIGGER `file_text_gone` AFTER DELETE ON `file` BEGIN
  DELETE FROM file_text WHERE file_id = OLD.id;
END;
--> statement-breakpoint
CREATE TABLE `activity` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` integer,
	`comment_id` text,
	`detail` text NOT NULL,
	`created_date` integer NOT NULL,
	`read_date` integer,
	`once_key` text
);
--> statement-breakpoint
CREATE INDEX `activity_user` ON `activity` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `activity_unread` ON `activity` (`user_id`) WHERE read_date IS NULL;--> statement-breakpoint
CREATE INDEX `activity_item` ON `activity` (`item_id`);--> statement-breakpoint
CREATE INDEX `activity_created` ON `activity` (`created_date`);--> statement-breakpoint
CREATE UNIQUE INDEX `activity_once` ON `activity` (`once_key`) WHERE once_key IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `alumni_field` (
	`code` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`choices` text NOT NULL,
	`required` integer DEFAULT false NOT NULL,
	`access` text NOT NULL,
	`person_edits` integer DEFAULT false NOT NULL,
	`in_list` integer DEFAULT false NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`is_closed` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alumni_field_order` ON `alumni_field` (`is_closed`,`sort_order`,`code`);
--> statement-breakpoint
CREATE TABLE `alumni_value` (
	`alumni_id` text NOT NULL,
	`field` text NOT NULL,
	`value` blob NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`field`, `value`, `name`, `alumni_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER `alumni_value_new` AFTER INSERT ON `alumni` WHEN NEW.own <> '{}' BEGIN
  INSERT OR IGNORE INTO alumni_value (field, value, name, alumni_id)
    SELECT f.key AS field, v.value, NEW.name AS name, NEW.id AS id FROM json_each(CASE WHEN json_valid(NEW.own) THEN NEW.own ELSE '{}' END) AS f
    JOIN json_each(CASE f.type WHEN 'array' THEN f.value WHEN 'object' THEN json_array(f.value ->> 'fileName') ELSE json_array(f.value) END) AS v;
END;
--> statement-breakpoint
CREATE TRIGGER `alumni_value_changed` AFTER UPDATE OF own, name ON `alumni` WHEN (OLD.own, OLD.name) IS NOT (NEW.own, NEW.name) BEGIN
  DELETE FROM alumni_value WHERE (field, value, name, alumni_id) IN (SELECT * FROM (
    SELECT f.key AS field, v.value, OLD.name AS name, OLD.id AS id FROM json_each(CASE WHEN json_valid(OLD.own) THEN OLD.own ELSE '{}' END) AS f
    JOIN json_each(CASE f.type WHEN 'array' THEN f.value WHEN 'object' THEN json_array(f.value ->> 'fileName') ELSE json_array(f.value) END) AS v
    EXCEPT SELECT f.key AS field, v.value, NEW.name AS name, NEW.id AS id FROM json_each(CASE WHEN json_valid(NEW.own) THEN NEW.own ELSE '{}' END) AS f
    JOIN json_each(CASE f.type WHEN 'array' THEN f.value WHEN 'object' THEN json_array(f.value ->> 'fileName') ELSE json_array(f.value) END) AS v));
  INSERT OR IGNORE INTO alumni_value (field, value, name, alumni_id)
    SELECT f.key AS field, v.value, NEW.name AS name, NEW.id AS id FROM json_each(CASE WHEN json_valid(NEW.own) THEN NEW.own ELSE '{}' END) AS f
    JOIN json_each(CASE f.type WHEN 'array' THEN f.value WHEN 'object' THEN json_array(f.value ->> 'fileName') ELSE json_array(f.value) END) AS v
    EXCEPT SELECT f.key AS field, v.value, OLD.name AS name, OLD.id AS id FROM json_each(CASE WHEN json_valid(OLD.own) THEN OLD.own ELSE '{}' END) AS f
    JOIN json_each(CASE f.type WHEN 'array' THEN f.value WHEN 'object' THEN json_array(f.value ->> 'fileName') ELSE json_array(f.value) END) AS v;
END;
--> statement-breakpoint
CREATE TRIGGER `alumni_value_gone` AFTER DELETE ON `alumni` WHEN OLD.own <> '{}' BEGIN
  DELETE FROM alumni_value WHERE (field, value, name, alumni_id) IN (
    SELECT f.key AS field, v.value, OLD.name AS name, OLD.id AS id FROM json_each(CASE WHEN json_valid(OLD.own) THEN OLD.own ELSE '{}' END) AS f
    JOIN json_each(CASE f.type WHEN 'array' THEN f.value WHEN 'object' THEN json_array(f.value ->> 'fileName') ELSE json_array(f.value) END) AS v);
END;
--> statement-breakpoint
CREATE TABLE `mail_address` (
	`address` text PRIMARY KEY NOT NULL,
	`bounced_date` integer,
	`complained_date` integer,
	`refused_date` integer
);
--> statement-breakpoint
CREATE TABLE `mail_report` (
	`id` text PRIMARY KEY NOT NULL,
	`created_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_report_created` ON `mail_report` (`created_date`);--> statement-breakpoint
CREATE TABLE `mailing` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`kind` text NOT NULL,
	`channel` text DEFAULT 'email' NOT NULL,
	`subject` text DEFAULT '' NOT NULL,
	`body` text DEFAULT '' NOT NULL,
	`file_ids` text DEFAULT '[]' NOT NULL,
	`is_each` integer DEFAULT false NOT NULL,
	`keeps_empty` integer DEFAULT false NOT NULL,
	`status` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`send_date` integer,
	`created_user_id` text NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`done_date` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`round_id` text,
	`wave` integer DEFAULT 0 NOT NULL,
	`template_code` text DEFAULT '' NOT NULL,
	`template_values` text DEFAULT '{}' NOT NULL,
	`people` integer DEFAULT 0 NOT NULL,
	`attachment_id` text
);
--> statement-breakpoint
CREATE INDEX `mailing_created` ON `mailing` (`created_date`);--> statement-breakpoint
CREATE INDEX `mailing_sending` ON `mailing` (`send_date`) WHERE status = 'sending';--> statement-breakpoint
CREATE TABLE `mailing_recipient` (
	`mailing_id` text NOT NULL,
	`person_id` text NOT NULL,
	`address` text NOT NULL,
	`state` text NOT NULL,
	`cause` text DEFAULT '' NOT NULL,
	`once_address` text,
	`state_date` integer NOT NULL,
	`link_hash` text,
	PRIMARY KEY(`mailing_id`, `person_id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mailing_recipient_once` ON `mailing_recipient` (`mailing_id`,`once_address`) WHERE once_address IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mailing_recipient_state` ON `mailing_recipient` (`mailing_id`,`state`,`cause`,`person_id`);--> statement-breakpoint
CREATE INDEX `mailing_recipient_person` ON `mailing_recipient` (`person_id`);--> statement-breakpoint
CREATE INDEX `mailing_recipient_address` ON `mailing_recipient` (`address`);
--> statement-breakpoint
CREATE TABLE `alumni_view` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`is_shared` integer DEFAULT false NOT NULL,
	`content` text NOT NULL,
	`created_date` integer NOT NULL,
	`deleted_date` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alumni_view_user` ON `alumni_view` (`user_id`);--> statement-breakpoint
CREATE INDEX `alumni_view_shared` ON `alumni_view` (`is_shared`) WHERE is_shared = 1;
--> statement-breakpoint
CREATE TABLE `alumni_count` (
	`id` integer PRIMARY KEY NOT NULL,
	`people` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alumni_alike` (
	`reason` text NOT NULL,
	`first` blob NOT NULL,
	`second` blob NOT NULL,
	PRIMARY KEY(`reason`, `first`, `second`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE VIRTUAL TABLE `alumni_gram` USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE `alumni_term` USING fts5vocab(alumni_gram, instance);
--> statement-breakpoint
CREATE TRIGGER `alumni_index_new` AFTER INSERT ON `alumni` WHEN NEW.deleted_date IS NULL BEGIN
  INSERT INTO alumni_count (id, people) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET people = people + excluded.people;
  INSERT INTO alumni_gram (rowid, text) SELECT NEW.rowid, NEW.search_all || char(10) || NEW.initials || char(10) || coalesce((
    SELECT group_concat(lower(replace(CASE WHEN instr(v.value, '-') THEN v.value || char(10) || replace(v.value, '-', '') ELSE v.value END, ' ', '')), char(10))
    FROM json_each(CASE WHEN json_valid(NEW.own) THEN NEW.own ELSE '{}' END) AS f
    JOIN json_each(CASE f.type WHEN 'array' THEN f.value WHEN 'object' THEN json_array(f.value ->> 'fileName') ELSE json_array(f.value) END) AS v), '') || char(10) || char(10);
  INSERT INTO alumni_alike (reason, first, second) SELECT 'mobile', NEW.mobile, '' WHERE (SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_mobile WHERE a.mobile = NEW.mobile AND a.deleted_date IS NULL AND a.mobile <> '' LIMIT 2)) > 1 AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'mobile' AND first = NEW.mobile AND second = '');
  INSERT INTO alumni_alike (reason, first, second) SELECT 'email', NEW.email, '' WHERE (SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_email WHERE a.email = NEW.email AND a.deleted_date IS NULL AND a.email <> '' LIMIT 2)) > 1 AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'email' AND first = NEW.email AND second = '');
  INSERT INTO alumni_alike (reason, first, second) SELECT 'nameTail', NEW.name, substr(NEW.mobile, -4) WHERE (SELECT min(a.mobile) FROM alumni a INDEXED BY alumni_name_tail WHERE a.name = NEW.name AND substr(a.mobile, -4) = substr(NEW.mobile, -4) AND a.deleted_date IS NULL AND a.mobile <> '') <> (SELECT max(a.mobile) FROM alumni a INDEXED BY alumni_name_tail WHERE a.name = NEW.name AND substr(a.mobile, -4) = substr(NEW.mobile, -4) AND a.deleted_date IS NULL AND a.mobile <> '') AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'nameTail' AND first = NEW.name AND second = substr(NEW.mobile, -4));
  INSERT INTO alumni_alike (reason, first, second) SELECT 'nameCohort', NEW.cohort, NEW.name WHERE (SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_cohort WHERE a.cohort = NEW.cohort AND a.name = NEW.name AND a.deleted_date IS NULL LIMIT 2)) > 1 AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'nameCohort' AND first = NEW.cohort AND second = NEW.name);
  INSERT INTO alumni_alike (reason, first, second) SELECT 'nameYear', NEW.graduation_year, NEW.name WHERE (SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_year WHERE a.graduation_year = NEW.graduation_year AND a.name = NEW.name AND a.deleted_date IS NULL LIMIT 2)) > 1 AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'nameYear' AND first = NEW.graduation_year AND second = NEW.name);
  INSERT INTO alumni_alike (reason, first, second) SELECT 'nameAffiliation', NEW.affiliation, NEW.name WHERE (SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_affiliation WHERE a.affiliation = NEW.affiliation AND a.name = NEW.name AND a.deleted_date IS NULL AND a.affiliation <> '' LIMIT 2)) > 1 AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'nameAffiliation' AND first = NEW.affiliation AND second = NEW.name);
  INSERT INTO alumni_alike (reason, first, second) SELECT 'nameAlike', lower(replace(NEW.name, ' ', '')), '' WHERE (SELECT min(a.name) FROM alumni a INDEXED BY alumni_name_alike WHERE lower(replace(a.name, ' ', '')) = lower(replace(NEW.name, ' ', '')) AND a.deleted_date IS NULL) <> (SELECT max(a.name) FROM alumni a INDEXED BY alumni_name_alike WHERE lower(replace(a.name, ' ', '')) = lower(replace(NEW.name, ' ', '')) AND a.deleted_date IS NULL) AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'nameAlike' AND first = lower(replace(NEW.name, ' ', '')) AND second = '');
END;
--> statement-breakpoint
CREATE TRIGGER `alumni_index_gone` AFTER DELETE ON `alumni` WHEN OLD.deleted_date IS NULL BEGIN
  INSERT INTO alumni_count (id, people) VALUES (1, -1) ON CONFLICT (id) DO UPDATE SET people = people + excluded.people;
  DELETE FROM alumni_gram WHERE rowid = OLD.rowid;
  DELETE FROM alumni_alike WHERE reason = 'mobile' AND first = OLD.mobile AND second = '' AND coalesce((SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_mobile WHERE a.mobile = OLD.mobile AND a.deleted_date IS NULL AND a.mobile <> '' LIMIT 2)) > 1, 0) = 0;
  DELETE FROM alumni_alike WHERE reason = 'email' AND first = OLD.email AND second = '' AND coalesce((SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_email WHERE a.email = OLD.email AND a.deleted_date IS NULL AND a.email <> '' LIMIT 2)) > 1, 0) = 0;
  DELETE FROM alumni_alike WHERE reason = 'nameTail' AND first = OLD.name AND second = substr(OLD.mobile, -4) AND coalesce((SELECT min(a.mobile) FROM alumni a INDEXED BY alumni_name_tail WHERE a.name = OLD.name AND substr(a.mobile, -4) = substr(OLD.mobile, -4) AND a.deleted_date IS NULL AND a.mobile <> '') <> (SELECT max(a.mobile) FROM alumni a INDEXED BY alumni_name_tail WHERE a.name = OLD.name AND substr(a.mobile, -4) = substr(OLD.mobile, -4) AND a.deleted_date IS NULL AND a.mobile <> ''), 0) = 0;
  DELETE FROM alumni_alike WHERE reason = 'nameCohort' AND first = OLD.cohort AND second = OLD.name AND coalesce((SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_cohort WHERE a.cohort = OLD.cohort AND a.name = OLD.name AND a.deleted_date IS NULL LIMIT 2)) > 1, 0) = 0;
  DELETE FROM alumni_alike WHERE reason = 'nameYear' AND first = OLD.graduation_year AND second = OLD.name AND coalesce((SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_year WHERE a.graduation_year = OLD.graduation_year AND a.name = OLD.name AND a.deleted_date IS NULL LIMIT 2)) > 1, 0) = 0;
  DELETE FROM alumni_alike WHERE reason = 'nameAffiliation' AND first = OLD.affiliation AND second = OLD.name AND coalesce((SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_affiliation WHERE a.affiliation = OLD.affiliation AND a.name = OLD.name AND a.deleted_date IS NULL AND a.affiliation <> '' LIMIT 2)) > 1, 0) = 0;
  DELETE FROM alumni_alike WHERE reason = 'nameAlike' AND first = lower(replace(OLD.name, ' ', '')) AND second = '' AND coalesce((SELECT min(a.name) FROM alumni a INDEXED BY alumni_name_alike WHERE lower(replace(a.name, ' ', '')) = lower(replace(OLD.name, ' ', '')) AND a.deleted_date IS NULL) <> (SELECT max(a.name) FROM alumni a INDEXED BY alumni_name_alike WHERE lower(replace(a.name, ' ', '')) = lower(replace(OLD.name, ' ', '')) AND a.deleted_date IS NULL), 0) = 0;
END;
--> statement-breakpoint
CREATE TRIGGER `alumni_index_moved` AFTER UPDATE OF deleted_date ON `alumni`
WHEN (OLD.deleted_date IS NULL) <> (NEW.deleted_date IS NULL) BEGIN
  INSERT INTO alumni_count (id, people) VALUES (1, CASE WHEN NEW.deleted_date IS NULL THEN 1 ELSE -1 END) ON CONFLICT (id) DO UPDATE SET people = people + excluded.people;
END;
--> statement-breakpoint
CREATE TRIGGER `alumni_index_text` AFTER UPDATE OF search_all, initials, own, deleted_date ON `alumni` WHEN (OLD.search_all, OLD.initials, OLD.own, OLD.deleted_date) IS NOT (NEW.search_all, NEW.initials, NEW.own, NEW.deleted_date) BEGIN
  DELETE FROM alumni_gram WHERE rowid = OLD.rowid;
  INSERT INTO alumni_gram (rowid, text) SELECT NEW.rowid, NEW.search_all || char(10) || NEW.initials || char(10) || coalesce((
    SELECT group_concat(lower(replace(CASE WHEN instr(v.value, '-') THEN v.value || char(10) || replace(v.value, '-', '') ELSE v.value END, ' ', '')), char(10))
    FROM json_each(CASE WHEN json_valid(NEW.own) THEN NEW.own ELSE '{}' END) AS f
    JOIN json_each(CASE f.type WHEN 'array' THEN f.value WHEN 'object' THEN json_array(f.value ->> 'fileName') ELSE json_array(f.value) END) AS v), '') || char(10) || char(10) WHERE NEW.deleted_date IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `alumni_index_alike` AFTER UPDATE OF mobile, email, name, cohort, graduation_year, affiliation, deleted_date ON `alumni` WHEN (OLD.mobile, OLD.email, OLD.name, OLD.cohort, OLD.graduation_year, OLD.affiliation, OLD.deleted_date) IS NOT (NEW.mobile, NEW.email, NEW.name, NEW.cohort, NEW.graduation_year, NEW.affiliation, NEW.deleted_date) BEGIN
  DELETE FROM alumni_alike WHERE (OLD.mobile, OLD.deleted_date) IS NOT (NEW.mobile, NEW.deleted_date) AND reason = 'mobile' AND first = OLD.mobile AND second = '' AND coalesce((SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_mobile WHERE a.mobile = OLD.mobile AND a.deleted_date IS NULL AND a.mobile <> '' LIMIT 2)) > 1, 0) = 0;
  DELETE FROM alumni_alike WHERE (OLD.email, OLD.deleted_date) IS NOT (NEW.email, NEW.deleted_date) AND reason = 'email' AND first = OLD.email AND second = '' AND coalesce((SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_email WHERE a.email = OLD.email AND a.deleted_date IS NULL AND a.email <> '' LIMIT 2)) > 1, 0) = 0;
  DELETE FROM alumni_alike WHERE (OLD.name, OLD.mobile, OLD.deleted_date) IS NOT (NEW.name, NEW.mobile, NEW.deleted_date) AND reason = 'nameTail' AND first = OLD.name AND second = substr(OLD.mobile, -4) AND coalesce((SELECT min(a.mobile) FROM alumni a INDEXED BY alumni_name_tail WHERE a.name = OLD.name AND substr(a.mobile, -4) = substr(OLD.mobile, -4) AND a.deleted_date IS NULL AND a.mobile <> '') <> (SELECT max(a.mobile) FROM alumni a INDEXED BY alumni_name_tail WHERE a.name = OLD.name AND substr(a.mobile, -4) = substr(OLD.mobile, -4) AND a.deleted_date IS NULL AND a.mobile <> ''), 0) = 0;
  DELETE FROM alumni_alike WHERE (OLD.name, OLD.cohort, OLD.deleted_date) IS NOT (NEW.name, NEW.cohort, NEW.deleted_date) AND reason = 'nameCohort' AND first = OLD.cohort AND second = OLD.name AND coalesce((SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_cohort WHERE a.cohort = OLD.cohort AND a.name = OLD.name AND a.deleted_date IS NULL LIMIT 2)) > 1, 0) = 0;
  DELETE FROM alumni_alike WHERE (OLD.name, OLD.graduation_year, OLD.deleted_date) IS NOT (NEW.name, NEW.graduation_year, NEW.deleted_date) AND reason = 'nameYear' AND first = OLD.graduation_year AND second = OLD.name AND coalesce((SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_year WHERE a.graduation_year = OLD.graduation_year AND a.name = OLD.name AND a.deleted_date IS NULL LIMIT 2)) > 1, 0) = 0;
  DELETE FROM alumni_alike WHERE (OLD.name, OLD.affiliation, OLD.deleted_date) IS NOT (NEW.name, NEW.affiliation, NEW.deleted_date) AND reason = 'nameAffiliation' AND first = OLD.affiliation AND second = OLD.name AND coalesce((SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_affiliation WHERE a.affiliation = OLD.affiliation AND a.name = OLD.name AND a.deleted_date IS NULL AND a.affiliation <> '' LIMIT 2)) > 1, 0) = 0;
  DELETE FROM alumni_alike WHERE (OLD.name, OLD.deleted_date) IS NOT (NEW.name, NEW.deleted_date) AND reason = 'nameAlike' AND first = lower(replace(OLD.name, ' ', '')) AND second = '' AND coalesce((SELECT min(a.name) FROM alumni a INDEXED BY alumni_name_alike WHERE lower(replace(a.name, ' ', '')) = lower(replace(OLD.name, ' ', '')) AND a.deleted_date IS NULL) <> (SELECT max(a.name) FROM alumni a INDEXED BY alumni_name_alike WHERE lower(replace(a.name, ' ', '')) = lower(replace(OLD.name, ' ', '')) AND a.deleted_date IS NULL), 0) = 0;
  INSERT INTO alumni_alike (reason, first, second) SELECT 'mobile', NEW.mobile, '' WHERE (OLD.mobile, OLD.deleted_date) IS NOT (NEW.mobile, NEW.deleted_date) AND (SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_mobile WHERE a.mobile = NEW.mobile AND a.deleted_date IS NULL AND a.mobile <> '' LIMIT 2)) > 1 AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'mobile' AND first = NEW.mobile AND second = '');
  INSERT INTO alumni_alike (reason, first, second) SELECT 'email', NEW.email, '' WHERE (OLD.email, OLD.deleted_date) IS NOT (NEW.email, NEW.deleted_date) AND (SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_email WHERE a.email = NEW.email AND a.deleted_date IS NULL AND a.email <> '' LIMIT 2)) > 1 AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'email' AND first = NEW.email AND second = '');
  INSERT INTO alumni_alike (reason, first, second) SELECT 'nameTail', NEW.name, substr(NEW.mobile, -4) WHERE (OLD.name, OLD.mobile, OLD.deleted_date) IS NOT (NEW.name, NEW.mobile, NEW.deleted_date) AND (SELECT min(a.mobile) FROM alumni a INDEXED BY alumni_name_tail WHERE a.name = NEW.name AND substr(a.mobile, -4) = substr(NEW.mobile, -4) AND a.deleted_date IS NULL AND a.mobile <> '') <> (SELECT max(a.mobile) FROM alumni a INDEXED BY alumni_name_tail WHERE a.name = NEW.name AND substr(a.mobile, -4) = substr(NEW.mobile, -4) AND a.deleted_date IS NULL AND a.mobile <> '') AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'nameTail' AND first = NEW.name AND second = substr(NEW.mobile, -4));
  INSERT INTO alumni_alike (reason, first, second) SELECT 'nameCohort', NEW.cohort, NEW.name WHERE (OLD.name, OLD.cohort, OLD.deleted_date) IS NOT (NEW.name, NEW.cohort, NEW.deleted_date) AND (SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_cohort WHERE a.cohort = NEW.cohort AND a.name = NEW.name AND a.deleted_date IS NULL LIMIT 2)) > 1 AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'nameCohort' AND first = NEW.cohort AND second = NEW.name);
  INSERT INTO alumni_alike (reason, first, second) SELECT 'nameYear', NEW.graduation_year, NEW.name WHERE (OLD.name, OLD.graduation_year, OLD.deleted_date) IS NOT (NEW.name, NEW.graduation_year, NEW.deleted_date) AND (SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_year WHERE a.graduation_year = NEW.graduation_year AND a.name = NEW.name AND a.deleted_date IS NULL LIMIT 2)) > 1 AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'nameYear' AND first = NEW.graduation_year AND second = NEW.name);
  INSERT INTO alumni_alike (reason, first, second) SELECT 'nameAffiliation', NEW.affiliation, NEW.name WHERE (OLD.name, OLD.affiliation, OLD.deleted_date) IS NOT (NEW.name, NEW.affiliation, NEW.deleted_date) AND (SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_affiliation WHERE a.affiliation = NEW.affiliation AND a.name = NEW.name AND a.deleted_date IS NULL AND a.affiliation <> '' LIMIT 2)) > 1 AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'nameAffiliation' AND first = NEW.affiliation AND second = NEW.name);
  INSERT INTO alumni_alike (reason, first, second) SELECT 'nameAlike', lower(replace(NEW.name, ' ', '')), '' WHERE (OLD.name, OLD.deleted_date) IS NOT (NEW.name, NEW.deleted_date) AND (SELECT min(a.name) FROM alumni a INDEXED BY alumni_name_alike WHERE lower(replace(a.name, ' ', '')) = lower(replace(NEW.name, ' ', '')) AND a.deleted_date IS NULL) <> (SELECT max(a.name) FROM alumni a INDEXED BY alumni_name_alike WHERE lower(replace(a.name, ' ', '')) = lower(replace(NEW.name, ' ', '')) AND a.deleted_date IS NULL) AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = 'nameAlike' AND first = lower(replace(NEW.name, ' ', '')) AND second = '');
END;
--> statement-breakpoint
CREATE TABLE `alumni_confirmation` (
	`alumni_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`confirmed_date` integer NOT NULL,
	`hashes` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `confirmation_answer` (
	`round_id` text NOT NULL,
	`person_id` text NOT NULL,
	`kind` text NOT NULL,
	`created_date` integer NOT NULL,
	PRIMARY KEY(`round_id`, `person_id`)
);
--> statement-breakpoint
CREATE INDEX `confirmation_answer_person` ON `confirmation_answer` (`person_id`);--> statement-breakpoint
CREATE TABLE `confirmation_round` (
	`id` text PRIMARY KEY NOT NULL,
	`target` text NOT NULL,
	`status` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`reminder_days` integer NOT NULL,
	`waves` integer DEFAULT 0 NOT NULL,
	`start_date` integer,
	`next_date` integer,
	`end_date` integer,
	`repeat_date` integer,
	`created_user_id` text NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `confirmation_round_created` ON `confirmation_round` (`created_date`);--> statement-breakpoint
CREATE INDEX `confirmation_round_open` ON `confirmation_round` (`end_date`) WHERE status = 'open';--> statement-breakpoint
CREATE INDEX `confirmation_round_repeat` ON `confirmation_round` (`repeat_date`) WHERE repeat_date IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mailing_round` ON `mailing` (`round_id`,`wave`) WHERE round_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `mailing_recipient_link` ON `mailing_recipient` (`link_hash`) WHERE link_hash IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `alumni_figure` (
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`reach` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`kind`, `key`, `reach`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `alumni_figure_affiliation` ON `alumni_figure` (`count`,`key`) WHERE kind = 'affiliation';
--> statement-breakpoint
CREATE TRIGGER alumni_counted_new AFTER INSERT ON alumni WHEN NEW.deleted_date IS NULL BEGIN
  INSERT INTO alumni_figure (kind, key, reach, count) VALUES
    ('cohort', CAST(coalesce(NEW.cohort, '') AS TEXT), CASE WHEN NEW.email = '' THEN CASE WHEN NEW.mobile <> '' OR NEW.phone <> '' THEN 'phone' ELSE 'none' END
    WHEN EXISTS (SELECT 1 FROM mail_address WHERE address = NEW.email AND bounced_date IS NOT NULL) THEN CASE WHEN NEW.mobile <> '' OR NEW.phone <> '' THEN 'bouncedPhone' ELSE 'bounced' END ELSE 'mail' END, 1),
    ('year', CAST(coalesce(NEW.graduation_year, '') AS TEXT), '', 1),
    ('region', CASE WHEN NEW.address = '' THEN '' WHEN substr(NEW.address, 1, 2) IN ('서울', '부산', '대구', '인천', '광주', '대전', '울산', '세종', '경기', '강원', '충북', '충남', '전북', '전남', '경북', '경남', '제주') THEN substr(NEW.address, 1, 2)
    WHEN substr(NEW.address, 1, 4) IN ('충청북도', '충청남도', '전라북도', '전라남도', '경상북도', '경상남도') THEN substr(NEW.address, 1, 1) || substr(NEW.address, 3, 1) ELSE '기타' END, '', 1),
    ('affiliation', NEW.affiliation, '', 1),
    ('month', strftime('%Y-%m', NEW.created_date / 1000 + 32400, 'unixepoch'), '', 1)
  ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
END;
--> statement-breakpoint
CREATE TRIGGER alumni_counted_changed AFTER UPDATE OF cohort, graduation_year, address, affiliation, email, mobile, phone, created_date, deleted_date ON alumni
WHEN (OLD.cohort, OLD.graduation_year, OLD.address, OLD.affiliation, OLD.email, OLD.mobile, OLD.phone, OLD.created_date, OLD.deleted_date) IS NOT (NEW.cohort, NEW.graduation_year, NEW.address, NEW.affiliation, NEW.email, NEW.mobile, NEW.phone, NEW.created_date, NEW.deleted_date) BEGIN
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT column1, column2, column3, sum(column4) FROM (VALUES
    ('cohort', CAST(coalesce(OLD.cohort, '') AS TEXT), CASE WHEN OLD.email = '' THEN CASE WHEN OLD.mobile <> '' OR OLD.phone <> '' THEN 'phone' ELSE 'none' END
    WHEN EXISTS (SELECT 1 FROM mail_address WHERE address = OLD.email AND bounced_date IS NOT NULL) THEN CASE WHEN OLD.mobile <> '' OR OLD.phone <> '' THEN 'bouncedPhone' ELSE 'bounced' END ELSE 'mail' END, -(OLD.deleted_date IS NULL)),
    ('year', CAST(coalesce(OLD.graduation_year, '') AS TEXT), '', -(OLD.deleted_date IS NULL)),
    ('region', CASE WHEN OLD.address = '' THEN '' WHEN substr(OLD.address, 1, 2) IN ('서울', '부산', '대구', '인천', '광주', '대전', '울산', '세종', '경기', '강원', '충북', '충남', '전북', '전남', '경북', '경남', '제주') THEN substr(OLD.address, 1, 2)
    WHEN substr(OLD.address, 1, 4) IN ('충청북도', '충청남도', '전라북도', '전라남도', '경상북도', '경상남도') THEN substr(OLD.address, 1, 1) || substr(OLD.address, 3, 1) ELSE '기타' END, '', -(OLD.deleted_date IS NULL)),
    ('affiliation', OLD.affiliation, '', -(OLD.deleted_date IS NULL)),
    ('month', strftime('%Y-%m', OLD.created_date / 1000 + 32400, 'unixepoch'), '', -(OLD.deleted_date IS NULL)),
    ('cohort', CAST(coalesce(NEW.cohort, '') AS TEXT), CASE WHEN NEW.email = '' THEN CASE WHEN NEW.mobile <> '' OR NEW.phone <> '' THEN 'phone' ELSE 'none' END
    WHEN EXISTS (SELECT 1 FROM mail_address WHERE address = NEW.email AND bounced_date IS NOT NULL) THEN CASE WHEN NEW.mobile <> '' OR NEW.phone <> '' THEN 'bouncedPhone' ELSE 'bounced' END ELSE 'mail' END, (NEW.deleted_date IS NULL)),
    ('year', CAST(coalesce(NEW.graduation_year, '') AS TEXT), '', (NEW.deleted_date IS NULL)),
    ('region', CASE WHEN NEW.address = '' THEN '' WHEN substr(NEW.address, 1, 2) IN ('서울', '부산', '대구', '인천', '광주', '대전', '울산', '세종', '경기', '강원', '충북', '충남', '전북', '전남', '경북', '경남', '제주') THEN substr(NEW.address, 1, 2)
    WHEN substr(NEW.address, 1, 4) IN ('충청북도', '충청남도', '전라북도', '전라남도', '경상북도', '경상남도') THEN substr(NEW.address, 1, 1) || substr(NEW.address, 3, 1) ELSE '기타' END, '', (NEW.deleted_date IS NULL)),
    ('affiliation', NEW.affiliation, '', (NEW.deleted_date IS NULL)),
    ('month', strftime('%Y-%m', NEW.created_date / 1000 + 32400, 'unixepoch'), '', (NEW.deleted_date IS NULL)))
  GROUP BY 1, 2, 3 HAVING sum(column4) <> 0 ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
  DELETE FROM alumni_figure WHERE kind = 'affiliation' AND key = OLD.affiliation AND reach = '' AND count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER alumni_counted_gone AFTER DELETE ON alumni WHEN OLD.deleted_date IS NULL BEGIN
  INSERT INTO alumni_figure (kind, key, reach, count) VALUES
    ('cohort', CAST(coalesce(OLD.cohort, '') AS TEXT), CASE WHEN OLD.email = '' THEN CASE WHEN OLD.mobile <> '' OR OLD.phone <> '' THEN 'phone' ELSE 'none' END
    WHEN EXISTS (SELECT 1 FROM mail_address WHERE address = OLD.email AND bounced_date IS NOT NULL) THEN CASE WHEN OLD.mobile <> '' OR OLD.phone <> '' THEN 'bouncedPhone' ELSE 'bounced' END ELSE 'mail' END, -1),
    ('year', CAST(coalesce(OLD.graduation_year, '') AS TEXT), '', -1),
    ('region', CASE WHEN OLD.address = '' THEN '' WHEN substr(OLD.address, 1, 2) IN ('서울', '부산', '대구', '인천', '광주', '대전', '울산', '세종', '경기', '강원', '충북', '충남', '전북', '전남', '경북', '경남', '제주') THEN substr(OLD.address, 1, 2)
    WHEN substr(OLD.address, 1, 4) IN ('충청북도', '충청남도', '전라북도', '전라남도', '경상북도', '경상남도') THEN substr(OLD.address, 1, 1) || substr(OLD.address, 3, 1) ELSE '기타' END, '', -1),
    ('affiliation', OLD.affiliation, '', -1),
    ('month', strftime('%Y-%m', OLD.created_date / 1000 + 32400, 'unixepoch'), '', -1)
  ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
  DELETE FROM alumni_figure WHERE kind = 'affiliation' AND key = OLD.affiliation AND reach = '' AND count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER alumni_reach_new AFTER INSERT ON mail_address WHEN NEW.bounced_date IS NOT NULL BEGIN
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT 'cohort', CAST(coalesce(cohort, '') AS TEXT), 'mail', -count(*) FROM alumni WHERE email = NEW.address AND email <> '' AND deleted_date IS NULL GROUP BY 2 ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT 'cohort', CAST(coalesce(cohort, '') AS TEXT), CASE WHEN alumni.mobile <> '' OR alumni.phone <> '' THEN 'bouncedPhone' ELSE 'bounced' END, count(*) FROM alumni WHERE email = NEW.address AND email <> '' AND deleted_date IS NULL GROUP BY 2, 3 ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
END;
--> statement-breakpoint
CREATE TRIGGER alumni_reach_lost AFTER UPDATE OF bounced_date ON mail_address WHEN OLD.bounced_date IS NULL AND NEW.bounced_date IS NOT NULL BEGIN
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT 'cohort', CAST(coalesce(cohort, '') AS TEXT), 'mail', -count(*) FROM alumni WHERE email = NEW.address AND email <> '' AND deleted_date IS NULL GROUP BY 2 ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT 'cohort', CAST(coalesce(cohort, '') AS TEXT), CASE WHEN alumni.mobile <> '' OR alumni.phone <> '' THEN 'bouncedPhone' ELSE 'bounced' END, count(*) FROM alumni WHERE email = NEW.address AND email <> '' AND deleted_date IS NULL GROUP BY 2, 3 ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
END;
--> statement-breakpoint
CREATE TRIGGER alumni_reach_back AFTER UPDATE OF bounced_date ON mail_address WHEN OLD.bounced_date IS NOT NULL AND NEW.bounced_date IS NULL BEGIN
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT 'cohort', CAST(coalesce(cohort, '') AS TEXT), 'mail', count(*) FROM alumni WHERE email = NEW.address AND email <> '' AND deleted_date IS NULL GROUP BY 2 ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT 'cohort', CAST(coalesce(cohort, '') AS TEXT), CASE WHEN alumni.mobile <> '' OR alumni.phone <> '' THEN 'bouncedPhone' ELSE 'bounced' END, -count(*) FROM alumni WHERE email = NEW.address AND email <> '' AND deleted_date IS NULL GROUP BY 2, 3 ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
END;
--> statement-breakpoint
CREATE TRIGGER alumni_reach_gone AFTER DELETE ON mail_address WHEN OLD.bounced_date IS NOT NULL BEGIN
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT 'cohort', CAST(coalesce(cohort, '') AS TEXT), 'mail', count(*) FROM alumni WHERE email = OLD.address AND email <> '' AND deleted_date IS NULL GROUP BY 2 ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT 'cohort', CAST(coalesce(cohort, '') AS TEXT), CASE WHEN alumni.mobile <> '' OR alumni.phone <> '' THEN 'bouncedPhone' ELSE 'bounced' END, -count(*) FROM alumni WHERE email = OLD.address AND email <> '' AND deleted_date IS NULL GROUP BY 2, 3 ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count;
END;
--> statement-breakpoint
CREATE TABLE `certificate_kind` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`body` text NOT NULL,
	`organization` text DEFAULT '' NOT NULL,
	`chair` text DEFAULT '' NOT NULL,
	`seal_id` text DEFAULT '' NOT NULL,
	`with_affiliation` integer DEFAULT false NOT NULL,
	`with_purpose` integer DEFAULT false NOT NULL,
	`number_pattern` text NOT NULL,
	`months` integer DEFAULT 0 NOT NULL,
	`self_issue` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`is_closed` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `certificate_kind_order` ON `certificate_kind` (`sort_order`);--> statement-breakpoint
CREATE TABLE `alumni_certificate` (
	`id` text PRIMARY KEY NOT NULL,
	`number` text NOT NULL,
	`user_id` text,
	`alumni_id` text,
	`purpose` text DEFAULT '' NOT NULL,
	`created_user_id` text NOT NULL,
	`created_date` integer NOT NULL,
	`expires_date` integer,
	`withdrawn_date` integer,
	`withdraw_reason` text DEFAULT '' NOT NULL,
	`issue_id` text,
	`kind_name` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`body` text DEFAULT '' NOT NULL,
	`organization` text DEFAULT '' NOT NULL,
	`chair` text DEFAULT '' NOT NULL,
	`affiliation` text DEFAULT '' NOT NULL,
	`seal_id` text DEFAULT '' NOT NULL,
	`series` text DEFAULT '' NOT NULL,
	`serial` integer,
	CONSTRAINT "alumni_certificate_of_one" CHECK((user_id IS NULL) <> (alumni_id IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alumni_certificate_number` ON `alumni_certificate` (`number`);--> statement-breakpoint
CREATE INDEX `alumni_certificate_user` ON `alumni_certificate` (`user_id`,`created_date`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `alumni_certificate_person` ON `alumni_certificate` (`alumni_id`) WHERE alumni_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `alumni_certificate_created` ON `alumni_certificate` (`created_date`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `alumni_certificate_serial` ON `alumni_certificate` (`series`,`serial`);--> statement-breakpoint
CREATE INDEX `alumni_certificate_issue` ON `alumni_certificate` (`issue_id`) WHERE issue_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `alumni_certificate_seal` ON `alumni_certificate` (`seal_id`) WHERE seal_id <> '';
--> statement-breakpoint
CREATE TABLE `alumni_correction` (
	`id` text PRIMARY KEY NOT NULL,
	`alumni_id` text NOT NULL,
	`user_id` text NOT NULL,
	`cohort` integer NOT NULL,
	`fields` text NOT NULL,
	`values` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`state` text NOT NULL,
	`answer` text DEFAULT '' NOT NULL,
	`created_date` integer NOT NULL,
	`decided_date` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alumni_correction_waiting` ON `alumni_correction` (`alumni_id`,`user_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `alumni_correction_person` ON `alumni_correction` (`alumni_id`,`user_id`,`created_date`);--> statement-breakpoint
CREATE INDEX `alumni_correction_state` ON `alumni_correction` (`state`,`created_date`);--> statement-breakpoint
CREATE INDEX `alumni_correction_user` ON `alumni_correction` (`user_id`);
--> statement-breakpoint
CREATE TABLE `inquiry` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`category` text NOT NULL,
	`subject` text NOT NULL,
	`status` text NOT NULL,
	`created_date` integer NOT NULL,
	`last_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inquiry_user` ON `inquiry` (`user_id`,`last_date`);--> statement-breakpoint
CREATE INDEX `inquiry_status` ON `inquiry` (`status`,`last_date`);--> statement-breakpoint
CREATE TABLE `inquiry_message` (
	`id` text PRIMARY KEY NOT NULL,
	`inquiry_id` text NOT NULL,
	`is_office` integer DEFAULT false NOT NULL,
	`author_user_id` text NOT NULL,
	`content` text NOT NULL,
	`created_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inquiry_message_inquiry` ON `inquiry_message` (`inquiry_id`,`created_date`);--> statement-breakpoint
CREATE TABLE `inquiry_file` (
	`file_id` text PRIMARY KEY NOT NULL,
	`inquiry_id` text NOT NULL,
	`message_id` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inquiry_file_inquiry` ON `inquiry_file` (`inquiry_id`);--> statement-breakpoint
CREATE TABLE `destroyed_trace` (
	`digest` text NOT NULL,
	`subject_id` text NOT NULL,
	`created_date` integer NOT NULL,
	PRIMARY KEY(`digest`, `subject_id`)
);
--> statement-breakpoint
CREATE INDEX `destroyed_trace_created` ON `destroyed_trace` (`created_date`);--> statement-breakpoint
CREATE TRIGGER `destroyed_trace_no_update` BEFORE UPDATE ON `destroyed_trace` BEGIN
  SELECT RAISE(ABORT, 'destroyed_trace is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `destroyed_trace_no_delete` BEFORE DELETE ON `destroyed_trace`
WHEN OLD.created_date > (unixepoch() - 31536000) * 1000
  OR NOT EXISTS (SELECT 1 FROM retention_permit WHERE rule = 'access-log' AND OLD.created_date < before_date)
BEGIN
  SELECT RAISE(ABORT, 'destroyed_trace is append-only');
END;
--> statement-breakpoint
CREATE TABLE `backup_trace` (
	`digest` text NOT NULL,
	`subject_id` text NOT NULL,
	`subject_type` text NOT NULL,
	`since_date` integer NOT NULL,
	`created_date` integer NOT NULL,
	PRIMARY KEY(`digest`, `subject_id`)
);
--> statement-breakpoint
CREATE INDEX `backup_trace_created` ON `backup_trace` (`created_date`);--> statement-breakpoint
CREATE TABLE `page_stamp` (
	`scope` text PRIMARY KEY NOT NULL,
	`stamp` text DEFAULT '' NOT NULL,
	`removal` text DEFAULT '' NOT NULL,
	`viewed` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER due_summed_new AFTER INSERT ON due BEGIN
  INSERT INTO due_sum (period, kind_id, cohort, state, dues, amount, paid)
    VALUES (NEW.period, NEW.kind_id, coalesce(NEW.cohort, ''), CASE WHEN NEW.is_exempt THEN 'exempt' WHEN NEW.paid >= NEW.amount THEN 'paid' WHEN NEW.paid > 0 THEN 'partial' ELSE 'unpaid' END, 1, 1 * NEW.amount, 1 * NEW.paid)
    ON CONFLICT DO UPDATE SET dues = dues + excluded.dues, amount = amount + excluded.amount, paid = paid + excluded.paid;
  INSERT INTO due_standing (alumni_id, period, state)
    SELECT NEW.alumni_id, k.value, (SELECT coalesce(CASE WHEN max(is_listed) IS NOT 1 THEN ''
        WHEN k.value = '' THEN nullif(count(DISTINCT iif((NOT is_exempt AND paid < amount), substr(period, 1, 4), NULL)), 0)
        WHEN min(is_exempt) THEN 'exempt' WHEN NOT max((NOT is_exempt AND paid < amount)) THEN 'paid'
        WHEN sum(iif(is_exempt, 0, paid)) > 0 THEN 'partial' ELSE 'unpaid' END, '')
      FROM due WHERE alumni_id = NEW.alumni_id AND period BETWEEN k.value AND k.value || iif(length(k.value) IN (0, 4), '~', ''))
    FROM json_each(json_array('', substr(NEW.period, 1, 4), NEW.period)) AS k WHERE true
    ON CONFLICT DO UPDATE SET state = excluded.state WHERE state <> excluded.state;
  DELETE FROM due_standing WHERE alumni_id = NEW.alumni_id AND state = '';
  UPDATE due SET (name, cohort, is_listed) =
    (SELECT coalesce(max(name), ''), max(cohort), coalesce(max(deleted_date IS NULL), 0) FROM alumni WHERE alumni.id = due.alumni_id)
    WHERE id = NEW.id AND NEW.name = '';
END;
--> statement-breakpoint
CREATE TRIGGER due_summed_changed AFTER UPDATE OF alumni_id, period, kind_id, cohort, amount, paid, is_exempt, is_listed ON due BEGIN
  INSERT INTO due_sum (period, kind_id, cohort, state, dues, amount, paid)
    VALUES (OLD.period, OLD.kind_id, coalesce(OLD.cohort, ''), CASE WHEN OLD.is_exempt THEN 'exempt' WHEN OLD.paid >= OLD.amount THEN 'paid' WHEN OLD.paid > 0 THEN 'partial' ELSE 'unpaid' END, -1, -1 * OLD.amount, -1 * OLD.paid)
    ON CONFLICT DO UPDATE SET dues = dues + excluded.dues, amount = amount + excluded.amount, paid = paid + excluded.paid;
  INSERT INTO due_sum (period, kind_id, cohort, state, dues, amount, paid)
    VALUES (NEW.period, NEW.kind_id, coalesce(NEW.cohort, ''), CASE WHEN NEW.is_exempt THEN 'exempt' WHEN NEW.paid >= NEW.amount THEN 'paid' WHEN NEW.paid > 0 THEN 'partial' ELSE 'unpaid' END, 1, 1 * NEW.amount, 1 * NEW.paid)
    ON CONFLICT DO UPDATE SET dues = dues + excluded.dues, amount = amount + excluded.amount, paid = paid + excluded.paid;
  DELETE FROM due_sum WHERE period = OLD.period AND kind_id = OLD.kind_id AND cohort = coalesce(OLD.cohort, '') AND dues = 0;
  INSERT INTO due_standing (alumni_id, period, state)
    SELECT OLD.alumni_id, k.value, (SELECT coalesce(CASE WHEN max(is_listed) IS NOT 1 THEN ''
        WHEN k.value = '' THEN nullif(count(DISTINCT iif((NOT is_exempt AND paid < amount), substr(period, 1, 4), NULL)), 0)
        WHEN min(is_exempt) THEN 'exempt' WHEN NOT max((NOT is_exempt AND paid < amount)) THEN 'paid'
        WHEN sum(iif(is_exempt, 0, paid)) > 0 THEN 'partial' ELSE 'unpaid' END, '')
      FROM due WHERE alumni_id = OLD.alumni_id AND period BETWEEN k.value AND k.value || iif(length(k.value) IN (0, 4), '~', ''))
    FROM json_each(json_array('', substr(OLD.period, 1, 4), OLD.period)) AS k WHERE true
    ON CONFLICT DO UPDATE SET state = excluded.state WHERE state <> excluded.state;
  DELETE FROM due_standing WHERE alumni_id = OLD.alumni_id AND state = '';
  INSERT INTO due_standing (alumni_id, period, state)
    SELECT NEW.alumni_id, k.value, (SELECT coalesce(CASE WHEN max(is_listed) IS NOT 1 THEN ''
        WHEN k.value = '' THEN nullif(count(DISTINCT iif((NOT is_exempt AND paid < amount), substr(period, 1, 4), NULL)), 0)
        WHEN min(is_exempt) THEN 'exempt' WHEN NOT max((NOT is_exempt AND paid < amount)) THEN 'paid'
        WHEN sum(iif(is_exempt, 0, paid)) > 0 THEN 'partial' ELSE 'unpaid' END, '')
      FROM due WHERE alumni_id = NEW.alumni_id AND period BETWEEN k.value AND k.value || iif(length(k.value) IN (0, 4), '~', ''))
    FROM json_each(json_array('', substr(NEW.period, 1, 4), NEW.period)) AS k WHERE true
    ON CONFLICT DO UPDATE SET state = excluded.state WHERE state <> excluded.state;
  DELETE FROM due_standing WHERE alumni_id = NEW.alumni_id AND state = '';
END;
--> statement-breakpoint
CREATE TRIGGER due_summed_gone AFTER DELETE ON due BEGIN
  INSERT INTO due_sum (period, kind_id, cohort, state, dues, amount, paid)
    VALUES (OLD.period, OLD.kind_id, coalesce(OLD.cohort, ''), CASE WHEN OLD.is_exempt THEN 'exempt' WHEN OLD.paid >= OLD.amount THEN 'paid' WHEN OLD.paid > 0 THEN 'partial' ELSE 'unpaid' END, -1, -1 * OLD.amount, -1 * OLD.paid)
    ON CONFLICT DO UPDATE SET dues = dues + excluded.dues, amount = amount + excluded.amount, paid = paid + excluded.paid;
  DELETE FROM due_sum WHERE period = OLD.period AND kind_id = OLD.kind_id AND cohort = coalesce(OLD.cohort, '') AND dues = 0;
  INSERT INTO due_standing (alumni_id, period, state)
    SELECT OLD.alumni_id, k.value, (SELECT coalesce(CASE WHEN max(is_listed) IS NOT 1 THEN ''
        WHEN k.value = '' THEN nullif(count(DISTINCT iif((NOT is_exempt AND paid < amount), substr(period, 1, 4), NULL)), 0)
        WHEN min(is_exempt) THEN 'exempt' WHEN NOT max((NOT is_exempt AND paid < amount)) THEN 'paid'
        WHEN sum(iif(is_exempt, 0, paid)) > 0 THEN 'partial' ELSE 'unpaid' END, '')
      FROM due WHERE alumni_id = OLD.alumni_id AND period BETWEEN k.value AND k.value || iif(length(k.value) IN (0, 4), '~', ''))
    FROM json_each(json_array('', substr(OLD.period, 1, 4), OLD.period)) AS k WHERE true
    ON CONFLICT DO UPDATE SET state = excluded.state WHERE state <> excluded.state;
  DELETE FROM due_standing WHERE alumni_id = OLD.alumni_id AND state = '';
END;
--> statement-breakpoint
CREATE TRIGGER due_moved AFTER UPDATE OF alumni_id ON due BEGIN
  UPDATE due SET (name, cohort, is_listed) =
    (SELECT coalesce(max(name), ''), max(cohort), coalesce(max(deleted_date IS NULL), 0) FROM alumni WHERE alumni.id = due.alumni_id)
    WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER due_person_new AFTER INSERT ON alumni BEGIN
  UPDATE due SET (name, cohort, is_listed) =
    (SELECT coalesce(max(name), ''), max(cohort), coalesce(max(deleted_date IS NULL), 0) FROM alumni WHERE alumni.id = due.alumni_id)
    WHERE alumni_id = NEW.id AND name = '';
END;
--> statement-breakpoint
CREATE TRIGGER due_person_changed AFTER UPDATE OF name, cohort, deleted_date ON alumni WHEN (OLD.name, OLD.cohort, OLD.deleted_date) IS NOT (NEW.name, NEW.cohort, NEW.deleted_date) BEGIN
  UPDATE due SET (name, cohort, is_listed) =
    (SELECT coalesce(max(name), ''), max(cohort), coalesce(max(deleted_date IS NULL), 0) FROM alumni WHERE alumni.id = due.alumni_id)
    WHERE alumni_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER due_person_gone AFTER DELETE ON alumni BEGIN
  UPDATE due SET (name, cohort, is_listed) =
    (SELECT coalesce(max(name), ''), max(cohort), coalesce(max(deleted_date IS NULL), 0) FROM alumni WHERE alumni.id = due.alumni_id)
    WHERE alumni_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER due_counted_new AFTER INSERT ON due_standing BEGIN
  INSERT INTO due_people (period, state, people) SELECT NEW.period, NEW.state, 1 WHERE NEW.state <> ''
    ON CONFLICT DO UPDATE SET people = people + excluded.people;
END;
--> statement-breakpoint
CREATE TRIGGER due_counted_changed AFTER UPDATE ON due_standing BEGIN
  INSERT INTO due_people (period, state, people) SELECT OLD.period, OLD.state, -1 WHERE OLD.state <> ''
    ON CONFLICT DO UPDATE SET people = people + excluded.people;
  INSERT INTO due_people (period, state, people) SELECT NEW.period, NEW.state, 1 WHERE NEW.state <> ''
    ON CONFLICT DO UPDATE SET people = people + excluded.people;
END;
--> statement-breakpoint
CREATE TRIGGER due_counted_gone AFTER DELETE ON due_standing BEGIN
  INSERT INTO due_people (period, state, people) SELECT OLD.period, OLD.state, -1 WHERE OLD.state <> ''
    ON CONFLICT DO UPDATE SET people = people + excluded.people;
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_role_new AFTER INSERT ON role WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_role_changed AFTER UPDATE OF role_code, role_name, permissions, is_built_in, version ON role WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_role_gone AFTER DELETE ON role WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_site_setting_new AFTER INSERT ON site_setting WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_site_setting_changed AFTER UPDATE OF key, value, version, modified_date ON site_setting WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_site_setting_gone AFTER DELETE ON site_setting WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_popup_new AFTER INSERT ON popup WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_popup_changed AFTER UPDATE OF id, title, content, english_title, english_content, link_url, start_date, end_date, sort_order, is_closed, position, size, modified_date, version ON popup WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('boards')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_popup_gone AFTER DELETE ON popup WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_quick_link_new AFTER INSERT ON quick_link WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_quick_link_changed AFTER UPDATE OF id, label, note, href, english_label, english_note, sort_order, version ON quick_link WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('boards')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_quick_link_gone AFTER DELETE ON quick_link WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_certificate_kind_new AFTER INSERT ON certificate_kind WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_certificate_kind_changed AFTER UPDATE OF id, name, body, organization, chair, seal_id, with_affiliation, with_purpose, number_pattern, months, self_issue, sort_order, is_closed, version ON certificate_kind WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_certificate_kind_gone AFTER DELETE ON certificate_kind WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_content_new AFTER INSERT ON content WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_content_changed AFTER UPDATE OF code, status, draft, modified_date, modified_user_id, modified_user_name, version ON content WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_content_gone AFTER DELETE ON content WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_content_version_new AFTER INSERT ON content_version WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_content_version_changed AFTER UPDATE OF code, version_no, value, effective_date, created_date, created_user_id, created_user_name, note ON content_version WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_content_version_gone AFTER DELETE ON content_version WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_content_file_new AFTER INSERT ON content_file WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_content_file_changed AFTER UPDATE OF code, file_id ON content_file WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_content_file_gone AFTER DELETE ON content_file WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_center_new AFTER INSERT ON center WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_center_changed AFTER UPDATE OF region_code, region_name, center_name, director, address, phone, fax, url, directions, introduction, image_file_id, image_alt, english_name, english_director, english_address, english_directions, english_introduction, english_image_alt, sort_order, version ON center WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_center_gone AFTER DELETE ON center WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_agreement_new AFTER INSERT ON agreement WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_agreement_changed AFTER UPDATE OF code, version, title, required, content, english_title, english_content, text_hash, effective_date, is_current, sort_order, is_announced, mailed_through, mailed_count ON agreement WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_agreement_gone AFTER DELETE ON agreement WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site')) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_new AFTER INSERT ON board WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site', 'boards', 'board:' || NEW.board_code, 'items:' || NEW.board_code)) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_changed AFTER UPDATE OF board_code, board_name, description, english_name, english_description, english_categories, board_type, categories, page_size, use_comment, use_secret, use_events, file_max_count, file_max_size, file_extensions, sort_order, is_closed, version ON board WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site', 'boards', 'board:' || OLD.board_code, 'items:' || OLD.board_code)) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('site', 'boards', 'board:' || NEW.board_code, 'items:' || NEW.board_code)) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_gone AFTER DELETE ON board WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('site', 'boards', 'board:' || OLD.board_code, 'items:' || OLD.board_code)) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_new AFTER INSERT ON board_item WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards', 'items:' || NEW.board_code, 'item:' || (NEW.item_no % 256), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE board_code = NEW.board_code AND deleted_date IS NULL
    AND (created_date, item_no) < (NEW.created_date, NEW.item_no) ORDER BY created_date DESC, item_no DESC LIMIT 1), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE board_code = NEW.board_code AND deleted_date IS NULL
    AND (created_date, item_no) > (NEW.created_date, NEW.item_no) ORDER BY created_date, item_no LIMIT 1))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '' WHERE stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_changed AFTER UPDATE OF id, board_code, item_no, title, content, category, is_pinned, pinned_until, is_secret, show_item_to_main, is_comment_closed, created_user_id, created_user_name, created_date, modified_date, deleted_date, thumbnail_file_id, event_start, event_end, is_event_all_day, event_place, event_deadline, is_event_cancelled, version ON board_item WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards', 'items:' || OLD.board_code, 'item:' || (OLD.item_no % 256), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE board_code = OLD.board_code AND deleted_date IS NULL
    AND (created_date, item_no) < (OLD.created_date, OLD.item_no) ORDER BY created_date DESC, item_no DESC LIMIT 1), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE board_code = OLD.board_code AND deleted_date IS NULL
    AND (created_date, item_no) > (OLD.created_date, OLD.item_no) ORDER BY created_date, item_no LIMIT 1))) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array('boards', 'items:' || NEW.board_code, 'item:' || (NEW.item_no % 256), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE board_code = NEW.board_code AND deleted_date IS NULL
    AND (created_date, item_no) < (NEW.created_date, NEW.item_no) ORDER BY created_date DESC, item_no DESC LIMIT 1), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE board_code = NEW.board_code AND deleted_date IS NULL
    AND (created_date, item_no) > (NEW.created_date, NEW.item_no) ORDER BY created_date, item_no LIMIT 1))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_gone AFTER DELETE ON board_item WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards', 'items:' || OLD.board_code, 'item:' || (OLD.item_no % 256), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE board_code = OLD.board_code AND deleted_date IS NULL
    AND (created_date, item_no) < (OLD.created_date, OLD.item_no) ORDER BY created_date DESC, item_no DESC LIMIT 1), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE board_code = OLD.board_code AND deleted_date IS NULL
    AND (created_date, item_no) > (OLD.created_date, OLD.item_no) ORDER BY created_date, item_no LIMIT 1))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_counted AFTER UPDATE OF comment_count, file_count ON board_item WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards', 'items:' || NEW.board_code, 'item:' || (NEW.item_no % 256))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '' WHERE stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_viewed AFTER UPDATE OF view_count ON board_item WHEN NEW.view_count <> OLD.view_count AND NEW.view_count % CASE WHEN NEW.view_count < 200 THEN 10
  WHEN NEW.view_count < 500 THEN 20 WHEN NEW.view_count < 1000 THEN 50 WHEN NEW.view_count < 5000 THEN 100 ELSE 500 END = 0 BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('item:' || (NEW.item_no % 256))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET viewed = '' WHERE viewed <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_listed AFTER UPDATE OF view_count ON board_item WHEN NEW.view_count <> OLD.view_count AND NEW.view_count IN (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000) BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('items:' || NEW.board_code)) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET viewed = '' WHERE viewed <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_comment_new AFTER INSERT ON board_item_comment WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array((SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = NEW.item_id))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '' WHERE stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_comment_changed AFTER UPDATE OF id, item_id, parent_comment_id, content, created_user_id, created_user_name, created_date, modified_date, deleted_date, version ON board_item_comment WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array((SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = OLD.item_id))) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array((SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = NEW.item_id))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_comment_gone AFTER DELETE ON board_item_comment WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array((SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = OLD.item_id))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_file_new AFTER INSERT ON file WHEN (NEW.status = 'attached' AND NEW.purpose IN ('board', 'image', 'general', 'content')) BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array((SELECT 'items:' || i.board_code FROM board_item AS i WHERE id = NEW.item_id), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = NEW.item_id), iif(NEW.item_id IS NULL, 'site', NULL))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '' WHERE stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_file_shown AFTER UPDATE ON file WHEN NOT (OLD.status = 'attached' AND OLD.purpose IN ('board', 'image', 'general', 'content')) AND (NEW.status = 'attached' AND NEW.purpose IN ('board', 'image', 'general', 'content')) BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array((SELECT 'items:' || i.board_code FROM board_item AS i WHERE id = NEW.item_id), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = NEW.item_id), iif(NEW.item_id IS NULL, 'site', NULL))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '' WHERE stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_file_changed AFTER UPDATE ON file WHEN (OLD.status = 'attached' AND OLD.purpose IN ('board', 'image', 'general', 'content')) BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array((SELECT 'items:' || i.board_code FROM board_item AS i WHERE id = OLD.item_id), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = OLD.item_id), iif(OLD.item_id IS NULL, 'site', NULL))) WHERE value IS NOT NULL UNION ALL SELECT value FROM json_each(json_array((SELECT 'items:' || i.board_code FROM board_item AS i WHERE id = NEW.item_id), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = NEW.item_id), iif(NEW.item_id IS NULL, 'site', NULL))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_file_gone AFTER DELETE ON file WHEN (OLD.status = 'attached' AND OLD.purpose IN ('board', 'image', 'general', 'content')) BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array((SELECT 'items:' || i.board_code FROM board_item AS i WHERE id = OLD.item_id), (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = OLD.item_id), iif(OLD.item_id IS NULL, 'site', NULL))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '', removal = '' WHERE stamp <> '' OR removal <> '';
END;
