CREATE TABLE `mailing_answer` (
	`mailing_id` text NOT NULL,
	`person_id` text NOT NULL,
	`answer` integer NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	PRIMARY KEY(`mailing_id`, `person_id`)
);
--> statement-breakpoint
CREATE INDEX `mailing_answer_person` ON `mailing_answer` (`person_id`);--> statement-breakpoint
ALTER TABLE `mailing` ADD `question` text;--> statement-breakpoint
ALTER TABLE `mailing` ADD `answer_until` integer;--> statement-breakpoint
ALTER TABLE `mailing` ADD `question_id` text;