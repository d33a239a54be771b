import { z } from "zod";
import { requiredLineField, lineField, isoDateField, flagField, versionField } from "../kernel/fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import {
  LINK_URL_MAX,
  POPUP_POSITIONS,
  POPUP_SIZES,
  isPeriodInOrder,
  WRONG_PERIOD_ISSUE,
  POPUP_TITLE_MAX,
  QUICK_LINK_LIMITS,
  SITE_LIMITS,
} from "./rules.ts";
import { isEmail } from "../account/rules.ts";
import { hasAddress, NAME_WITH_ADDRESS } from "../mail/addresses.ts";
import { WIDEST_ACCOUNT_RULES } from "../kernel/identity-rules.ts";

export const popupFields = {
  title: requiredLineField(POPUP_TITLE_MAX),
  /** HTML, sanitized like a board item. */
  content: z.string().max(SIZE_LIMITS.contentBytes / 4),
  /** Without both, the English home page omits it. */
  englishTitle: lineField(POPUP_TITLE_MAX).default(""),
  englishContent: z
    .string()
    .max(SIZE_LIMITS.contentBytes / 4)
    .default(""),
  linkUrl: lineField(LINK_URL_MAX).default(""),
  startDate: isoDateField,
  endDate: isoDateField,
  position: z.enum(POPUP_POSITIONS).default("right"),
  size: z.enum(POPUP_SIZES).default("md"),
  isClosed: flagField.default(false),
};

export const createPopupInput = z
  .object(popupFields)
  .refine(isPeriodInOrder, WRONG_PERIOD_ISSUE)
  .meta({
    example: {
      title: "알림",
      content: "<p>내용</p>",
      linkUrl: "/terms",
      startDate: "2026-11-01T00:00:00Z",
      endDate: "2036-12-01T00:00:00Z",
    },
  });

export type CreatePopupInput = z.output<typeof createPopupInput>;

export const updatePopupInput = z
  .object({ ...popupFields, version: versionField })
  .refine(isPeriodInOrder, WRONG_PERIOD_ISSUE);

export type UpdatePopupInput = z.output<typeof updatePopupInput>;

const quickLinkShape = {
  label: requiredLineField(QUICK_LINK_LIMITS.label),
  note: lineField(QUICK_LINK_LIMITS.note).default(""),
  /** Without it, the English home page omits the link. */
  englishLabel: lineField(QUICK_LINK_LIMITS.englishLabel).default(""),
  englishNote: lineField(QUICK_LINK_LIMITS.englishNote).default(""),
  href: requiredLineField(LINK_URL_MAX),
};

export const createQuickLinkInput = z
  .object(quickLinkShape)
  .meta({ example: { label: "공지", note: "", href: "/terms" } });

export type CreateQuickLinkInput = z.output<typeof createQuickLinkInput>;

export const updateQuickLinkInput = z.object({ ...quickLinkShape, version: versionField });

export type UpdateQuickLinkInput = z.output<typeof updateQuickLinkInput>;

const optionalEmail = lineField(SITE_LIMITS.email).refine(
  (value) => value === "" || isEmail(value, WIDEST_ACCOUNT_RULES),
  "이메일을 형식에 맞게 입력해 주십시오.",
);

export const updateSiteInput = z.object({
  siteName: requiredLineField(SITE_LIMITS.siteName).refine((name) => !hasAddress(name), NAME_WITH_ADDRESS),
  productName: lineField(SITE_LIMITS.productName),
  description: lineField(SITE_LIMITS.description),
  contact: z.object({
    organization: lineField(SITE_LIMITS.organization),
    address: lineField(SITE_LIMITS.address),
    phone: lineField(SITE_LIMITS.phone),
    fax: lineField(SITE_LIMITS.fax),
    email: optionalEmail,
  }),
  copyright: lineField(SITE_LIMITS.copyright),
  version: versionField,
});

export type UpdateSiteInput = z.output<typeof updateSiteInput>;
