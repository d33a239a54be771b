CREATE TABLE `destruction` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`created_date` integer NOT NULL,
	`kind` text NOT NULL,
	`rule` text NOT NULL,
	`basis` text NOT NULL,
	`subject_ref` text DEFAULT '' NOT NULL,
	`count` integer NOT NULL,
	`fingerprint` text DEFAULT '' NOT NULL,
	`actor_user_id` text
);
--> statement-breakpoint
CREATE INDEX `destruction_created` ON `destruction` (`created_date`);--> statement-breakpoint
CREATE TABLE `export_subject` (
	`export_id` text NOT NULL,
	`part` integer NOT NULL,
	`subject_type` text NOT NULL,
	`ids` text NOT NULL,
	`created_date` integer NOT NULL,
	PRIMARY KEY(`export_id`, `part`)
);
--> statement-breakpoint
CREATE INDEX `export_subject_created` ON `export_subject` (`created_date`);--> statement-breakpoint
CREATE TABLE `privacy_request` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`user_id` text,
	`requester_name` text NOT NULL,
	`contact` text DEFAULT '' NOT NULL,
	`content` text NOT NULL,
	`answer` text DEFAULT '' NOT NULL,
	`extended_reason` text DEFAULT '' NOT NULL,
	`received_date` integer NOT NULL,
	`due_date` integer NOT NULL,
	`closed_date` integer,
	`handler_user_id` text,
	`modified_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `privacy_request_due` ON `privacy_request` (`status`,`due_date`);--> statement-breakpoint
CREATE INDEX `privacy_request_received` ON `privacy_request` (`received_date`);--> statement-breakpoint
CREATE INDEX `privacy_request_user` ON `privacy_request` (`user_id`);--> statement-breakpoint
CREATE TABLE `retention_notice` (
	`user_id` text NOT NULL,
	`created_date` integer NOT NULL,
	PRIMARY KEY(`user_id`, `created_date`)
);
--> statement-breakpoint
CREATE TABLE `retention_permit` (
	`rule` text PRIMARY KEY NOT NULL,
	`before_date` integer NOT NULL
);
--> statement-breakpoint
DROP TRIGGER `audit_log_no_delete`;
--> statement-breakpoint
CREATE TRIGGER `audit_log_no_delete` BEFORE DELETE ON `audit_log`
WHEN OLD.created_date > (unixepoch() - 31536000) * 1000
  OR NOT EXISTS (SELECT 1 FROM retention_permit WHERE rule = 'access-log' AND OLD.created_date < before_date)
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `export_subject_no_update` BEFORE UPDATE ON `export_subject` BEGIN
  SELECT RAISE(ABORT, 'export_subject is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `export_subject_no_delete` BEFORE DELETE ON `export_subject`
WHEN OLD.created_date > (unixepoch() - 31536000) * 1000
  OR NOT EXISTS (SELECT 1 FROM retention_permit WHERE rule = 'access-log' AND OLD.created_date < before_date)
BEGIN
  SELECT RAISE(ABORT, 'export_subject is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `destruction_no_update` BEFORE UPDATE ON `destruction` BEGIN
  SELECT RAISE(ABORT, 'destruction is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `destruction_no_delete` BEFORE DELETE ON `destruction` BEGIN
  SELECT RAISE(ABORT, 'destruction is append-only');
END;
