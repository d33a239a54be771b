import { reasonInput } from "#worker/contract/kernel/fields.ts";
import { resumeMember } from "#worker/domain/privacy/suspension.server.ts";
import { apiRoutes, writeCall, sent } from "../kernel/call.ts";

export const suspensionApi = apiRoutes().post(
  "/:id/resume",
  writeCall(resumeMember, sent.id, sent.body(reasonInput, "reason")),
);
