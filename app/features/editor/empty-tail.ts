/** Removes the empty paragraphs that the editor keeps at the end. */
export function withoutEmptyTail(html: string): string {
  let end = html.length;
  for (;;) {
    const text = html.slice(0, end).trimEnd();
    const open = text.lastIndexOf("<", text.length - "</p>".length - 1);
    if (!text.endsWith("></p>") || !/^<p(?: [^<>]*)?>$/.test(text.slice(open, -"</p>".length))) break;
    end = open;
  }
  return html.slice(0, end);
}
