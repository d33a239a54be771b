import { Hono } from "hono";
import { offPath } from "#worker/contract/mail/input.ts";
import { getMailOff, turnOffMail } from "#worker/domain/mail/unsubscribe.server.ts";
import { type ApiEnv, ok, opened, path } from "../kernel/http.ts";

/** The address in List-Unsubscribe: mail programs post to it (RFC 8058); who opens it gets the page with the button. */
export const mailApi = new Hono<ApiEnv>()
  .get("/off/:token", path(offPath), async (c) => {
    const { token } = c.req.valid("param");
    await getMailOff(await opened(c), token);
    return c.redirect(`/mail/off/${encodeURIComponent(token)}`, 302);
  })
  .post("/off/:token", path(offPath), async (c) => {
    const { token } = c.req.valid("param");
    const done = await turnOffMail(await opened(c), token);
    // The page's own form, which works without a script, is led back to the page.
    if (c.req.header("Accept")?.includes("text/html")) return c.redirect(`/mail/off/${encodeURIComponent(token)}`, 303);
    return ok(c, done);
  });
