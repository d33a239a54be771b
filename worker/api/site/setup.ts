import { noInput } from "#worker/contract/kernel/fields.ts";
import { pageDraftPath, setupStepPath } from "#worker/contract/site/setup-input.ts";
import { confirmSetupStep, createPageDraft, getSetup } from "#worker/domain/site/setup.server.ts";
import { apiRoutes, writeCall, readCall, sent } from "../kernel/call.ts";

export const adminSetupApi = apiRoutes()
  .get("/", readCall(getSetup))
  .post("/confirm/:step", writeCall(confirmSetupStep, sent.path(setupStepPath, "step"), sent.body(noInput)))
  .post("/draft/:code", writeCall(createPageDraft, sent.path(pageDraftPath, "code"), sent.body(noInput)));
