import { sql } from "drizzle-orm";
import { content, contentVersion } from "#db/schema/content.ts";
import type { Db } from "#db/client.ts";
import { contentValue } from "#worker/contract/content/input.ts";
import { isLegalPage } from "#worker/contract/content/info-pages.ts";
import type { PageTextDocument } from "#worker/contract/content/transfer-input.ts";
import {
  ENGLISH_TEXT_MISSING,
  ENGLISH_TITLE_MISSING,
  PLACE_TO_FILL,
  PLACES_LEFT_MESSAGE,
} from "#worker/contract/content/rules.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { isBlankHtml } from "../kernel/html-text.server.ts";
import { type RowTransfer, stampOf, type TransferSite, writeRow } from "../kernel/row-transfer.server.ts";
import { publishTermsStatements } from "./agreement-in-force.server.ts";
import { IMPORT_NOTE, isVersionInForce, publishAtOnceStatements } from "./draft-version.server.ts";
import { withoutMissingPicturesIn } from "./left-files.server.ts";
import { hasEnglishText } from "./page.server.ts";

const pageTextsStatement = (db: Db, now: Date) =>
  db
    .select({
      code: content.code,
      status: content.status,
      draft: content.draft,
      value: contentVersion.value,
      versionCount: sql<number>`(SELECT count(*) FROM content_version AS v WHERE v.code = ${content.code})`.as(
        "versions",
      ),
      fileNames: sql<string>`(SELECT json_group_object(f.id, f.file_name) FROM content_file AS l
        JOIN file AS f ON f.id = l.file_id WHERE l.code = ${content.code} AND f.purpose <> 'image')`.as("file_names"),
    })
    .from(content)
    .leftJoin(contentVersion, isVersionInForce(now))
    .where(sql`${content.code} NOT LIKE 'center.%'`)
    .orderBy(content.code);
type PageTextRow = Awaited<ReturnType<typeof pageTextsStatement>>[number];

export const pageTextLength = sql<number>`(SELECT coalesce(sum(length(CAST(value AS BLOB))), 0) FROM content_version AS v
  JOIN content AS c ON c.code = v.code WHERE c.status = 'published' AND c.code NOT LIKE 'center.%'
    AND v.version_no = (SELECT max(version_no) FROM content_version AS n WHERE n.code = v.code))`;

/** A file never changes a legal text: an existing one gets a draft, to publish for a day. */
const comesAsDraft = ({ code }: PageTextDocument, here: PageTextRow | undefined, { agreements }: TransferSite) =>
  isLegalPage(code) && ((here?.versionCount ?? 0) > 0 || agreements.has(code));

const valueOf = ({ code: _code, files, ...texts }: PageTextDocument) => ({
  ...texts,
  fileIds: files.map(({ fileId }) => fileId),
});

export const pageTextTransfer: RowTransfer<PageTextRow, PageTextDocument> = {
  select: pageTextsStatement,
  stamp: stampOf(content, content.code, content.version),
  documentOf({ code, status, value, fileNames }) {
    const text = contentValue.safeParse(value).data;
    if (status !== "published" || !text) return null;
    const names = JSON.parse(fileNames) as Record<string, string>;
    const { fileIds, ...texts } = text;
    return { code, ...texts, files: fileIds.map((fileId) => ({ fileId, fileName: names[fileId] ?? "" })) };
  },
  keyOf: ({ code }) => code,
  rowKeyOf: ({ code }) => code,
  nameOf: ({ title }) => title,
  adapt(document, { files }) {
    const { left, ...texts } = withoutMissingPicturesIn(document, files);
    const isHere = ({ fileId }: { fileId: string }) => files.has(`${document.code} ${fileId}`);
    const missing = document.files.filter((file) => !isHere(file)).map(({ fileName }) => `파일 '${fileName}'`);
    return {
      document: { ...document, ...texts, files: document.files.filter(isHere) },
      left: [...left, ...missing],
    };
  },
  problems: (documents) =>
    Object.fromEntries(
      documents.flatMap((document, at) => {
        const { code, content: korean, englishTitle, englishContent } = document;
        const found: [string, string][] = [];
        if (korean.includes(PLACE_TO_FILL)) found.push(["content", PLACES_LEFT_MESSAGE]);
        if (englishContent.includes(PLACE_TO_FILL)) found.push(["englishContent", PLACES_LEFT_MESSAGE]);
        if (englishTitle === "" && !isBlankHtml(englishContent)) found.push(["englishTitle", ENGLISH_TITLE_MISSING]);
        if (englishTitle !== "" && !hasEnglishText(code, valueOf(document)))
          found.push(["englishContent", ENGLISH_TEXT_MISSING]);
        return found.map(([field, problem]) => [`${at}.${field}`, problem]);
      }),
    ),
  judge(document, here, site) {
    if (!comesAsDraft(document, here, site))
      return {
        follows: isLegalPage(document.code)
          ? ["이 사이트에 게시한 적이 없는 글이라 바로 게시하고 시행합니다."]
          : ["바로 게시합니다.", ...(here?.value ? ["지금 글은 이력에 남아 되돌릴 수 있습니다."] : [])],
      };
    if (JSON.stringify(here?.draft) === JSON.stringify(valueOf(document)))
      return { kept: "이미 초안으로 들어 있습니다. 내용 관리에서 살펴본 뒤 시행일을 정해 게시해 주십시오." };
    if (here?.draft) return { kept: "쓰던 초안이 있어 그대로 둡니다. 초안을 게시하거나 버린 뒤 다시 불러와 주십시오." };
    return {
      follows: [
        "시행 중인 글은 바뀌지 않습니다. 초안으로 넣으니, 내용 관리에서 비교한 뒤 시행일을 정해 게시해 주십시오.",
      ],
    };
  },
  write: (ctx, document, here, site) =>
    comesAsDraft(document, here, site) ? draftStatements(ctx, document) : publishStatements(ctx, document),
};

function draftStatements(ctx: AppContext, document: PageTextDocument) {
  const { userId, userName } = requireSignedIn(ctx);
  return [
    writeRow(ctx, content, content.code, {
      code: document.code,
      draft: valueOf(document),
      modifiedDate: ctx.now(),
      modifiedUserId: userId,
      modifiedUserName: userName,
    }),
  ];
}

const publishStatements = (ctx: AppContext, document: PageTextDocument) => [
  ...publishAtOnceStatements(ctx, document.code, valueOf(document), IMPORT_NOTE),
  ...(document.code === "terms" ? publishTermsStatements(ctx, document.content, ctx.now(), sql`1`) : []),
];
