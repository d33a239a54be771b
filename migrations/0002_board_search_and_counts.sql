CREATE TABLE `board_item_count` (
	`board_code` text NOT NULL,
	`scope` text NOT NULL,
	`level` integer NOT NULL,
	`node` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`board_code`, `scope`, `level`, `node`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `board_item_revision` (
	`item_id` integer NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`category` text NOT NULL,
	`modified_user_id` text NOT NULL,
	`modified_user_name` text NOT NULL,
	`modified_date` integer NOT NULL,
	PRIMARY KEY(`item_id`, `version`)
);
--> statement-breakpoint
CREATE TABLE `board_item_search` (
	`item_id` integer PRIMARY KEY NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`writer` text DEFAULT '' NOT NULL,
	`file` text DEFAULT '' NOT NULL,
	`is_stale` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE INDEX `board_item_search_stale` ON `board_item_search` (`item_id`) WHERE is_stale = 1;--> statement-breakpoint
CREATE VIRTUAL TABLE `board_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');--> statement-breakpoint
CREATE TRIGGER `board_item_counted_new` AFTER INSERT ON `board_item` WHEN NEW.deleted_date IS NULL BEGIN
  INSERT INTO board_item_count (board_code, scope, level, node, count)
  SELECT NEW.board_code, s.scope, l.value, (CASE s.scope WHEN 'no' THEN NEW.item_no ELSE NEW.created_date END) >> l.value, 1
  FROM (SELECT '' AS scope UNION ALL SELECT 'no' UNION ALL SELECT 'c:' || NEW.category WHERE NEW.category <> '' UNION ALL SELECT 'main' WHERE NEW.show_item_to_main = 1) AS s
  JOIN json_each(CASE s.scope WHEN 'no' THEN '[14,7]' ELSE '[33,26,19,12]' END) AS l
  WHERE true
  ON CONFLICT (board_code, scope, level, node) DO UPDATE SET count = count + excluded.count;
  UPDATE board SET item_count = item_count + (1) WHERE board_code = NEW.board_code;
END;--> statement-breakpoint
CREATE TRIGGER `board_item_counted_out` AFTER UPDATE OF board_code, item_no, category, show_item_to_main, created_date, deleted_date ON `board_item`
WHEN OLD.deleted_date IS NULL AND (OLD.board_code, OLD.item_no, OLD.category, OLD.show_item_to_main, OLD.created_date, OLD.deleted_date) IS NOT (NEW.board_code, NEW.item_no, NEW.category, NEW.show_item_to_main, NEW.created_date, NEW.deleted_date) BEGIN
  INSERT INTO board_item_count (board_code, scope, level, node, count)
  SELECT OLD.board_code, s.scope, l.value, (CASE s.scope WHEN 'no' THEN OLD.item_no ELSE OLD.created_date END) >> l.value, -1
  FROM (SELECT '' AS scope UNION ALL SELECT 'no' UNION ALL SELECT 'c:' || OLD.category WHERE OLD.category <> '' UNION ALL SELECT 'main' WHERE OLD.show_item_to_main = 1) AS s
  JOIN json_each(CASE s.scope WHEN 'no' THEN '[14,7]' ELSE '[33,26,19,12]' END) AS l
  WHERE true
  ON CONFLICT (board_code, scope, level, node) DO UPDATE SET count = count + excluded.count;
  UPDATE board SET item_count = item_count + (-1) WHERE board_code = OLD.board_code;
END;--> statement-breakpoint
CREATE TRIGGER `board_item_counted_in` AFTER UPDATE OF board_code, item_no, category, show_item_to_main, created_date, deleted_date ON `board_item`
WHEN NEW.deleted_date IS NULL AND (OLD.board_code, OLD.item_no, OLD.category, OLD.show_item_to_main, OLD.created_date, OLD.deleted_date) IS NOT (NEW.board_code, NEW.item_no, NEW.category, NEW.show_item_to_main, NEW.created_date, NEW.deleted_date) BEGIN
  INSERT INTO board_item_count (board_code, scope, level, node, count)
  SELECT NEW.board_code, s.scope, l.value, (CASE s.scope WHEN 'no' THEN NEW.item_no ELSE NEW.created_date END) >> l.value, 1
  FROM (SELECT '' AS scope UNION ALL SELECT 'no' UNION ALL SELECT 'c:' || NEW.category WHERE NEW.category <> '' UNION ALL SELECT 'main' WHERE NEW.show_item_to_main = 1) AS s
  JOIN json_each(CASE s.scope WHEN 'no' THEN '[14,7]' ELSE '[33,26,19,12]' END) AS l
  WHERE true
  ON CONFLICT (board_code, scope, level, node) DO UPDATE SET count = count + excluded.count;
  UPDATE board SET item_count = item_count + (1) WHERE board_code = NEW.board_code;
END;--> statement-breakpoint
CREATE TRIGGER `board_item_counted_gone` AFTER DELETE ON `board_item` WHEN OLD.deleted_date IS NULL BEGIN
  INSERT INTO board_item_count (board_code, scope, level, node, count)
  SELECT OLD.board_code, s.scope, l.value, (CASE s.scope WHEN 'no' THEN OLD.item_no ELSE OLD.created_date END) >> l.value, -1
  FROM (SELECT '' AS scope UNION ALL SELECT 'no' UNION ALL SELECT 'c:' || OLD.category WHERE OLD.category <> '' UNION ALL SELECT 'main' WHERE OLD.show_item_to_main = 1) AS s
  JOIN json_each(CASE s.scope WHEN 'no' THEN '[14,7]' ELSE '[33,26,19,12]' END) AS l
  WHERE true
  ON CONFLICT (board_code, scope, level, node) DO UPDATE SET count = count + excluded.count;
  UPDATE board SET item_count = item_count + (-1) WHERE board_code = OLD.board_code;
END;--> statement-breakpoint
CREATE TRIGGER `board_item_search_new` AFTER INSERT ON `board_item` BEGIN
  INSERT INTO board_item_search (item_id) VALUES (NEW.id);
END;--> statement-breakpoint
CREATE TRIGGER `board_item_search_stale` AFTER UPDATE OF board_code, is_secret, created_user_id, created_user_name, deleted_date ON `board_item`
WHEN (OLD.board_code, OLD.is_secret, OLD.created_user_id, OLD.created_user_name, OLD.deleted_date) IS NOT (NEW.board_code, NEW.is_secret, NEW.created_user_id, NEW.created_user_name, NEW.deleted_date) BEGIN
  UPDATE board_item_search SET title = '', content = '', writer = '', file = '', is_stale = (NEW.deleted_date IS NULL) WHERE item_id = OLD.id;
END;--> statement-breakpoint
CREATE TRIGGER `board_item_search_written` AFTER UPDATE OF is_stale ON `board_item_search` BEGIN
  DELETE FROM board_search WHERE rowid = NEW.item_id;
END;--> statement-breakpoint
CREATE TRIGGER `board_item_search_gone` AFTER DELETE ON `board_item` BEGIN
  DELETE FROM board_search WHERE rowid = OLD.id;
  DELETE FROM board_item_search WHERE item_id = OLD.id;
END;--> statement-breakpoint
UPDATE board SET item_count = 0;--> statement-breakpoint
INSERT INTO board_item_search (item_id, is_stale) SELECT id, deleted_date IS NULL FROM board_item;--> statement-breakpoint
INSERT INTO board_item_count (board_code, scope, level, node, count)
SELECT i.board_code, s.value, l.value, (CASE s.value WHEN 'no' THEN i.item_no ELSE i.created_date END) >> l.value, count(*)
FROM board_item AS i
JOIN json_each(json_array('', 'no', CASE WHEN i.category <> '' THEN 'c:' || i.category END, CASE WHEN i.show_item_to_main = 1 THEN 'main' END)) AS s
JOIN json_each(CASE s.value WHEN 'no' THEN '[14,7]' ELSE '[33,26,19,12]' END) AS l
WHERE i.deleted_date IS NULL AND s.value IS NOT NULL GROUP BY 1, 2, 3, 4;--> statement-breakpoint
UPDATE board SET item_count = (SELECT count(*) FROM board_item WHERE board_item.board_code = board.board_code AND deleted_date IS NULL);
