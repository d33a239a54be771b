ALTER TABLE `message` ADD `user_id` text;--> statement-breakpoint
CREATE INDEX `message_recipient` ON `message` (`recipient`);--> statement-breakpoint
CREATE INDEX `message_user` ON `message` (`user_id`);--> statement-breakpoint
ALTER TABLE `rate_limit` ADD `held` integer DEFAULT 0 NOT NULL;