import type { RegisteredItem } from "#worker/contract/event/view.ts";

type EventPath = Pick<RegisteredItem, "boardCode" | "itemNo">;

/** The office's page of an event. */
export const eventHref = ({ boardCode, itemNo }: EventPath) => `/Admin/Events/${boardCode}/${itemNo}`;

export const eventSettingHref = (path: EventPath) => `${eventHref(path)}/setting`;

export const eventFiguresHref = (path: EventPath) => `${eventHref(path)}/figures`;

export const nameTagsHref = (path: EventPath) => `${eventHref(path)}/name-tags`;

/** Parameters of the calls of an event. */
export const eventParam = ({ boardCode, itemNo }: EventPath) => ({ boardCode, itemNo: String(itemNo) });
