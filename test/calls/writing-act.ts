import { makePng } from "../samples/picture-samples.ts";

/** Reads state for an act: a database value, a call's answer or an earlier act's answer. */
export interface Given {
  one<T = string>(statement: string, ...values: unknown[]): Promise<T>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read the answer as it came over the wire
  read(path: string, who?: string | null): Promise<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read the answer as it came over the wire
  did(name: string): any;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read the answer as it came over the wire
  send(name: string, act: Act): Promise<any>;
}
export interface Act {
  at?: (string | number)[];
  query?: string;
  body?: unknown;
  /** Sign-in ID of the actor; null for a guest, the administrator by default. */
  who?: string | null;
}
export type Acts = readonly (readonly [name: string, prepare: Prepare])[];
export type Prepare = (given: Given) => Act | Promise<Act>;

export function picture() {
  const form = new FormData();
  form.set("file", new File([makePng(24, 16)], "그림.png", { type: "image/png" }));
  return form;
}

export const MEMBER_PASSWORD = "Member!2345";
export const proven = { reason: "시험", password: "Admin!2345" };
export const item = { title: "방금 쓴 글", content: "<p>본문</p>", fileIds: [] };
export const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
export const today = () => day(0).slice(0, 10);

export const always =
  (act: Act): Prepare =>
  () =>
    act;
export const user = (id: string) => (given: Given) =>
  given.one("SELECT user_id FROM user_key WHERE user_key_code = ?", id);
export const onMember =
  (id: string, body: (id: string, given: Given) => object | Promise<object>, inPath = false): Prepare =>
  async (given) => {
    const userId = await user(id)(given);
    return { ...(inPath ? { at: [userId] } : {}), body: await body(userId, given) };
  };
export const bySelf =
  (id: string, body: (id: string, given: Given) => object | Promise<object>): Prepare =>
  async (given) => ({ ...(await onMember(id, body, true)(given)), who: id });
export const changed =
  (path: string, change: (read: never) => object): Prepare =>
  async ({ read }) => {
    const now = await read(`/api/admin/setting/${path}`);
    const value = { ...now, ...now.value };
    return { body: { ...value, ...change(value as never) } };
  };
export const versionOf = (given: Given, table: string, where: string) =>
  given.one<number>(`SELECT version FROM ${table} WHERE ${where}`);
export const contentVersion = (given: Given, code: string) =>
  given.one<number>("SELECT version FROM content WHERE code = ?", code);
export const ofContent =
  (code: string, more: object = {}): Prepare =>
  async (given) => ({
    at: [code.replace("center-", "")],
    body: { ...more, version: await contentVersion(given, code) },
  });

export const letters = (version: string, days: number, baseVersion: string) => ({
  code: "letters",
  title: "소식지",
  required: false,
  content: "<p>글</p>",
  version,
  effectiveDate: day(days),
  baseVersion,
});
export const person = async ({ send }: Given, more: object = {}) =>
  String((await send("PUT /api/alumni", { body: { name: "김하늘", cohort: 3, ...more } })).id);
export const personVersion = (given: Given, id: string) =>
  given.one<number>("SELECT version FROM alumni WHERE id = ?", id);
export const deletedPerson = async (given: Given) => {
  const id = await person(given);
  const query = `?version=${await personVersion(given, id)}`;
  await given.send("DELETE /api/alumni/:id", { at: [id], query });
  return id;
};
export const EMAIL_OF_08 = `SELECT k.user_key_code FROM user_key AS k JOIN user_key AS i USING (user_id)
  WHERE i.user_key_code = 'member08' AND k.user_key_type = 'Email'`;
export const all = { filter: {} };
export const reason = "시험";

export const rowActs = (path: string, table: string, key: string, create: object, update: object): Acts => [
  [`PUT ${path}`, always({ body: create })],
  [
    `POST ${path}/order`,
    async ({ one }) => ({
      body: {
        codes: JSON.parse(
          await one(`SELECT json_group_array(${key}) FROM (SELECT ${key} FROM ${table} ORDER BY sort_order DESC)`),
        ),
      },
    }),
  ],
  [
    `PATCH ${path}/:id`,
    async (given) => ({
      at: [await given.one(`SELECT ${key} FROM ${table} ORDER BY rowid DESC`)],
      body: { ...update, version: await versionOf(given, table, "true ORDER BY rowid DESC") },
    }),
  ],
  [
    `DELETE ${path}/:id`,
    async (given) => ({
      at: [await given.one(`SELECT ${key} FROM ${table} ORDER BY rowid DESC`)],
      query: `?version=${await versionOf(given, table, "true ORDER BY rowid DESC")}`,
    }),
  ],
];

export const centerVersion = (code: string, more: object = {}) => ofCenter(code, () => more);
export const ofCenter =
  (code: string, more: (read: Record<string, object>) => object): Prepare =>
  async ({ read }) => {
    const now = await read(`/api/admin/center/${code}`);
    return { at: [code], body: { ...more(now), version: now.version ?? now.draft?.version } };
  };
