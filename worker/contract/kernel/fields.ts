import { z } from "zod";
import { cleanLine, cleanText } from "./text.ts";
import { containsResidentNumber, residentNumberMessage } from "./resident-number.ts";
import { koreanDay } from "./korea.ts";
import { PAGE_SIZE_MAX, SIZE_LIMITS } from "./limits.ts";

/** Bounds every date, because some work grows with a time span. */
const DATE_BOUNDS = { first: "1900-01-01", last: "2100-12-31" } as const;
const BOUNDS_MESSAGE = "1900년부터 2100년까지의 날짜를 입력해 주십시오.";

export const DAY_MESSAGE = "날짜를 2026-01-31 형식으로 입력해 주십시오.";

type IssueText = string | ((issue: { input?: unknown }) => string);

export const boundedDay = (error: IssueText) =>
  z.iso
    .date({ error, abort: true })
    .refine((day) => day >= DATE_BOUNDS.first && day <= DATE_BOUNDS.last, BOUNDS_MESSAGE);

export const dayField = boundedDay(DAY_MESSAGE);

export const optionalParameter = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

/** Required for every free text; `line`, `text` and similar fields include it. */
export const NO_RESIDENT_NUMBER = [
  (value: string) => !containsResidentNumber(value),
  { error: ({ input }: { input?: unknown }) => residentNumberMessage(String(input)) },
] as const;

/** Aborts before a pattern runs on a text that is too long. */
const stringWithin = (max: number) => z.string().max(max, { abort: true });

const cleanedField = (max: number, clean: (value: string) => string, cleaned = stringWithin(max)) =>
  stringWithin(max * 4)
    .transform(clean)
    .pipe(cleaned.refine(...NO_RESIDENT_NUMBER));

export const lineField = (max: number) => cleanedField(max, cleanLine);
export const requiredLineField = (max: number) => cleanedField(max, cleanLine, stringWithin(max).min(1));

export const textField = (max: number) => cleanedField(max, cleanText);
export const requiredTextField = (max: number) =>
  cleanedField(max, (value) => cleanText(value).trim(), stringWithin(max).min(1));

/** Also accepts "true", "false", 1 and 0 (spec section 5). */
export const flagField = z
  .union([z.boolean(), z.enum(["true", "1", "false", "0"]), z.literal(1), z.literal(0)])
  .transform((value) => value === true || value === "true" || value === "1" || value === 1);

const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "숫자로 입력해 주십시오.")
    .transform(Number)
    .pipe(z.number().min(min).max(max));

export const pageNumber = queryInteger(1, 10_000_000).default(1);

export const pageSize = (fallback: number) =>
  queryInteger(1, 1_000_000_000)
    .transform((size) => Math.min(size, PAGE_SIZE_MAX))
    .default(fallback);

export const pageFields = (size: number) => ({ page: pageNumber, size: pageSize(size) });

export const idField = z.string().regex(/^[0-9a-f-]{36}$/, "형식이 올바르지 않습니다.");
export const idPath = z.object({ id: idField });
/** Seed rows have readable ids, so no UUID is required. */
export const rowIdPath = z.object({ id: z.string().min(1).max(50) });

/** `Idempotency-Key`: one per form, against double clicks and repeated requests. */
export const idempotencyKey = z.string().regex(/^[\w-]{8,100}$/, "형식이 올바르지 않습니다.");

export const versionField = z.number().int().min(1);

export const ISO_DATE_MESSAGE = "날짜 형식이 올바르지 않습니다.";

export const boundedDate = (error: IssueText) =>
  z.iso
    .datetime({ offset: true, error })
    .transform((value) => new Date(value))
    .refine((date) => {
      const day = koreanDay(date);
      return day >= DATE_BOUNDS.first && day <= DATE_BOUNDS.last;
    }, BOUNDS_MESSAGE);

export const isoDateField = boundedDate(ISO_DATE_MESSAGE);

/** A password to verify: never normalised; limited before it costs a hash. */
export const passwordField = z.string().min(1).max(200);

export const reasonField = requiredLineField(SIZE_LIMITS.reasonLength);

/** Reason and password of the grantor, required when a change opens the console to someone. */
export const consoleEntryShape = { reason: reasonField.optional(), password: passwordField.optional() };

export const noInput = z.object({});

export const reasonInput = z.object({ reason: reasonField });

export const codeField = z.string().min(1).max(50);

export const orderInput = z.object({ codes: z.array(z.string().max(50)).min(1).max(200) });

export const versionQuery = z.object({
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

/** For settings with field-wise fallback: an unreadable row counts as missing. */
export const withDefaults = <T extends z.ZodObject>(settings: T) => settings.catch(settings.parse({}) as z.output<T>);
