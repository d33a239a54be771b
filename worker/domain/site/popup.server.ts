import { asc, sql } from "drizzle-orm";
import { popup } from "#db/schema/site.ts";
import { cleanHtml, imageFileIds } from "#worker/adapters/clean-html.server.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { AdminPopup } from "#worker/contract/site/view.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";
import type { CreatePopupInput, UpdatePopupInput } from "#worker/contract/site/input.ts";
import { ENGLISH_TEXT_MISSING, ENGLISH_TITLE_MISSING } from "#worker/contract/content/rules.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { keepAnswer } from "../kernel/idempotency.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";
import { deleteOrderedRow, lastPlace, orderRows, requireRow, updateRow } from "../kernel/ordered-rows.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { isBlankHtml } from "../kernel/html-text.server.ts";
import { dropContentFileLinks, keepContentFiles, publishContentFiles } from "../content/content-file.server.ts";
import { linkProblem } from "./link.server.ts";

const POPUPS = {
  table: popup,
  key: popup.id,
  auditName: "popup" as const,
  notFoundMessage: "팝업을 찾을 수 없습니다.",
};
const popupFileCode = (id: string) => `popup.${id}`;

export async function listPopups(scope: RequestScope): Promise<AdminPopup[]> {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db.select().from(popup).orderBy(asc(popup.sortOrder), asc(popup.id)),
  ]);
  const now = ctx.now();
  return rows[0].map(({ sortOrder: _order, ...row }) => ({
    ...row,
    startDate: row.startDate.toISOString(),
    endDate: row.endDate.toISOString(),
    modifiedDate: row.modifiedDate.toISOString(),
    isShown: !row.isClosed && row.startDate <= now && row.endDate > now,
  }));
}

type PopupTexts = Pick<CreatePopupInput, "content" | "englishTitle" | "englishContent" | "linkUrl">;

async function checkPopup<T extends PopupTexts>(ctx: AppContext, input: T): Promise<T> {
  const content = cleanHtml(input.content);
  if (isBlankHtml(content)) throw invalidInput({ content: "내용을 입력해 주십시오." });
  const cleaned = cleanHtml(input.englishContent);
  const englishContent = isBlankHtml(cleaned) ? "" : cleaned;
  if (englishContent !== "" && input.englishTitle === "") throw invalidInput({ englishTitle: ENGLISH_TITLE_MISSING });
  if (englishContent === "" && input.englishTitle !== "") throw invalidInput({ englishContent: ENGLISH_TEXT_MISSING });
  const problem = input.linkUrl === "" ? null : await linkProblem(ctx, input.linkUrl);
  if (problem) throw invalidInput({ linkUrl: problem });
  return { ...input, content, englishContent };
}

export const popupPictureStatements = (
  ctx: AppContext,
  id: string,
  { content, englishContent }: Pick<PopupTexts, "content" | "englishContent">,
) => {
  const ids = imageFileIds(content + englishContent);
  const always = sql`1`;
  return ids.length === 0
    ? []
    : [
        ...keepContentFiles(ctx, popupFileCode(id), ids, always),
        publishContentFiles(ctx, popupFileCode(id), ids, always),
      ];
};

export async function createPopup(ctx: AppContext, input: CreatePopupInput): Promise<{ id: string }> {
  authorizeConsole(ctx);
  const value = await checkPopup(ctx, input);
  const id = crypto.randomUUID();
  await ctx.db.batch([
    ctx.db.insert(popup).values({
      ...value,
      id,
      sortOrder: lastPlace(popup),
      modifiedDate: ctx.now(),
    }),
    audit(ctx, {
      action: "popup.create",
      targetType: "popup",
      targetId: id,
      detail: { after: { title: value.title } },
    }),
    ...popupPictureStatements(ctx, id, value),
    ...keepAnswer(ctx, { id }),
  ]);
  return { id };
}

/** @throws AppError NOT_FOUND, CONFLICT */
export async function updatePopup(ctx: AppContext, id: string, input: UpdatePopupInput): Promise<NewVersion> {
  authorizeConsole(ctx);
  const { version, ...given } = input;
  const value = await checkPopup(ctx, given);
  const before = await requireRow(ctx, POPUPS, id);
  const also = popupPictureStatements(ctx, id, value);
  return updateRow(ctx, POPUPS, { key: id, version, also }, before, value, { modifiedDate: ctx.now() });
}

/** @throws AppError NOT_FOUND, CONFLICT */
export async function deletePopup(ctx: AppContext, id: string, version: number): Promise<{ id: string }> {
  authorizeConsole(ctx);
  const { title, content } = await requireRow(ctx, POPUPS, id);
  const also = [dropContentFileLinks(ctx, popupFileCode(id))];
  return deleteOrderedRow(ctx, POPUPS, { key: id, version, also }, { before: { title, content } });
}

export async function orderPopups(ctx: AppContext, ids: string[]): Promise<{ codes: string[] }> {
  authorizeConsole(ctx);
  return orderRows(ctx, popup, "popup", ids);
}
