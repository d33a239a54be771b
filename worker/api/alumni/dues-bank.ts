import * as input from "#worker/contract/alumni/dues/bank-input.ts";
import * as bank from "#worker/domain/alumni/dues/bank.server.ts";
import { requireAccess } from "../kernel/access.ts";
import { apiRoutes, creatingCall, readCall, sent, writeCall } from "../kernel/call.ts";

export const adminDepositApi = apiRoutes()
  .use(requireAccess({ action: "Dues_Manage" }))
  .get("/", readCall(bank.listDeposits, sent.query(input.listDepositsQuery)))
  .put("/", creatingCall(bank.recordPayment, sent.body(input.recordPaymentInput)))
  .get("/people", writeCall(bank.findPayers, sent.query(input.findPayersQuery)))
  .post("/plan", writeCall(bank.planDeposits, sent.bodyWithin(input.BANK_FILE_BYTES, input.planDepositsInput)))
  .post("/commit", writeCall(bank.commitDeposits, sent.bodyWithin(input.BANK_FILE_BYTES, input.commitDepositsInput)))
  .post("/:id/allocate", writeCall(bank.allocateDeposit, sent.id, sent.body(input.allocateDepositInput)))
  .post("/:id/release", writeCall(bank.releaseDeposit, sent.id, sent.body(input.depositVersionInput, "version")))
  .post("/:id/state", writeCall(bank.setDepositClosed, sent.id, sent.body(input.depositStateInput)));
