const HTML_ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => HTML_ENTITIES[sign] ?? sign);

interface HtmlMessage {
  subject: string;
  text: string;
  origin: string;
}

/** Links to this site only, so that members' text cannot put links into our mail. */
export function messageBodyHtml({ subject, text, origin }: HtmlMessage): string {
  const link = (part: string) =>
    part.startsWith(`${origin}/`)
      ? `<a href="${escapeHtml(part)}" style="color:#0b5cad;word-break:break-all">${escapeHtml(part)}</a>`
      : escapeHtml(part);
  const inline = (line: string) =>
    line
      .split(/(https?:\/\/[^\s<>"']+)/)
      .map(link)
      .join("");
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((each) => `<p style="margin:0 0 1em">${each.split("\n").map(inline).join("<br>")}</p>`);
  return [
    "<div style=\"max-width:600px;margin:0 auto;padding:24px;background:#fff;border:1px solid #cdd1d5;border-radius:8px;font-family:'Pretendard Variable',Pretendard,'Malgun Gothic','Apple SD Gothic Neo',sans-serif;font-size:16px;line-height:1.6;color:#1e2124;word-break:keep-all;overflow-wrap:anywhere\">",
    `<p style="margin:0 0 1em;font-size:18px;font-weight:bold">${escapeHtml(subject)}</p>`,
    ...paragraphs,
    "</div>",
  ].join("");
}

export function messageHtml(message: HtmlMessage): string {
  return [
    `<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>${escapeHtml(message.subject)}</title></head>`,
    '<body style="margin:0;padding:24px 16px;background:#f4f5f6">',
    messageBodyHtml(message),
    "</body></html>",
  ].join("");
}
