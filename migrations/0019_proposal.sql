CREATE TABLE `proposal` (
	`id` text PRIMARY KEY NOT NULL,
	`call_id` text NOT NULL,
	`user_id` text NOT NULL,
	`number` text DEFAULT '' NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`english_title` text DEFAULT '' NOT NULL,
	`affiliation` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`answers` text DEFAULT '{}' NOT NULL,
	`changed` text DEFAULT '[]' NOT NULL,
	`checked` text DEFAULT '[]' NOT NULL,
	`round` integer DEFAULT 1 NOT NULL,
	`has_statement` integer DEFAULT false NOT NULL,
	`submitted_date` integer,
	`due_day` text DEFAULT '' NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`decided_date` integer,
	`decider_id` text DEFAULT '' NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `proposal_number` ON `proposal` (`number`) WHERE number <> '';--> statement-breakpoint
CREATE INDEX `proposal_user` ON `proposal` (`user_id`,`modified_date`);--> statement-breakpoint
CREATE INDEX `proposal_state` ON `proposal` (`status`,`submitted_date`);--> statement-breakpoint
CREATE INDEX `proposal_call_proposals` ON `proposal` (`call_id`);--> statement-breakpoint
CREATE TABLE `proposal_applicant` (
	`proposal_id` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`affiliation` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`proposal_id`, `sort_order`)
);
--> statement-breakpoint
CREATE INDEX `proposal_applicant_email` ON `proposal_applicant` (`email`) WHERE email <> '';--> statement-breakpoint
CREATE TABLE `proposal_call` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`kind` text NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`open_date` integer NOT NULL,
	`close_date` integer,
	`approve_from` integer NOT NULL,
	`second_from` integer NOT NULL,
	`hides_reviewers` integer DEFAULT false NOT NULL,
	`check_days` integer NOT NULL,
	`review_days` integer NOT NULL,
	`criteria` text DEFAULT '[]' NOT NULL,
	`papers` text DEFAULT '[]' NOT NULL,
	`checks` text DEFAULT '[]' NOT NULL,
	`questions` text DEFAULT '[]' NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `proposal_event` (
	`id` text PRIMARY KEY NOT NULL,
	`proposal_id` text NOT NULL,
	`user_id` text NOT NULL,
	`command` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`created_date` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `proposal_event_proposal` ON `proposal_event` (`proposal_id`,`created_date`);--> statement-breakpoint
CREATE TABLE `proposal_file` (
	`file_id` text PRIMARY KEY NOT NULL,
	`proposal_id` text NOT NULL,
	`paper` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `proposal_file_proposal` ON `proposal_file` (`proposal_id`);--> statement-breakpoint
CREATE TABLE `proposal_review` (
	`id` text PRIMARY KEY NOT NULL,
	`proposal_id` text NOT NULL,
	`user_id` text NOT NULL,
	`round` integer NOT NULL,
	`status` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`scores` text DEFAULT '{}' NOT NULL,
	`opinion` text DEFAULT '' NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `proposal_review_once` ON `proposal_review` (`proposal_id`,`round`,`user_id`);--> statement-breakpoint
CREATE INDEX `proposal_review_user` ON `proposal_review` (`user_id`);