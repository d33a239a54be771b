import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { PROFILE_CHOICE_HOLDERS } from "#worker/domain/account/profile-field.server.ts";
import { CHOICE_HOLDERS } from "#worker/domain/alumni/choice-holders.server.ts";
import { columnOf } from "#worker/domain/alumni/own-value.server.ts";

const MODULES = import.meta.glob<Record<string, unknown>>("/db/schema/*.ts", { eager: true });
const TABLES = Object.values(MODULES).flatMap((each) => Object.values(each).filter((value) => is(value, SQLiteTable)));

/** Besides JSON, names of columns that may hold a choice, a condition, or a text with the names of fields. */
const MAY_HOLD = /grade|choice|filter|condition|^body$|^rows$|^subject$|^target$/;

/** Columns without words of a choice, and those that keep them as they were. */
const OTHERS: Record<string, readonly string[]> = {
  "the choices themselves": ["alumni_field.choices", "profile_field.detail", "profile_field.english_detail"],
  "tells what was": [
    "alumni_certificate.body",
    "audit_log.detail",
    "deed_row.after",
    "deed_row.before",
    "message.alimtalk",
    "message.body",
    "message.subject",
  ],
  "codes and ids": [
    "alumni.open_fields",
    "alumni_confirmation.hashes",
    "alumni_correction.fields",
    "alumni_import_form.columns",
    "audit_subject.ids",
    "item_draft.file_ids",
    "mailing.file_ids",
    "message.about_people",
    "notice_choice.target",
    "role.permissions",
    "second_factor.transports",
    "site_setting.value",
  ],
  "of a file, read again after a rename": [
    "alumni_import_form.answers",
    "alumni_import_form.heads",
    "alumni_staging.head",
    "alumni_staging.summary",
  ],
  "fields that the office does not define": ["alumni_correction.values"],
  "another area": [
    "activity.detail",
    "backup_drill.state",
    "backup_run.state",
    "board.categories",
    "board.english_categories",
    "board.file_extensions",
    "content.draft",
    "content_version.value",
    "event.fees",
    "event.questions",
    "event.role_codes",
    "event_registration.answers",
    "proposal.answers",
    "proposal.changed",
    "proposal.checked",
    "proposal_call.checks",
    "proposal_call.criteria",
    "proposal_call.papers",
    "proposal_call.questions",
    "proposal_review.scores",
    "inquiry.subject",
    "item_draft.fields",
    "kept_answer.answer",
    "mail_template.body",
    "mail_template.subject",
    "mailing.question",
    "moving.entries",
    "moving.mapping",
    "moving.state",
    "moving_issue.subject",
  ],
};

test("each column that may hold a word of a choice is declared", () => {
  const found = TABLES.flatMap((table) =>
    getTableConfig(table).columns.flatMap(({ name, keyAsName, dataType }) => {
      const column = keyAsName ? columnOf(name) : name;
      return dataType === "json" || MAY_HOLD.test(column) ? [`${getTableName(table)}.${column}`] : [];
    }),
  );
  const held = [...CHOICE_HOLDERS, ...PROFILE_CHOICE_HOLDERS].map(
    ({ table, column }) => `${getTableName(table)}.${columnOf(column.name)}`,
  );
  expect(found.toSorted()).toEqual([...new Set([...held, ...Object.values(OTHERS).flat()])].toSorted());
});
