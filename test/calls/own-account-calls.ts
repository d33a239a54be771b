import { callJson } from "../support/api-client.ts";

export const NEW_PASSWORD = "Zk7!mQ2x";

export const readAccount = (id: string, token?: string) => callJson("GET", `/api/user/${id}`, { token });
