import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { oldDocument, oldFile, rdxArchive } from "../samples/moving-archive.ts";
import { barAddresses, barMapping, barOutcome, digestTables, makeBarSite } from "../support/moving-bars.ts";
import { findWorkerdPid, HEAP_MAX_MB, readPeakRssMb, resetPeakRss, startMeasuredSite } from "./isolate-memory.ts";

// Moves a large old site in twice and out again. Fails on a lost row, wrong address or difference.
const SIZES = {
  items: Number(process.env.ITEMS ?? 100_000),
  members: Number(process.env.MEMBERS ?? 10_000),
  files: Number(process.env.FILES ?? 20_000),
};
const ADDRESSES = Number(process.env.ADDRESSES ?? 2000);
/** Size in megabytes of one extra incompressible attachment. */
const ATTACHMENT_MB = Number(process.env.ATTACHMENT_MB ?? 0);

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const source = makeBarSite(SIZES);
const [firstBoard = { title: "", documents: [] }] = Object.values(source.boards ?? {});
const large = new Uint8Array(ATTACHMENT_MB * 1_000_000);
for (let at = 0; at < large.byteLength; at += 65_536) crypto.getRandomValues(large.subarray(at, at + 65_536));
if (ATTACHMENT_MB > 0) {
  const path = "data/file/board_0/large.mp4";
  firstBoard.documents.push(oldDocument(9_999_999, { title: "큰 파일", files: [oldFile(1, "강의.mp4", path)] }));
  source.files = { ...source.files, [path]: large };
}
const bytes = rdxArchive(source);
const { site, collections } = await startMeasuredSite({ persistTo: join(folder, "state") });
try {
  const pid = findWorkerdPid();
  let token = "";
  /** Retries once on a closed keep-alive connection; every call of a move may repeat. */
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(site.url + path, init).catch(() => fetch(site.url + path, init));
  const send = async (method: string, path: string, body: BodyInit | undefined, type: string) => {
    const headers = { "Content-Type": type, ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await ask(path, { method, headers, ...(body === undefined ? {} : { body }) });
    const { code, data, message } = (await response.json()) as {
      code: string;
      // oxlint-disable-next-line typescript/no-explicit-any -- reads what came over the wire
      data: Record<string, any>;
      message: string;
    };
    if (code !== "SUCCESS") throw new Error(`${path}: ${code} ${message}`);
    return data;
  };
  const call = (method: string, path: string, body?: unknown) =>
    send(method, path, body === undefined ? undefined : JSON.stringify(body), "application/json");
  const signin = async () => {
    token = "";
    const person = { userKeyType: "Id", userKeyCode: "admin", password: "Admin!2345" };
    token = String((await call("POST", "/api/user/signin", person)).accessToken);
  };
  await signin();
  const root = "/api/admin/moving";
  const table: Record<string, Record<string, string | number>> = {};
  const measure = async (name: string, work: () => Promise<number>) => {
    collections.reset();
    await ask("/bench");
    collections.settle();
    collections.reset();
    resetPeakRss(pid);
    const began = performance.now();
    const steps = await work();
    const seconds = (performance.now() - began) / 1000;
    const { statements } = (await (await ask("/bench")).json()) as { statements: number };
    const { usedMb, totalMb } = collections.memory;
    table[name] = {
      초: seconds.toFixed(1),
      걸음: steps,
      "문장/걸음": Math.round(statements / Math.max(1, steps)),
      "힙 MB": Math.round(usedMb),
      "힙+버퍼 MB": Math.round(totalMb),
      "workerd RSS MB": readPeakRssMb(pid),
    };
  };
  const { DB } = await site.mf.getBindings<Env>();
  const sendArchive = async (id: string) => {
    const archive = await call("PUT", `${root}/${id}/archive`, {
      kind: "rdx",
      fileName: "large.zip",
      size: bytes.byteLength,
    });
    const count = Math.ceil(bytes.byteLength / archive.partBytes);
    for (let part = 0; part < count; part++) {
      const body = bytes.slice(part * archive.partBytes, (part + 1) * archive.partBytes);
      await send("PUT", `${root}/${id}/archive/${archive.id}/part/${part + 1}`, body, "application/octet-stream");
    }
    await call("POST", `${root}/${id}/archive/${archive.id}/complete`, {});
    return count;
  };
  const steps = async (id: string) => {
    for (let count = 1; ; count++) {
      const { status } = await call("POST", `${root}/${id}/step`, {});
      if (!["checking", "committing", "undoing"].includes(status)) return count;
      if (count % 50 === 0) await signin();
    }
  };
  const commit = async (name: string) => {
    await signin();
    const { id } = await call("PUT", root, { site: "큰 누리집" });
    await measure(`${name}: ${Math.round(bytes.byteLength / 1e6)} MB 보내기`, () => sendArchive(id));
    await measure(`${name}: 살펴보기`, async () => {
      await call("POST", `${root}/${id}/check`, {});
      return steps(id);
    });
    const { open } = await call("GET", `${root}/${id}`);
    await measure(`${name}: 옮기기`, async () => {
      await call("POST", `${root}/${id}/start`, { ...barMapping, version: open.version });
      return steps(id);
    });
    return (await call("GET", `${root}/${id}`)).open;
  };
  const expected = barOutcome(SIZES);
  if (ATTACHMENT_MB > 0) {
    expected.committed.items += 1;
    expected.committed.files += 1;
  }

  const digest = async () => {
    await DB.prepare("UPDATE user SET last_signin_date = 0 WHERE user_type = 'Admin'").run();
    return digestTables(DB);
  };
  const before = await digest();
  const committed = await commit("처음");
  assert.equal(committed.status, "committed");
  assert.deepEqual(committed.committed, expected.committed);
  for (const [kind, count] of Object.entries(expected.lost))
    assert.equal(committed.counts[kind], expected.committed[kind as keyof typeof expected.lost] + count, kind);
  assert.deepEqual(
    Object.fromEntries(committed.issues.map(({ code, count }: { code: string; count: number }) => [code, count])),
    expected.issues,
  );
  if (ATTACHMENT_MB > 0) {
    const file = await DB.prepare("SELECT id FROM file WHERE file_name = '강의.mp4'").first<{ id: string }>();
    const stored = new Uint8Array(await (await fetch(`${site.url}/api/file/${file?.id}`)).arrayBuffer());
    assert.equal(createHash("sha256").update(stored).digest("hex"), createHash("sha256").update(large).digest("hex"));
  }
  const once = await digest();

  const again = await commit("다시");
  assert.deepEqual(again.committed, { members: 0, boards: 0, items: 0, comments: 0, files: 0, notes: 0 });
  assert.deepEqual(await digest(), once);

  const addresses = await barAddresses(DB, SIZES, ADDRESSES);
  assert.equal(addresses.length, Math.min(ADDRESSES, SIZES.files * 8));
  await measure(`옛 주소 ${addresses.length}개`, async () => {
    for (const { address, path } of addresses) {
      const answer = await ask(address, { redirect: "manual" });
      assert.deepEqual([answer.status, answer.headers.get("Location")], [301, path], address);
      await answer.arrayBuffer();
    }
    return addresses.length;
  });

  await measure("되돌리기", async () => {
    await signin();
    await call("POST", `${root}/${committed.id}/undo`, { reason: "측정", version: committed.version });
    return steps(committed.id);
  });
  const { open: undone } = await call("GET", `${root}/${committed.id}`);
  assert.deepEqual([undone.status, undone.issues], ["undone", []]);
  assert.deepEqual(await digest(), before);
  console.log(
    `글 ${SIZES.items}, 회원 ${SIZES.members}, 파일 ${SIZES.files}, 큰 파일 ${ATTACHMENT_MB} MB. 힙은 Worker isolate의 것이며 ${HEAP_MAX_MB} MB에서 죽게 하고 쟀다.`,
  );
  console.table(table);
  console.table({ "보낸 것": committed.counts, "옮긴 것": committed.committed, "되돌린 것": undone.removed });
  console.log(
    "모두 옮겼거나 이름을 댔고, 다시 보내도 그대로이며, 옛 주소가 모두 301이고, 되돌린 뒤 모든 표가 전과 같다.",
  );
} finally {
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}
