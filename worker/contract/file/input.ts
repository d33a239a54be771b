import { z } from "zod";
import { cleanFileName } from "./rules.ts";
import { withoutResidentNumber, RESIDENT_NUMBER_MESSAGE, flag } from "../kernel/fields.ts";

const fileName = z
  .string()
  .max(2000)
  .transform(cleanFileName)
  .pipe(z.string().min(1).refine(withoutResidentNumber, RESIDENT_NUMBER_MESSAGE));

const size = z
  .string()
  .regex(/^[1-9]\d{0,10}$/, "파일 크기가 올바르지 않습니다.")
  .transform(Number);

export const uploadQuery = z.object({ fileName, size, contentType: z.string().max(200).optional() });

const edge = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .optional()
  .catch(undefined);

export const fileQuery = z.object({
  download: flag.optional().catch(undefined),
  thumbnail: flag.optional().catch(undefined),
  width: edge,
  height: edge,
});
