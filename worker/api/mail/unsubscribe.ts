import { apiRoutes } from "../kernel/call.ts";
import { unsubscribePath } from "#worker/contract/mail/input.ts";
import { getUnsubscribe, unsubscribeByToken } from "#worker/domain/mail/unsubscribe.server.ts";
import { sendData, openContext, readText, validatePath } from "../kernel/http.ts";
import { recordMailReport } from "#worker/domain/mail/report.server.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

/** The List-Unsubscribe address (RFC 8058), and the provider's delivery reports, signed over the raw bytes. */
export const unsubscribeApi = apiRoutes()
  .post("/report", async (c) => {
    const header = (name: string) => c.req.header(`svix-${name}`) ?? "";
    const signed = { id: header("id"), timestamp: header("timestamp"), signature: header("signature") };
    const payload = await readText(c.req.raw, SIZE_LIMITS.strangerBytes);
    return sendData(c, await recordMailReport(await openContext(c), payload, signed));
  })
  .get("/off/:token", validatePath(unsubscribePath), async (c) => {
    const { token } = c.req.valid("param");
    await getUnsubscribe(await openContext(c), token);
    return c.redirect(`/mail/off/${encodeURIComponent(token)}`, 302);
  })
  .post("/off/:token", validatePath(unsubscribePath), async (c) => {
    const { token } = c.req.valid("param");
    const done = await unsubscribeByToken(await openContext(c), token);
    if (c.req.header("Accept")?.includes("text/html")) return c.redirect(`/mail/off/${encodeURIComponent(token)}`, 303);
    return sendData(c, done);
  });
