import * as input from "#worker/contract/alumni/certificate-input.ts";
import { reasonInput } from "#worker/contract/kernel/fields.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import * as certificates from "#worker/domain/alumni/certificate.server.ts";
import { requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";

export const certificateApi = apiRoutes()
  .post(
    "/check",
    writeCall(certificates.checkCertificate, sent.bodyWithin(SIZE_LIMITS.strangerBytes, input.checkCertificateInput)),
  )
  .get("/", writeCall(certificates.listOwnCertificates))
  .use(requireSignIn)
  .put("/", creatingCall(certificates.issueOwnCertificate, sent.body(input.issueCertificateInput)))
  .get("/issued", readCall(certificates.listCertificates, sent.query(input.listCertificatesQuery)))
  .put(
    "/issued",
    requireAccess({ action: "ADMIN_Access" }),
    creatingCall(certificates.issueCertificateForPerson, sent.body(input.issueForPersonInput)),
  )
  .post("/:id/withdraw", writeCall(certificates.withdrawCertificate, sent.id, sent.body(reasonInput, "reason")));
