import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// Fictional; the total of 1,839 matches the demo's pages. Regions list June and the quarter.
const COUNTS: Record<string, number> = {
  서울: 435,
  부산: 177,
  대구: 128,
  광주: 102,
  대전: 118,
  울산: 43,
  세종: 32,
  경기: 319,
  강원: 61,
  충북: 57,
  충남: 65,
  전북: 77,
  전남: 62,
  경북: 69,
  경남: 75,
  제주: 19,
};

export async function startCaseReportStub(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
    };
    const call = `${request.method} ${request.url?.replace(/^\/KPID\/[^/]+\//, "")}`;
    if (!request.headers.authorization) return answer(401, { code: "UNAUTHORIZED" });
    if (call === "POST Token") return answer(200, { token: "local-case-report", url: `${origin()}/case-report` });
    if (call !== "GET GetSubjectLocationCount") return answer(404, { code: "NOT_FOUND" });
    if (request.headers.token === undefined) return answer(401, { code: "UNAUTHORIZED" });
    answer(
      200,
      Object.entries(COUNTS).map(([location, count]) => ({ location, count })),
    );
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  server.unref();
  return { url: origin(), close: () => server.close() };
}
