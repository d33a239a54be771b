/** Asks on a small screen whether the device has Hangul. In its own file, so that it is no part of what a wide screen loads. */
export function lendHangulFont(): void {
  if (innerWidth < 768)
    document.head.appendChild(Object.assign(document.createElement("script"), { src: "/hangul-font.js" }));
}
