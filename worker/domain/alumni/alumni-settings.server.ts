import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { bookSettings } from "#worker/contract/alumni/setting-input.ts";
import { type BookSettings, DEFAULT_BOOK, type OwnEntry } from "#worker/contract/alumni/alumni-settings.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";

export const BOOK_KEY = "alumni" as const;

const parsed = new WeakMap<AppContext["storedSettings"], BookSettings>();

/** How the address book is set up: parsed once a request, for those that ask. */
export function alumniSettings({ storedSettings }: Pick<AppContext, "storedSettings">): BookSettings {
  const known = parsed.get(storedSettings);
  if (known) return known;
  const text = storedSettings.alumni;
  const settings = text === null ? DEFAULT_BOOK : bookSettings.catch(DEFAULT_BOOK).parse(JSON.parse(text));
  parsed.set(storedSettings, settings);
  return settings;
}

/** For a job, which no session comes before. */
export async function readBook(db: Db): Promise<BookSettings> {
  const [row] = await db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, BOOK_KEY));
  return row ? bookSettings.catch(DEFAULT_BOOK).parse(row.value) : DEFAULT_BOOK;
}

const REACH: Record<OwnEntry, number> = { none: 0, read: 1, correct: 2 };

/** Whose the entry is, as far as the settings let members have to do with their own. */
export const ownerFor = (
  ctx: Pick<AppContext, "storedSettings">,
  person: { ownerUserId: string | null },
  act: Exclude<OwnEntry, "none">,
) => (REACH[alumniSettings(ctx).ownEntry] >= REACH[act] ? person.ownerUserId : null);
