import type { Document } from "domhandler";
import { DomUtils, parseDocument } from "htmlparser2";

/** Cleaned HTML as a tree; text and attribute values are without entities. */
export const readHtml = (html: string): Document => parseDocument(html);

/** Escapes every text and attribute value of the tree. */
export const writeHtml = (document: Document): string =>
  DomUtils.getInnerHTML(document, { encodeEntities: "utf8", emptyAttrs: true });
