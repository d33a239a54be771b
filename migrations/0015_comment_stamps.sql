DROP TRIGGER page_stamp_board_item_counted;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_counted AFTER UPDATE OF file_count ON board_item WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('boards', 'items:' || NEW.board_code, 'item:' || (NEW.item_no % 256))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '' WHERE stamp <> '';
END;
--> statement-breakpoint
CREATE TRIGGER page_stamp_board_item_commented AFTER UPDATE OF comment_count ON board_item WHEN true BEGIN
  INSERT INTO page_stamp (scope) SELECT value FROM json_each(json_array('items:' || NEW.board_code, 'item:' || (NEW.item_no % 256))) WHERE value IS NOT NULL
  ON CONFLICT (scope) DO UPDATE SET stamp = '' WHERE stamp <> '';
END;
