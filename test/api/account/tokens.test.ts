import { beforeEach, expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { createVerifiedToken, openSignup } from "../../support/factories.ts";
import { createAdministratorSession, createUser, signInUser } from "../../support/people.ts";

beforeEach(async () => void (await openSignup()));

test("a token of one kind is never accepted as another kind, whole or in part", async () => {
  const admin = await createAdministratorSession();
  const { accessToken, refreshToken } = await signInUser(await createUser());
  const key = { userKeyType: "Email", userKeyCode: "new@pid.example.kr" };
  const upload = await callJson("GET", "/api/file/upload-url?fileName=a.pdf&size=10", { token: accessToken });
  const exported = await callAs(admin, "POST", "/api/alumni/export-data", { reason: "총회 안내", format: "csv" });
  const lastPart = (path: string) => path.split("/").at(-1) ?? "";
  const tokens: Record<string, string> = {
    access: accessToken,
    refresh: refreshToken,
    upload: lastPart(upload.data.uploadUrl),
    file: lastPart(exported.data.url),
    verified: await createVerifiedToken("other@pid.example.kr"),
    code: (await callJson("POST", "/api/user-key/check", { body: key })).data.userKeyToken,
    reset: (await callJson("POST", "/api/user/reset-password-token", { body: { email: admin.user.email } })).data
      .userToken,
  };
  const password = "Zk7!mQ2x";
  const places: Record<string, (token: string) => ReturnType<typeof callJson>> = {
    access: (token) => callJson("GET", "/api/board/free", { token }),
    refresh: (token) => callJson("POST", "/api/user/signin-by-refresh-token", { body: { refreshToken: token } }),
    upload: (token) => callJson("PUT", `/api/file/upload/${token}`, { body: "0123456789" }),
    file: (token) => callAs(admin, "GET", `/api/alumni/export-data/${token}`),
    mailUndo: (token) => callJson("POST", `/api/user-key/undo/${token}`),
    mailOff: (token) => callJson("POST", `/api/mail/off/${token}`),
    code: (token) =>
      callJson("POST", "/api/user-key/confirm", { body: { userKeyToken: token, pincode: "000000" }, address: token }),
    reset: (token) =>
      callJson("POST", "/api/user/reset-password", {
        body: { userToken: token, pincode: "000000", password },
        address: token,
      }),
    verified: (token) =>
      callJson("POST", "/api/user/signup", {
        body: { ...key, userKeyTokenForEmail: token, password, userName: "홍길동" },
        address: token,
      }),
  };
  for (const [place, use] of Object.entries(places)) {
    for (const [kind, token] of Object.entries(tokens)) {
      // The code is unknown here, so only the token lookup is tested.
      if (place === kind) continue;
      for (const given of [token, `${token}x`, token.slice(0, -1), `${token}.${token}`]) {
        const answer = await use(given.slice(0, 400));
        expect([place, kind, [400, 401, 404, 410].includes(answer.status)]).toEqual([place, kind, true]);
        expect(answer.code, `${given}`).not.toBe("PINCODE_MISMATCH");
      }
    }
  }
});
