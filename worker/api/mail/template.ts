import { mailTemplatePath, mailTemplateTextInput, updateMailTemplateInput } from "#worker/contract/mail/input.ts";
import * as templates from "#worker/domain/mail/template.server.ts";
import { apiRoutes, contextCall, scopeCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

const kind = sent.path(mailTemplatePath, "kind");

export const adminMailTemplateApi = apiRoutes()
  .get("/", scopeCall(templates.listMailTemplates))
  .get("/:kind", scopeCall(templates.getMailTemplate, kind))
  .patch(
    "/:kind",
    recentSecondFactor,
    contextCall(templates.updateMailTemplate, kind, sent.body(updateMailTemplateInput)),
  )
  .delete("/:kind", recentSecondFactor, contextCall(templates.restoreMailTemplate, kind, sent.version))
  .post("/:kind/test", contextCall(templates.sendTestMail, kind, sent.body(mailTemplateTextInput)));
