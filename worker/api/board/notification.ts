import { listActivityQuery, notificationsInput, readActivityInput } from "#worker/contract/mail/input.ts";
import { changeNotifications, listNotifications } from "#worker/domain/board/follow.server.ts";
import { readActivity } from "#worker/domain/mail/activity.server.ts";
import { listActivity } from "#worker/domain/board/activity-list.server.ts";
import { apiRoutes, writeCall, sent } from "../kernel/call.ts";

export const notificationApi = apiRoutes()
  .get("/:id/notices", writeCall(listNotifications, sent.id))
  .patch("/:id/notices", writeCall(changeNotifications, sent.id, sent.body(notificationsInput)))
  .get("/:id/activity", writeCall(listActivity, sent.id, sent.query(listActivityQuery)))
  .post("/:id/activity/read", writeCall(readActivity, sent.id, sent.body(readActivityInput)));
