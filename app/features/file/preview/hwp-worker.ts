import init, { HwpDocument } from "@rhwp/core";
import type { Answer, Order } from "#app/features/file/preview/hwp-reader.ts";

// A worker of its own: a document that is made to hang or to crash its reader is ended with it, and the page goes on.

declare global {
  /** Asked by @rhwp/core for how wide a text is. */
  var measureTextWidth: (font: string, text: string) => number;
}

const canvas = new OffscreenCanvas(1, 1).getContext("2d");
globalThis.measureTextWidth = (font, text) => {
  if (!canvas) return 0;
  if (canvas.font !== font) canvas.font = font;
  return canvas.measureText(text).width;
};

const answer = (message: Answer) => postMessage(message);
let opened: HwpDocument | null = null;

async function follow(order: Order): Promise<void> {
  if ("bytes" in order) {
    await init();
    opened = new HwpDocument(new Uint8Array(order.bytes));
    const text = JSON.parse(opened.getTextFileUnicode()) as string;
    answer({ pageCount: opened.pageCount(), text: text.replace(/\r\n?/g, "\n").trim() });
  } else if (opened) {
    answer({ page: order.page, svg: opened.renderPageSvg(order.page) });
  }
}

addEventListener("message", (event: MessageEvent<Order>) => {
  follow(event.data).catch((error: unknown) =>
    answer({ problem: /비밀번호|암호/.test(String(error)) ? "locked" : "broken" }),
  );
});
