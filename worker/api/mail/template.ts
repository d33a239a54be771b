import { mailTemplatePath, mailTemplateTextInput, updateMailTemplateInput } from "#worker/contract/mail/input.ts";
import { versionQuery } from "#worker/contract/kernel/fields.ts";
import {
  getMailTemplate,
  listMailTemplates,
  restoreMailTemplate,
  sendTestMail,
  updateMailTemplate,
} from "#worker/domain/mail/template.server.ts";
import { apiRoutes, scopeCall, contextCall, fromPath, fromQuery, fromBody } from "../kernel/call.ts";

/** How messages are worded. */
export const adminMailTemplateApi = apiRoutes()
  .get("/", scopeCall(listMailTemplates))
  .get("/:kind", scopeCall(getMailTemplate, fromPath(mailTemplatePath, "kind")))
  .patch(
    "/:kind",
    contextCall(updateMailTemplate, fromPath(mailTemplatePath, "kind"), fromBody(updateMailTemplateInput)),
  )
  .delete(
    "/:kind",
    contextCall(restoreMailTemplate, fromPath(mailTemplatePath, "kind"), fromQuery(versionQuery, "version")),
  )
  .post("/:kind/test", contextCall(sendTestMail, fromPath(mailTemplatePath, "kind"), fromBody(mailTemplateTextInput)));
