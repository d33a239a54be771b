import { asc, sql } from "drizzle-orm";
import { alumniField } from "#db/schema/alumni.ts";
import { board } from "#db/schema/board.ts";
import { center } from "#db/schema/content.ts";
import { mailTemplate } from "#db/schema/mail.ts";
import { quickLink } from "#db/schema/site.ts";
import { inOrder } from "#db/sql.ts";
import { MAIL_TEMPLATES, mailTemplateProblems } from "#worker/contract/mail/templates.ts";
import type { SettingDocument } from "#worker/contract/site/transfer-input.ts";
import type { SettingChange } from "#worker/contract/site/view.ts";
import { particleOf } from "#worker/contract/kernel/particles.ts";
import type { AppContext, BatchStatement, RequestScope } from "#worker/domain/kernel/context.ts";
import {
  alumniFieldDocumentOf,
  importedFieldProblems,
  importFieldStatement,
} from "../alumni/own-field-transfer.server.ts";
import { bumpAlumniRevision } from "../alumni/row.server.ts";
import { boardDocumentOf, importBoardStatements } from "../board/board-transfer.server.ts";
import { centerDocumentOf, importCenterStatements } from "../content/center-transfer.server.ts";
import { linkFormProblem } from "./link.server.ts";

/** What stands in rows of tables and not in a document: boards, centres, fields, links, texts of mails. */
export const settingRowStatements = (db: RequestScope["db"]) =>
  [
    db.select().from(board).orderBy(asc(board.sortOrder), asc(board.boardCode)),
    db.select().from(center).orderBy(asc(center.sortOrder), asc(center.regionCode)),
    db.select().from(alumniField).orderBy(asc(alumniField.sortOrder), asc(alumniField.code)),
    db.select().from(quickLink).orderBy(asc(quickLink.sortOrder), asc(quickLink.id)),
    db.select().from(mailTemplate).orderBy(asc(mailTemplate.kind)),
  ] as const;

export interface StoredRows {
  boards: (typeof board.$inferSelect)[];
  centers: (typeof center.$inferSelect)[];
  alumniFields: (typeof alumniField.$inferSelect)[];
  quickLinks: (typeof quickLink.$inferSelect)[];
  mailTemplates: (typeof mailTemplate.$inferSelect)[];
}

export const rowDocumentsOf = ({ boards, centers, alumniFields, quickLinks, mailTemplates }: StoredRows) => ({
  boards: boards.map(boardDocumentOf),
  centers: centers.map(centerDocumentOf),
  alumniFields: alumniFields.map(alumniFieldDocumentOf),
  quickLinks: quickLinks.map(({ label, note, href, englishLabel, englishNote }) => ({
    label,
    note,
    englishLabel,
    englishNote,
    href,
  })),
  // Without a subject the text in the code is back.
  mailTemplates: mailTemplates
    .filter(({ subject }) => subject !== "")
    .map(({ subject, body, kind }) => ({ subject, text: body, kind: kind as keyof typeof MAIL_TEMPLATES })),
});

const KEYED = {
  boards: (row: { boardCode: string }) => row.boardCode,
  centers: (row: { regionCode: string }) => row.regionCode,
  alumniFields: (row: { code: string }) => row.code,
  mailTemplates: (row: { kind: string }) => row.kind,
};
type KeyedSection = keyof typeof KEYED;
const KEYED_SECTIONS = Object.keys(KEYED) as KeyedSection[];

const keysOf = (section: KeyedSection, rows: readonly object[] = []): string[] =>
  rows.map((row) => (KEYED[section] as (row: object) => string)(row));

/** What forms would refuse, by where it stands in the file. */
export function rowProblems(document: SettingDocument, stored: StoredRows): Record<string, string> {
  const problems = importedFieldProblems(document.alumniFields ?? [], stored.alumniFields);
  for (const section of KEYED_SECTIONS) {
    const keys = keysOf(section, document[section]);
    const twice = keys.find((key, at) => keys.indexOf(key) !== at);
    if (twice !== undefined)
      problems[`document.${section}`] = `'${twice}'${particleOf(twice, "이/가")} 두 번 있습니다.`;
  }
  for (const [at, { href }] of (document.quickLinks ?? []).entries()) {
    const problem = linkFormProblem(href);
    if (problem) problems[`document.quickLinks.${at}.href`] = problem;
  }
  for (const [at, { kind, ...text }] of (document.mailTemplates ?? []).entries())
    for (const [part, problem] of Object.entries(mailTemplateProblems(MAIL_TEMPLATES[kind].fields, text)))
      problems[`document.mailTemplates.${at}.${part}`] = problem;
  return problems;
}

