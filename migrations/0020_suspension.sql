CREATE TABLE `suspension` (
	`user_id` text PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`created_date` integer NOT NULL
);
