import { z } from "zod";
import { flag, line, requiredLine } from "../kernel/fields.ts";
import { INFO_PAGES, type InfoPageCode } from "../content/info-pages.ts";
import { forgiving } from "./site.ts";

const TARGET_MAX = 300;
const MENU_MAX = 12;
const label = requiredLine(20);

/** An information page by its code, the address book, or a path of this site. */
const link = z.object({ kind: z.literal("link"), target: line(TARGET_MAX), label, isHidden: flag });
/** Every board that the visitor may list, in the boards' own order: a new one appears by itself. */
const boards = z.object({ kind: z.literal("boards"), label, isHidden: flag });
const group = z.object({ kind: z.literal("group"), label, isHidden: flag, children: z.array(link).max(MENU_MAX) });
export const menuEntries = z.array(z.discriminatedUnion("kind", [link, boards, group])).max(MENU_MAX);

export const ALUMNI_TARGET = "alumni";
/** 0 as long as nobody changed it. */
const settingVersion = z.number().int().min(0);
export const updateMenuInput = z.object({ entries: menuEntries.min(1), version: settingVersion });
export type UpdateMenuInput = z.output<typeof updateMenuInput>;
export type MenuEntry = UpdateMenuInput["entries"][number];
export type MenuLink = z.output<typeof link>;

const page = (target: InfoPageCode): MenuLink => ({
  kind: "link",
  target,
  label: INFO_PAGES[target].label,
  isHidden: false,
});
const groupOf = (name: string, ...targets: InfoPageCode[]): MenuEntry => ({
  kind: "group",
  label: name,
  isHidden: false,
  children: targets.map(page),
});

/** The menu of a site whose administrator has not changed it. */
export const DEFAULT_MENU: MenuEntry[] = [
  groupOf("연구망", "about", "organization"),
  groupOf("환자 등록", "target", "registration", "residence", "registry"),
  page("center"),
  groupOf("연구", "proposal", "rules"),
  { kind: "boards", label: "게시판", isHidden: false },
  { kind: "link", target: ALUMNI_TARGET, label: "동문주소록", isHidden: false },
];

/** What stands under `site_setting.menu`; a broken row falls back instead of failing every page. */
export const menuSettings = forgiving(z.object({ entries: menuEntries.catch(DEFAULT_MENU).default(DEFAULT_MENU) }));

/** As every page's header, footer and drawer show it. */
export interface MenuItem {
  label: string;
  /** Beside `children` it is the page of the whole group. */
  href?: string;
  children?: MenuItem[];
}

export interface MenuSettingView {
  value: { entries: MenuEntry[] };
  version: number;
  /** What a link may lead to, by name. */
  targets: { target: string; label: string }[];
}
