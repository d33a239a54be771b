import { z } from "zod";
import { CONFIRMED_STEPS } from "./setup-rules.ts";

export const setupStepPath = z.object({ step: z.enum(CONFIRMED_STEPS) });

/** The texts that become a draft of a page; a consent has none, and is read into its form. */
export const pageDraftPath = z.object({ code: z.enum(["terms", "privacy"]) });

/** What stands under `site_setting.setup`. */
export const setupSettings = z.object({ confirmed: z.array(z.enum(CONFIRMED_STEPS)).catch([]).default([]) });
