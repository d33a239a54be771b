import { mailTemplatePath, mailTemplateTextInput, updateMailTemplateInput } from "#worker/contract/mail/input.ts";
import * as templates from "#worker/domain/mail/template.server.ts";
import { apiRoutes, writeCall, readCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

const kind = sent.path(mailTemplatePath, "kind");

export const adminMailTemplateApi = apiRoutes()
  .get("/", readCall(templates.listMailTemplates))
  .get("/:kind", readCall(templates.getMailTemplate, kind))
  .patch(
    "/:kind",
    recentSecondFactor,
    writeCall(templates.updateMailTemplate, kind, sent.body(updateMailTemplateInput)),
  )
  .delete("/:kind", recentSecondFactor, writeCall(templates.restoreMailTemplate, kind, sent.version))
  .post("/:kind/test", writeCall(templates.sendTestMail, kind, sent.body(mailTemplateTextInput)));
