import { test as base } from "../support/fixtures.ts";

export interface SignedInPerson {
  token: string;
  /** Headers of a page that they open, and of a call by its script. */
  cookie: { Cookie: string };
  bearer: { Authorization: string; "Content-Type": string };
  setCookie: string;
}

/** A test of what a page answers over HTTP. `admin` and `member` are signed in once for the file. */
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
  /** Where all parts of the sitemap lead, those of the site itself without its origin. */
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
  /** In every page's footer from the next rendering on, and no stamp tells of it: as if nothing had been written. */
  .extend("mark", { scope: "file" }, ({ db }) => async (mark: string) => {
    const site = await db.prepare("SELECT stamp, removal FROM page_stamp WHERE scope = 'site'").first();
    await db.batch([
      db.prepare("UPDATE site_setting SET value = json_set(value, '$.siteName', ?) WHERE key = 'site'").bind(mark),
      db.prepare("UPDATE page_stamp SET stamp = ?, removal = ? WHERE scope = 'site'").bind(site?.stamp, site?.removal),
    ]);
  })
  .extend("admin", { scope: "file" }, ({ signIn }) => signIn("admin", "Admin!2345"))
  .extend("member", { scope: "file" }, ({ signIn }) => signIn("member01", "Member!2345"));
