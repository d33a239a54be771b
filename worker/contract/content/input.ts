import { z } from "zod";
import { AGREEMENT_LIMITS, CONTENT_FILES, PUBLISH_NOTE_MAX } from "./rules.ts";
import {
  codeField,
  flagField,
  idField,
  isoDateField,
  lineField,
  requiredLineField,
  textField,
  withDefaults,
} from "../kernel/fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { valuesOf } from "../kernel/labels.ts";
import {
  DEFAULT_INFO_PAGES,
  INFO_PAGE_CODE,
  INFO_PAGE_LIMITS,
  isFirstPage,
  LEGAL_PAGES,
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

/** `site_setting.pages`; a broken row falls back instead of failing every page. */
export const infoPageSettings = withDefaults(
  z.object({ pages: infoPages.catch(DEFAULT_INFO_PAGES).default(DEFAULT_INFO_PAGES) }),
);

/** Checks the form only, not whether the page exists. */
const contentCode = z
  .string()
  .max(INFO_PAGE_LIMITS.code)
  .refine((code) => isFirstPage(code) || ["terms", "privacy", "banner"].includes(code) || INFO_PAGE_CODE.test(code));

export const contentPath = z.object({ code: contentCode });

export const legalPath = z.object({ code: z.enum(valuesOf(LEGAL_PAGES)) });

const versionNo = z.number().int().min(1);

export const contentRowVersion = z.number().int().min(0);

/** Empty while untranslated: the English page says so. */
const englishText = {
  englishTitle: lineField(SIZE_LIMITS.titleLength).default(""),
  englishContent: z.string().max(SIZE_LIMITS.contentBytes).default(""),
};

export const saveContentInput = z.object({
  title: requiredLineField(SIZE_LIMITS.titleLength),
  /** HTML; when empty, the page says that it is being prepared. */
  content: z.string().max(SIZE_LIMITS.contentBytes),
  ...englishText,
  fileIds: z.array(idField).max(CONTENT_FILES.maxCount).default([]),
  version: contentRowVersion,
});

export const publishContentInput = z.object({
  version: versionNo,
  effectiveDate: isoDateField.optional(),
  note: lineField(PUBLISH_NOTE_MAX).default(""),
});

export const contentVersionInput = z.object({ version: versionNo });

/** Version 0 for a page that is not written yet. */
export const contentDraftInput = z.object({ version: contentRowVersion });

export const restoreContentInput = z.object({ version: versionNo, versionNo });

export type RestoreContentInput = z.output<typeof restoreContentInput>;

export const contentHistoryPath = contentPath.extend({
  versionNo: z
    .string()
    .regex(/^[1-9]\d{0,5}$/)
    .transform(Number),
});

export const contentValue = z.object({
  title: z.string(),
  content: z.string(),
  englishTitle: z.string().default(""),
  englishContent: z.string().default(""),
  fileIds: z.array(z.string()).default([]),
});

export type ContentValue = z.output<typeof contentValue>;

const agreementCode = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, "영문 소문자로 시작하여 소문자, 숫자, 하이픈으로 30자까지 입력해 주십시오.");

export const publishAgreementInput = z.object({
  code: agreementCode,
  title: requiredLineField(AGREEMENT_LIMITS.title),
  englishTitle: lineField(AGREEMENT_LIMITS.title).default(""),
  englishContent: z
    .string()
    .max(SIZE_LIMITS.contentBytes / 4)
    .default(""),
  required: flagField,
  /** HTML, cleaned like a board item. */
  content: textField(SIZE_LIMITS.contentBytes / 4).refine((value) => value.trim() !== "", "내용을 입력해 주십시오."),
  /** Shown to members, for example 2026-12-01. */
  version: z
    .string()
    .regex(/^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$/, "숫자, 영문자, 점, 하이픈으로 20자까지 입력해 주십시오."),
  effectiveDate: isoDateField,
  /** Optimistic lock: the version that the editor read; empty for a new agreement. */
  baseVersion: z.string().max(AGREEMENT_LIMITS.version),
});

export const agreementPath = z.object({ code: codeField, version: codeField });

export const agreementCodePath = z.object({ code: codeField });

export const closeAgreementInput = z.object({ baseVersion: z.string().max(AGREEMENT_LIMITS.version) });

export const pageTextDocument = saveContentInput.omit({ version: true, fileIds: true }).extend({
  code: contentCode,
  /** Names only: the files stay with their site. */
  files: z
    .array(z.object({ fileId: idField, fileName: lineField(255) }))
    .max(CONTENT_FILES.maxCount)
    .default([]),
});

export type PageTextDocument = z.output<typeof pageTextDocument>;

export const agreementDocument = publishAgreementInput.omit({ effectiveDate: true, baseVersion: true });
