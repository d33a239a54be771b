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
ALTER TABLE `board_item` ADD `idempotency_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `board_item_once` ON `board_item` (`created_user_id`,`idempotency_key`) WHERE idempotency_key IS NOT NULL;