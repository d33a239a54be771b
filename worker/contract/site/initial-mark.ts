/** Replaces a logo's stamp with the bundled emblem, for the demonstration only. */
export const NETWORK_MARK = "network";

export const initialOf = (siteName: string): string => /[\p{L}\p{N}]/u.exec(siteName)?.[0].toUpperCase() ?? "";

/** Address of the icon file; the stamp changes with its content. */
export const initialMarkAddress = (siteName: string, color = ""): string =>
  `/api/site-setting/logo/icon?v=${encodeURIComponent(initialOf(siteName) + color)}`;
