import { asc } from "drizzle-orm";
import { mailTemplate } from "#db/schema/mail.ts";
import type { MailTemplateDocument } from "#worker/contract/mail/input.ts";
import { MAIL_TEMPLATES, type MailTemplateKind, mailTemplateProblems } from "#worker/contract/mail/templates.ts";
import { type RowTransfer, stampOf, writeRow } from "../kernel/row-transfer.server.ts";

/** An empty subject means the default text. */
export const mailTemplateTransfer: RowTransfer<typeof mailTemplate.$inferSelect, MailTemplateDocument> = {
  select: (db) => db.select().from(mailTemplate).orderBy(asc(mailTemplate.kind)),
  stamp: stampOf(mailTemplate, mailTemplate.kind, mailTemplate.version),
  documentOf: ({ subject, body, kind }) =>
    subject === "" ? null : { subject, text: body, kind: kind as MailTemplateKind },
  keyOf: ({ kind }) => kind,
  rowKeyOf: ({ kind }) => kind,
  nameOf: ({ kind }) => MAIL_TEMPLATES[kind].name,
  problems: (documents) =>
    Object.fromEntries(
      documents.flatMap(({ kind, ...text }, at) =>
        Object.entries(mailTemplateProblems(MAIL_TEMPLATES[kind].fields, text)).map(([part, problem]) => [
          `${at}.${part}`,
          problem,
        ]),
      ),
    ),
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
