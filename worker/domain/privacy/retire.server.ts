import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { mailAddress } from "#db/schema/mail.ts";
import { privacyRequest } from "#db/schema/privacy.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { retireInput } from "#worker/contract/account/input.ts";
import type { LeavingChoice } from "#worker/contract/account/rules.ts";
import { readPrivacySettings } from "../audit/retention-setting.server.ts";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { isAdministrator } from "../access/account-authority.server.ts";
import { audit, auditPeople } from "../kernel/audit-entry.server.ts";
import { isBatchAborted, abortBatchUnless } from "../kernel/guarded-batch.server.ts";
import { withdrawEntryStatements } from "../alumni/own-entry.server.ts";
import { destroyPeople } from "./destroy.server.ts";
import { registerDestroyedPeople } from "../audit/destruction.server.ts";
import { sendUnstoredMail, userKeysStatement } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { confirmPassword } from "../access/password-attempt.server.ts";
import { isPasswordUnchanged } from "../account/credential.server.ts";

/**
 * Destroys identifying data in one batch. Posts stay without names; required consents and the audit log keep the bare
 * id. @throws AppError INVALID_CREDENTIAL, CONFLICT for the last administrator, TOO_MANY_REQUESTS
 */
export async function retireOwnAccount(ctx: AppContext, input: Parsed<typeof retireInput>) {
  const me = requireSignedIn(ctx);
  const stored = await confirmPassword(ctx, input.password, "user.retire");
  const { userId } = me;
  const [[person], keys] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, userId)),
    userKeysStatement(ctx, userId),
  ]);
  if (!person) throw new AppError("UNAUTHORIZED");
  const codes = keys.map((key) => key.userKeyCode);
  const address = verifiedAddress(keys);
  const destroyed = await destroyPeople(ctx, [userId]);

  await ctx.db
    .batch([
      abortBatchUnless(ctx, sql`${isPasswordUnchanged(userId, stored)} AND ${isAnotherAdministratorLeft(userId)}`),
      ...destroyed.statements,
      ...(await entryStatements(ctx, person.userName, keys, input.alumni)),
      registerDestroyedPeople(ctx, [userId], { kind: "회원정보", rule: "retire", basis: "본인 탈퇴" }),
      audit(ctx, {
        action: "user.retire",
        targetId: userId,
        subjectCount: 1,
        reason: withoutOwnWords(input.reason ?? "", [person.userName, ...codes, ...profileTexts(person.profile)]),
      }),
    ])
    .catch(async (cause: unknown) => {
      if (!isBatchAborted(cause)) throw cause;
      throw (await isLastAdministrator(ctx, userId))
        ? new AppError("CONFLICT", { message: UI_MESSAGES.lastAdministrator })
        : new AppError("CONFLICT", { cause });
    });
  destroyed.after();
  if (address) ctx.defer(sendFarewell(ctx, person, address));
  return {};
}

/** Never stored, because the address is destroyed. */
async function sendFarewell(
  ctx: AppContext,
  { userName, language }: typeof user.$inferSelect,
  address: string,
): Promise<void> {
  const write = await loadTemplateRenderer(ctx, language);
  await sendUnstoredMail(ctx, address, write("left", { 이름: userName }));
}

const verifiedAddress = (keys: Awaited<ReturnType<typeof userKeysStatement>>): string =>
  keys.find((key) => key.userKeyType === "Email" && key.verifiedDate)?.userKeyCode ?? "";

const LEAVING_TASKS: Record<LeavingChoice, string> = {
  stay: "탈퇴하면서 주소록에 내 정보를 남기기로 하였습니다. 주소록의 상태를 확인해 주십시오.",
  stayWithoutMail:
    "탈퇴하면서 주소록에 내 정보를 남기되 메일과 문자는 받지 않기로 하였습니다. 단체 메일과 문자는 이미 꺼 두었습니다.",
  leave: "탈퇴하면서 주소록의 내 정보를 지워 달라고 하였습니다. 단체 메일과 문자는 이미 꺼 두었습니다.",
};

const ENTRY_WITHDRAWN = " 주소록의 상태도 ‘탈퇴’로 바꾸었습니다.";
const ENTRY_UNCERTAIN = " 같은 이메일의 사람이 여럿이어서 주소록의 상태는 바꾸지 않았습니다. 확인해 주십시오.";
/** Entries of one address that are compared by name. */
const SHARED_MAX = 50;

/** Creates an office task for the person's address book entry; unless they stay, stops mail and marks it withdrawn. */
async function entryStatements(
  ctx: AppContext,
  requesterName: string,
  keys: Awaited<ReturnType<typeof userKeysStatement>>,
  choice: LeavingChoice,
) {
  const contact = verifiedAddress(keys);
  const entries = await ctx.db
    .select({ id: alumni.id, name: alumni.name, mobile: alumni.mobile })
    .from(alumni)
    .where(and(isNull(alumni.deletedDate), isNull(alumni.emailHold), ne(alumni.email, ""), eq(alumni.email, contact)))
    .limit(SHARED_MAX);
  const named = entries.filter(({ name }) => name === requesterName);
  const certain = [named, entries].find((each) => each.length === 1)?.[0];
  const entry = certain ?? named[0] ?? entries[0];
  if (!entry) return [];
  const now = ctx.now();
  const id = crypto.randomUUID();
  const kind = choice === "leave" ? ("erasure" as const) : ("correction" as const);
  const { requestDays } = await readPrivacySettings(ctx);
  const set = { refusedDate: now };
  const addresses = [contact, entry.mobile].filter(Boolean);
  return [
    ...(choice === "stay"
      ? []
      : [
          ctx.db
            .insert(mailAddress)
            .values(addresses.map((address) => ({ address, ...set })))
            .onConflictDoUpdate({ target: mailAddress.address, set }),
          ...(certain ? withdrawEntryStatements(ctx, certain.id) : []),
        ]),
    ctx.db.insert(privacyRequest).values({
      id,
      kind,
      content: LEAVING_TASKS[choice] + (choice === "stay" ? "" : certain ? ENTRY_WITHDRAWN : ENTRY_UNCERTAIN),
      status: "received",
      requesterName,
      contact,
      receivedDate: now,
      dueDate: daysLater(now, requestDays),
      modifiedDate: now,
    }),
    ...auditPeople(
      ctx,
      { action: "privacy.request", targetType: "privacyRequest", targetId: id, detail: { kind, leaving: choice } },
      [entry.id],
    ),
  ];
}

/** True unless the person is the last administrator of their kind. */
function isAnotherAdministratorLeft(userId: string) {
  return sql`(
    NOT EXISTS (SELECT 1 FROM user WHERE id = ${userId} AND ${isAdministrator})
    OR EXISTS (
      SELECT 1 FROM user JOIN user AS me ON me.id = ${userId}
      WHERE user.id <> me.id AND user.status = 'active' AND ${isAdministrator}
        AND (user.user_type = 'Admin' OR me.user_type <> 'Admin')
    )
  )`;
}

async function isLastAdministrator(ctx: AppContext, userId: string): Promise<boolean> {
  const [row] = await ctx.db.all<{ safe: number }>(sql`SELECT ${isAnotherAdministratorLeft(userId)} AS safe`);
  return row?.safe === 0;
}

function profileTexts(profile: Record<string, unknown>): string[] {
  return Object.values(profile)
    .flat()
    .filter((value) => typeof value === "string");
}

/** Keeps the reason for leaving without identifying words. */
function withoutOwnWords(reason: string, words: string[]): string {
  return words
    .filter((word) => word.length > 1)
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, word) => text.replaceAll(word, "○○"), reason);
}
