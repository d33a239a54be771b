import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** LibreOffice is optional. Without it the stored fixture is used. */
const isInstalled = (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, "soffice")));
const XML_HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n';
const LIBRARY = `${XML_HEADER}<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false">
 <library:element library:name="Module1"/>
</library:library>`;

/** `FIXTURES=write` stores the result for machines without LibreOffice. */
function keepFixture<T extends string | Buffer>(fixture: string, made: T): T {
  if (process.env.FIXTURES === "write") writeFileSync(fixture, made);
  return made;
}

function runOffice(folder: string, ...args: string[]): void {
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile"))}`;
  execFileSync("soffice", [profile, "--headless", "--norestore", ...args], { stdio: "ignore", timeout: 120_000 });
}

function withTemporaryFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "hoewon-office-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function editWithOffice(book: Buffer, cells: Record<string, string | number>, fixture: string): Buffer {
  if (!isInstalled) return readFileSync(fixture);
  return withTemporaryFolder((folder) => {
    const [from, to] = [join(folder, "book.xlsx"), join(folder, "edited.xlsx")];
    writeFileSync(from, book);
    const typed = Object.entries(cells).map(([cell, value]) =>
      typeof value === "number"
        ? `s.getCellRangeByName("${cell}").Value = ${value}`
        : `s.getCellRangeByName("${cell}").String = "${value}"`,
    );
    const macro = `Sub Edit
Dim p(0) As New com.sun.star.beans.PropertyValue
p(0).Name = "Hidden"
p(0).Value = True
d = StarDesktop.loadComponentFromURL("${pathToFileURL(from)}", "_blank", 0, p())
s = d.Sheets.getByIndex(0)
${typed.join("\n")}
Dim f(0) As New com.sun.star.beans.PropertyValue
f(0).Name = "FilterName"
f(0).Value = "Calc MS Excel 2007 XML"
d.storeToURL("${pathToFileURL(to)}", f())
d.close(True)
End Sub`;
    // The first start creates the profile and would overwrite our module.
    runOffice(folder, "--terminate_after_init");
    const basic = join(folder, "profile/user/basic/Standard");
    mkdirSync(basic, { recursive: true });
    writeFileSync(join(basic, "script.xlb"), LIBRARY);
    writeFileSync(
      join(basic, "Module1.xba"),
      `${XML_HEADER}<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
${macro}
</script:module>`,
    );
    runOffice(folder, "macro:///Standard.Module1.Edit");
    return keepFixture(fixture, readFileSync(to));
  });
}

/** Converts a file to UTF-8 CSV in LibreOffice, with quoted texts and unquoted numbers. */
export function convertToCsvWithOffice(fileName: string, bytes: Buffer, fixture: string): string {
  if (!isInstalled) return readFileSync(fixture, "utf8");
  return withTemporaryFolder((folder) => {
    const from = join(folder, fileName);
    writeFileSync(from, bytes);
    // Comma, quotation mark, UTF-8, from line 1, no column formats, quoted texts, numbers as shown.
    runOffice(
      folder,
      "--convert-to",
      "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true",
      "--outdir",
      folder,
      from,
    );
    return keepFixture(fixture, readFileSync(join(folder, `${basename(fileName, extname(fileName))}.csv`), "utf8"));
  });
}
