import { withoutEmptyTail } from "#app/features/editor/empty-tail.ts";
import { fromKoreanInputTime, toKoreanInputTime } from "#app/lib/input-time.ts";
import { endOfKoreanDay } from "#worker/contract/kernel/day-ends.ts";
import { addDays, EVENT_MESSAGES } from "#worker/contract/board/event-rules.ts";
import type { StoredFile } from "#worker/contract/file/view.ts";
import type { EditableItem, DraftFields, DraftView, EventView } from "#worker/contract/board/view.ts";

export interface ItemFormValues {
  title: string;
  content: string;
  fields: DraftFields;
}
export interface ItemFormStart extends ItemFormValues {
  files: StoredFile[];
}

const endOfDay = (value: string): string | null =>
  value === "" ? null : endOfKoreanDay(new Date(`${value}T00:00:00+09:00`)).toISOString();

export function itemFormStart(item: EditableItem | null): ItemFormStart {
  const files = item?.files ?? [];
  return {
    title: item?.title ?? "",
    content: item?.content ?? "",
    files,
    fields: {
      category: item?.category ?? "",
      isPinned: item?.isPinned ?? false,
      pinnedUntil: toKoreanInputTime(item?.pinnedUntil ?? null).slice(0, 10),
      isSecret: item?.isSecret ?? false,
      showItemToMain: item?.showItemToMain ?? false,
      publishDate: toKoreanInputTime(item?.publishDate ?? null),
      fileIds: files.map((file) => file.fileId),
      event: eventFormStart(item?.event ?? null),
      version: item?.version ?? 0,
      formKey: newFormKey(),
    },
  };
}

type EventFields = DraftFields["event"];
const NO_EVENT: EventFields = {
  isOn: false,
  isAllDay: false,
  start: "",
  end: "",
  place: "",
  deadline: "",
  isCancelled: false,
};

/** All-day events use dates; the last day is inclusive. */
function eventFormStart(event: EventView | null): EventFields {
  if (!event) return NO_EVENT;
  const { isAllDay, startDate, endDate, firstDay, lastDay, place, deadline, isCancelled } = event;
  return {
    isOn: true,
    isAllDay,
    start: isAllDay ? firstDay : toKoreanInputTime(startDate),
    end: isAllDay ? lastDay : toKoreanInputTime(endDate),
    place,
    deadline: toKoreanInputTime(deadline),
    isCancelled,
  };
}

export function eventFormProblems({ isOn, start, end }: EventFields): Record<string, string> {
  if (!isOn) return {};
  const found: Record<string, string> = {};
  if (start === "") found.eventStart = "시작하는 때를 입력해 주십시오.";
  else if (end !== "" && end < start) found.eventEnd = EVENT_MESSAGES.order;
  return found;
}

/** Without an end, only the start of a timed event is known; an all-day event lasts one day. */
function eventBody({ isOn, isAllDay, start, end, place, deadline, isCancelled }: EventFields) {
  if (!isOn) return null;
  const last = end || start;
  return {
    isAllDay,
    startDate: fromKoreanInputTime(isAllDay ? `${start}T00:00` : start) ?? "",
    endDate: fromKoreanInputTime(isAllDay ? `${addDays(last, 1)}T00:00` : last) ?? "",
    place,
    deadline: fromKoreanInputTime(deadline),
    isCancelled,
  };
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const newFormKey = () => toHex(crypto.getRandomValues(new Uint8Array(16)));

/** Returns the same idempotency key for the same text, even after a lost answer or a reload. */
export async function makeIdempotencyKey(formKey: string, body: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${formKey}\n${body}`));
  return toHex(new Uint8Array(digest)).slice(0, 40);
}

export const draftFormStart = ({ title, content, fields, files }: Omit<DraftView, "modifiedDate">): ItemFormStart => ({
  title,
  content,
  // Older drafts have no event or form key.
  fields: {
    ...fields,
    event: fields.event ?? NO_EVENT,
    formKey: fields.formKey || newFormKey(),
  },
  files,
});

/** Builds the PUT and PATCH body without fields that need Manage or a board option. */
export function itemRequestBody(
  values: ItemFormValues,
  may: { manage: boolean; secret: boolean; events: boolean; schedule: boolean },
) {
  const { fields } = values;
  return {
    title: values.title,
    // Removes the empty line that the editor keeps after a table.
    content: withoutEmptyTail(values.content),
    fileIds: fields.fileIds,
    category: fields.category,
    ...(may.secret ? { isSecret: fields.isSecret } : {}),
    ...(may.events ? { event: eventBody(fields.event) } : {}),
    ...(may.manage
      ? {
          isPinned: fields.isPinned,
          pinnedUntil: fields.isPinned ? endOfDay(fields.pinnedUntil) : null,
          showItemToMain: fields.showItemToMain,
          ...(may.schedule ? { publishDate: fromKoreanInputTime(fields.publishDate) } : {}),
        }
      : {}),
  };
}
