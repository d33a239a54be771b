CREATE TABLE `deed_row` (
	`deed_id` text NOT NULL,
	`table_name` text NOT NULL,
	`row_key` text NOT NULL,
	`alumni_id` text DEFAULT '' NOT NULL,
	`before` text,
	`after` text,
	PRIMARY KEY(`deed_id`, `table_name`, `row_key`)
);
--> statement-breakpoint
CREATE INDEX `deed_row_person` ON `deed_row` (`alumni_id`);--> statement-breakpoint
ALTER TABLE `alumni_before` ADD `after` text;--> statement-breakpoint
ALTER TABLE `alumni_before` ADD `is_tried` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE alumni_before SET "values" = json_set("values", '$.deleted_date', NULL, '$.merged_into', NULL)
  WHERE import_id IN (SELECT id FROM alumni_merge);--> statement-breakpoint
INSERT INTO deed_row (deed_id, table_name, row_key, alumni_id, before, after)
  SELECT b.import_id, 'alumni_certificate', json_array(c.value), b.alumni_id, json_object('alumni_id', b.alumni_id), json_object('alumni_id', m.kept_id)
  FROM alumni_merge m CROSS JOIN alumni_before b ON b.import_id = m.id, json_each(b."values", '$.certificates') c;--> statement-breakpoint
INSERT INTO deed_row (deed_id, table_name, row_key, alumni_id, before, after)
  SELECT b.import_id, 'alumni_correction', json_array(c.value), b.alumni_id, json_object('alumni_id', b.alumni_id), json_object('alumni_id', m.kept_id)
  FROM alumni_merge m CROSS JOIN alumni_before b ON b.import_id = m.id, json_each(b."values", '$.corrections') c;--> statement-breakpoint
INSERT INTO deed_row (deed_id, table_name, row_key, alumni_id, after)
  SELECT work_id, 'due', json_array(id), alumni_id, json_object('alumni_id', alumni_id, 'kind_id', kind_id, 'period', period, 'amount', amount, 'is_exempt', is_exempt, 'reason', reason, 'due_day', due_day)
  FROM due WHERE version = 1 AND work_id IN (SELECT id FROM due_work WHERE undone_date IS NULL);--> statement-breakpoint
INSERT INTO deed_row (deed_id, table_name, row_key, after)
  SELECT work_id, 'deposit', json_array(id), json_object('amount', amount, 'is_closed', is_closed, 'note', note)
  FROM deposit WHERE version = 1 AND work_id IN (SELECT id FROM due_work WHERE undone_date IS NULL);--> statement-breakpoint
INSERT INTO deed_row (deed_id, table_name, row_key, after)
  SELECT d.work_id, 'due_allocation', json_array(x.id), json_object('deposit_id', x.deposit_id, 'due_id', x.due_id, 'amount', x.amount)
  FROM due_allocation x JOIN deposit d ON d.id = x.deposit_id JOIN due_work w ON w.id = d.work_id
  WHERE d.version = 1 AND w.undone_date IS NULL;--> statement-breakpoint
INSERT INTO deed_row (deed_id, table_name, row_key, alumni_id, after)
  SELECT work_id, 'due_list_person', json_array(work_id, alumni_id), alumni_id, json_object('state', state)
  FROM due_list_person;
