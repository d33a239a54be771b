import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// Fictional: 1,899, above the 1,839 that the demo's pages name for the end of September.
const COUNTS: Record<string, number> = {
  서울: 451,
  부산: 183,
  대구: 132,
  광주: 105,
  대전: 122,
  울산: 44,
  세종: 34,
  경기: 331,
  강원: 63,
  충북: 59,
  충남: 66,
  전북: 79,
  전남: 63,
  경북: 71,
  경남: 77,
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
