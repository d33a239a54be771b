import {
  checkCertificateInput,
  issueCertificateInput,
  issueForPersonInput,
  listCertificatesQuery,
} from "#worker/contract/alumni/certificate-input.ts";
import { reasonInput } from "#worker/contract/kernel/fields.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import {
  checkCertificate,
  issueCertificateForPerson,
  issueOwnCertificate,
  listCertificates,
  listOwnCertificates,
  withdrawCertificate,
} from "#worker/domain/alumni/certificate.server.ts";
import { requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";

/** Certificates: one's own, those of the office, and for anybody whether one holds. */
export const certificateApi = apiRoutes()
  .post("/check", contextCall(checkCertificate, sent.bodyWithin(SIZE_LIMITS.strangerBytes, checkCertificateInput)))
  .get("/", contextCall(listOwnCertificates))
  .use(requireSignIn)
  .put("/", creatingCall(issueOwnCertificate, sent.body(issueCertificateInput)))
  .get("/issued", scopeCall(listCertificates, sent.query(listCertificatesQuery)))
  .put(
    "/issued",
    requireAccess({ action: "ADMIN_Access" }),
    creatingCall(issueCertificateForPerson, sent.body(issueForPersonInput)),
  )
  .post("/:id/withdraw", contextCall(withdrawCertificate, sent.id, sent.body(reasonInput, "reason")));
