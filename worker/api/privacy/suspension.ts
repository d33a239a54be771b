import { Hono } from "hono";
import { reasonInput } from "#worker/contract/kernel/fields.ts";
import { memberPath } from "#worker/contract/member/input.ts";
import { resumeMember } from "#worker/domain/privacy/suspension.server.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath } from "../kernel/http.ts";

/** The office lifts a suspension; it stands under `/admin/member`. */
export const suspensionApi = new Hono<ApiEnv>().post(
  "/:id/resume",
  validatePath(memberPath),
  validateBody(reasonInput),
  async (c) =>
    sendData(c, await resumeMember(await openContext(c), c.req.valid("param").id, c.req.valid("json").reason)),
);
