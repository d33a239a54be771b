ALTER TABLE `file` ADD `pixel_width` integer;--> statement-breakpoint
ALTER TABLE `file` ADD `pixel_height` integer;