import { type AlumniField, PRIVATE_FIELDS } from "./columns.ts";
import { z } from "zod";
import {
  EXTRA_FIELDS,
  OWN_ENTRIES,
  BOOK_LIMITS,
  type BookSettings,
  isUsed,
  isSortable,
  sortOf,
  DEFAULT_BOOK,
} from "./alumni-settings.ts";
import { SORT_TEXT } from "./rules.ts";

const fieldList = <F extends AlumniField>(fields: readonly F[]) =>
  z
    .array(z.enum(fields, "없는 항목입니다."))
    .max(fields.length, "같은 항목이 두 번 있습니다.")
    .refine((list) => new Set(list).size === list.length, "같은 항목이 두 번 있습니다.");

const between = ({ min, max }: { min: number; max: number }, unit: string) => {
  const message = `${min}${unit}에서 ${max}${unit} 사이로 입력해 주십시오.`;
  return z.number(message).int(message).min(min, message).max(max, message);
};

const shape = {
  off: fieldList(EXTRA_FIELDS),
  required: fieldList(EXTRA_FIELDS),
  shown: fieldList(EXTRA_FIELDS),
  sort: z.string().regex(SORT_TEXT, "정렬 기준이 올바르지 않습니다."),
  ownEntry: z.enum(OWN_ENTRIES, "목록에 있는 것 가운데 골라 주십시오."),
  openable: fieldList(PRIVATE_FIELDS),
  exportHours: between(BOOK_LIMITS.exportHours, "시간"),
  undoDays: between(BOOK_LIMITS.undoDays, "일"),
};

/** What nobody fills in or sees can be neither required, shown nor sorted by. */
function agree(book: BookSettings, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (!book.required.every((field) => isUsed(book, field)))
    refuse("required", "쓰지 않는 항목은 필수로 정할 수 없습니다.");
  if (!book.shown.every((field) => isUsed(book, field))) refuse("shown", "쓰지 않는 항목은 목록에 보일 수 없습니다.");
  if (!isSortable(book, sortOf(book.sort).field)) refuse("sort", "쓰지 않는 항목으로 정렬할 수 없습니다.");
}

export const bookDocument = z.object(shape).superRefine(agree);

export const updateBookInput = z.object({ ...shape, version: z.number().int().min(0) }).superRefine(agree);

export type UpdateBookInput = z.output<typeof updateBookInput>;

/** What is stored; what cannot be read falls back by itself, and what disagrees as a whole. */
const stored = z.object({
  off: shape.off.catch(DEFAULT_BOOK.off),
  required: shape.required.catch(DEFAULT_BOOK.required),
  shown: shape.shown.catch(DEFAULT_BOOK.shown),
  sort: shape.sort.catch(DEFAULT_BOOK.sort),
  ownEntry: shape.ownEntry.catch(DEFAULT_BOOK.ownEntry),
  openable: shape.openable.catch(DEFAULT_BOOK.openable),
  exportHours: shape.exportHours.catch(DEFAULT_BOOK.exportHours),
  undoDays: shape.undoDays.catch(DEFAULT_BOOK.undoDays),
});

export const bookSettings = stored.transform((book): BookSettings => {
  const used = <F extends AlumniField>(list: readonly F[]) => list.filter((field) => isUsed(book, field));
  const sort = isSortable(book, sortOf(book.sort).field) ? book.sort : DEFAULT_BOOK.sort;
  return { ...book, required: used(book.required), shown: used(book.shown), sort };
});
