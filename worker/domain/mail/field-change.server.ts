import { eq, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import type { FieldChange, SettingFields } from "#worker/contract/kernel/setting/field-changes.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { authorizeFields, requireFieldProof } from "../kernel/field-change.server.ts";
import type { BatchPart } from "../kernel/guarded-batch.server.ts";
import { queueMessage } from "./message.server.ts";
import { loadTemplateRenderer } from "./render-template.server.ts";

/**
 * Checks right and proof of changed fields. @returns the mails about them, for the batch @throws AppError FORBIDDEN,
 * INVALID_INPUT without a reason
 */
export async function guardFields(
  ctx: AppContext,
  settings: readonly SettingFields[],
  reason: string | undefined,
): Promise<BatchPart[]> {
  const changes = settings.flatMap((each) => each.changes);
  authorizeFields(ctx, changes);
  requireFieldProof(ctx, changes, reason);
  return tellFields(ctx, settings, reason);
}

/** The mails about checked changes, for their batch. */
export async function tellFields(
  ctx: AppContext,
  settings: readonly SettingFields[],
  reason: string | undefined,
): Promise<BatchPart[]> {
  const told = settings.flatMap(({ setting, changes: all }) => {
    const texts = all.filter(({ field }) => field.tells).map(changeText);
    return texts.length > 0 ? [`[${setting}]\n${texts.join("\n")}`] : [];
  });
  return told.length === 0 ? [] : tellSystemAdministrators(ctx, told.join("\n\n"), reason);
}

const shownValue = (value: unknown) => (value === "" || value === undefined ? "(없음)" : String(value));

const changeText = ({ field, before, after }: FieldChange) =>
  `${field.label}\n- 전: ${shownValue(before)}\n- 후: ${shownValue(after)}`;

/** The caller too, whose session may be another person's. */
async function tellSystemAdministrators(ctx: AppContext, what: string, reason = ""): Promise<BatchPart[]> {
  const me = requireSignedIn(ctx);
  const [rows, write] = [
    await ctx.db
      .select({ address: userKey.userKeyCode })
      .from(user)
      .innerJoin(userKey, eq(userKey.userId, user.id))
      .where(sql`${user.status} = 'active' AND ${user.userType} = 'Admin' AND ${userKey.userKeyType} = 'Email'`),
    await loadTemplateRenderer(ctx),
  ];
  const text = write("settingChanged", {
    이름: me.userName,
    내용: what,
    사유: reason || "(적지 않음)",
    주소: `${ctx.config.SITE_ORIGIN}/Admin/Audit`,
  });
  return rows.map(({ address }) =>
    queueMessage(ctx, {
      channel: "email",
      recipient: address,
      ...text,
      about: [{ id: me.userId, userName: me.userName }],
    }),
  );
}
