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
