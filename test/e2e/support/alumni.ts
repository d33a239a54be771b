import type { Page } from "playwright-core";

/** Inserts people with the given columns, all others empty. */
export async function insertAlumni(db: D1Database, people: readonly Record<string, unknown>[]): Promise<void> {
  await db.batch(
    people.map((person) => {
      const row = { id: crypto.randomUUID(), created_date: 1, modified_date: 1, ...person };
      const marks = Object.keys(row).map(() => "?");
      return db.prepare(`INSERT INTO alumni (${Object.keys(row)}) VALUES (${marks})`).bind(...Object.values(row));
    }),
  );
}

/** Opens a menu of the address book, for one of its links or buttons. */
export const openActions = (page: Page, menu: "파일과 인쇄" | "연락과 발급" | "정리"): Promise<void> =>
  page.getByText(menu, { exact: true }).click();
