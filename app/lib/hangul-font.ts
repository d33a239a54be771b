/** Loads the Hangul check on small screens only; wide screens do not load this file. */
export function lendHangulFont(): void {
  if (innerWidth < 768)
    document.head.appendChild(Object.assign(document.createElement("script"), { src: "/hangul-font.js" }));
}
