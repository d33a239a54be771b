import { expect, test } from "vitest";
import { uploadAlumniFile } from "../../samples/alumni-files.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { createItemWithFile, PNG_BYTES, uploadBoardFile } from "../../samples/board-files.ts";
import { advanceClock, createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

const DAY_MS = 86_400_000;
const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString();

async function storePicture(owner: TestSession): Promise<string> {
  const body = new FormData();
  body.set("file", new File([PNG_BYTES], "사진.png"));
  return (await callAs(owner, "PUT", "/api/board-item/images", body)).data.fileId as string;
}
const showing = (fileId: string) => `<p>글</p><p><img src="/api/file/${fileId}" alt="사진" /></p>`;

interface Case {
  what: string;
  guest: number;
  member: number;
  make(admin: TestSession, author: TestSession): Promise<string>;
}

const put = async (admin: TestSession, path: string, body: object) => {
  const answer = await callAs(admin, "PUT", path, body);
  if (answer.code !== "SUCCESS") throw new Error(`${path}: ${answer.code} ${JSON.stringify(answer)}`);
  return answer.data;
};
const post = async (admin: TestSession, path: string, body: object) => {
  const answer = await callAs(admin, "POST", path, body);
  if (answer.code !== "SUCCESS") throw new Error(`${path}: ${answer.code} ${JSON.stringify(answer)}`);
  return answer.data;
};

function popup(
  what: string,
  shown: boolean,
  fields: Record<string, unknown>,
  after?: (admin: TestSession, id: string) => Promise<unknown>,
): Case {
  return {
    what: `a popup that ${what}`,
    guest: shown ? 200 : 404,
    member: shown ? 200 : 404,
    async make(admin) {
      const fileId = await storePicture(admin);
      const body = { title: "알림", content: showing(fileId), startDate: day(-1), endDate: day(1), ...fields };
      const { id } = await put(admin, "/api/admin/popup", body);
      await after?.(admin, id as string);
      return fileId;
    },
  };
}

function item(
  what: string,
  [guest, member]: [number, number],
  fields: Record<string, unknown>,
  boardCode = "notice",
  after?: (admin: TestSession, no: number) => Promise<unknown>,
): Case[] {
  return (["attachment", "picture"] as const).map((kind) => ({
    what: `the ${kind} of an item ${what}`,
    guest,
    member,
    async make(admin, author) {
      const writer = boardCode === "notice" ? admin : author;
      if (kind === "picture") {
        const fileId = await storePicture(writer);
        const itemNo = await createTestItem(writer, boardCode, { content: showing(fileId), ...fields });
        await after?.(admin, itemNo);
        return fileId;
      }
      const made = await createItemWithFile(writer, boardCode, fields);
      await after?.(admin, made.itemNo);
      return made.fileId;
    },
  }));
}

async function saveDraft(admin: TestSession): Promise<{ fileId: string; version: number }> {
  const fileId = await storePicture(admin);
  const body = { title: "제목", content: showing(fileId), version: 0 };
  const { version } = await put(admin, "/api/admin/content/about/draft", body);
  return { fileId, version: version as number };
}

const binItem = (boardCode: string) => (admin: TestSession, no: number) =>
  callAs(admin, "DELETE", `/api/board-item/${boardCode}/${no}`);

const closeBoard = (boardCode: string) => async (admin: TestSession) => {
  const boards = (await callJson("GET", "/api/admin/board", { token: admin.accessToken })).data.boards;
  const { version } = boards.find((each: { boardCode: string }) => each.boardCode === boardCode);
  await post(admin, `/api/admin/board/${boardCode}/state`, { isClosed: true, version });
};

const publishPage = (admin: TestSession, body: object) => post(admin, "/api/admin/content/about/publish", body);

function draftPage(
  what: string,
  status: number,
  after?: (admin: TestSession, version: number) => Promise<unknown>,
): Case {
  return {
    what: `the picture of a page ${what}`,
    ...toAll(status),
    async make(admin) {
      const { fileId, version } = await saveDraft(admin);
      await after?.(admin, version);
      return fileId;
    },
  };
}

function page(
  what: string,
  [guest, member]: [number, number],
  after?: (admin: TestSession, version: number) => Promise<unknown>,
): Case {
  return {
    what: `the picture of a page ${what}`,
    guest,
    member,
    async make(admin) {
      const { fileId, version } = await saveDraft(admin);
      const published = await post(admin, "/api/admin/content/about/publish", { version });
      await after?.(admin, published.version as number);
      return fileId;
    },
  };
}

const toAll = (status: number) => ({ guest: status, member: status });

function center(what: string, status: number, after: (admin: TestSession) => Promise<unknown>): Case {
  return {
    what: `the picture of a centre ${what}`,
    ...toAll(status),
    async make(admin) {
      const imageFileId = await storePicture(admin);
      const draft = { regionName: "서울", centerName: "서울권역센터", imageFileId, imageAlt: "건물", version: 0 };
      await put(admin, "/api/admin/center/seoul/draft", draft);
      await after(admin);
      return imageFileId;
    },
  };
}
const publishCenter = (admin: TestSession) => post(admin, "/api/admin/center/seoul/publish", { version: 1 });

function agreement(what: string, status: number, after?: (admin: TestSession) => Promise<unknown>): Case {
  return {
    what: `the picture of an agreement ${what}`,
    ...toAll(status),
    async make(admin) {
      const fileId = await storePicture(admin);
      await put(admin, "/api/admin/setting/agreement", agreementText("1", "", showing(fileId)));
      await after?.(admin);
      return fileId;
    },
  };
}
const agreementText = (version: string, baseVersion: string, content: string) => ({
  code: "event",
  title: "행사 안내",
  required: false,
  content,
  version,
  effectiveDate: day(-1),
  baseVersion,
});

const CASES: Case[] = [
  popup("is shown", true, {}),
  popup("was closed", false, { isClosed: true }),
  popup("is still to come", false, { startDate: day(1), endDate: day(2) }),
  popup("has run out", false, { startDate: day(-2), endDate: day(-1) }),
  popup("was deleted", false, {}, (admin, id) => callAs(admin, "DELETE", `/api/admin/popup/${id}?version=1`)),
  ...item("that stands", [200, 200], {}),
  ...item("in the bin", [404, 404], {}, "notice", binItem("notice")),
  ...item("that is still to come", [404, 404], { publishDate: day(1) }),
  ...item("that is secret", [404, 404], { isSecret: true }, "free", async () => {}),
  ...item("for members", [404, 200], {}, "free"),
  draftPage("in a draft", 404),
  draftPage("that is published", 200, (admin, version) => publishPage(admin, { version })),
  draftPage("that is announced for a later day", 200, (admin, version) =>
    publishPage(admin, { version, effectiveDate: day(3) }),
  ),
  draftPage("that was withdrawn", 404, async (admin, version) => {
    const published = await publishPage(admin, { version });
    await post(admin, "/api/admin/content/about/withdraw", { version: published.version });
  }),
  ...item("of a closed board", [404, 404], {}, "notice", closeBoard("notice")),
  ...item("of a closed board for members", [404, 404], {}, "free", closeBoard("free")),
  page("that stands", [200, 200]),
  page("whose text was replaced", [404, 404], async (admin, version) => {
    const draft = await put(admin, "/api/admin/content/about/draft", {
      title: "제목",
      content: "<p>새 글</p>",
      version,
    });
    await post(admin, "/api/admin/content/about/publish", { version: draft.version });
  }),
  page("that has a draft without it", [200, 200], (admin, version) =>
    put(admin, "/api/admin/content/about/draft", { title: "제목", content: "<p>새 글</p>", version }),
  ),
  center("that is a draft", 404, () => Promise.resolve()),
  center("that is published", 200, publishCenter),
  center("that was withdrawn", 404, async (admin) => {
    const { version } = await publishCenter(admin);
    await post(admin, "/api/admin/center/seoul/withdraw", { version });
  }),
  center("that was replaced", 404, async (admin) => {
    const { version } = await publishCenter(admin);
    const draft = { regionName: "서울", centerName: "서울권역센터", version };
    const saved = await put(admin, "/api/admin/center/seoul/draft", draft);
    await post(admin, "/api/admin/center/seoul/publish", { version: saved.version });
  }),
  agreement("that holds", 200),
  agreement("of an older version", 404, (admin) =>
    put(admin, "/api/admin/setting/agreement", agreementText("2", "1", "<p>새 글</p>")),
  ),
  agreement("that was closed", 404, (admin) =>
    post(admin, "/api/admin/setting/agreement/event/close", { baseVersion: "1" }),
  ),
  {
    what: "an export of the address book",
    guest: 404,
    member: 404,
    async make(admin) {
      await put(admin, "/api/alumni", { name: "김동문" });
      const body = { filter: { keyword: "김동문" }, count: 1, format: "csv", reason: "확인" };
      return (await post(admin, "/api/alumni/export-data", body)).fileId as string;
    },
  },
  {
    what: "a file on its way into the address book",
    guest: 404,
    member: 404,
    make: async (admin) => (await uploadAlumniFile(admin, "동문.csv", "이름\n김동문\n")).fileId,
  },
  {
    what: "a picture that hangs on nothing",
    guest: 404,
    member: 404,
    make: (_admin, author) => storePicture(author),
  },
  {
    what: "a file that hangs on nothing",
    guest: 404,
    member: 404,
    make: (_admin, author) => uploadBoardFile(author),
  },
];

test.each(sample(CASES, ({ what }) => what))(
  `$what: guest $guest, another member $member (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ({ guest, member, make }) => {
    await runSql("UPDATE board SET use_secret = 1");
    const admin = await createAdministratorSession();
    const author = await createMemberSession();
    const other = await createMemberSession();
    // Other published pages show nothing of this one.
    const { version } = await put(admin, "/api/admin/content/target/draft", {
      title: "대상",
      content: "<p>글</p>",
      version: 0,
    });
    await post(admin, "/api/admin/content/target/publish", { version });
    const fileId = await make(admin, author);
    expect(fileId).toMatch(/./);
    for (const query of ["", "?thumbnail=true&width=320", "?download=true"]) {
      const status = async (session: TestSession | null) =>
        (await fetchApi("GET", `/api/file/${fileId}${query}`, { token: session?.accessToken })).status;
      expect([query, await status(null), await status(other)]).toEqual([query, guest, member]);
    }
  },
);

test("a popup picture is available exactly during the period of the popup", async () => {
  const admin = await createAdministratorSession();
  const fileId = await storePicture(admin);
  const body = { title: "알림", content: showing(fileId), startDate: day(1), endDate: day(2) };
  await put(admin, "/api/admin/popup", body);
  const status = async () => (await fetchApi("GET", `/api/file/${fileId}`)).status;
  expect(await status()).toBe(404);
  advanceClock(DAY_MS + 1000);
  expect(await status()).toBe(200);
  advanceClock(DAY_MS);
  expect(await status()).toBe(404);
});

test("a draft does not reveal a file name of another board", async () => {
  await runSql("UPDATE board SET use_secret = 1");
  const admin = await createAdministratorSession();
  const thief = await createMemberSession();
  const { fileId, itemNo } = await createItemWithFile(admin, "notice", { isSecret: true });
  expect(await createTestItem(thief, "free")).toBe(itemNo);
  const token = thief.accessToken;
  for (const query of ["", `?itemNo=${itemNo}`]) {
    const path = `/api/board-item-draft/free${query}`;
    await callJson("PUT", path, { token, body: { title: "글", content: "<p>글</p>", fields: { fileIds: [fileId] } } });
    expect((await callJson("GET", path, { token })).data.files, `${query}`).toEqual([]);
  }
});
