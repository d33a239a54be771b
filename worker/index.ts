import { ConfigError, isLocalHost, readConfig } from "./config.ts";
import { logError } from "./log.ts";
import { floodResponse, openFloodGuard, refuseLongAddress } from "./edge/flood-guard.ts";
import { isSurelyOld, oldAddressOf, oldAddressResponse } from "./edge/old-address.ts";
import { noteWrite, seenStamps } from "./edge/page-stamp.ts";
import { handlePage } from "./pages.ts";

const SECURITY_HEADERS: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
};

async function answerRequest(request: Request, env: Env, ctx: ExecutionContext, url: URL): Promise<Response> {
  const config = readConfig(env);
  if (config.MESSAGE_TRANSPORT === "outbox" && !isLocalHost(url.hostname)) {
    throw new ConfigError(
      "MESSAGE_TRANSPORT=outbox는 이 컴퓨터에서만 쓸 수 있습니다. 운영 환경에서는 resend로 바꾸어 주십시오.",
    );
  }
  // Forces HTTPS for passwords and tokens (고시 제7조①); keeps the method.
  if (url.protocol === "http:" && !isLocalHost(url.hostname)) return redirectToHttps(url);
  const guard = await openFloodGuard(request, env, url);
  if (guard.isShut) return floodResponse(url);
  if (url.pathname === "/api" || url.pathname.startsWith("/api/")) {
    const { api } = await import("./api/app.ts");
    const seen = seenStamps();
    const response = await api.fetch(request, env, ctx);
    ctx.waitUntil(guard.noteAnswer(response.status));
    if (mayHaveWritten(request, response)) await noteWrite(env, seen);
    return response;
  }
  if (url.pathname === "/health") {
    const { healthResponse } = await import("./api/operation/health.ts");
    return healthResponse(request, env, config);
  }
  const requestId = crypto.randomUUID();
  if (config.MESSAGE_TRANSPORT === "outbox" && /^\/dev\/outbox(\.json)?$/.test(url.pathname)) {
    const [{ openRequestScope }, { outboxResponse }] = await Promise.all([
      import("./context.server.ts"),
      import("./api/mail/outbox.ts"),
    ]);
    const defer = (work: Promise<unknown>) => ctx.waitUntil(work);
    return outboxResponse(
      await openRequestScope({ request, env, requestId, credential: null, defer }).context(),
      url.pathname,
    );
  }
  const old = oldAddressOf(request, url);
  const goOn = () => old && oldAddressResponse(request, env, old, requestId, (work) => ctx.waitUntil(work));
  const early = old && isSurelyOld(old, url) ? await goOn() : null;
  if (early) return early;
  const page = await handlePage(request, env, ctx, requestId);
  if (page.status !== 404 || !old || isSurelyOld(old, url)) return page;
  return (await goOn()) ?? page;
}

const mayHaveWritten = ({ method }: Request, { status }: Response) =>
  method !== "GET" && method !== "HEAD" && (status < 400 || status === 500);

function redirectToHttps(url: URL): Response {
  const secure = new URL(url);
  secure.protocol = "https:";
  return new Response(null, { status: 308, headers: { Location: secure.href, "Cache-Control": "no-store" } });
}

function plainTextResponse(status: number, text: string): Response {
  return new Response(text, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}

export default {
  async fetch(request, env, ctx) {
    const url = new URL(request.url);
    let response: Response;
    try {
      response = refuseLongAddress(url) ?? (await answerRequest(request, env, ctx, url));
    } catch (cause) {
      logError({
        requestId: "",
        path: url.pathname,
        code: cause instanceof ConfigError ? "CONFIG" : "INTERNAL_ERROR",
        cause,
      });
      response = plainTextResponse(503, "사이트 설정을 점검하고 있습니다. 잠시 후 다시 시도해 주십시오.");
    }
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
    // Omits subdomains: other hosts of the domain are independent.
    if (url.protocol === "https:") response.headers.set("Strict-Transport-Security", "max-age=31536000");
    return response;
  },
  async scheduled({ cron }, env, ctx) {
    const run = async () => {
      const { runDueJobs, runScheduledJobs } = await import("./jobs.ts");
      // A trigger other than every minute runs all jobs.
      const seen = seenStamps();
      await (cron === "* * * * *" ? runDueJobs(env) : runScheduledJobs(env));
      await noteWrite(env, seen);
    };
    ctx.waitUntil(run());
  },
} satisfies ExportedHandler<Env>;
