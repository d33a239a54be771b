import { unzipSync } from "fflate";
import { fixture } from "../../api/alumni/workbooks.ts";
import archive from "../../fixtures/alumni/libreoffice.zip?inline";

/** Files made by LibreOffice with test/fixtures/alumni/make-sheets.py. */
export const LIBREOFFICE_FILES = new Map(
  Object.entries(unzipSync(fixture(archive))).map(([name, bytes]) => [name, () => new Uint8Array(bytes)]),
);
