CREATE TABLE `event` (
	`item_id` integer PRIMARY KEY NOT NULL,
	`open_date` integer NOT NULL,
	`close_date` integer NOT NULL,
	`cancel_until` text DEFAULT '' NOT NULL,
	`places` integer,
	`use_waiting` integer DEFAULT false NOT NULL,
	`hides_counts` integer DEFAULT false NOT NULL,
	`role_codes` text NOT NULL,
	`confirmation` text DEFAULT '' NOT NULL,
	`questions` text NOT NULL,
	`questions_version` integer DEFAULT 1 NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event_registration` (
	`id` text PRIMARY KEY NOT NULL,
	`item_id` integer NOT NULL,
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`turn` integer NOT NULL,
	`answers` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`created_date` integer NOT NULL,
	`modified_date` integer NOT NULL,
	`attended_date` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_registration_once` ON `event_registration` (`item_id`,`user_id`) WHERE status <> 'cancelled';--> statement-breakpoint
CREATE UNIQUE INDEX `event_registration_turn` ON `event_registration` (`item_id`,`turn`);--> statement-breakpoint
CREATE INDEX `event_registration_queue` ON `event_registration` (`item_id`,`status`,`turn`);--> statement-breakpoint
CREATE INDEX `event_registration_user` ON `event_registration` (`user_id`,`created_date`);
--> statement-breakpoint
CREATE TRIGGER page_stamp_event_new AFTER INSERT ON event BEGIN
  UPDATE page_stamp SET stamp = '' WHERE scope = (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = NEW.item_id) AND stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_event_changed AFTER UPDATE ON event BEGIN
  UPDATE page_stamp SET stamp = '' WHERE scope = (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = NEW.item_id) AND stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_event_gone AFTER DELETE ON event BEGIN
  UPDATE page_stamp SET stamp = '' WHERE scope = (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = OLD.item_id) AND stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_event_registration_new AFTER INSERT ON event_registration BEGIN
  UPDATE page_stamp SET stamp = '' WHERE scope = (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = NEW.item_id) AND stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_event_registration_changed AFTER UPDATE OF status ON event_registration BEGIN
  UPDATE page_stamp SET stamp = '' WHERE scope = (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = NEW.item_id) AND stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_event_registration_gone AFTER DELETE ON event_registration BEGIN
  UPDATE page_stamp SET stamp = '' WHERE scope = (SELECT 'item:' || (i.item_no % 256) FROM board_item AS i WHERE id = OLD.item_id) AND stamp <> '';
END;
