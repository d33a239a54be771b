/** In the place of a logo's stamp: the emblem that comes with the code, which is the demonstration's alone. */
export const NETWORK_MARK = "network";

/** The first letter or digit of a name, as its mark shows it. */
export const initialOf = (siteName: string): string => /[\p{L}\p{N}]/u.exec(siteName)?.[0].toUpperCase() ?? "";

/** Where it is as a file of its own; the stamp changes with what it shows. */
export const initialMarkAddress = (siteName: string, color = ""): string =>
  `/api/site-setting/logo/icon?v=${encodeURIComponent(initialOf(siteName) + color)}`;
