import { sql } from "drizzle-orm";
import { popup } from "#db/schema/site.ts";
import { cleanHtml, imageFileIds } from "#worker/adapters/clean-html.server.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { popupRow } from "#worker/contract/site/rows.ts";
import { dropContentFileLinks, keepContentFiles, publishContentFiles } from "../content/content-file.server.ts";
import { refuseProblems, textProblems, withoutMissingPicturesIn } from "../content/html-text.server.ts";
import { isBlankHtml } from "../kernel/html-text.server.ts";
import { rowsOf } from "../kernel/rows.server.ts";
import { linkFormProblem, linkProblem } from "./link.server.ts";

const withoutBlank = (html: string) => (isBlankHtml(html) ? "" : html);

export const popups = rowsOf(popupRow, popup, {
  section: "popups",
  view: ({ isClosed, startDate, endDate }, now) => ({ isShown: !isClosed && startDate <= now && endDate > now }),
  async check(ctx, input) {
    const content = cleanHtml(input.content);
    if (isBlankHtml(content)) throw invalidInput({ content: "내용을 입력해 주십시오." });
    const value = { ...input, content, englishContent: withoutBlank(cleanHtml(input.englishContent)) };
    const linkUrl = value.linkUrl === "" ? null : await linkProblem(ctx, value.linkUrl);
    refuseProblems({ ...textProblems(value), linkUrl });
    return value;
  },
  also(ctx, id, value) {
    const code = `popup.${id}`;
    if (value === null) return [dropContentFileLinks(ctx, code)];
    const ids = imageFileIds(value.content + value.englishContent);
    const always = sql`1`;
    return ids.length === 0
      ? []
      : [...keepContentFiles(ctx, code, ids, always), publishContentFiles(ctx, code, ids, always)];
  },
  transfer: {
    adapt(document, { files }) {
      const { left, ...texts } = withoutMissingPicturesIn(document, files);
      return { document: { ...document, ...texts, englishContent: withoutBlank(texts.englishContent) }, left };
    },
    problemsOf: (document) => ({
      ...textProblems(document),
      linkUrl: document.linkUrl === "" ? null : linkFormProblem(document.linkUrl),
    }),
    judge({ content, isClosed, startDate, endDate }, _here, { now }) {
      if (isBlankHtml(content)) return { kept: "사진만 있는 팝업이라 옮기지 않습니다." };
      const isShown = !isClosed && startDate <= now && endDate > now;
      return { follows: isShown ? ["지금이 보이는 기간이라 첫 화면에 바로 나옵니다."] : [] };
    },
  },
});
