import { INVARIANTS } from "#worker/domain/operation/restore.server.ts";

/** Counts rows that break an invariant of the whole database, including tables that a backup leaves out. */
export const SITE_INVARIANTS: Record<string, string> = {
  ...INVARIANTS,
  "counts of people with dues that are zero": "SELECT count(*) AS n FROM due_people WHERE people = 0",
  "items with a wrong number of comments":
    "SELECT count(*) AS n FROM board_item WHERE comment_count <> (SELECT count(*) FROM board_item_comment WHERE item_id = board_item.id AND deleted_date IS NULL)",
  "replies to a comment of another item, or to a missing one":
    "SELECT count(*) AS n FROM board_item_comment AS c WHERE parent_comment_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM board_item_comment AS p WHERE p.id = c.parent_comment_id AND p.item_id = c.item_id)",
  "members without the verified address they signed up with":
    "SELECT count(*) AS n FROM user WHERE user_type = 'Member' AND status = 'active' AND NOT EXISTS (SELECT 1 FROM user_key WHERE user_id = user.id AND verified_date IS NOT NULL)",
  "used verified addresses without an account":
    "SELECT count(*) AS n FROM verification WHERE purpose = 'verified' AND used_by_user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM user_key WHERE user_id = used_by_user_id)",
  "live sessions that nothing can refresh":
    "SELECT count(*) AS n FROM session WHERE revoked_date IS NULL AND NOT EXISTS (SELECT 1 FROM refresh_token WHERE session_id = session.id AND used_date IS NULL)",
  "used tokens without a successor":
    "SELECT count(*) AS n FROM refresh_token AS t WHERE used_date > 0 AND successor_count > 0 AND NOT EXISTS (SELECT 1 FROM refresh_token WHERE parent_hash = t.hash)",
  "imports with a wrong number of people":
    "SELECT count(*) AS n FROM alumni_import WHERE undone_date IS NULL AND inserted <> (SELECT count(*) FROM alumni WHERE import_id = alumni_import.id)",
  "people of a missing import":
    "SELECT count(*) AS n FROM alumni WHERE import_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM alumni_import WHERE id = alumni.import_id)",
  "imports missing from the audit log":
    "SELECT count(*) AS n FROM alumni_import WHERE NOT EXISTS (SELECT 1 FROM audit_log WHERE action = 'alumni.import' AND target_id = alumni_import.id)",
  "stored answers about a missing comment":
    "SELECT count(*) AS n FROM kept_answer WHERE answer ->> 'commentId' IS NOT NULL AND NOT EXISTS (SELECT 1 FROM board_item_comment WHERE id = answer ->> 'commentId')",
  "things made twice under one key":
    "SELECT count(*) AS n FROM (SELECT title FROM board_item GROUP BY title HAVING count(*) > 1 UNION ALL SELECT content FROM board_item_comment GROUP BY content HAVING count(*) > 1 UNION ALL SELECT name FROM alumni GROUP BY name HAVING count(*) > 1)",
  "recipients of a missing mailing":
    "SELECT count(*) AS n FROM mailing_recipient WHERE NOT EXISTS (SELECT 1 FROM mailing WHERE id = mailing_recipient.mailing_id)",
  "answers to a missing mailing":
    "SELECT count(*) AS n FROM mailing_answer WHERE NOT EXISTS (SELECT 1 FROM mailing WHERE id = mailing_answer.mailing_id)",
  "notifications of a missing account":
    "SELECT count(*) AS n FROM activity WHERE NOT EXISTS (SELECT 1 FROM user WHERE id = activity.user_id)",
  "messages of a missing inquiry":
    "SELECT count(*) AS n FROM inquiry_message WHERE NOT EXISTS (SELECT 1 FROM inquiry WHERE id = inquiry_message.inquiry_id)",
  "more people than places at an event":
    "SELECT count(*) AS n FROM event WHERE places < (SELECT count(*) FROM event_registration AS r WHERE r.item_id = event.item_id AND r.status NOT IN ('waiting', 'cancelled'))",
  "registrations at a missing event":
    "SELECT count(*) AS n FROM event_registration WHERE NOT EXISTS (SELECT 1 FROM event WHERE item_id = event_registration.item_id)",
  "answers to a missing round":
    "SELECT count(*) AS n FROM confirmation_answer WHERE NOT EXISTS (SELECT 1 FROM confirmation_round WHERE id = confirmation_answer.round_id)",
  "possible duplicates with fewer than two people":
    "SELECT count(*) AS n FROM alumni_alike WHERE reason = 'email' AND (SELECT count(*) FROM alumni WHERE email = alumni_alike.first AND deleted_date IS NULL) < 2",
  "search entries that contradict their item":
    "SELECT count(*) AS n FROM board_item_search AS s JOIN board_item AS i ON i.id = s.item_id WHERE (s.board_code, s.secret_of, s.created_date) IS NOT (i.board_code, iif(i.is_secret, i.created_user_id, NULL), i.created_date)",
  "events that end before they begin": "SELECT count(*) AS n FROM board_item WHERE event_end < event_start",
};
