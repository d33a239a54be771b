import { Hono } from "hono";
import { z } from "zod";
import { idField } from "#worker/contract/kernel/fields.ts";
import { notificationsInput } from "#worker/contract/mail/input.ts";
import { changeNotifications, listNotifications } from "#worker/domain/board/follow.server.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath } from "../kernel/http.ts";

const userPath = validatePath(z.object({ id: idField }));

/** Which notifications a person gets; it stands under `/user`. */
export const notificationApi = new Hono<ApiEnv>()
  .get("/:id/notices", userPath, async (c) =>
    sendData(c, await listNotifications(await openContext(c), c.req.valid("param").id)),
  )
  .patch("/:id/notices", userPath, validateBody(notificationsInput), async (c) =>
    sendData(c, await changeNotifications(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  );
