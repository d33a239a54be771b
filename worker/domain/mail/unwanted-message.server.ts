import { eq, sql } from "drizzle-orm";
import { message } from "#db/schema/mail.ts";
import { ADVERTISING_AGREEMENT, TEXT_ADVERTISING_AGREEMENT } from "#worker/contract/mail/rules.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { isConsentGivenBy } from "./advertising-consent.server.ts";
import { isNotSuspended } from "./suspension-filter.server.ts";

const READER = sql`"message"."user_id"`;
const startsWith = (kind: string) => sql`once_key >= ${`${kind}:`} AND once_key < ${`${kind};`}`;
/** The CAST reads a number up to the next colon. */
const KEY_ITEM = sql`CAST(substr(once_key, instr(once_key, ':') + 1) AS INTEGER)`;

const isAddressTheirs = sql`EXISTS (SELECT 1 FROM user JOIN user_key ON user_key.user_id = user.id
  WHERE user.id = ${READER} AND user.status = 'active' AND user_key_type = 'Email' AND user_key_code = recipient AND verified_date IS NOT NULL)`;
const isItemGone = sql`NOT EXISTS (SELECT 1 FROM board_item WHERE id = ${KEY_ITEM} AND deleted_date IS NULL)`;
const followsBoard = sql`EXISTS (SELECT 1 FROM notice_choice JOIN board_item ON board_code = target
  WHERE kind = 'item' AND is_on = 1 AND notice_choice.user_id = ${READER} AND board_item.id = ${KEY_ITEM})`;
const refusesComments = sql`EXISTS (SELECT 1 FROM notice_choice WHERE kind = 'comment' AND target = '' AND is_on = 0 AND notice_choice.user_id = ${READER})`;
const refusesOffice = sql`EXISTS (SELECT 1 FROM mail_address WHERE address = recipient AND refused_date IS NOT NULL)`;
const tookBackConsent = sql`EXISTS (SELECT 1 FROM agreement WHERE required = 0
  AND substr(once_key, 1, length(code) + 11) = 'agreement:' || code || ':'
  AND coalesce((SELECT agreed FROM user_consent WHERE user_consent.user_id = ${READER} AND user_consent.code = agreement.code
    ORDER BY user_consent.created_date DESC LIMIT 1), 0) = 0)`;

/** Drops messages refused or disallowed since they were queued. Mailings have their own check. */
export const excludeUnwantedStatement = ({ db }: Pick<AppContext, "db">, batchId: string) =>
  db.delete(message).where(
    sql`${eq(message.batchId, batchId)} AND status = 'queued' AND NOT (${startsWith("mailing")}) AND (
      NOT ${isAddressTheirs} OR NOT (${isNotSuspended(READER)})
      OR (${startsWith("item")} AND (${isItemGone} OR NOT ${followsBoard}))
      OR ((${startsWith("comment")} OR ${startsWith("comments")}) AND (${isItemGone} OR ${refusesComments}))
      OR ${sql.join(
        [ADVERTISING_AGREEMENT, TEXT_ADVERTISING_AGREEMENT].map(
          (code) => sql`(${startsWith(`consent:${code}`)} AND NOT (${isConsentGivenBy(READER, code)}))`,
        ),
        sql` OR `,
      )}
      OR (${startsWith("agreement")} AND (${refusesOffice} OR ${tookBackConsent})))`,
  );
