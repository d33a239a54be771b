import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSite } from "#worker/local/site.ts";
import { oldComment, oldDocument, oldFile, oldMember, rdxArchive } from "../moving-archive.ts";
import {
  findWorkerdPid,
  GarbageCollections,
  HEAP_MAX_MB,
  readPeakRssMb,
  resetPeakRss,
  V8_FLAGS,
  WORKER_WITH_COUNTERS,
} from "./isolate-memory.ts";

// A large old site in: how long, how many statements, what the isolate holds; the sums of what came are compared with what was sent.
const ITEMS = Number(process.env.ITEMS ?? 100_000);
const MEMBERS = Number(process.env.MEMBERS ?? 10_000);
const FILES = Number(process.env.FILES ?? 20_000);
const BOARDS = 10;

function makeSite() {
  const members = Array.from({ length: MEMBERS }, (_, at) => oldMember(`member${at}`));
  const files: Record<string, string> = {};
  const boards = Object.fromEntries(
    Array.from({ length: BOARDS }, (_, board) => {
      const key = `board_${board}`;
      const documents = Array.from({ length: ITEMS / BOARDS }, (_each, at) => {
        const number = board * (ITEMS / BOARDS) + at;
        const path = `data/file/${key}/${at}.txt`;
        const hasFile = number < FILES;
        if (hasFile) files[path] = `파일 ${number}의 내용입니다.\n`.repeat(50);
        return oldDocument(at * 2 + 1, {
          title: `${number}번째 글입니다`,
          content: `<p>${`회의 ${number}에서 다룬 내용입니다. `.repeat(20)}</p>`,
          user_id: `member${number % MEMBERS}`,
          comments: number % 3 === 0 ? [oldComment(at * 2 + 2)] : [],
          files: hasFile ? [oldFile(1, `자료 ${number}.txt`, path)] : [],
        });
      });
      return [key, { title: `게시판 ${board}`, documents }];
    }),
  );
  return { members, boards, files };
}

process.env.MINIFLARE_WORKERD_V8_FLAGS = V8_FLAGS;
const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const bytes = rdxArchive(makeSite());
const collections = new GarbageCollections();
const site = await startSite({
  port: 0,
  persistTo: join(folder, "state"),
  quiet: true,
  wrapperModule: WORKER_WITH_COUNTERS,
  onLog: collections.onLog,
});
try {
  const pid = findWorkerdPid();
  let token = "";
  const send = async (method: string, path: string, body: BodyInit | undefined, type: string) => {
    const headers = { "Content-Type": type, ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(site.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
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
    await fetch(`${site.url}/bench`);
    collections.reset();
    resetPeakRss(pid);
    const began = performance.now();
    const steps = await work();
    const seconds = (performance.now() - began) / 1000;
    const { statements } = (await (await fetch(`${site.url}/bench`)).json()) as { statements: number };
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
  const { id } = await call("PUT", root, { site: "큰 누리집" });
  await measure(`${Math.round(bytes.byteLength / 1e6)} MB 보내기`, async () => {
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
  });
  const steps = async () => {
    for (let count = 1; ; count++) {
      const { status } = await call("POST", `${root}/${id}/step`, {});
      if (!["checking", "landing", "undoing"].includes(status)) return count;
      if (count % 50 === 0) await signin();
    }
  };
  await measure("살펴보기", async () => {
    await call("POST", `${root}/${id}/check`, {});
    return steps();
  });
  const { open } = await call("GET", `${root}/${id}`);
  const boards = Object.fromEntries(
    Array.from({ length: BOARDS }, (_, board) => [
      `board_${board}`,
      { to: "new", boardCode: `large-${board}`, boardName: `게시판 ${board}`, boardType: "list", access: "public" },
    ]),
  );
  await measure("옮기기", async () => {
    await call("POST", `${root}/${id}/start`, { boards, groups: {}, fields: {}, version: open.version });
    return steps();
  });
  const { open: landed } = await call("GET", `${root}/${id}`);
  await measure("되돌리기", async () => {
    await signin();
    await call("POST", `${root}/${id}/undo`, { reason: "측정", version: landed.version });
    return steps();
  });
  const { open: undone } = await call("GET", `${root}/${id}`);
  console.log(
    `글 ${ITEMS}, 회원 ${MEMBERS}, 파일 ${FILES}. 힙은 Worker isolate의 것이며 ${HEAP_MAX_MB} MB에서 죽게 하고 쟀다.`,
  );
  console.table(table);
  console.table({ "보낸 것": open.counts, "옮긴 것": landed.landed, "되돌린 것": undone.removed });
  console.log(landed.issues, undone.issues);
} finally {
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}
