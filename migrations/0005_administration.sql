CREATE TABLE `job` (
	`name` text PRIMARY KEY NOT NULL,
	`started_date` integer NOT NULL,
	`finished_date` integer,
	`status` text NOT NULL,
	`error` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_target` ON `audit_log` (`target_type`,`target_id`,`created_date`);--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`created_date`);--> statement-breakpoint
CREATE INDEX `board_item_comment_created` ON `board_item_comment` (`created_date`);