const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

interface HtmlLetter {
  subject: string;
  text: string;
  /** The site's own; nothing else becomes a link. */
  origin: string;
}

/** Paragraphs, and links to this site alone, so that nobody's comment becomes a link in a letter of ours. */
export function letterBody({ subject, text, origin }: HtmlLetter): string {
  const link = (part: string) =>
    part.startsWith(`${origin}/`)
      ? `<a href="${escape(part)}" style="color:#0b5cad;word-break:break-all">${escape(part)}</a>`
      : escape(part);
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
    `<p style="margin:0 0 1em;font-size:18px;font-weight:bold">${escape(subject)}</p>`,
    ...paragraphs,
    "</div>",
  ].join("");
}

/** The same letter for programs that show HTML. */
export function letterHtml(letter: HtmlLetter): string {
  return [
    `<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>${escape(letter.subject)}</title></head>`,
    '<body style="margin:0;padding:24px 16px;background:#f4f5f6">',
    letterBody(letter),
    "</body></html>",
  ].join("");
}
