import * as input from "#worker/contract/mailing/input.ts";
import * as mailings from "#worker/domain/mailing/mailing.server.ts";
import { previewMailing, testMailing } from "#worker/domain/mailing/preview-mailing.server.ts";
import * as answers from "#worker/domain/mailing/answers.server.ts";
import { answerQuestion } from "#worker/domain/mailing/question.server.ts";
import { ANSWER_PATH } from "#worker/contract/mailing/question.ts";
import { cancelMailing, resendMailing, sendMailing } from "#worker/domain/mailing/send-mailing.server.ts";
import { apiRoutes, creatingCall, fileCall, responseCall, readCall, sent, writeCall } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/access.ts";
import {
  confirmationPath,
  correctEntryInput,
  mailingVersionInput,
  openEntryInput,
} from "#worker/contract/mailing/input.ts";
import * as rounds from "#worker/domain/mailing/round.server.ts";
import { getRound, listRoundPeople, listRounds } from "#worker/domain/mailing/round-figures.server.ts";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { CONFIRMATION_DONE_PATH } from "#worker/contract/mailing/round.ts";
import { invitePerson } from "#worker/domain/mailing/held.server.ts";
import { confirmJoin } from "#worker/domain/alumni/join.server.ts";
import { confirmEntry, correctEntry, openEntry, sendEntryCode } from "#worker/domain/mailing/confirmation.server.ts";
import { openContext, sendData } from "../kernel/http.ts";

/** An invitation may ask an entry's trusted address, as a round does. */
export const invitationApi = apiRoutes().post("/:id/invite", writeCall(invitePerson, sent.id, sent.body(noInput)));

export const adminMailingApi = apiRoutes()
  .get("/", readCall(mailings.listMailings, sent.query(input.listMailingsQuery)))
  .put("/", creatingCall(mailings.createMailing, sent.body(input.createMailingInput)))
  .get("/:id", readCall(mailings.getMailing, sent.id))
  .patch("/:id", writeCall(mailings.updateMailing, sent.id, sent.body(input.updateMailingInput)))
  .delete("/:id", writeCall(mailings.deleteMailing, sent.id, sent.version))
  .get("/:id/recipient", readCall(mailings.listMailingRecipients, sent.id, sent.query(input.listRecipientsQuery)))
  .post("/:id/preview", readCall(previewMailing, sent.id))
  .post("/:id/test", writeCall(testMailing, sent.id))
  .post("/:id/send", recentSecondFactor, writeCall(sendMailing, sent.id, sent.body(input.sendMailingInput)))
  .post("/:id/cancel", writeCall(cancelMailing, sent.id, sent.body(input.mailingVersionInput, "version")))
  .post("/:id/resend", recentSecondFactor, writeCall(resendMailing, sent.id, sent.body(input.resendMailingInput)))
  .get("/:id/question", readCall(answers.getAnswers, sent.id))
  .get("/:id/question/person", readCall(answers.listAnswers, sent.id, sent.query(input.listAnswersQuery)))
  .post(
    "/:id/question/export",
    recentSecondFactor,
    fileCall(answers.exportAnswers, sent.id, sent.body(input.exportAnswersInput)),
  )
  .put(
    "/:id/question/reminder",
    creatingCall(answers.remindUnanswered, sent.id, sent.body(input.mailingVersionInput, "version")),
  )
  .post(
    "/:id/question/close",
    writeCall(answers.closeQuestion, sent.id, sent.body(input.mailingVersionInput, "version")),
  );

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

const token = sent.path(confirmationPath, "token");

/** Answers '이 정보가 맞습니까?' from a mail's link. No GET changes anything here. */
export const confirmationApi = apiRoutes()
  .post(
    "/:token/yes",
    responseCall(
      async (c, link, version) => {
        const done = await confirmEntry(await openContext(c), link, version);
        if (c.req.header("Accept")?.includes("text/html")) return c.redirect(CONFIRMATION_DONE_PATH, 303) as never;
        return sendData(c, done);
      },
      token,
      sent.version,
    ),
  )
  .post(
    "/join/:token",
    responseCall(async (c, link) => {
      const done = await confirmJoin(await openContext(c), link);
      if (c.req.header("Accept")?.includes("text/html"))
        return c.redirect(`/mail/join/${encodeURIComponent(link)}`, 303) as never;
      return sendData(c, done);
    }, token),
  )
  .post(
    "/:token/code",
    writeCall((ctx, link: string, _nothing: object) => sendEntryCode(ctx, link), token, sent.body(noInput)),
  )
  .post("/:token/open", writeCall(openEntry, token, sent.body(openEntryInput)))
  .post("/:token/correct", writeCall(correctEntry, token, sent.body(correctEntryInput)));

const chosen = sent.path(input.answerPath);

/** Answers the question of a mailing from a letter's link. No GET changes anything here. */
export const mailingAnswerApi = apiRoutes().post(
  "/:token/:answer",
  responseCall(async (c, { token: link, answer }) => {
    const done = await answerQuestion(await openContext(c), link, answer);
    if (c.req.header("Accept")?.includes("text/html"))
      return c.redirect(`${ANSWER_PATH}${link}/${answer}`, 303) as never;
    return sendData(c, done);
  }, chosen),
);
