import { requiredLine, line, flag, forgiving } from "../kernel/fields.ts";
import { z } from "zod";
import { TARGET_MAX, MENU_MAX, DEFAULT_MENU } from "./rules.ts";

const label = requiredLine(20);

/** An information page by its code, the address book, or a path of this site. */
const link = z.object({ kind: z.literal("link"), target: line(TARGET_MAX), label, isHidden: flag });

/** Every board that the visitor may list, in the boards' own order: a new one appears by itself. */
const boards = z.object({ kind: z.literal("boards"), label, isHidden: flag });

const group = z.object({ kind: z.literal("group"), label, isHidden: flag, children: z.array(link).max(MENU_MAX) });

export const menuEntries = z.array(z.discriminatedUnion("kind", [link, boards, group])).max(MENU_MAX);

/** 0 as long as nobody changed it. */
const settingVersion = z.number().int().min(0);

export const updateMenuInput = z.object({ entries: menuEntries.min(1), version: settingVersion });

export type UpdateMenuInput = z.output<typeof updateMenuInput>;

export type MenuLink = z.output<typeof link>;

/** What stands under `site_setting.menu`; a broken row falls back instead of failing every page. */
export const menuSettings = forgiving(z.object({ entries: menuEntries.catch(DEFAULT_MENU).default(DEFAULT_MENU) }));
