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
CREATE INDEX `item_report_open` ON `item_report` (`created_date`) WHERE status = 'open';