import * as input from "#worker/contract/alumni/dues/due-input.ts";
import { emptyInput } from "#worker/contract/alumni/input.ts";
import { closeAlikeDeposits } from "#worker/domain/alumni/dues/alike.server.ts";
import * as bank from "#worker/domain/alumni/dues/bank.server.ts";
import { chargeDues } from "#worker/domain/alumni/dues/charge.server.ts";
import * as dues from "#worker/domain/alumni/dues/due.server.ts";
import { commitDeposits } from "#worker/domain/alumni/dues/commit.server.ts";
import { planDeposits } from "#worker/domain/alumni/dues/plan.server.ts";
import { undoDueWork } from "#worker/domain/alumni/dues/work.server.ts";
import { recentSecondFactor, requireAccess } from "../kernel/access.ts";
import { apiRoutes, creatingCall, fileCall, readCall, sent, writeCall } from "../kernel/call.ts";

export const adminDueApi = apiRoutes()
  .use(requireAccess({ action: "Dues_Manage" }))
  .get("/", readCall(dues.listDues, sent.query(input.listDuesQuery)))
  .post("/charge", writeCall(chargeDues, sent.bodyWithin(input.PAST_FILE_BYTES, input.chargeDuesInput)))
  .get("/figures", readCall(dues.getDueFigures, sent.query(input.dueFiguresQuery)))
  .get("/paid-by", readCall(dues.listPaidBy, sent.query(input.paidByQuery)))
  .put("/paid-by", creatingCall(dues.fixPaidBy, sent.body(input.fixPaidByInput)))
  .post("/export", recentSecondFactor, fileCall(dues.exportLedger, sent.body(input.exportLedgerInput)))
  .post("/work/:id/undo", writeCall(undoDueWork, sent.id, sent.body(emptyInput)))
  .patch("/:id", writeCall(dues.changeDue, sent.id, sent.body(input.changeDueInput)))
  .delete("/:id", writeCall(dues.deleteDue, sent.id, sent.version));

export const adminDepositApi = apiRoutes()
  .use(requireAccess({ action: "Dues_Manage" }))
  .get("/", readCall(bank.listDeposits, sent.query(input.listDepositsQuery)))
  .put("/", creatingCall(bank.recordPayment, sent.body(input.recordPaymentInput)))
  .get("/people", writeCall(bank.findPayers, sent.query(input.findPayersQuery)))
  .post("/plan", writeCall(planDeposits, sent.bodyWithin(input.BANK_FILE_BYTES, input.planDepositsInput)))
  .post("/commit", writeCall(commitDeposits, sent.bodyWithin(input.BANK_FILE_BYTES, input.commitDepositsInput)))
  .post("/:id/allocate", writeCall(bank.allocateDeposit, sent.id, sent.body(input.allocateDepositInput)))
  .post("/:id/release", writeCall(bank.releaseDeposit, sent.id, sent.body(input.depositVersionInput, "version")))
  .post("/:id/alike", writeCall(closeAlikeDeposits, sent.id, sent.body(input.alikeDepositsInput)))
  .post("/:id/state", writeCall(bank.setDepositClosed, sent.id, sent.body(input.depositStateInput)));
