/** Files made by LibreOffice with test/fixtures/alumni/libreoffice/make-sheets.py. */
const INLINE = import.meta.glob<string>("../../fixtures/alumni/libreoffice/*.{ods,xlsx,xls,csv}", {
  eager: true,
  query: "?inline",
  import: "default",
});

export const LIBREOFFICE_FILES: ReadonlyMap<string, () => Uint8Array<ArrayBuffer>> = new Map(
  Object.entries(INLINE).map(([path, inline]) => [
    path.replace(/.*\//, ""),
    () => Uint8Array.from(atob(inline.slice(inline.indexOf(",") + 1)), (letter) => letter.codePointAt(0) ?? 0),
  ]),
);
