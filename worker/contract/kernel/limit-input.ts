import { z } from "zod";
import { DEFAULT_LIMIT_SETTINGS, EDITABLE_LIMITS, LIMIT_RULES, type LimitSettings } from "./limit-rules.ts";
import { formatCount } from "./format-count.ts";

const limitField = (name: keyof LimitSettings) => {
  const { min, max, unit } = LIMIT_RULES[name];
  const message = `${formatCount(min)}${unit}에서 ${formatCount(max)}${unit} 사이로 입력해 주십시오.`;
  return z.number(message).int(message).min(min, message).max(max, message);
};
type LimitShape<T extends z.ZodType<number>> = Record<keyof LimitSettings, T>;
const shapeOf = <T extends z.ZodType<number>>(field: (name: keyof LimitSettings) => T) =>
  Object.fromEntries(EDITABLE_LIMITS.map((name) => [name, field(name)])) as LimitShape<T>;

export const updateLimitsInput = z.object({
  limits: z.object(shapeOf(limitField)).partial(),
  version: z.number().int().min(0),
});

export type UpdateLimitsInput = z.output<typeof updateLimitsInput>;

/** An unreadable number falls back to its own default. */
export const storedLimitSettings = z.object(shapeOf((name) => limitField(name).catch(DEFAULT_LIMIT_SETTINGS[name])));
