ALTER TABLE `deposit` ADD `doubt` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `deposit` ADD `related_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `deposit_doubt` ON `deposit` (`paid_date`,`id`) WHERE doubt <> '';
