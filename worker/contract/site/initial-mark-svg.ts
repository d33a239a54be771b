import { initialOf } from "./initial-mark.ts";

/** As a separate file, which the page's style sheet cannot reach. */
export const initialMarkSvg = (siteName: string, color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="192" height="192"><rect width="40" height="40" rx="9" fill="${color}"/><text x="20" y="20.5" fill="#fff" font-family="sans-serif" font-size="22" font-weight="700" text-anchor="middle" dominant-baseline="central">${initialOf(siteName)}</text></svg>`;
