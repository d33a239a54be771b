import { idPath } from "#worker/contract/kernel/fields.ts";
import { listActivityQuery, notificationsInput, readActivityInput } from "#worker/contract/mail/input.ts";
import { changeNotifications, listNotifications } from "#worker/domain/board/follow.server.ts";
import { readActivity } from "#worker/domain/mail/activity.server.ts";
import { listActivity } from "#worker/domain/board/activity-list.server.ts";
import { apiRoutes, contextCall, fromPath, fromBody, fromQuery } from "../kernel/call.ts";

/** Which notifications a person gets, and what they were told inside the site; it stands under `/user`. */
export const notificationApi = apiRoutes()
  .get("/:id/notices", contextCall(listNotifications, fromPath(idPath, "id")))
  .patch("/:id/notices", contextCall(changeNotifications, fromPath(idPath, "id"), fromBody(notificationsInput)))
  .get("/:id/activity", contextCall(listActivity, fromPath(idPath, "id"), fromQuery(listActivityQuery)))
  .post("/:id/activity/read", contextCall(readActivity, fromPath(idPath, "id"), fromBody(readActivityInput)));
