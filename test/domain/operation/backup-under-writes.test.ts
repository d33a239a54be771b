import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { bindingTarget, findBrokenInvariants } from "#worker/domain/operation/restore.server.ts";
import { STEP_BUDGET } from "#worker/domain/operation/backup-run.server.ts";
import { importAlumniFile } from "../../alumni-files.ts";
import { callJson } from "../../api-client.ts";
import { makeBackup, restoreToScratch } from "../../backup.ts";
import { createTestItem } from "../../factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createUser,
  TEST_PASSWORD,
  type TestSession,
} from "../../people.ts";
import { callApiWith } from "../../faulty-database.ts";

/** 200 of them: `DUMPS=200 npx vitest run --project worker test/domain/operation/backup-under-writes.test.ts`. */
const DUMPS = Number(process.env.DUMPS || 4);
const WRITES_PER_SECOND = 50;
const WRITERS = 4;
/** A member's share of an hour. */
const ITEMS_EACH = 10;

/** People sign up, get tokens, write items and comments, and files of people are imported, until `stop` is called. */
function writeOnAndOn(admin: TestSession) {
  const written = { people: 0, items: 0, comments: 0, imports: 0, failed: [] as string[] };
  const stopping = new AbortController();
  const begun = Date.now();
  let count = 0;
  let writer = admin;
  let last = { boardCode: "free", itemNo: 0 };
  const writeOne = async (turn: number): Promise<void> => {
    if (turn % (ITEMS_EACH * 4) === 0 || writer === admin) {
      writer = await createMemberSession();
      written.people += 1;
    } else if (turn % 100 === 99) {
      await importAlumniFile(admin, "동문.csv", `이름,기수\r\n홍길동${turn},3\r\n김하나${turn},4\r\n`);
      written.imports += 1;
    } else if (turn % 4 === 1) {
      last = { boardCode: "free", itemNo: await createTestItem(writer, "free", { title: `글 ${turn}` }) };
      written.items += 1;
    } else if (turn % 4 === 2 && last.itemNo > 0) {
      const path = `/api/board-item-comment/${last.boardCode}/${last.itemNo}`;
      const body = { content: `댓글 ${turn}` };
      const answer = await callJson("PUT", path, { token: writer.accessToken, body });
      if (answer.code !== "SUCCESS") written.failed.push(`${answer.code} ${answer.message}`);
      written.comments += 1;
    } else {
      await createUser();
      written.people += 1;
    }
  };
  const writeAtPace = async () => {
    while (!stopping.signal.aborted) {
      const due = ((Date.now() - begun) / 1000) * WRITES_PER_SECOND;
      if (count > due) {
        // Ahead of the pace: others get the turn.
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      count += 1;
      await writeOne(count).catch((error: unknown) => written.failed.push(String(error)));
    }
  };
  const run = Promise.all(Array.from({ length: WRITERS }, writeAtPace));
  const total = () => written.people + written.items + written.comments + written.imports;
  return {
    written,
    async moreWritten(more: number) {
      const before = total();
      await expect.poll(total, { interval: 5 }).toBeGreaterThanOrEqual(before + more);
    },
    async stop() {
      stopping.abort();
      await run;
      return count / ((Date.now() - begun) / 1000);
    },
  };
}

test(`${DUMPS} backups that are made while people write are restored without an orphan, and every board takes a new item`, async ({
  annotate,
}) => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "처음" });
  const writers = writeOnAndOn(admin);
  await writers.moreWritten(20);
  const names: string[] = [];
  for (let n = 0; n < DUMPS; n += 1) {
    // In small steps, with writes between them and under way in them.
    const budget = { ...STEP_BUDGET, statements: 2 + (n % 5) * 2 };
    names.push(await makeBackup(budget, () => writers.moreWritten(3)));
  }
  const rate = await writers.stop();
  const { failed, ...written } = writers.written;
  await annotate(`${DUMPS} backups: ${JSON.stringify(written)} written, ${Math.round(rate)} a second`);
  expect(failed).toEqual([]);
  expect(new Set(names).size).toBe(DUMPS);
  const { results: boards } = await env.DB.prepare("SELECT board_code AS code FROM board").all<{ code: string }>();
  const target = bindingTarget(env.SCRATCH);
  for (const name of names) {
    // Whatever the backup shows is whole by itself.
    await restoreToScratch(name);
    expect([name, await findBrokenInvariants(target)]).toEqual([name, []]);
    const signin = await callApiWith({ DB: env.SCRATCH }, "POST", "/api/user/signin", {
      body: { userKeyType: "Id", userKeyCode: admin.user.userId, password: TEST_PASSWORD },
    });
    const token = String(signin.data?.accessToken);
    for (const { code } of boards) {
      const body = { title: "되살린 뒤의 글", content: "<p>본문</p>", fileIds: [] };
      const answer = await callApiWith({ DB: env.SCRATCH }, "PUT", `/api/board-item/${code}`, { token, body });
      expect([name, code, answer.code]).toEqual([name, code, "SUCCESS"]);
    }
    expect(await findBrokenInvariants(target)).toEqual([]);
  }
});
