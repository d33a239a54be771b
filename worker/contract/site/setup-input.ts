import { z } from "zod";
import { CONFIRMED_STEPS } from "./setup-rules.ts";

export const setupStepPath = z.object({ step: z.enum(CONFIRMED_STEPS) });

export const pageDraftPath = z.object({ code: z.enum(["terms", "privacy"]) });

/** The value of `site_setting.setup`. */
export const setupSettings = z.object({ confirmed: z.array(z.enum(CONFIRMED_STEPS)).catch([]).default([]) });
