import { z } from "zod";
import { EVENT_LIMITS, eventProblems } from "./event-rules.ts";
import { flagField, isoDateField, lineField } from "../kernel/fields.ts";

export const eventInput = z
  .object({
    isAllDay: flagField.default(false),
    startDate: isoDateField,
    endDate: isoDateField,
    place: lineField(EVENT_LIMITS.place).default(""),
    deadline: isoDateField.nullish(),
    isCancelled: flagField.default(false),
  })
  // Runs after the fields, which report invalid dates.
  .transform((event, issues) => {
    for (const [field, message] of Object.entries(eventProblems(event)))
      issues.addIssue({ code: "custom", path: [field], message });
    return event;
  });

export type EventInput = z.output<typeof eventInput>;

const line = lineField(30).default("");

export const draftEventInput = z.object({
  isOn: flagField.default(false),
  isAllDay: flagField.default(false),
  start: line,
  end: line,
  place: lineField(EVENT_LIMITS.place).default(""),
  deadline: line,
  isCancelled: flagField.default(false),
});
