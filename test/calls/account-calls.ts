import { callJson } from "../support/api-client.ts";
import { TEST_PASSWORD, type TestUser } from "../support/people.ts";
import { runSql } from "../support/test-database.ts";

export const MINUTE = 60_000;

export const createSessionWith = (
  person: Pick<TestUser, "userId">,
  password: unknown = TEST_PASSWORD,
  address?: string,
) =>
  callJson("POST", "/api/user/signin", {
    body: { userKeyType: "Id", userKeyCode: person.userId, password },
    ...(address ? { address } : {}),
  });

export const refreshTokens = (refreshToken: string) =>
  callJson("POST", "/api/user/signin-by-refresh-token", { body: { refreshToken } });

export const setAccountStatus = (id: string, status: string) =>
  runSql("UPDATE user SET status = ? WHERE id = ?", status, id);

export const NEW_PERSON_EMAIL = "new.person@pid.example.kr";

export const checkUserKey = (userKeyCode: string, userKeyType = "Email", address?: string) =>
  callJson("POST", "/api/user-key/check", { body: { userKeyType, userKeyCode }, ...(address ? { address } : {}) });

export const confirmUserKey = (userKeyToken: string, pincode: string) =>
  callJson("POST", "/api/user-key/confirm", { body: { userKeyToken, pincode } });

export const findUserKey = (userKeyType: string, userKeyCode: string) =>
  callJson("POST", "/api/user-key/check-exists", { body: { userKeyType, userKeyCode } });

export const NEW_PASSWORD = "Zk7!mQ2x";

export const readAccount = (id: string, token?: string) => callJson("GET", `/api/user/${id}`, { token });
