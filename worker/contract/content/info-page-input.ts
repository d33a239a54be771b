import { z } from "zod";
import { flagField, requiredLineField, withDefaults } from "../kernel/fields.ts";
import { valuesOf } from "../kernel/labels.ts";
import {
  DEFAULT_INFO_PAGES,
  INFO_PAGE_CODE,
  INFO_PAGE_LIMITS,
  isFirstPage,
  PAGE_LOOKS,
  TAKEN_PAGE_CODES,
} from "./info-pages.ts";

const infoPage = z.object({
  code: z.string().regex(INFO_PAGE_CODE, "영문 소문자로 시작하여 소문자, 숫자, -로 두 글자 이상 적어 주십시오."),
  label: requiredLineField(INFO_PAGE_LIMITS.label),
  parent: z.string().max(INFO_PAGE_LIMITS.code),
  look: z.enum(valuesOf(PAGE_LOOKS)),
  isHidden: flagField,
});

/** In order. Built-in pages can be hidden, not omitted. */
export const infoPages = z
  .array(infoPage)
  .max(INFO_PAGE_LIMITS.pages)
  .superRefine((pages, check) => {
    const problem = (at: number, field: string, message: string) =>
      check.addIssue({ code: "custom", path: [at, field], message });
    const codes = pages.map(({ code }) => code);
    for (const [at, { code, parent }] of pages.entries()) {
      if (codes.indexOf(code) !== at) problem(at, "code", "같은 주소가 두 번 있습니다.");
      if (TAKEN_PAGE_CODES.includes(code)) problem(at, "code", "다른 화면이 쓰는 주소입니다. 다르게 적어 주십시오.");
      if (parent === "") continue;
      const above = pages.find((page) => page.code === parent);
      if (!above || above.parent !== "" || parent === code)
        problem(at, "parent", "맨 위에 있는 페이지 아래에만 둘 수 있습니다.");
    }
    const missing = DEFAULT_INFO_PAGES.find(({ code }) => !codes.includes(code));
    if (missing) problem(pages.length, "code", `처음부터 있던 '${missing.code}' 페이지는 빼지 말고 숨겨 주십시오.`);
  });

export const updateInfoPagesInput = z.object({ pages: infoPages, version: z.number().int().min(0) });

export type UpdateInfoPagesInput = z.output<typeof updateInfoPagesInput>;

/** `site_setting.pages`; a broken row falls back instead of failing every page. */
export const infoPageSettings = withDefaults(
  z.object({ pages: infoPages.catch(DEFAULT_INFO_PAGES).default(DEFAULT_INFO_PAGES) }),
);

/** Checks the form only, not whether the page exists. */
export const contentCode = z
  .string()
  .max(INFO_PAGE_LIMITS.code)
  .refine((code) => isFirstPage(code) || ["terms", "privacy", "banner"].includes(code) || INFO_PAGE_CODE.test(code));
