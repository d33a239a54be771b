import { useEffect, useState } from "react";
import type { ConsoleHit } from "#app/features/site/console/console-menu.ts";
import { api, callApi } from "#app/lib/api.ts";

const PEOPLE_SHOWN = "5";
/** Debounce in ms; every member search is written to the audit log. */
const REST_MS = 300;
const SHORTEST = 2;

interface PeopleSearch {
  keyword: string;
  hits: ConsoleHit[];
  failed: boolean;
}

const NOBODY: PeopleSearch = { keyword: "", hits: [], failed: false };

export function usePeopleSearch(keyword: string): { hits: ConsoleHit[]; busy: boolean; failed: boolean } {
  const asked = keyword.trim().length >= SHORTEST ? keyword.trim() : "";
  const [found, setFound] = useState(NOBODY);
  useEffect(() => {
    if (asked === "") return;
    let stale = false;
    const find = async () => {
      try {
        const { content } = await callApi(api.admin.member.$get({ query: { keyword: asked, size: PEOPLE_SHOWN } }));
        const hits = content.map(({ id, userName, keys, roleName }) => ({
          label: userName,
          href: `/Admin/Members/${id}`,
          note: [keys[0]?.userKeyCode, roleName].filter(Boolean).join(" · "),
        }));
        if (!stale) setFound({ keyword: asked, hits, failed: false });
      } catch {
        if (!stale) setFound({ keyword: asked, hits: [], failed: true });
      }
    };
    const timer = setTimeout(() => void find(), REST_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [asked]);
  const isCurrent = found.keyword === asked;
  return { hits: isCurrent ? found.hits : [], busy: asked !== "" && !isCurrent, failed: isCurrent && found.failed };
}
