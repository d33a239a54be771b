import { emptyInput } from "#worker/contract/alumni/input.ts";
import { createAlumniViewInput, updateAlumniViewInput } from "#worker/contract/alumni/list-view-input.ts";
import * as views from "#worker/domain/alumni/list-view.server.ts";
import { apiRoutes, writeCall, creatingCall, sent } from "../kernel/call.ts";

export const alumniViewApi = apiRoutes()
  .put("/", creatingCall(views.createAlumniView, sent.body(createAlumniViewInput)))
  .patch("/:id", writeCall(views.updateAlumniView, sent.id, sent.body(updateAlumniViewInput)))
  .delete("/:id", writeCall(views.deleteAlumniView, sent.id, sent.version))
  .post("/:id/restore", writeCall(views.restoreAlumniView, sent.id, sent.body(emptyInput)));
