import { unchanged } from "#db/sql.ts";
import { and, eq } from "drizzle-orm";
import { userKey } from "#db/schema/account.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { mailTemplate } from "#db/schema/mail.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { fieldChanges } from "#worker/contract/kernel/setting/field-changes.ts";
import type {
  mailTemplateDocument,
  restoreMailTemplateQuery,
  updateMailTemplateInput,
} from "#worker/contract/mail/input.ts";
import { AppError, invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import {
  defaultTemplateText,
  holdsCodeOrLink,
  MAIL_TEMPLATE_KINDS,
  MAIL_TEMPLATES,
  type MailTemplateKind,
  mailTemplateFields,
  mailTemplateProblems,
  mailTemplateSamples,
  type MailTemplateText,
  ownTemplateProblems,
  renderTemplate,
  SITE_LINK_FIELD,
  SITE_NAME_FIELD,
} from "#worker/contract/mail/templates.ts";
import { siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { authorize, authorizeConsole, authorizeSetting, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { identityOf } from "../kernel/site-identity.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { queueMessage } from "./message.server.ts";
import { guardFields } from "./field-change.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { auditDifference } from "../kernel/audit-difference.ts";
import { eachProblem, type RowTransfer, transferOf, writeRow } from "../kernel/row-transfer.server.ts";

type StoredMailTemplate = typeof mailTemplate.$inferSelect;
const templateStatement = (db: RequestScope["db"], kind: string) =>
  db.select().from(mailTemplate).where(eq(mailTemplate.kind, kind));
const siteStatement = (db: RequestScope["db"]) =>
  db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "site"));

/** Whether the site sends this message at all. */
function isInUse(ctx: Parameters<typeof identityOf>[0], kind: MailTemplateKind): boolean {
  const template = MAIL_TEMPLATES[kind];
  return !("needs" in template) || identityOf(ctx)[template.needs as "hasProposals"];
}

export async function listMailTemplates(scope: RequestScope) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [scope.db.select().from(mailTemplate)]);
  return MAIL_TEMPLATE_KINDS.filter((kind) => isInUse(ctx, kind)).map((kind) => {
    const row = rows[0].find((each) => each.kind === kind && each.subject !== "");
    return { kind, isChanged: row !== undefined, modifiedDate: row?.modifiedDate.toISOString() ?? null };
  });
}

/** @throws AppError NOT_FOUND */
export async function getMailTemplate(scope: RequestScope, given: string) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    templateStatement(scope.db, given),
    siteStatement(scope.db),
  ]);
  const kind = requireTemplateKind(given);
  if (!isInUse(ctx, kind)) throw templateNotFound();
  const { siteName } = siteSettings.parse(rows[1][0]?.value ?? {});
  const ownAddress = await ownAddressOf(ctx);
  const [row] = rows[0];
  return {
    kind,
    ...templateTextOf(ctx, kind, row),
    isChanged: isTemplateChanged(row),
    canEdit: !holdsCodeOrLink(kind) || can(ctx.actor, { action: "Mail_Template" }),
    version: row?.version ?? 0,
    siteName,
    origin: ctx.config.SITE_ORIGIN,
    /** Receives a test; null without one. */
    ownAddress,
  };
}

export type MailTemplateView = View<typeof getMailTemplate>;

const templateNotFound = () => new AppError("NOT_FOUND", { message: "그런 메일이 없습니다." });

function requireTemplateKind(given: string): MailTemplateKind {
  const kind = MAIL_TEMPLATE_KINDS.find((each) => each === given);
  if (!kind) throw templateNotFound();
  return kind;
}

/** @throws AppError FORBIDDEN for a text with a code or link without Mail_Template */
function authorizeTemplate(ctx: AppContext, given: string): MailTemplateKind {
  authorizeSetting(ctx, "mailTemplates");
  const kind = requireTemplateKind(given);
  if (holdsCodeOrLink(kind)) authorize(ctx, { action: "Mail_Template" });
  return kind;
}

function checkTemplate(ctx: AppContext, kind: MailTemplateKind, text: MailTemplateText): void {
  const problems = ownTemplateProblems(kind, text, ctx.origin);
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
}

/** Unchanged texts of a settings file need no permission. @throws AppError FORBIDDEN, INVALID_INPUT */
export function authorizeImportedTemplates(
  ctx: AppContext,
  documents: readonly Parsed<typeof mailTemplateDocument>[],
  stored: readonly StoredMailTemplate[],
): void {
  for (const [at, { kind, ...text }] of documents.entries()) {
    const row = stored.find((each) => each.kind === kind);
    if (row?.subject === text.subject && row.body === text.text) continue;
    authorizeTemplate(ctx, kind);
    const [problem] = Object.entries(ownTemplateProblems(kind, text, ctx.origin));
    if (problem) throw invalidInput({ [`document.mailTemplates.${at}.${problem[0]}`]: problem[1] });
  }
}

const isTemplateChanged = (row: StoredMailTemplate | undefined) => row !== undefined && row.subject !== "";

const templateTextOf = (ctx: AppContext, kind: MailTemplateKind, row: StoredMailTemplate | undefined) =>
  row && isTemplateChanged(row)
    ? { subject: row.subject, text: row.body }
    : defaultTemplateText(kind, identityOf(ctx).words);

