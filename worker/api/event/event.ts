import { itemPath } from "#worker/contract/board/input.ts";
import * as input from "#worker/contract/event/input.ts";
import * as changes from "#worker/domain/event/change.server.ts";
import * as certificates from "#worker/domain/event/certificate.server.ts";
import * as decisions from "#worker/domain/event/decide.server.ts";
import * as events from "#worker/domain/event/event.server.ts";
import * as figures from "#worker/domain/event/figures.server.ts";
import * as fees from "#worker/domain/event/fee.server.ts";
import * as guests from "#worker/domain/event/guest.server.ts";
import * as list from "#worker/domain/event/registration-list.server.ts";
import * as mailings from "#worker/domain/event/mailing.server.ts";
import * as own from "#worker/domain/event/own-registrations.server.ts";
import * as registrations from "#worker/domain/event/registration.server.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { recentSecondFactor, requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, creatingCall, fileCall, readCall, sent, writeCall } from "../kernel/call.ts";

const path = sent.path(itemPath);

export const eventApi = apiRoutes()
  .use(requireSignIn)
  .get("/", readCall(own.listOwnRegistrations, sent.query(input.ownRegistrationsQuery)))
  .patch("/registration/:id", writeCall(registrations.changeAnswers, sent.id, sent.body(input.changeAnswersInput)))
  .post(
    "/registration/:id/cancel",
    writeCall(registrations.cancelRegistration, sent.id, sent.body(input.cancelRegistrationInput)),
  )
  .get("/:boardCode/:itemNo", readCall(registrations.getRegistrationPage, path))
  .post("/:boardCode/:itemNo", creatingCall(registrations.register, path, sent.body(input.registerInput)));

const link = sent.path(input.guestLink, "token");

/** For people without an account. */
export const guestEventApi = apiRoutes()
  .patch(
    "/registration/:token",
    writeCall(
      guests.changeGuestAnswers,
      link,
      sent.bodyWithin(SIZE_LIMITS.strangerFormBytes, input.changeAnswersInput),
    ),
  )
  .post(
    "/registration/:token/cancel",
    writeCall(
      guests.cancelGuestRegistration,
      link,
      sent.bodyWithin(SIZE_LIMITS.strangerBytes, input.cancelRegistrationInput),
    ),
  )
  .post(
    "/:boardCode/:itemNo",
    creatingCall(guests.registerGuest, path, sent.bodyWithin(SIZE_LIMITS.strangerFormBytes, input.registerGuestInput)),
  );

export const adminEventApi = apiRoutes()
  .use(requireAccess({ action: "Event_Manage" }))
  .get("/", readCall(events.listEvents, sent.query(input.listEventsQuery)))
  .get("/item", readCall(events.listEventItems))
  .post(
    "/registration/:id/up",
    writeCall(decisions.moveUpRegistration, sent.id, sent.body(input.decideRegistrationInput)),
  )
  .post(
    "/registration/:id/cancel",
    writeCall(decisions.cancelByOffice, sent.id, sent.body(input.decideRegistrationInput)),
  )
  .post("/registration/:id/refund", writeCall(fees.refundFee, sent.id, sent.body(input.refundFeeInput)))
  .post("/registration/:id/attendance", writeCall(decisions.markAttendance, sent.id, sent.body(input.attendanceInput)))
  .get("/:boardCode/:itemNo", readCall(events.getEventPage, path))
  .put("/:boardCode/:itemNo", writeCall(events.openRegistration, path, sent.body(input.openRegistrationInput)))
  .patch("/:boardCode/:itemNo", writeCall(events.updateRegistration, path, sent.body(input.updateRegistrationInput)))
  .delete("/:boardCode/:itemNo", writeCall(events.deleteRegistration, path, sent.version))
  .get(
    "/:boardCode/:itemNo/registration",
    readCall(list.listRegistrations, path, sent.query(input.listRegistrationsQuery)),
  )
  .get("/:boardCode/:itemNo/figures", readCall(figures.getEventFigures, path))
  .post(
    "/:boardCode/:itemNo/registration",
    creatingCall(decisions.addRegistration, path, sent.body(input.addRegistrationInput)),
  )
  .post("/:boardCode/:itemNo/move", writeCall(changes.moveEvent, path, sent.body(input.moveEventInput)))
  .post("/:boardCode/:itemNo/call-off", writeCall(changes.callOffEvent, path, sent.body(input.callOffEventInput)))
  .post(
    "/:boardCode/:itemNo/mailing",
    creatingCall(mailings.mailRegistered, path, sent.body(input.mailRegisteredInput)),
  )
  .post("/:boardCode/:itemNo/certificate", writeCall(certificates.issueForPresent, path))
  .post(
    "/:boardCode/:itemNo/print-data",
    recentSecondFactor,
    writeCall(list.printNameTags, path, sent.body(input.printNameTagsInput)),
  )
  .post(
    "/:boardCode/:itemNo/export",
    recentSecondFactor,
    fileCall(list.exportRegistrations, path, sent.body(input.exportRegistrationsInput)),
  );
