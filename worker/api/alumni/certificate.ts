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
import {
  apiRoutes,
  contextCall,
  creatingCall,
  fromBody,
  fromBodyWithin,
  fromQuery,
  pathId,
  scopeCall,
} from "../kernel/call.ts";

/** Certificates: one's own, those of the office, and for anybody whether one holds. */
export const certificateApi = apiRoutes()
  .post("/check", contextCall(checkCertificate, fromBodyWithin(SIZE_LIMITS.strangerBytes, checkCertificateInput)))
  .get("/", contextCall(listOwnCertificates))
  .use(requireSignIn)
  .put("/", creatingCall(issueOwnCertificate, fromBody(issueCertificateInput)))
  .get("/issued", scopeCall(listCertificates, fromQuery(listCertificatesQuery)))
  .put(
    "/issued",
    requireAccess({ action: "ADMIN_Access" }),
    creatingCall(issueCertificateForPerson, fromBody(issueForPersonInput)),
  )
  .post("/:id/withdraw", contextCall(withdrawCertificate, pathId, fromBody(reasonInput, "reason")));
