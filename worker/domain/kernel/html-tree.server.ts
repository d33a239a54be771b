import type { Document } from "domhandler";
import { DomUtils, parseDocument } from "htmlparser2";

export const readHtml = (html: string): Document => {
  // Skips whole texts instead of single letters if there are no entities.
  return parseDocument(html, { decodeEntities: html.includes("&") });
};

export const writeHtml = (document: Document): string =>
  DomUtils.getInnerHTML(document, { encodeEntities: "utf8", emptyAttrs: true });
