import { cleanSvg } from "#app/features/file/preview/clean-svg.ts";

const OPEN_MS = 30_000;
const PAGE_MS = 15_000;

export class UnreadableDocumentError extends Error {
  readonly problem: HwpProblem;
  constructor(problem: HwpProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Reads a HWP document in a worker that is terminated on timeout; one request at a time. */
export class HwpReader {
  readonly #worker: Worker;

  constructor() {
    if (typeof OffscreenCanvas === "undefined") throw new UnreadableDocumentError("unsupported");
    this.#worker = new Worker(new URL("./hwp-worker.ts", import.meta.url), { type: "module" });
  }

  /** @throws UnreadableDocument */
  async open(bytes: ArrayBuffer): Promise<{ pageCount: number; text: string }> {
    const answer = await this.#ask({ bytes }, OPEN_MS, [bytes]);
    if (!("pageCount" in answer)) throw new UnreadableDocumentError("broken");
    return answer;
  }

  /** @param page from 0 @returns cleaned SVG */
  async page(page: number): Promise<SVGElement> {
    const answer = await this.#ask({ page }, PAGE_MS);
    const drawn = "svg" in answer ? cleanSvg(answer.svg, `hwp-${page}-`) : null;
    if (!drawn) throw new UnreadableDocumentError("broken");
    return drawn;
  }

  close(): void {
    this.#worker.terminate();
  }

  async #ask(order: HwpRequest, limitMs: number, transfer: Transferable[] = []): Promise<HwpResponse> {
    const done = new AbortController();
    try {
      return await new Promise<HwpResponse>((resolve, reject) => {
        const fail = (problem: HwpProblem) => reject(new UnreadableDocumentError(problem));
        const { signal } = done;
        const timer = setTimeout(() => fail("slow"), limitMs);
        signal.addEventListener("abort", () => clearTimeout(timer));
        this.#worker.addEventListener(
          "message",
          ({ data }: MessageEvent<HwpResponse>) => ("problem" in data ? fail(data.problem) : resolve(data)),
          { signal },
        );
        this.#worker.addEventListener("error", () => fail("broken"), { signal });
        this.#worker.postMessage(order, transfer);
      });
    } catch (error) {
      this.close();
      throw error;
    } finally {
      done.abort();
    }
  }
}

export type HwpRequest = { bytes: ArrayBuffer } | { page: number };

export type HwpProblem = "locked" | "broken" | "slow" | "unsupported";

export type HwpResponse = { pageCount: number; text: string } | { page: number; svg: string } | { problem: HwpProblem };
