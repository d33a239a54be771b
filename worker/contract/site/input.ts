import { z } from "zod";
import { requiredLine, line, isoDate, flag, version } from "../kernel/fields.ts";
import { SIZES } from "../kernel/limits.ts";
import { LINK_MAX, POPUP_POSITIONS, POPUP_SIZES, period, wrongPeriod } from "./rules.ts";
import { isEmail } from "../account/rules.ts";
import { ADDRESS_RULES } from "../kernel/identity-rules.ts";

export const popupPath = z.object({ id: z.string().min(1).max(50) });

const popupShape = {
  title: requiredLine(100),
  /** HTML, cleaned like a board item. */
  content: z.string().max(SIZES.contentBytes / 4),
  linkUrl: line(LINK_MAX).default(""),
  startDate: isoDate,
  endDate: isoDate,
  position: z.enum(POPUP_POSITIONS).default("right"),
  size: z.enum(POPUP_SIZES).default("md"),
  isClosed: flag.default(false),
};

export const createPopupInput = z.object(popupShape).refine(period, wrongPeriod);

export type CreatePopupInput = z.output<typeof createPopupInput>;

export const updatePopupInput = z.object({ ...popupShape, version }).refine(period, wrongPeriod);

export type UpdatePopupInput = z.output<typeof updatePopupInput>;

export const quickLinkPath = popupPath;

const quickLinkShape = { label: requiredLine(20), note: line(30).default(""), href: requiredLine(LINK_MAX) };

export const createQuickLinkInput = z.object(quickLinkShape);

export type CreateQuickLinkInput = z.output<typeof createQuickLinkInput>;

export const updateQuickLinkInput = z.object({ ...quickLinkShape, version });

export type UpdateQuickLinkInput = z.output<typeof updateQuickLinkInput>;

const optionalEmail = line(100).refine(
  (value) => value === "" || isEmail(value, ADDRESS_RULES),
  "이메일을 형식에 맞게 입력해 주십시오.",
);

export const updateSiteInput = z.object({
  siteName: requiredLine(50),
  productName: line(50),
  description: line(300),
  contact: z.object({
    organization: line(100),
    address: line(200),
    phone: line(30),
    fax: line(30),
    email: optionalEmail,
  }),
  copyright: line(200),
  version,
});

export type UpdateSiteInput = z.output<typeof updateSiteInput>;
