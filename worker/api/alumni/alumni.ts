import {
  alumniSheetName,
  createImportTemplate,
  exportAlumni,
  getSheetToServe,
} from "#worker/domain/alumni/export.server.ts";
import * as input from "#worker/contract/alumni/input.ts";
import { ownFilePath } from "#worker/contract/alumni/own-field-input.ts";
import {
  alumniImportPath,
  countPrintInput,
  emptyInput,
  printAlumniInput,
  segmentFiguresInput,
} from "#worker/contract/alumni/input.ts";
import { listDeeds } from "#worker/domain/alumni/deed/deed-list.server.ts";
import { destroySeveralAlumni, listDeletedAlumni, restoreSeveralAlumni } from "#worker/domain/alumni/deleted.server.ts";
import { listDuplicates, setNotDuplicate } from "#worker/domain/alumni/duplicate.server.ts";
import { listPersonDues } from "#worker/domain/alumni/dues/person.server.ts";
import { changeAlumni } from "#worker/domain/alumni/change.server.ts";
import { listMerges, mergeAlumni, undoMerge } from "#worker/domain/alumni/merge.server.ts";
import { countSegmentFigures } from "#worker/domain/alumni/figures.server.ts";
import { importAlumni, issueImportUploadUrl } from "#worker/domain/alumni/import/import.server.ts";
import { listImportForms } from "#worker/domain/alumni/import/memory.server.ts";
import { listImports, undoImport } from "#worker/domain/alumni/import/undo.server.ts";
import { listAddresses, listAlumni } from "#worker/domain/alumni/list.server.ts";
import { countPrint, printAlumni } from "#worker/domain/alumni/print.server.ts";
import { listSelectedAlumni } from "#worker/domain/alumni/segment.server.ts";
import { getOwnFile } from "#worker/domain/alumni/own-field.server.ts";
import * as join from "#worker/domain/alumni/join.server.ts";
import * as people from "#worker/domain/alumni/write.server.ts";
import type { AccessQuestion } from "#worker/domain/kernel/authorize.server.ts";
import { fetchStoredFile } from "#worker/domain/file/read.server.ts";
import { fileHeaders, serveFile } from "../file/file.ts";
import { contentDisposition, openContext } from "../kernel/http.ts";
import { recentSecondFactor, requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, creatingCall, responseCall, readCall, sent, writeCall } from "../kernel/call.ts";
import {
  commitImportInput,
  correctCellsInput,
  importPartInput,
  importPartPath,
  openImportInput,
  previewImportInput,
} from "#worker/contract/alumni/import/input.ts";
import { ALUMNI_LIMITS, SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import {
  commitReceivedImport,
  correctImportCells,
  discardImport,
  getOpenImport,
  openImport,
  previewReceivedImport,
  putImportPart,
} from "#worker/domain/alumni/import/parts.server.ts";
import { createAlumniViewInput, updateAlumniViewInput } from "#worker/contract/alumni/list-view-input.ts";
import * as views from "#worker/domain/alumni/list-view.server.ts";
import { reasonInput } from "#worker/contract/kernel/fields.ts";
import { getSeal } from "#worker/domain/alumni/certificate-kind.server.ts";
import * as certificates from "#worker/domain/alumni/certificate.server.ts";

const alumniViewApi = apiRoutes()
  .put("/", creatingCall(views.createAlumniView, sent.body(createAlumniViewInput)))
  .patch("/:id", writeCall(views.updateAlumniView, sent.id, sent.body(updateAlumniViewInput)))
  .delete("/:id", writeCall(views.deleteAlumniView, sent.id, sent.version))
  .post("/:id/restore", writeCall(views.restoreAlumniView, sent.id, sent.body(emptyInput)));

const importPartsApi = apiRoutes()
  .use(requireAccess({ action: "Alumni_Import" }))
  .get("/form", writeCall(listImportForms))
  .get("/open", writeCall(getOpenImport))
  .post("/open", creatingCall(openImport, sent.body(openImportInput)))
  .put(
    "/:importId/part/:partNo",
    writeCall(
      putImportPart,
      sent.path(importPartPath, "importId"),
      sent.path(importPartPath, "partNo"),
      sent.bodyWithin(ALUMNI_LIMITS.partBytes, importPartInput),
    ),
  )
  .patch(
    "/:importId/cells",
    writeCall(
      correctImportCells,
      sent.path(alumniImportPath, "importId"),
      sent.bodyWithin(ALUMNI_LIMITS.partBytes, correctCellsInput),
    ),
  )
  .post(
    "/:importId/plan",
    writeCall(previewReceivedImport, sent.path(alumniImportPath, "importId"), sent.body(previewImportInput)),
  )
  .post(
    "/:importId/commit",
    writeCall(commitReceivedImport, sent.path(alumniImportPath, "importId"), sent.body(commitImportInput)),
  )
  .delete("/:importId", writeCall(discardImport, sent.path(alumniImportPath, "importId"), sent.body(emptyInput)));

const TEMPLATE_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Members correct their own entry with Alumni_Read alone. */
const ALUMNI_QUESTIONS = [
  { action: "Alumni_Read" },
  { action: "Alumni_Write" },
  { action: "Alumni_Delete" },
  { action: "Alumni_Export" },
  { action: "Alumni_Import" },
] as const satisfies AccessQuestion[];
const requireImport = requireAccess({ action: "Alumni_Import" });

/** The member's entry of the address book: found, proposed, created and joined by the office. */
export const adminMemberEntryApi = apiRoutes()
  .get("/:id/entry", writeCall(join.getMemberEntry, sent.id))
  .post("/:id/join", recentSecondFactor, writeCall(join.joinMember, sent.id, sent.body(input.joinMemberInput)))
  .post("/:id/entry", writeCall(join.putMemberInBook, sent.id, sent.body(emptyInput)));

export const alumniApi = apiRoutes()
  // Before the address book's rights: a treasurer has deeds of dues alone.
  .get("/deed", readCall(listDeeds))
  .use(requireAccess(...ALUMNI_QUESTIONS))
  .get("/", readCall(listAlumni, sent.query(input.listAlumniQuery)))
  .put("/", creatingCall(people.createAlumni, sent.body(input.createAlumniInput)))
  .get(
    "/:id/file/:code",
    responseCall(
      async (c, { id, code }) => serveFile(c, await getOwnFile(await openContext(c), id, code), false),
      sent.path(ownFilePath),
    ),
  )
  .patch("/:id", writeCall(people.updateAlumni, sent.id, sent.body(input.updateAlumniInput)))
  .get("/:id/dues", writeCall(listPersonDues, sent.id))
  .delete("/:id", writeCall(people.deleteAlumni, sent.id))
  .post("/delete-data", writeCall(people.deleteSeveralAlumni, sent.body(input.deleteAlumniInput, "ids")))
  .post("/bulk", writeCall(changeAlumni, sent.body(input.changeAlumniInput)))
  .get("/bin", readCall(listDeletedAlumni, sent.query(input.deletedAlumniQuery)))
  .post("/restore-data", writeCall(restoreSeveralAlumni, sent.body(input.deleteAlumniInput, "ids")))
  .post("/destroy-data", recentSecondFactor, writeCall(destroySeveralAlumni, sent.body(input.deleteAlumniInput, "ids")))
  .get("/address", requireImport, writeCall(listAddresses, sent.query(input.listAddressesQuery)))
  .post("/selected", writeCall(listSelectedAlumni, sent.body(input.listSelectedInput)))
  .route("/view", alumniViewApi)
  .get("/duplicate", writeCall(listDuplicates, sent.query(input.duplicatesQuery)))
  .post("/distinct", writeCall(setNotDuplicate, sent.body(input.notDuplicateInput)))
  .get("/merge", writeCall(listMerges))
  .post("/merge", creatingCall(mergeAlumni, sent.body(input.mergeAlumniInput)))
  .post(
    "/merge/:mergeId/undo",
    writeCall(undoMerge, sent.path(input.alumniMergePath, "mergeId"), sent.body(input.emptyInput)),
  )
  .post("/:id/restore", writeCall(people.restoreAlumni, sent.id, sent.body(input.emptyInput)))
  .post(
    "/export-data",
    requireAccess({ action: "Alumni_Export" }),
    recentSecondFactor,
    writeCall(exportAlumni, sent.body(input.exportAlumniInput)),
  )
  .post("/figures", writeCall(countSegmentFigures, sent.body(segmentFiguresInput)))
  .post("/print-count", requireAccess({ action: "Alumni_Export" }), writeCall(countPrint, sent.body(countPrintInput)))
  .post(
    "/print-data",
    requireAccess({ action: "Alumni_Export" }),
    recentSecondFactor,
    writeCall(printAlumni, sent.body(printAlumniInput)),
  )
  .get(
    "/export-data/:ticket",
    responseCall(
      async (c, ticket) => {
        const file = await getSheetToServe(c.var.scope, ticket);
        const headers = fileHeaders(file, true);
        headers.set("Content-Length", String(file.size));
        return new Response(await fetchStoredFile(c.env.FILES, file.storageKey, null), { headers });
      },
      sent.path(input.alumniExportPath, "ticket"),
    ),
  )
  .get("/import-template", async (c) => {
    const ctx = await openContext(c);
    const template = await createImportTemplate(ctx);
    const headers = {
      "Content-Type": TEMPLATE_TYPE,
      "Content-Disposition": contentDisposition("attachment", `${alumniSheetName(ctx)}_양식.xlsx`),
    };
    return new Response(template, { headers });
  })
  .post("/upload-url", requireImport, writeCall(issueImportUploadUrl, sent.body(input.importUploadInput)))
  .post("/import-data", requireImport, creatingCall(importAlumni, sent.body(input.importAlumniInput)))
  // Before the parts, which need Alumni_Import: an editor undoes a change of fields.
  .post(
    "/import/:importId/undo",
    writeCall(undoImport, sent.path(input.alumniImportPath, "importId"), sent.body(input.emptyInput)),
  )
  .get("/import", writeCall(listImports))
  .route("/import", importPartsApi);

export const certificateApi = apiRoutes()
  .post(
    "/check",
    writeCall(certificates.checkCertificate, sent.bodyWithin(SIZE_LIMITS.strangerBytes, input.checkCertificateInput)),
  )
  .get("/", writeCall(certificates.listOwnCertificates))
  .use(requireSignIn)
  .put("/", creatingCall(certificates.issueOwnCertificate, sent.body(input.issueCertificateInput)))
  .get(
    "/seal/:sealId",
    responseCall(
      async (c, sealId) => serveFile(c, await getSeal(await openContext(c), sealId), false),
      sent.path(input.sealPath, "sealId"),
    ),
  )
  .get("/issued", readCall(certificates.listCertificates, sent.query(input.listCertificatesQuery)))
  .put(
    "/issued",
    requireAccess({ action: "ADMIN_Access" }),
    creatingCall(certificates.issueForPeople, sent.body(input.issueForPeopleInput)),
  )
  .post(
    "/preview",
    requireAccess({ action: "ADMIN_Access" }),
    writeCall(certificates.previewCertificates, sent.body(input.previewCertificatesInput)),
  )
  .post("/:id/withdraw", writeCall(certificates.withdrawCertificate, sent.id, sent.body(reasonInput, "reason")));
