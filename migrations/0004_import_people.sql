CREATE TABLE `alumni_import_person` (
	`import_id` text NOT NULL,
	`alumni_id` text NOT NULL,
	PRIMARY KEY(`import_id`, `alumni_id`)
);
--> statement-breakpoint
CREATE INDEX `alumni_import_person_id` ON `alumni_import_person` (`alumni_id`);--> statement-breakpoint
ALTER TABLE `alumni_import` ADD `form` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `alumni_import_of_form` ON `alumni_import` (`form`,`created_date`) WHERE form <> '';