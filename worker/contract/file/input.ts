import { z } from "zod";
import { cleanFileName } from "./rules.ts";
import { NO_RESIDENT_NUMBER, flagField } from "../kernel/fields.ts";

const fileName = z
  .string()
  .max(2000)
  .transform(cleanFileName)
  .pipe(
    z
      .string()
      .min(1)
      .refine(...NO_RESIDENT_NUMBER),
  );

const fileSize = z
  .string()
  .regex(/^[1-9]\d{0,10}$/, "파일 크기가 올바르지 않습니다.")
  .transform(Number);

export const uploadQuery = z.object({ fileName, size: fileSize, contentType: z.string().max(200).optional() });

const edgeLength = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .optional()
  .catch(undefined);

export const fileQuery = z.object({
  download: flagField.optional().catch(undefined),
  thumbnail: flagField.optional().catch(undefined),
  width: edgeLength,
  height: edgeLength,
});
