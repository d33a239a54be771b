import init, { HwpDocument } from "@rhwp/core";
import type { HwpResponse, HwpRequest } from "./hwp-reader.ts";

// Runs in its own worker so that a malicious document cannot hang the page.

declare global {
  /** @rhwp/core calls it to measure the width of a text. */
  var measureTextWidth: (font: string, text: string) => number;
}

const canvas = new OffscreenCanvas(1, 1).getContext("2d");
globalThis.measureTextWidth = (font, text) => {
  if (!canvas) return 0;
  if (canvas.font !== font) canvas.font = font;
  return canvas.measureText(text).width;
};

const postAnswer = (message: HwpResponse) => postMessage(message);
let openDocument: HwpDocument | null = null;

async function followRequest(order: HwpRequest): Promise<void> {
  if ("bytes" in order) {
    await init();
    openDocument = new HwpDocument(new Uint8Array(order.bytes));
    const text = JSON.parse(openDocument.getTextFileUnicode()) as string;
    postAnswer({ pageCount: openDocument.pageCount(), text: text.replace(/\r\n?/g, "\n").trim() });
  } else if (openDocument) {
    postAnswer({ page: order.page, svg: openDocument.renderPageSvg(order.page) });
  }
}

addEventListener("message", (event: MessageEvent<HwpRequest>) => {
  followRequest(event.data).catch((error: unknown) =>
    postAnswer({ problem: /비밀번호|암호/.test(String(error)) ? "locked" : "broken" }),
  );
});
