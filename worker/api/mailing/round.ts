import { idPath, versionQuery } from "#worker/contract/kernel/fields.ts";
import { mailingVersionInput } from "#worker/contract/mailing/input.ts";
import {
  createRoundInput,
  listRoundPeopleQuery,
  listRoundsQuery,
  repeatRoundInput,
  startRoundInput,
} from "#worker/contract/mailing/round-input.ts";
import {
  closeRound,
  createRound,
  deleteRound,
  previewRound,
  repeatRound,
  startRound,
} from "#worker/domain/mailing/round.server.ts";
import { getRound, listRoundPeople, listRounds } from "#worker/domain/mailing/round-figures.server.ts";
import { apiRoutes, contextCall, creatingCall, fromBody, fromPath, fromQuery, scopeCall } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

/** Rounds in which people of the address book are asked whether their entry is right. */
export const adminRoundApi = apiRoutes()
  .get("/", scopeCall(listRounds, fromQuery(listRoundsQuery)))
  .put("/", creatingCall(createRound, fromBody(createRoundInput)))
  .get("/:id", contextCall(getRound, fromPath(idPath, "id")))
  .delete("/:id", contextCall(deleteRound, fromPath(idPath, "id"), fromQuery(versionQuery, "version")))
  .get("/:id/person", contextCall(listRoundPeople, fromPath(idPath, "id"), fromQuery(listRoundPeopleQuery)))
  .post("/:id/preview", contextCall(previewRound, fromPath(idPath, "id")))
  .post("/:id/start", recentSecondFactor, contextCall(startRound, fromPath(idPath, "id"), fromBody(startRoundInput)))
  .post("/:id/repeat", contextCall(repeatRound, fromPath(idPath, "id"), fromBody(repeatRoundInput)))
  .post("/:id/close", contextCall(closeRound, fromPath(idPath, "id"), fromBody(mailingVersionInput, "version")));