/** Which rows are new or others than here, and where their order is another. */
export function noteRowChanges(
  document: SettingDocument,
  stored: ReturnType<typeof rowDocumentsOf>,
  note: (section: SettingChange["section"], code: string, before: object | undefined, after: object) => void,
): void {
  for (const section of KEYED_SECTIONS) {
    const rows: readonly object[] = document[section] ?? [];
    const [keys, here] = [keysOf(section, rows), keysOf(section, stored[section])];
    for (const [at, row] of rows.entries())
      note(section, keys[at] ?? "", stored[section][here.indexOf(keys[at] ?? "")], row);
    const common = keys.filter((key) => here.includes(key));
    if (section !== "mailTemplates" && common.join() !== here.filter((key) => keys.includes(key)).join())
      note(section, "", { order: here }, { order: [...common, ...here.filter((key) => !keys.includes(key))] });
  }
  if (document.quickLinks) note("quickLinks", "", { links: stored.quickLinks }, { links: document.quickLinks });
}

/** @param touched whether a row, or by "" the order of a section, is among the changes */
export function importRowStatements(
  ctx: AppContext,
  document: SettingDocument,
  stored: StoredRows,
  touched: (section: SettingChange["section"], code?: string) => boolean,
): BatchStatement[] {
  const changed = <Row extends object>(section: KeyedSection, rows: readonly Row[] = []): Row[] => {
    const keys = keysOf(section, rows);
    return rows.filter((_, at) => touched(section, keys[at]));
  };
  const ordered = (section: "boards" | "centers" | "alumniFields") =>
    touched(section) || changed<object>(section, document[section]).length > 0;
  const isNew = (boardCode: string) => stored.boards.every((row) => row.boardCode !== boardCode);
  const fields = changed("alumniFields", document.alumniFields);
  const orders = [
    ["boards", board],
    ["centers", center],
    ["alumniFields", alumniField],
  ] as const;
  return [
    ...changed("boards", document.boards).flatMap((row) =>
      importBoardStatements(ctx, row, isNew(row.boardCode) && document.roles === undefined),
    ),
    ...changed("centers", document.centers).flatMap((row) =>
      importCenterStatements(
        ctx,
        row,
        stored.centers.find(({ regionCode }) => regionCode === row.regionCode),
      ),
    ),
    ...fields.map((row) => importFieldStatement(ctx, row)),
    ...(ordered("alumniFields") ? [bumpAlumniRevision(ctx.db)] : []),
    ...orders
      .filter(([section]) => ordered(section))
      .map(([section, table]) =>
        ctx.db.update(table).set({ sortOrder: inOrder(table, keysOf(section, document[section])) }),
      ),
    ...(document.quickLinks && touched("quickLinks")
      ? [
          ctx.db.delete(quickLink),
          ...document.quickLinks.map((row, at) =>
            ctx.db.insert(quickLink).values({ ...row, id: crypto.randomUUID(), sortOrder: at + 1 }),
          ),
        ]
      : []),
    ...changed("mailTemplates", document.mailTemplates).map(({ kind, subject, text }) => {
      const row = { subject, body: text, modifiedDate: ctx.now() };
      return ctx.db
        .insert(mailTemplate)
        .values({ kind, ...row, version: 1 })
        .onConflictDoUpdate({ target: mailTemplate.kind, set: { ...row, version: sql`${mailTemplate.version} + 1` } });
    }),
  ];
}

/** Every version of them, as the database sees it inside a batch, and as it was read. A compound select takes five terms. */
export const ROW_VERSIONS = sql`(SELECT json_group_array(name || ':' || version) FROM (
  SELECT 'a.' || code AS name, version FROM alumni_field UNION ALL SELECT 'b.' || board_code, version FROM board
  UNION ALL SELECT 'c.' || region_code, version FROM center UNION ALL SELECT 'm.' || kind, version FROM mail_template
  UNION ALL SELECT 'q.' || id, version FROM quick_link ORDER BY name))`;

export const rowVersionsOf = ({ boards, centers, alumniFields, quickLinks, mailTemplates }: StoredRows): string[] => [
  ...alumniFields.map(({ code, version }) => `a.${code}:${version}`),
  ...boards.map(({ boardCode, version }) => `b.${boardCode}:${version}`),
  ...centers.map(({ regionCode, version }) => `c.${regionCode}:${version}`),
  ...mailTemplates.map(({ kind, version }) => `m.${kind}:${version}`),
  ...quickLinks.map(({ id, version }) => `q.${id}:${version}`),
];
