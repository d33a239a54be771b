import { asc, getTableColumns, sql } from "drizzle-orm";
import { agreement, content } from "#db/schema/content.ts";
import { PLACE_TO_FILL, PLACES_LEFT_MESSAGE } from "#worker/contract/content/rules.ts";
import type { AgreementDocument } from "#worker/contract/content/transfer-input.ts";
import { type RowTransfer, stampOf } from "../kernel/row-transfer.server.ts";
import { newVersionStatements, textHashOf } from "./agreement.server.ts";
import { withoutMissingPictures } from "./left-files.server.ts";
import { formatCount } from "#worker/contract/kernel/format-count.ts";

type AgreementRow = typeof agreement.$inferSelect & { isOfPage: boolean };

const memberText = (count: number) =>
  count === 0 ? "" : ` 지금 회원 ${formatCount(count)}명에게는 다음 로그인 때 동의 여부를 묻습니다.`;

/** A file can add the first version only, because versions are evidence of consent. */
export const agreementTransfer: RowTransfer<AgreementRow, AgreementDocument> = {
  select: (db) =>
    db
      .select({
        ...getTableColumns(agreement),
        isOfPage: sql<boolean>`EXISTS (SELECT 1 FROM ${content} WHERE code = "agreement"."code")`
          .mapWith(Boolean)
          .as("page"),
      })
      .from(agreement)
      .where(sql`${agreement.isCurrent} = 1`)
      .orderBy(asc(agreement.sortOrder), asc(agreement.code)),
  stamp: stampOf(agreement, sql`code || '/' || version`, sql`is_current || is_announced`),
  documentOf: ({ isOfPage, code, version, title, required, content: text }) =>
    isOfPage ? null : { code, version, title, required, content: text },
  keyOf: ({ code }) => code,
  rowKeyOf: ({ code }) => code,
  nameOf: ({ title }) => title,
  adapt(document, { files }) {
    const { html, left } = withoutMissingPictures(document.content, files);
    return { document: { ...document, content: html }, left };
  },
  problems: (documents) =>
    Object.fromEntries(
      documents.flatMap(({ content: text }, at) =>
        text.includes(PLACE_TO_FILL) ? [[`${at}.content`, PLACES_LEFT_MESSAGE]] : [],
      ),
    ),
  judge: ({ code, required }, _here, { agreements, pages, memberCount }) =>
    agreements.has(code) || pages.has(code)
      ? {
          kept: "이 사이트에 공포한 판이 있어 그대로 둡니다. 바꾸려면 동의 문서 화면에서 새 판을 시행일과 함께 공포해 주십시오.",
        }
      : { follows: [`바로 시행합니다.${required ? memberText(memberCount) : " 동의는 선택입니다."}`] },
  write: (ctx, document) =>
    newVersionStatements(ctx, { ...document, textHash: textHashOf(document.content), effectiveDate: ctx.now() }, ""),
};
