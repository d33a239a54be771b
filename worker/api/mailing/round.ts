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
import {
  apiRoutes,
  contextCall,
  creatingCall,
  fromBody,
  fromQuery,
  pathId,
  queryVersion,
  scopeCall,
} from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

/** Rounds in which people of the address book are asked whether their entry is right. */
export const adminRoundApi = apiRoutes()
  .get("/", scopeCall(listRounds, fromQuery(listRoundsQuery)))
  .put("/", creatingCall(createRound, fromBody(createRoundInput)))
  .get("/:id", scopeCall(getRound, pathId))
  .delete("/:id", contextCall(deleteRound, pathId, queryVersion))
  .get("/:id/person", scopeCall(listRoundPeople, pathId, fromQuery(listRoundPeopleQuery)))
  .post("/:id/preview", contextCall(previewRound, pathId))
  .post("/:id/start", recentSecondFactor, contextCall(startRound, pathId, fromBody(startRoundInput)))
  .post("/:id/repeat", contextCall(repeatRound, pathId, fromBody(repeatRoundInput)))
  .post("/:id/close", contextCall(closeRound, pathId, fromBody(mailingVersionInput, "version")));
