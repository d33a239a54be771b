import { z } from "zod";
import { flag } from "../kernel/fields.ts";

/** Nothing is to be said but that it be done. */
export const followInput = z.object({});
export const noticesInput = z.object({ comments: flag });
export const offPath = z.object({ token: z.string().min(1).max(300) });

/** What a person is told by mail. */
export interface NoticesView {
  /** The boards that he may read. */
  boards: { boardCode: string; boardName: string; following: boolean }[];
  comments: boolean;
}

/** What a link in a letter turns off. */
export interface MailOffView {
  kind: "item" | "comment" | "advertising";
  boardName: string;
  isOn: boolean;
}
