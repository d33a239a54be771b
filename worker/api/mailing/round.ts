import { mailingVersionInput } from "#worker/contract/mailing/input.ts";
import * as input from "#worker/contract/mailing/round-input.ts";
import * as rounds from "#worker/domain/mailing/round.server.ts";
import { getRound, listRoundPeople, listRounds } from "#worker/domain/mailing/round-figures.server.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminRoundApi = apiRoutes()
  .get("/", readCall(listRounds, sent.query(input.listRoundsQuery)))
  .put("/", creatingCall(rounds.createRound, sent.body(input.createRoundInput)))
  .get("/:id", readCall(getRound, sent.id))
  .delete("/:id", writeCall(rounds.deleteRound, sent.id, sent.version))
  .get("/:id/person", readCall(listRoundPeople, sent.id, sent.query(input.listRoundPeopleQuery)))
  .post("/:id/preview", readCall(rounds.previewRound, sent.id))
  .post("/:id/start", recentSecondFactor, writeCall(rounds.startRound, sent.id, sent.body(input.startRoundInput)))
  .post("/:id/repeat", recentSecondFactor, writeCall(rounds.repeatRound, sent.id, sent.body(input.repeatRoundInput)))
  .post("/:id/close", writeCall(rounds.closeRound, sent.id, sent.body(mailingVersionInput, "version")));
