// Avoids Drizzle, which the edge cache path does not load.

/** Scopes among which the pages of all items are divided by their number. */
export const ITEM_SCOPES = 256;

/** Stamp, removal stamp and stamp of views by scope (schema/page-stamp.ts). A WHERE may follow. */
export const STAMPS_SQL =
  "SELECT json_group_object(scope, json_array(stamp, removal, viewed)) AS stamps FROM page_stamp";

/** View counts by item number, which kept pages are filled with. A WHERE must follow. */
export const VIEWS_SQL = "SELECT json_group_array(json_array(item_no, view_count)) AS views FROM board_item";

/** Scope whose row marks an incomplete restore; its stamp names the backup. */
export const UNFINISHED = "unfinished";
export const UNFINISHED_SQL = `SELECT stamp FROM page_stamp WHERE scope = '${UNFINISHED}'`;

/** Gives emptied stamps new random texts, so that no earlier rendering matches. */
export const RENEW_STAMPS_SQL = `UPDATE page_stamp SET ${["stamp", "removal", "viewed"].map((name) => `${name} = iif(${name} = '', hex(randomblob(8)), ${name})`).join(", ")} WHERE stamp = '' OR viewed = ''`;
