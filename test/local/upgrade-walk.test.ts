/** @module-tag full */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { expect, test as base } from "vitest";
import { startSite } from "#worker/local/site.ts";
import { SoftwareAuthenticator } from "../samples/software-authenticator.ts";
import { watchLog } from "../support/expected-log.ts";

/** Built checkout of the last release; without it, this version continues what it began itself. */
const { RELEASE } = process.env;
const VERSIONS = { release: RELEASE && join(RELEASE, "build/server"), current: undefined };

type Data = Record<string, unknown>;

const test = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("folder", { scope: "file" }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), "hoewon-upgrade-"));
    onCleanup(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  })
  .extend(
    "run",
    { scope: "file" },
    ({ folder }) =>
      async (
        version: keyof typeof VERSIONS,
        work: (call: ReturnType<typeof callOf>, origin: string) => Promise<void>,
      ) => {
        const build = VERSIONS[version];
        const options = { port: 0, persistTo: folder, quiet: true, onLog: watchLog, seed: "demo" as const };
        const site = await startSite({ ...options, ...(build && { build }) });
        try {
          await work(callOf(site.url), site.url);
        } finally {
          await site.dispose();
        }
      },
  );

const callOf =
  (url: string) =>
  async (name: string, token = "", body?: unknown): Promise<Data> => {
    const [method = "", path = ""] = name.split(" ");
    const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(new URL(path, url), {
      method,
      ...(typeof body === "string" ? { body } : { headers, ...(body ? { body: JSON.stringify(body) } : {}) }),
    });
    const answer = (await response.json()) as { code: string; data: Data };
    expect([name, answer.code], JSON.stringify(answer)).toEqual([name, "SUCCESS"]);
    return answer.data;
  };

async function signInByPasskey(call: ReturnType<typeof callOf>, passkey: SoftwareAuthenticator, origin: string) {
  const { challenge } = await call("POST /api/second-factor/signin-options", "", {});
  const response = await passkey.assert(String(challenge), { origin });
  await call("POST /api/second-factor/signin", "", { response });
}

const tokensOf = (data: Data) => ({ access: String(data.accessToken), refresh: String(data.refreshToken) });
const codeOf = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
const ADMIN = { userKeyType: "Id", userKeyCode: "admin", password: "Admin!2345" };
const MEMBER = { userKeyType: "Id", userKeyCode: "member01", password: "Member!2345" };
const STEP_MS = 30_000;
const HOUR_MS = 3_600_000;

