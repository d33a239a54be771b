import type { Document } from "domhandler";
import { DomUtils, parseDocument } from "htmlparser2";

export const readHtml = (html: string): Document => parseDocument(html);

export const writeHtml = (document: Document): string =>
  DomUtils.getInnerHTML(document, { encodeEntities: "utf8", emptyAttrs: true });
