import {
  mailTemplatePath,
  mailTemplateTextInput,
  restoreMailTemplateQuery,
  unsubscribePath,
  updateMailTemplateInput,
} from "#worker/contract/mail/input.ts";
import * as templates from "#worker/domain/mail/template.server.ts";
import { apiRoutes, responseCall, readCall, sent, writeCall } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/access.ts";
import { getUnsubscribe, unsubscribeByToken } from "#worker/domain/mail/unsubscribe.server.ts";
import { openContext, readText, sendData } from "../kernel/http.ts";
import { recordMailReport } from "#worker/domain/mail/message-log.server.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

const offToken = sent.path(unsubscribePath, "token");
const kind = sent.path(mailTemplatePath, "kind");

export const adminMailTemplateApi = apiRoutes()
  .get("/", readCall(templates.listMailTemplates))
  .get("/:kind", readCall(templates.getMailTemplate, kind))
  .patch(
    "/:kind",
    recentSecondFactor,
    writeCall(templates.updateMailTemplate, kind, sent.body(updateMailTemplateInput)),
  )
  .delete(
    "/:kind",
    recentSecondFactor,
    writeCall(templates.restoreMailTemplate, kind, sent.query(restoreMailTemplateQuery)),
  )
  .post("/:kind/test", writeCall(templates.sendTestMail, kind, sent.body(mailTemplateTextInput)));

/** The List-Unsubscribe address (RFC 8058), and the provider's delivery reports, signed over the raw bytes. */
export const unsubscribeApi = apiRoutes()
  .post("/report", async (c) => {
    const header = (name: string) => c.req.header(`svix-${name}`) ?? "";
    const signed = { id: header("id"), timestamp: header("timestamp"), signature: header("signature") };
    const payload = await readText(c.req.raw, SIZE_LIMITS.strangerBytes);
    return sendData(c, await recordMailReport(await openContext(c), payload, signed));
  })
  .get(
    "/off/:token",
    responseCall(async (c, token) => {
      await getUnsubscribe(await openContext(c), token);
      return c.redirect(`/mail/off/${encodeURIComponent(token)}`, 302);
    }, offToken),
  )
  .post(
    "/off/:token",
    responseCall(async (c, token) => {
      const done = await unsubscribeByToken(await openContext(c), token);
      if (c.req.header("Accept")?.includes("text/html"))
        return c.redirect(`/mail/off/${encodeURIComponent(token)}`, 303);
      return sendData(c, done);
    }, offToken),
  );
