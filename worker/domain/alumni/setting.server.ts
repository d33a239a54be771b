import type { AppContext, Door } from "#worker/domain/kernel/context.ts";
import type { BookSettingView } from "#worker/contract/alumni/view.ts";
import { bookSettings, type UpdateBookInput } from "#worker/contract/alumni/setting-input.ts";
import { DEFAULT_BOOK } from "#worker/contract/alumni/alumni-settings.ts";
import { binDays } from "#worker/contract/audit/retention-input.ts";
import { BOOK_KEY } from "./alumni-settings.server.ts";
import { settingStatement as retentionStatement, settingView } from "../audit/retention-setting.server.ts";
import { administrating } from "../kernel/change.server.ts";
import { settingStatement, storeSetting } from "../kernel/setting.server.ts";

/** How the address book is set up, with the days of its bin, which the retention rules hold. */
export async function getBookSetting(door: Door): Promise<BookSettingView> {
  const { ctx, rows } = await door.read([settingStatement(door.db, BOOK_KEY), retentionStatement(door.db)]);
  administrating(ctx);
  const [[row], [retention]] = rows;
  return {
    value: bookSettings.parse(row?.value ?? DEFAULT_BOOK),
    version: row?.version ?? 0,
    binDays: binDays(settingView(retention).value),
  };
}

/** What a column holds that is switched off stays in the database. @throws AppError CONFLICT */
export async function updateBookSetting(ctx: AppContext, input: UpdateBookInput): Promise<{ version: number }> {
  administrating(ctx);
  const { version, ...value } = input;
  return storeSetting(ctx, BOOK_KEY, version, value, { ...DEFAULT_BOOK });
}
