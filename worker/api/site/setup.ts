import { noInput } from "#worker/contract/kernel/fields.ts";
import { pageDraftPath, setupStepPath } from "#worker/contract/site/setup-input.ts";
import { confirmSetupStep, createPageDraft, getSetup } from "#worker/domain/site/setup.server.ts";
import { apiRoutes, contextCall, fromBody, fromPath, scopeCall } from "../kernel/call.ts";

export const adminSetupApi = apiRoutes()
  .get("/", scopeCall(getSetup))
  .post("/confirm/:step", contextCall(confirmSetupStep, fromPath(setupStepPath, "step"), fromBody(noInput)))
  .post("/draft/:code", contextCall(createPageDraft, fromPath(pageDraftPath, "code"), fromBody(noInput)));
