// No Drizzle here: what comes from the edge is asked for without it.

/** By scope: the stamp and the one of removals (schema/page-stamp.ts). A WHERE may follow. */
export const STAMPS_SQL = "SELECT json_group_object(scope, json_array(stamp, removal)) AS stamps FROM page_stamp";

/** The scope whose row marks a database that a restore has not completed; its stamp names the backup. */
export const UNFINISHED = "unfinished";
export const UNFINISHED_SQL = `SELECT stamp FROM page_stamp WHERE scope = '${UNFINISHED}'`;

/** A stamp that a write emptied gets a new text, which nobody can guess: what was rendered before never has it. */
export const RENEW_STAMPS_SQL =
  "UPDATE page_stamp SET stamp = hex(randomblob(8)), removal = iif(removal = '', hex(randomblob(8)), removal) WHERE stamp = ''";
