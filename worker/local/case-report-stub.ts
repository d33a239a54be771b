import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// A fictional count for each of the 16 regions that have a centre.
const COUNTS: Record<string, number> = {
  서울: 412,
  부산: 96,
  대구: 71,
  광주: 44,
  대전: 58,
  울산: 27,
  세종: 9,
  경기: 365,
  강원: 33,
  충북: 41,
  충남: 49,
  전북: 38,
  전남: 29,
  경북: 52,
  경남: 84,
  제주: 16,
};

/** Stands in for the external case-report host, on a free loopback port. */
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
  // It must not keep a process alive whose site has ended.
  server.unref();
  return { url: origin(), close: () => server.close() };
}
