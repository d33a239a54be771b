import { html } from "hono/html";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { listOutbox } from "#worker/domain/mail/message.server.ts";

const OUTBOX_HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
};

/** Shows unsent mail and SMS, in local development only. */
export async function outboxResponse(ctx: AppContext, pathname: string): Promise<Response> {
  const entries = await listOutbox(ctx);
  if (pathname === "/dev/outbox.json") return Response.json(entries, { headers: OUTBOX_HEADERS });
  const time = new Intl.DateTimeFormat("ko-KR", { timeZone: "Asia/Seoul", dateStyle: "medium", timeStyle: "medium" });
  const page = await html`<!doctype html>
    <html lang="ko">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>보낸 메시지함</title>
        <style>
          body {
            font: 16px/1.6 sans-serif;
            max-width: 720px;
            margin: 2rem auto;
            padding: 0 1rem;
            word-break: keep-all;
          }
          article {
            border: 1px solid #ccd;
            border-radius: 8px;
            padding: 1rem;
            margin: 1rem 0;
          }
          h2 {
            font-size: 1.1rem;
            margin: 0;
          }
          pre {
            white-space: pre-wrap;
            font: inherit;
            margin: 0.5rem 0 0;
          }
          p {
            margin: 0;
            color: #556;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>보낸 메시지함</h1>
          <p>이 컴퓨터에서 보낸 메일과 문자입니다. 실제로 발송되지 않습니다.</p>
          ${entries.map(
            (entry) =>
              html`<article>
                <h2>${entry.subject}</h2>
                <p>
                  ${entry.channel === "email" ? `메일(회신 ${entry.replyTo})` : "문자"} · ${entry.to} ·
                  ${time.format(new Date(entry.createdDate))}
                </p>
                <pre>${entry.text}</pre>
                ${entry.attachment && html`<p>첨부: ${entry.attachment.fileName} (${formatBytes(entry.attachment.size)})</p>`}
              </article>`,
          )}
        </main>
      </body>
    </html>`;
  return new Response(String(page), { headers: { ...OUTBOX_HEADERS, "Content-Type": "text/html; charset=utf-8" } });
}
