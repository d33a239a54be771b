import { Hono } from "hono";
import { mailTemplatePath, mailTemplateTextInput, updateMailTemplateInput } from "#worker/contract/mail/input.ts";
import { versionQuery } from "#worker/contract/kernel/fields.ts";
import {
  getMailTemplate,
  listMailTemplates,
  restoreMailTemplate,
  sendTestMail,
  updateMailTemplate,
} from "#worker/domain/mail/template.server.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";

/** How letters are worded. */
export const adminMailTemplateApi = new Hono<ApiEnv>()
  .get("/", async (c) => sendData(c, await listMailTemplates(c.var.scope)))
  .get("/:kind", validatePath(mailTemplatePath), async (c) =>
    sendData(c, await getMailTemplate(c.var.scope, c.req.valid("param").kind)),
  )
  .patch("/:kind", validatePath(mailTemplatePath), validateBody(updateMailTemplateInput), async (c) =>
    sendData(c, await updateMailTemplate(await openContext(c), c.req.valid("param").kind, c.req.valid("json"))),
  )
  .delete("/:kind", validatePath(mailTemplatePath), validateQuery(versionQuery), async (c) =>
    sendData(
      c,
      await restoreMailTemplate(await openContext(c), c.req.valid("param").kind, c.req.valid("query").version),
    ),
  )
  .post("/:kind/test", validatePath(mailTemplatePath), validateBody(mailTemplateTextInput), async (c) =>
    sendData(c, await sendTestMail(await openContext(c), c.req.valid("param").kind, c.req.valid("json"))),
  );