test("people continue from the last release to this version", async ({ run }) => {
  const kept = {
    secret: "",
    codes: [] as string[],
    admin: "",
    member: "",
    fileId: "",
    moving: "",
    mailing: "",
    sendDate: "",
  };

  let passkey: SoftwareAuthenticator;

  await run("release", async (call, origin) => {
    const signedIn = await call("POST /api/user/signin", "", MEMBER);
    const member = tokensOf(signedIn);
    kept.member = member.refresh;
    passkey = await SoftwareAuthenticator.create((signedIn.user as { id: string }).id);
    const { challenge } = await call("POST /api/second-factor/passkey-options", member.access, {});
    const attested = await passkey.attest(String(challenge), { origin });
    await call("POST /api/second-factor/passkey", member.access, { response: attested });
    await call("PUT /api/board-item-draft/free", member.access, { title: "쓰던 글", content: "<p>아직</p>" });

    const admin = tokensOf(await call("POST /api/user/signin", "", ADMIN));
    const csv = "이름,기수\r\n이바다,3\r\n";
    const size = new TextEncoder().encode(csv).length;
    const ticket = await call("POST /api/alumni/upload-url", admin.access, { fileName: "동문.csv", size });
    await call(`PUT ${String(ticket.uploadUrl)}`, "", csv);
    kept.fileId = String(ticket.fileId);
    const compared = { fileId: kept.fileId, mode: "insert", dryRun: true };
    expect(await call("POST /api/alumni/import-data", admin.access, compared)).toMatchObject({ inserted: 1 });
    kept.moving = String((await call("PUT /api/admin/moving", admin.access, { site: "옛 누리집" })).id);
    const written = { name: "김하늘", cohort: 3, email: "sky@pid.example.kr" };
    const { id: personId } = await call("PUT /api/alumni", admin.access, written);
    const mailing = { source: "alumni", target: { ids: [personId] } };
    kept.mailing = String((await call("PUT /api/admin/mailing", admin.access, mailing)).id);
    const mail = { kind: "informational", subject: "총회", text: "오십시오.", version: 1 };
    await call(`PATCH /api/admin/mailing/${kept.mailing}`, admin.access, mail);
    const { count } = await call(`POST /api/admin/mailing/${kept.mailing}/preview`, admin.access, {});
    kept.sendDate = new Date(Date.now() + HOUR_MS).toISOString();
    const order = { version: 2, count, sendDate: kept.sendDate, reason: "총회" };
    await call(`POST /api/admin/mailing/${kept.mailing}/send`, admin.access, order);

    const setup = await call("POST /api/second-factor/totp-options", admin.access, {});
    kept.secret = String(setup.secret);
    const factor = { setupToken: setup.setupToken, code: codeOf(kept.secret) };
    const added = await call("POST /api/second-factor/totp", admin.access, factor);
    kept.codes = added.recoveryCodes as string[];
    kept.admin = admin.refresh;
  });

  await run("current", async (call, origin) => {
    const member = tokensOf(await call("POST /api/user/signin-by-refresh-token", "", { refreshToken: kept.member }));
    kept.member = member.refresh;
    expect(await call("GET /api/board-item-draft/free", member.access)).toMatchObject({ title: "쓰던 글" });
    await call("PUT /api/board-item-draft/free", member.access, { title: "더 쓴 글", content: "<p>거의</p>" });

    await signInByPasskey(call, passkey, origin);
    const session = tokensOf(await call("POST /api/user/signin-by-refresh-token", "", { refreshToken: kept.admin }));
    kept.admin = session.refresh;
    await call("GET /api/admin/role", session.access);
    const signedIn = await call("POST /api/user/signin", "", ADMIN);
    expect(signedIn.secondFactor).toBe("pending");
    const { access } = tokensOf(signedIn);
    // The code of the setup's own step is used up.
    const next = { kind: "totp", code: codeOf(kept.secret, Date.now() + STEP_MS) };
    await call("POST /api/second-factor/verify", access, next);
    const committed = { fileId: kept.fileId, mode: "insert", dryRun: false };
    expect(await call("POST /api/alumni/import-data", access, committed)).toMatchObject({ inserted: 1 });
    expect(JSON.stringify(await call("GET /api/admin/moving", access))).toContain(kept.moving);
    await call(`GET /api/admin/moving/${kept.moving}`, access);
    expect(await call(`GET /api/admin/mailing/${kept.mailing}`, access)).toMatchObject({ sendDate: kept.sendDate });
  });

  await run("release", async (call, origin) => {
    const member = tokensOf(await call("POST /api/user/signin-by-refresh-token", "", { refreshToken: kept.member }));
    expect(await call("GET /api/board-item-draft/free", member.access)).toMatchObject({ title: "더 쓴 글" });
    await signInByPasskey(call, passkey, origin);
    const session = tokensOf(await call("POST /api/user/signin-by-refresh-token", "", { refreshToken: kept.admin }));
    await call("GET /api/admin/role", session.access);
    const { access } = tokensOf(await call("POST /api/user/signin", "", ADMIN));
    await call("POST /api/second-factor/verify", access, { kind: "recoveryCode", code: kept.codes[0] });
    expect(await call("GET /api/alumni?keyword=이바다", access)).toMatchObject({ totalElements: 1 });
    await call(`POST /api/admin/mailing/${kept.mailing}/cancel`, access, { version: 3 });
  });
});
