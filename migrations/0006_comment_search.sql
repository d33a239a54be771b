ALTER TABLE `board_item_search` ADD `comments` text DEFAULT '' NOT NULL;
--> statement-breakpoint
UPDATE board_item_search SET is_stale = 1 WHERE item_id IN (SELECT item_id FROM board_item_comment);