/** @throws AppError INVALID_INPUT naming the wrong placeholder, CONFLICT */
export async function updateMailTemplate(
  ctx: AppContext,
  given: string,
  input: Parsed<typeof updateMailTemplateInput>,
): Promise<NewVersion> {
  const kind = authorizeTemplate(ctx, given);
  const { version, reason, ...text } = input;
  checkTemplate(ctx, kind, text);
  return storeTemplate(ctx, kind, text, { version, reason, action: "mail-template.change" });
}

/** @throws AppError CONFLICT */
export async function restoreMailTemplate(
  ctx: AppContext,
  given: string,
  { version, reason }: Parsed<typeof restoreMailTemplateQuery>,
): Promise<NewVersion> {
  const kind = authorizeTemplate(ctx, given);
  return storeTemplate(ctx, kind, null, { version, reason, action: "mail-template.restore" });
}

interface TemplateChange {
  version: number;
  reason: string | undefined;
  action: "mail-template.change" | "mail-template.restore";
}

/** The row stays when the text goes, so that a version is never used twice. */
async function storeTemplate(
  ctx: AppContext,
  kind: MailTemplateKind,
  text: MailTemplateText | null,
  { version, reason, action }: TemplateChange,
): Promise<NewVersion> {
  const [before] = await templateStatement(ctx.db, kind);
  if ((before?.version ?? 0) !== version) throw conflict();
  const row = { subject: text?.subject ?? "", body: text?.text ?? "", version: version + 1, modifiedDate: ctx.now() };
  const after = text ?? defaultTemplateText(kind, identityOf(ctx).words);
  const changes = fieldChanges(mailTemplateFields(kind), templateTextOf(ctx, kind, before), after);
  const letters = await guardFields(ctx, [{ setting: `메일 문구 ${MAIL_TEMPLATES[kind].name}`, changes }], reason);
  await runGuardedBatch(ctx, unchanged(mailTemplate, kind, version), [
    ctx.db
      .insert(mailTemplate)
      .values({ kind, ...row })
      .onConflictDoUpdate({ target: mailTemplate.kind, set: row }),
    audit(ctx, {
      action,
      targetType: "mail-template",
      targetId: kind,
      reason: reason ?? "",
      detail: auditDifference({ ...templateTextOf(ctx, kind, before) }, { subject: after.subject, text: after.text }),
    }),
    ...letters,
  ]);
  return { version: version + 1 };
}

async function ownAddressOf(ctx: AppContext): Promise<string | null> {
  const [row] = await ctx.db
    .select({ address: userKey.userKeyCode })
    .from(userKey)
    .where(and(eq(userKey.userId, requireSignedIn(ctx).userId), eq(userKey.userKeyType, "Email")));
  return row?.address ?? null;
}

/** Sends the unsaved wording with example values to the caller only. */
export async function sendTestMail(
  ctx: AppContext,
  given: string,
  text: MailTemplateText,
): Promise<{ recipient: string }> {
  const kind = authorizeTemplate(ctx, given);
  checkTemplate(ctx, kind, text);
  const recipient = await ownAddressOf(ctx);
  if (!recipient) throw invalidInput({ recipient: "회원정보에 이메일이 없어 시험 메일을 보낼 수 없습니다." });
  const { userId } = requireSignedIn(ctx);
  await countLimits(ctx, ["testMailHour", userId]);
  const [site] = await siteStatement(ctx.db);
  const { siteName } = siteSettings.parse(site?.value ?? {});
  const filled = renderTemplate(text, {
    ...mailTemplateSamples(kind, ctx.config.SITE_ORIGIN),
    [SITE_NAME_FIELD]: siteName,
    [SITE_LINK_FIELD]: ctx.origin,
  });
  const queued = queueMessage(ctx, {
    channel: "email",
    recipient,
    userId,
    subject: `[시험] ${filled.subject}`,
    text: filled.text,
  });
  await runGuardedBatch(
    ctx,
    [],
    [queued, audit(ctx, { action: "mail-template.test", targetType: "mail-template", targetId: kind })],
  );
  return { recipient };
}

/** An empty subject means the default text. */
export const mailTemplateTransfer: RowTransfer<
  typeof mailTemplate.$inferSelect,
  Parsed<typeof mailTemplateDocument>
> = {
  ...transferOf<Parsed<typeof mailTemplateDocument>>()(mailTemplate, "kind", "subject", []),
  documentOf: ({ subject, body, kind }) =>
    subject === "" ? null : { subject, text: body, kind: kind as MailTemplateKind },
  nameOf: ({ kind }) => MAIL_TEMPLATES[kind].name,
  unstored: (ctx, { kind }) => defaultTemplateText(kind, identityOf(ctx).words),
  problems: (documents) =>
    eachProblem(documents, ({ kind, ...text }) => mailTemplateProblems(MAIL_TEMPLATES[kind].fields, text)),
  write: (ctx, { kind, subject, text }) => [
    writeRow(
      ctx,
      mailTemplate,
      mailTemplate.kind,
      { kind, subject, body: text, modifiedDate: ctx.now() },
      { version: 1 },
    ),
  ],
};
