import { apiRoutes } from "../kernel/call.ts";
import { unsubscribePath } from "#worker/contract/mail/input.ts";
import { getUnsubscribe, unsubscribeByToken } from "#worker/domain/mail/unsubscribe.server.ts";
import { sendData, openContext, validatePath } from "../kernel/http.ts";

/** The address in List-Unsubscribe: mail programs post to it (RFC 8058); who opens it gets the page with the button. */
export const unsubscribeApi = apiRoutes()
  .get("/off/:token", validatePath(unsubscribePath), async (c) => {
    const { token } = c.req.valid("param");
    await getUnsubscribe(await openContext(c), token);
    return c.redirect(`/mail/off/${encodeURIComponent(token)}`, 302);
  })
  .post("/off/:token", validatePath(unsubscribePath), async (c) => {
    const { token } = c.req.valid("param");
    const done = await unsubscribeByToken(await openContext(c), token);
    // The page's own form, which works without a script, is led back to the page.
    if (c.req.header("Accept")?.includes("text/html")) return c.redirect(`/mail/off/${encodeURIComponent(token)}`, 303);
    return sendData(c, done);
  });
