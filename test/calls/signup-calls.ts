import { callJson } from "../support/api-client.ts";

export const NEW_PERSON_EMAIL = "new.person@pid.example.kr";

export const MINUTE = 60_000;

export const checkUserKey = (userKeyCode: string, userKeyType = "Email", address?: string) =>
  callJson("POST", "/api/user-key/check", { body: { userKeyType, userKeyCode }, ...(address ? { address } : {}) });

export const confirmUserKey = (userKeyToken: string, pincode: string) =>
  callJson("POST", "/api/user-key/confirm", { body: { userKeyToken, pincode } });

export const findUserKey = (userKeyType: string, userKeyCode: string) =>
  callJson("POST", "/api/user-key/check-exists", { body: { userKeyType, userKeyCode } });
