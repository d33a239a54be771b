import { reasonInput } from "#worker/contract/kernel/fields.ts";
import { resumeMember } from "#worker/domain/privacy/suspension.server.ts";
import { apiRoutes, contextCall, sent } from "../kernel/call.ts";

export const suspensionApi = apiRoutes().post(
  "/:id/resume",
  contextCall(resumeMember, sent.id, sent.body(reasonInput, "reason")),
);
