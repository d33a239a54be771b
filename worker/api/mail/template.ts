import { mailTemplatePath, mailTemplateTextInput, updateMailTemplateInput } from "#worker/contract/mail/input.ts";
import * as templates from "#worker/domain/mail/template.server.ts";
import { apiRoutes, contextCall, fromBody, fromPath, queryVersion, scopeCall } from "../kernel/call.ts";

const kind = fromPath(mailTemplatePath, "kind");

/** How messages are worded. */
export const adminMailTemplateApi = apiRoutes()
  .get("/", scopeCall(templates.listMailTemplates))
  .get("/:kind", scopeCall(templates.getMailTemplate, kind))
  .patch("/:kind", contextCall(templates.updateMailTemplate, kind, fromBody(updateMailTemplateInput)))
  .delete("/:kind", contextCall(templates.restoreMailTemplate, kind, queryVersion))
  .post("/:kind/test", contextCall(templates.sendTestMail, kind, fromBody(mailTemplateTextInput)));
