import { noInput } from "#worker/contract/kernel/fields.ts";
import { pageDraftPath, setupStepPath } from "#worker/contract/site/setup-input.ts";
import { confirmSetupStep, createPageDraft, getSetup } from "#worker/domain/site/setup.server.ts";
import { apiRoutes, contextCall, scopeCall, sent } from "../kernel/call.ts";

export const adminSetupApi = apiRoutes()
  .get("/", scopeCall(getSetup))
  .post("/confirm/:step", contextCall(confirmSetupStep, sent.path(setupStepPath, "step"), sent.body(noInput)))
  .post("/draft/:code", contextCall(createPageDraft, sent.path(pageDraftPath, "code"), sent.body(noInput)));
