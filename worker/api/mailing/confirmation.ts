import { noInput, versionQuery } from "#worker/contract/kernel/fields.ts";
import { confirmationPath, correctEntryInput, openEntryInput } from "#worker/contract/mailing/round-input.ts";
import { CONFIRMATION_DONE_PATH } from "#worker/contract/mailing/round-rules.ts";
import { confirmEntry } from "#worker/domain/mailing/confirmation.server.ts";
import { correctEntry, openEntry, sendEntryCode } from "#worker/domain/mailing/correct-entry.server.ts";
import { apiRoutes, writeCall, sent } from "../kernel/call.ts";
import { openContext, sendData, validatePath, validateQuery } from "../kernel/http.ts";

const token = sent.path(confirmationPath, "token");

/** Answers '이 정보가 맞습니까?' from a mail's link. No GET changes anything here. */
export const confirmationApi = apiRoutes()
  .post("/:token/yes", validatePath(confirmationPath), validateQuery(versionQuery), async (c) => {
    const done = await confirmEntry(await openContext(c), c.req.valid("param").token, c.req.valid("query").version);
    if (c.req.header("Accept")?.includes("text/html")) return c.redirect(CONFIRMATION_DONE_PATH, 303) as never;
    return sendData(c, done);
  })
  .post(
    "/:token/code",
    writeCall((ctx, link: string, _nothing: object) => sendEntryCode(ctx, link), token, sent.body(noInput)),
  )
  .post("/:token/open", writeCall(openEntry, token, sent.body(openEntryInput)))
  .post("/:token/correct", writeCall(correctEntry, token, sent.body(correctEntryInput)));
