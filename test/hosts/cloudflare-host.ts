import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { REQUIRED_SECRETS } from "#worker/local/deploy-settings.ts";

export interface CloudflareHost {
  url: string;
  asked: string[];
  /** Files sent for import. */
  imported: string[];
  close(): void;
}
/** Answers instead of a healthy account, by `METHOD /path`. */
export type Refusals = Record<string, { status: number; code: number; message: string } | { result: unknown }>;

export const KV_ID = "0".repeat(32);

const secrets = REQUIRED_SECRETS.map((name) => ({ name, type: "secret_text" }));
const migrated = { success: true, meta: { duration: 1, rows_read: 0, rows_written: 0, size_after: 1 }, results: [] };
const IMPORTED = { num_queries: 1, final_bookmark: "00000002-after", meta: migrated.meta };

/** The calls of Cloudflare's API that `npm run deploy` makes, for one account with all resources. */
const ANSWERS: [RegExp, (path: string, body: string, page: number) => unknown][] = [
  [/^GET \/workers\/scripts\/[\w-]+\/secrets$/, () => secrets],
  [
    /^GET \/d1\/database\/[\w-]+$/,
    (path) => ({ uuid: path.split("/")[3], name: path.split("/")[3], running_in_region: "APAC", num_tables: 3 }),
  ],
  [/^GET \/d1\/database\/[\w-]+\/time_travel\/bookmark$/, () => ({ bookmark: "00000001-before" })],
  [/^POST \/d1\/database\/[\w-]+\/query$/, () => [migrated, migrated]],
  [/^GET \/r2\/buckets\/[\w-]+$/, (path) => ({ name: path.split("/")[3], creation_date: "2026-01-01T00:00:00Z" })],
  [/^GET \/r2\/buckets\/[\w-]+\/lock$/, () => ({ rules: [] })],
  // The client asks for pages until one is empty.
  [/^GET \/storage\/kv\/namespaces$/, (_path, _body, page) => (page > 1 ? [] : [{ id: KV_ID, title: "hoewon-kv" }])],
  [/^POST \/storage\/kv\/namespaces$/, () => ({ id: KV_ID })],
  [/^GET \/workers\/services\/[\w-]+$/, () => ({ default_environment: { environment: "production", script: {} } })],
  [/^GET \/workers\/scripts\/[\w-]+\/deployments$/, () => ({ deployments: [] })],
  [/^POST \/workers\/scripts\/[\w-]+\/assets-upload-session$/, () => ({ jwt: "assets", buckets: [] })],
  [
    /^POST \/workers\/scripts\/[\w-]+\/versions$/,
    () => ({ id: "1", startup_time_ms: 1, metadata: {}, resources: { script: {} } }),
  ],
  [/^POST \/workers\/scripts\/[\w-]+\/deployments$/, () => ({ id: "1" })],
  [/^(?:GET|PATCH) \/workers\/scripts\/[\w-]+\/script-settings$/, () => ({ tags: [], observability: {} })],
  [/^PUT \/workers\/scripts\/[\w-]+\/schedules$/, () => ({ schedules: [] })],
  [/^(?:GET|PATCH|PUT) \/workers\/workers\/[\w-]+$/, () => ({ id: "hoewon", name: "hoewon", subdomain: {}, tags: [] })],
  [/\/workers\/scripts\/[\w-]+\/subdomain$/, () => ({ enabled: false, previews_enabled: false })],
];

export async function startCloudflareHost(refusals: Refusals = {}): Promise<CloudflareHost> {
  const asked: string[] = [];
  const imported: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://host");
      const path = pathname.replace(/^.*\/accounts\/account(?=\/)/, "");
      const call = `${request.method} ${path}`;
      const answer = (status: number, result: unknown, errors: object[] = []) => {
        response.writeHead(status, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ success: status < 400, errors, messages: [], result }));
      };
      asked.push(call);
      const refusal = refusals[call];
      if (refusal && "result" in refusal) return answer(200, refusal.result);
      if (refusal) return answer(refusal.status, null, [{ code: refusal.code, message: refusal.message }]);
      if (path.endsWith("/graphql"))
        return response.end(JSON.stringify({ data: { viewer: { accounts: [{}] } }, errors: null }));
      if (path === "/upload") {
        imported.push(body);
        return response.setHeader("ETag", createHash("md5").update(body).digest("hex")).end();
      }
      if (path.endsWith("/import")) {
        const first = { success: true, filename: "statements.sql", upload_url: `${url}/upload`, messages: [] };
        const last = { success: true, type: "import", status: "complete", messages: [], result: IMPORTED };
        return answer(200, body.includes('"init"') ? first : last);
      }
      const found = ANSWERS.find(([pattern]) => pattern.test(call));
      if (found) return answer(200, found[1](path, body, Number(searchParams.get("page"))));
      return answer(404, null, [{ code: 7003, message: `no such call: ${call}` }]);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, imported, close: () => server.close() };
}
