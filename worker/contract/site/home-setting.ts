import { z } from "zod";
import { flag, isoDate, line, requiredLine, version } from "../kernel/fields.ts";
import { POPUP_POSITIONS, POPUP_SIZES, type Popup, type QuickLink } from "./home.ts";
import { SIZES } from "../kernel/limits.ts";

const LINK_MAX = 300;

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
const period = ({ startDate, endDate }: { startDate: Date; endDate: Date }) => startDate < endDate;
const wrongPeriod = { path: ["endDate"], message: "끝나는 때가 시작하는 때보다 뒤여야 합니다." };
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

export const updateCaseReportInput = z.object({
  maskBelow: z.number().int().min(0).max(100),
  /** 0 as long as nobody changed it. */
  version: z.number().int().min(0),
});
export type UpdateCaseReportInput = z.output<typeof updateCaseReportInput>;
export interface CaseReportSettingView {
  value: { maskBelow: number };
  version: number;
}

export interface AdminPopup extends Omit<Popup, "pictures"> {
  startDate: string;
  endDate: string;
  isClosed: boolean;
  /** Now, for a visitor. */
  isShown: boolean;
  modifiedDate: string;
  version: number;
}

export interface AdminQuickLink extends QuickLink {
  id: string;
  version: number;
}
