import { idPath } from "#worker/contract/kernel/fields.ts";
import { notificationsInput } from "#worker/contract/mail/input.ts";
import { changeNotifications, listNotifications } from "#worker/domain/board/follow.server.ts";
import { apiRoutes, contextCall, fromPath, fromBody } from "../kernel/call.ts";

/** Which notifications a person gets; it stands under `/user`. */
export const notificationApi = apiRoutes()
  .get("/:id/notices", contextCall(listNotifications, fromPath(idPath, "id")))
  .patch("/:id/notices", contextCall(changeNotifications, fromPath(idPath, "id"), fromBody(notificationsInput)));
