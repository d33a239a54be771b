import { requirePresent } from "../support/require-present.ts";
import { UNSAFE_decodeViaTurboStream as decodeData } from "react-router";
import { type Act, type Given, MEMBER_PASSWORD } from "../calls/writing-act.ts";
import { test as base } from "../support/fixtures.ts";

export interface SignedInPerson {
  token: string;
  cookie: { Cookie: string };
  bearer: { Authorization: string; "Content-Type": string };
  setCookie: string;
}

/** Tests pages over HTTP. `admin` and `member` sign in once for the file. */
export const test = base
  .extend("get", { scope: "file" }, ({ site }) => async (path: string, headers: HeadersInit = {}, method = "GET") => {
    const response = await fetch(site.url + path, { method, headers, redirect: "manual" });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get("Location"),
      text,
      title: /<title>([^|<]*)/.exec(text)?.[1]?.trim(),
    };
  })
  .extend("readSitemap", { scope: "file" }, ({ site, get }) => async () => {
    const read = async (path: string) =>
      [...(await get(path)).text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) =>
        decodeURI(address).replace(site.url, ""),
      );
    return (await Promise.all((await read("/sitemap.xml")).map(read))).flat();
  })
  .extend(
    "signIn",
    { scope: "file" },
    ({ site }) =>
      async (userKeyCode: string, password: string): Promise<SignedInPerson> => {
        const response = await fetch(`${site.url}/api/user/signin`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ userKeyType: "Id", userKeyCode, password }),
        });
        const { data } = (await response.json()) as { data: { accessToken: string } };
        const token = data.accessToken;
        return {
          token,
          cookie: { Cookie: `accessToken=${token}` },
          bearer: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          setCookie: response.headers.get("Set-Cookie") ?? "",
        };
      },
  )
  /** Puts a mark in the footer of newly rendered pages, without emptying a stamp. */
  .extend("mark", { scope: "file" }, ({ db, site }) => async (mark: string) => {
    const stamps = await db.prepare("SELECT stamp, removal FROM page_stamp WHERE scope = 'site'").first();
    await db.batch([
      db.prepare("UPDATE site_setting SET value = json_set(value, '$.siteName', ?) WHERE key = 'site'").bind(mark),
      db.prepare("UPDATE page_stamp SET stamp = 'of the mark' WHERE scope = 'site'"),
    ]);
    // The isolate forgets the settings of the earlier stamp.
    await fetch(`${site.url}/api/site-setting/info`);
    await db
      .prepare("UPDATE page_stamp SET stamp = ?, removal = ? WHERE scope = 'site'")
      .bind(stamps?.stamp, stamps?.removal)
      .run();
  })
  .extend("admin", { scope: "file" }, ({ signIn }) => signIn("admin", "Admin!2345"))
  .extend("member", { scope: "file" }, ({ signIn }) => signIn("member01", "Member!2345"))
  .extend("actor", { scope: "file" }, ({ site, db, admin, signIn }) => {
    const people = new Map<string, Promise<SignedInPerson>>([["admin", Promise.resolve(admin)]]);
    const answers = new Map<string, unknown>();
    const send = async (name: string, { at = [], query = "", body, who = "admin" }: Act) => {
      const [method = "", route = ""] = name.split(" ");
      const places = at.map(String).values();
      const path = route.replaceAll(/:\w+/g, () => places.next().value ?? "");
      if (who !== null && !people.has(who)) people.set(who, signIn(who, MEMBER_PASSWORD));
      const headers = new Headers({
        "Content-Type": "application/json",
        ...(who !== null && (await people.get(who))?.bearer),
      });
      const isRaw = body instanceof FormData || body instanceof Uint8Array || typeof body === "string";
      if (isRaw) headers.delete("Content-Type");
      const sent = body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as BodyInit };
      const answer = await fetch(site.url + path + query, { method, headers, ...sent });
      const text = await answer.text();
      const json = (text.startsWith("{") ? JSON.parse(text) : {}) as { data?: unknown; message?: string };
      if (answer.status === 200) answers.set(name, json.data);
      return { status: answer.status, data: json.data, message: json.message ?? text.slice(0, 100), answer };
    };
    const given: Given = {
      one: async <T>(statement: string, ...values: unknown[]) => {
        const row = await db
          .prepare(statement)
          .bind(...values)
          .first<Record<string, T>>();
        return Object.values(row ?? {})[0] as T;
      },
      read: async (path, who) => (await send(`GET ${path}`, who === undefined ? {} : { who })).data,
      did: (name) => answers.get(name) ?? {},
      send: async (name, act) => (await send(name, act)).data ?? {},
    };
    return { send, given };
  });

/** Markup and decoded data, because the router writes equal numbers of its data once. */
export async function contentOf(text: string): Promise<string> {
  const [call, script] = /c\.enqueue\(JSON\.stringify\((\[.*\])\)\+"\\n"\)/.exec(text) ?? [];
  const data = script ? `${script}\n` : text;
  if (!data.startsWith("[")) return text;
  const decoded = await decodeData(requirePresent(new Response(data).body), globalThis as unknown as Window);
  await decoded.done;
  return text.replace(call ?? data, () => JSON.stringify(decoded.value));
}
