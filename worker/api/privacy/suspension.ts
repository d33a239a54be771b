import { Hono } from "hono";
import { idPath, reasonInput } from "#worker/contract/kernel/fields.ts";
import { resumeMember } from "#worker/domain/privacy/suspension.server.ts";
import { contextCall, fromPath, fromBody } from "../kernel/call.ts";
import type { ApiEnv } from "../kernel/http.ts";

/** The office lifts a suspension; it stands under `/admin/member`. */
export const suspensionApi = new Hono<ApiEnv>().post(
  "/:id/resume",
  contextCall(resumeMember, fromPath(idPath, "id"), fromBody(reasonInput, "reason")),
);
