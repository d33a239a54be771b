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
CREATE INDEX `role_grant_role` ON `role_grant` (`role_code`);