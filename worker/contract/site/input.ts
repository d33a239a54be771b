import { z } from "zod";
import { requiredLineField, lineField, isoDateField, flagField, versionField } from "../kernel/fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { LINK_URL_MAX, POPUP_POSITIONS, POPUP_SIZES, isPeriodInOrder, WRONG_PERIOD_ISSUE } from "./rules.ts";
import { isEmail } from "../account/rules.ts";
import { WIDEST_ACCOUNT_RULES } from "../kernel/identity-rules.ts";

export const popupPath = z.object({ id: z.string().min(1).max(50) });

const popupShape = {
  title: requiredLineField(100),
  /** HTML, cleaned like a board item. */
  content: z.string().max(SIZE_LIMITS.contentBytes / 4),
  linkUrl: lineField(LINK_URL_MAX).default(""),
  startDate: isoDateField,
  endDate: isoDateField,
  position: z.enum(POPUP_POSITIONS).default("right"),
  size: z.enum(POPUP_SIZES).default("md"),
  isClosed: flagField.default(false),
};

export const createPopupInput = z.object(popupShape).refine(isPeriodInOrder, WRONG_PERIOD_ISSUE);

export type CreatePopupInput = z.output<typeof createPopupInput>;

export const updatePopupInput = z
  .object({ ...popupShape, version: versionField })
  .refine(isPeriodInOrder, WRONG_PERIOD_ISSUE);

export type UpdatePopupInput = z.output<typeof updatePopupInput>;

export const quickLinkPath = popupPath;

const quickLinkShape = {
  label: requiredLineField(20),
  note: lineField(30).default(""),
  href: requiredLineField(LINK_URL_MAX),
};

export const createQuickLinkInput = z.object(quickLinkShape);

export type CreateQuickLinkInput = z.output<typeof createQuickLinkInput>;

export const updateQuickLinkInput = z.object({ ...quickLinkShape, version: versionField });

export type UpdateQuickLinkInput = z.output<typeof updateQuickLinkInput>;

const optionalEmail = lineField(100).refine(
  (value) => value === "" || isEmail(value, WIDEST_ACCOUNT_RULES),
  "이메일을 형식에 맞게 입력해 주십시오.",
);

export const updateSiteInput = z.object({
  siteName: requiredLineField(50),
  productName: lineField(50),
  description: lineField(300),
  contact: z.object({
    organization: lineField(100),
    address: lineField(200),
    phone: lineField(30),
    fax: lineField(30),
    email: optionalEmail,
  }),
  copyright: lineField(200),
  version: versionField,
});

export type UpdateSiteInput = z.output<typeof updateSiteInput>;
