import { asc } from "drizzle-orm";
import { popup } from "#db/schema/site.ts";
import { ENGLISH_TEXT_MISSING, ENGLISH_TITLE_MISSING } from "#worker/contract/content/rules.ts";
import type { PopupDocument } from "#worker/contract/site/transfer-input.ts";
import { isBlankHtml } from "../kernel/html-text.server.ts";
import { type RowTransfer, stampOf, writeOrderedRow } from "../kernel/row-transfer.server.ts";
import { withoutMissingPicturesIn } from "../content/left-files.server.ts";
import { linkFormProblem } from "./link.server.ts";
import { popupPictureStatements } from "./popup.server.ts";

export const popupTransfer: RowTransfer<typeof popup.$inferSelect, PopupDocument> = {
  select: (db) => db.select().from(popup).orderBy(asc(popup.sortOrder), asc(popup.id)),
  stamp: stampOf(popup, popup.id, popup.version),
  documentOf: ({ sortOrder: _order, modifiedDate: _modified, version: _version, ...document }) => document,
  keyOf: ({ id }) => id,
  rowKeyOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  adapt(document, { files }) {
    const { left, ...texts } = withoutMissingPicturesIn(document, files);
    const englishContent = isBlankHtml(texts.englishContent) ? "" : texts.englishContent;
    return { document: { ...document, ...texts, englishContent }, left };
  },
  problems: (documents) =>
    Object.fromEntries(
      documents.flatMap(({ linkUrl, englishTitle, englishContent }, at) => {
        const problem = linkUrl === "" ? null : linkFormProblem(linkUrl);
        return [
          ...(problem ? [[`${at}.linkUrl`, problem]] : []),
          ...(englishContent !== "" && englishTitle === "" ? [[`${at}.englishTitle`, ENGLISH_TITLE_MISSING]] : []),
          ...(englishContent === "" && englishTitle !== "" ? [[`${at}.englishContent`, ENGLISH_TEXT_MISSING]] : []),
        ];
      }),
    ),
  judge({ content, isClosed, startDate, endDate }, _here, { now }) {
    if (isBlankHtml(content)) return { kept: "사진만 있는 팝업이라 옮기지 않습니다." };
    const isShown = !isClosed && startDate <= now && endDate > now;
    return { follows: isShown ? ["지금이 보이는 기간이라 첫 화면에 바로 나옵니다."] : [] };
  },
  write: (ctx, document) => [
    writeOrderedRow(ctx, popup, popup.id, { ...document, modifiedDate: ctx.now() }),
    ...popupPictureStatements(ctx, document.id, document),
  ],
  ordered: popup,
};
