import { connectDatabase } from "#db/client.ts";
import { listItemsQuery } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext, BatchRows, BatchStatements, RequestScope } from "#worker/domain/kernel/context.ts";
import { guestRoleStatement, storedSettingsOf } from "../access/actor.server.ts";
import { storedAccountRules } from "../account/session.server.ts";
import { getBoardListPage } from "../board/list.server.ts";
import { getBoardViewPage } from "../board/view.server.ts";
import { getInfoPage, getLegalPage } from "../content/page.server.ts";
import { getHomePage } from "../site/home-boards.server.ts";
import { getSiteFrame } from "../site/site.server.ts";

const PAGES = 10;
const LISTED_BOARDS = 3;

/** A guest's request scope on the restored site; deferred work ends with `settle`. */
async function scratchScope(ctx: AppContext): Promise<{ scope: RequestScope; settle(): Promise<unknown> }> {
  const db = connectDatabase(ctx.scratch);
  const [stored] = await guestRoleStatement(db).all();
  const waiting: Promise<unknown>[] = [];
  const guest = { kind: "guest" as const, permissions: { all: false, codes: new Set(stored?.permissions ?? []) } };
  const restored: AppContext = {
    ...ctx,
    db,
    actor: guest,
    guest,
    rules: storedAccountRules(stored?.rules ?? null),
    storedSettings: storedSettingsOf(stored),
    defer: (work) => void waiting.push(work),
  };
  async function readOnce<T extends BatchStatements>(asked: T | ((viewerId: string) => T)) {
    const statements = typeof asked === "function" ? asked("") : asked;
    return { ctx: restored, rows: (await db.batch([...statements] as never)) as BatchRows<T> };
  }
  const scope: RequestScope = {
    db,
    origin: ctx.origin,
    now: ctx.now,
    context: () => Promise.resolve(restored),
    read: readOnce,
    readFor(check, asked) {
      check(restored);
      return readOnce(asked);
    },
  };
  return { scope, settle: () => Promise.allSettled(waiting) };
}

export async function readRestoredPages(ctx: AppContext): Promise<number> {
  const { scope, settle } = await scratchScope(ctx);
  let count = 0;
  const read = async <T>(name: string, page: () => Promise<T>): Promise<T | null> => {
    if (count >= PAGES) return null;
    try {
      const result = await page();
      count += 1;
      return result;
    } catch (cause) {
      if (cause instanceof AppError && cause.status < 500) return null;
      throw new Error(`되살린 사이트의 화면을 열지 못했습니다: ${name}`, { cause });
    }
  };
  const frame = await read("머리글과 메뉴", () => getSiteFrame(scope));
  await read("홈", () => getHomePage(scope));
  for (const code of ["terms", "privacy"] as const) await read(code, () => getLegalPage(scope, { code }));
  for (const code of ["about", "target", "registration"] as const) await read(code, () => getInfoPage(scope, { code }));
  for (const { boardCode } of frame?.boards.slice(0, LISTED_BOARDS) ?? []) {
    const list = await read(boardCode, () => getBoardListPage(scope, listItemsQuery.parse({ boardCode })));
    for (const { itemNo } of list?.items.content.slice(0, 2) ?? [])
      await read(`${boardCode} ${itemNo}`, () => getBoardViewPage(scope, { boardCode, itemNo }));
  }
  await settle();
  return count;
}
