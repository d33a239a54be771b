CREATE TABLE `mail_template` (
	`kind` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`version` integer NOT NULL,
	`modified_date` integer NOT NULL
);
--> statement-breakpoint
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
	PRIMARY KEY(`kind`, `source_id`)
);
--> statement-breakpoint
CREATE INDEX `notice_pending_item` ON `notice_pending` (`item_id`);--> statement-breakpoint
DROP INDEX `message_due`;--> statement-breakpoint
ALTER TABLE `message` ADD `once_key` text;--> statement-breakpoint
ALTER TABLE `message` ADD `is_bulk` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `message` ADD `is_advertising` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `message` ADD `off_token` text;--> statement-breakpoint
ALTER TABLE `message` ADD `batch_id` text;--> statement-breakpoint
CREATE INDEX `message_due_single` ON `message` (`next_attempt_date`) WHERE status = 'queued' AND is_bulk = 0;--> statement-breakpoint
CREATE INDEX `message_due_bulk` ON `message` (`is_advertising`,`next_attempt_date`) WHERE status = 'queued' AND is_bulk = 1;--> statement-breakpoint
CREATE INDEX `message_batch` ON `message` (`batch_id`) WHERE status = 'queued' AND batch_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `message_once` ON `message` (`once_key`) WHERE once_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `message_status` ON `message` (`status`,`created_date`);--> statement-breakpoint
CREATE INDEX `message_pincode` ON `message` (`created_date`) WHERE pincode IS NOT NULL;--> statement-breakpoint
ALTER TABLE `user_consent` ADD `confirmed_date` integer;--> statement-breakpoint
CREATE INDEX `user_consent_code` ON `user_consent` (`code`,`created_date`);