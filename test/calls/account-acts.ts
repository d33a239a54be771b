import { NEWCOMER } from "./newcomer.ts";
import { Secret, TOTP } from "otpauth";
import {
  type Acts,
  type Given,
  MEMBER_PASSWORD,
  proven,
  day,
  today,
  always,
  user,
  onMember,
  bySelf,
  EMAIL_OF_08,
  reason,
} from "./writing-act.ts";

const totpOf = ({ setupToken, secret }: { setupToken: string; secret: string }) => ({
  setupToken,
  code: new TOTP({ secret: Secret.fromBase32(secret) }).generate(),
});
const startRecovery = async (given: Given) =>
  given.send("POST /api/admin/second-factor/:id/recovery", { at: [await user("member07")(given)], body: { reason } });

export const ACCOUNT_ACTS: Acts = [
  ["POST /api/admin/member/role", onMember("member03", (id) => ({ ids: [id], roleCode: "member", ...proven }))],
  [
    "PUT /api/admin/member/:id/role-grant",
    onMember("member03", () => ({ roleCode: "guest", from: today(), ...proven }), true),
  ],
  [
    "DELETE /api/admin/member/:id/role-grant/:grantId",
    async (given) => ({ at: [await user("member03")(given), await given.one("SELECT id FROM role_grant")] }),
  ],
  [
    "PUT /api/admin/representative",
    always({ body: { who: "member03", cohort: 12, to: day(60).slice(0, 10), reason } }),
  ],
  [
    "PATCH /api/admin/member/:id/email",
    onMember(
      "member03",
      async (id, { one }) => ({
        email: "other03@pid.example.kr",
        reason,
        version: await one<number>("SELECT version FROM user WHERE id = ?", id),
      }),
      true,
    ),
  ],
  [
    "PATCH /api/admin/member/:id/name",
    onMember(
      "member03",
      async (id, { one }) => ({
        userName: "이도현",
        reason,
        version: await one<number>("SELECT version FROM user WHERE id = ?", id),
      }),
      true,
    ),
  ],
  [
    "POST /api/admin/member/:id/join",
    async (given) => {
      const { id } = await given.send("PUT /api/alumni", { body: { name: "이도경" } });
      return { at: [await user("member03")(given)], body: { alumniId: id } };
    },
  ],
  [
    "POST /api/confirmation/join/:token",
    async ({ one }) => {
      const body = await one("SELECT body FROM message WHERE body LIKE '%/mail/join/%' ORDER BY rowid DESC");
      return { at: [/\/mail\/join\/([\w-]+)/.exec(body)?.[1] ?? ""], body: {}, who: null };
    },
  ],
  [
    "POST /api/admin/member/:id/entry",
    onMember(
      "member08",
      async (_, { one }) => {
        await one(
          "UPDATE alumni SET email = 'moved@pid.example.kr' WHERE email = 'eunseol.cho@example.com' RETURNING id",
        ).catch(() => undefined);
        return {};
      },
      true,
    ),
  ],
  [
    "POST /api/alumni/:id/invite",
    async (given) => {
      const body = { name: "초대받은이", email: "invited@pid.example.kr" };
      return { at: [(await given.send("PUT /api/alumni", { body })).id], body: {} };
    },
  ],
  ["POST /api/admin/member/:id/reset-link", onMember("member03", () => ({}), true)],
  ["POST /api/admin/member/:id/unlock", onMember("member03", () => ({}), true)],
  ["POST /api/admin/member/block", onMember("member05", (id) => ({ ids: [id], reason }))],
  ["POST /api/admin/member/unblock", onMember("member05", (id) => ({ ids: [id] }))],
  [
    "POST /api/admin/member/approve",
    onMember("member05", async (id, { one }) => {
      await one("UPDATE user SET status = 'waiting' WHERE id = ? RETURNING id", id);
      return { ids: [id] };
    }),
  ],
  [
    "POST /api/admin/member/refuse",
    onMember("member16", async (id, { one }) => {
      await one("UPDATE user SET status = 'waiting' WHERE id = ? RETURNING id", id);
      return { ids: [id], reason };
    }),
  ],
  ["POST /api/admin/member/end-sessions", onMember("member05", (id) => ({ ids: [id] }))],
  [
    "POST /api/admin/member/:id/resume",
    onMember(
      "member05",
      async (id, { one }) => {
        await one(
          "INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'x', 1) RETURNING user_id",
          id,
        );
        return { reason };
      },
      true,
    ),
  ],
  ["POST /api/admin/member/export", always({ body: { format: "csv", reason } })],
  [
    "PATCH /api/user/:id",
    bySelf("member07", async (id, { one }) => ({
      userName: "강새봄",
      currentPassword: MEMBER_PASSWORD,
      version: await one<number>("SELECT version FROM user WHERE id = ?", id),
    })),
  ],
  [
    "PATCH /api/user/:id/consents",
    bySelf("member07", async (_, { one }) => ({
      agreements: [
        {
          code: "privacy",
          version: await one("SELECT version FROM agreement WHERE code = 'privacy' AND is_current = 1"),
          agreed: true,
        },
      ],
    })),
  ],
  ["PATCH /api/user/:id/notices", bySelf("member07", () => ({ comments: false }))],
  ["POST /api/user/:id/activity/read", bySelf("member07", () => ({ upTo: 1 }))],
  [
    "DELETE /api/user/:id/suspension",
    bySelf("member07", async (id, { one }) => {
      await one("INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'x', 1) RETURNING user_id", id);
      return {};
    }),
  ],
  ["POST /api/second-factor/verify-options", always({ body: {}, who: "member07" })],
  [
    "POST /api/second-factor/verify",
    always({ body: { kind: "password", password: MEMBER_PASSWORD }, who: "member07" }),
  ],
  ["POST /api/second-factor/passkey-options", always({ body: {}, who: "member07" })],
  ["POST /api/second-factor/totp-options", always({ body: {}, who: "member07" })],
  [
    "POST /api/second-factor/totp",
    ({ did }) => ({ body: totpOf(did("POST /api/second-factor/totp-options")), who: "member07" }),
  ],
  ["POST /api/second-factor/recovery-codes", always({ body: {}, who: "member07" })],
  [
    "PATCH /api/second-factor/:factorId",
    async ({ one }) => ({
      at: [await one("SELECT id FROM second_factor")],
      body: { name: "열쇠" },
      who: "member07",
    }),
  ],
  ["POST /api/admin/second-factor/:id/recovery", onMember("member07", () => ({ reason }), true)],
  ["DELETE /api/admin/second-factor/:id/recovery", async (given) => ({ at: [await user("member07")(given)] })],
  [
    "DELETE /api/second-factor/recovery",
    async (given) => {
      await startRecovery(given);
      return { who: "member07" };
    },
  ],
  [
    "POST /api/second-factor/recovery",
    async (given) => {
      await startRecovery(given);
      await given.one("UPDATE second_factor_recovery SET usable_date = 1 WHERE closed_date IS NULL RETURNING id");
      return { body: {}, who: "member07" };
    },
  ],
  [
    "DELETE /api/second-factor/:factorId",
    async ({ one, send }) => {
      const options = await send("POST /api/second-factor/totp-options", { body: {}, who: "member07" });
      await send("POST /api/second-factor/totp", { body: totpOf(options), who: "member07" });
      return { at: [await one("SELECT id FROM second_factor")], who: "member07" };
    },
  ],
  ["POST /api/second-factor/signin-options", always({ body: {}, who: null })],
  ["POST /api/user-key/check-exists", always({ body: { userKeyType: "Id", userKeyCode: "somebody" }, who: null })],
  [
    "POST /api/user-key/check",
    always({ body: { userKeyType: "Email", userKeyCode: "newcomer@pid.example.kr" }, who: null }),
  ],
  [
    "POST /api/user-key/confirm",
    async ({ did, one }) => ({
      body: {
        userKeyToken: did("POST /api/user-key/check").userKeyToken,
        pincode: await one(
          "SELECT pincode FROM message WHERE recipient = 'newcomer@pid.example.kr' AND pincode IS NOT NULL",
        ),
      },
      who: null,
    }),
  ],
  [
    "POST /api/user/signup",
    async ({ did, read }) => {
      const { agreements } = await read("/api/site-setting/authentication", null);
      return {
        body: {
          ...NEWCOMER,
          agreements: agreements.map(({ code, version }: { code: string; version: string }) => ({ code, version })),
          userKeyTokenForEmail: did("POST /api/user-key/confirm").userKeyToken,
        },
        who: null,
      };
    },
  ],
  [
    "POST /api/user/find-id",
    async ({ one }) => ({ body: { userName: "조은설", email: await one(EMAIL_OF_08) }, who: null }),
  ],
  [
    "POST /api/user/reset-password-token",
    async ({ one }) => ({
      body: {
        email: await one(EMAIL_OF_08),
      },
      who: null,
    }),
  ],
  [
    "POST /api/user/reset-password",
    async ({ did, one }) => ({
      body: {
        userToken: did("POST /api/user/reset-password-token").userToken,
        pincode: await one("SELECT pincode FROM message WHERE pincode IS NOT NULL ORDER BY created_date DESC"),
        password: "Zk7!mQ2x",
      },
      who: null,
    }),
  ],
  [
    "POST /api/user/signin",
    always({ body: { userKeyType: "Id", userKeyCode: "member09", password: MEMBER_PASSWORD }, who: null }),
  ],
  [
    "POST /api/user/signin-by-refresh-token",
    ({ did }) => ({ body: { refreshToken: did("POST /api/user/signin").refreshToken }, who: null }),
  ],
  [
    "POST /api/user/change-user-key/:id",
    bySelf("member09", async (_, { one, send }) => {
      const key = { userKeyType: "Email", userKeyCode: "other09@pid.example.kr" };
      const { userKeyToken } = await send("POST /api/user-key/check", { body: key, who: null });
      const pincode = await one("SELECT pincode FROM message WHERE recipient = ? AND pincode <> ''", key.userKeyCode);
      const confirmed = await send("POST /api/user-key/confirm", { body: { userKeyToken, pincode }, who: null });
      return { userKeyType: "Email", userKeyToken: confirmed.userKeyToken, password: MEMBER_PASSWORD };
    }),
  ],
  [
    "POST /api/user-key/undo/:token",
    async ({ one }) => {
      const body = await one("SELECT body FROM message WHERE body LIKE '%/mail/undo/%' ORDER BY rowid DESC");
      return { at: [/\/mail\/undo\/([\w-]+)/.exec(body)?.[1] ?? ""], body: {}, who: null };
    },
  ],
  [
    "DELETE /api/user/:id/sessions/:sid",
    async ({ one, send }) => {
      await send("POST /api/user/signin", {
        body: { userKeyType: "Id", userKeyCode: "member10", password: MEMBER_PASSWORD },
        who: null,
      });
      const id = await one("SELECT user_id FROM user_key WHERE user_key_code = 'member10'");
      return { at: [id, await one("SELECT id FROM session WHERE user_id = ?", id)] };
    },
  ],
  ["POST /api/user/:id/sessions/end-others", bySelf("member11", () => ({ password: MEMBER_PASSWORD }))],
  [
    "POST /api/user/change-password/:id",
    bySelf("member11", () => ({ password: MEMBER_PASSWORD, newPassword: "Zk7!mQ2x" })),
  ],
  ["POST /api/user/signout", always({ body: {}, who: "member12" })],
  ["POST /api/user/retire", always({ body: { password: MEMBER_PASSWORD }, who: "member13" })],
  [
    "POST /api/admin/content/:code/draft",
    async ({ one }) => {
      await one("DELETE FROM content WHERE code = 'privacy' RETURNING code");
      return { at: ["privacy"], body: { version: 0 } };
    },
  ],
];
