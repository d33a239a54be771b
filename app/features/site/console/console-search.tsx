import Search from "lucide-react/icons/search";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type ConsoleHit, type ConsoleMenuArea, searchConsoleLinks } from "#app/features/site/console/console-menu.ts";
import { cx } from "#app/ui/cx.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { CONTROL_CLASS } from "#app/ui/field.tsx";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { api, callApi } from "#app/lib/api.ts";

interface ConsoleSearchProps {
  menu: ConsoleMenuArea[];
  findsPeople: boolean;
}

export function ConsoleSearch({ menu, findsPeople }: ConsoleSearchProps) {
  const [open, setOpen] = useState(false);
  const title = findsPeople ? "화면·설정·회원 찾기" : "화면 찾기";
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      // Leaves Ctrl+K to open dialogs and to editors, which use it for links.
      if (document.querySelector("dialog[open]") || document.activeElement?.closest("[contenteditable=true]")) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-keyshortcuts="Control+K"
        className="inline-flex min-h-9 items-center gap-2 rounded-md border border-white/30 px-2.5 text-sm text-white hover:bg-white/15 md:min-w-48"
      >
        <Search aria-hidden="true" className="size-4" />
        <span className="max-md:sr-only">찾기</span>
        <span className="sr-only">: {title}</span>
        <kbd aria-hidden="true" className="ml-auto font-sans text-xs text-white/80 max-md:hidden">
          Ctrl K
        </kbd>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={title} size="md">
        <SearchBox menu={menu} findsPeople={findsPeople} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** Sets `autofocus` for the dialog by hand because React does not render it. */
const markForFocus = (field: HTMLInputElement | null): void => {
  field?.setAttribute("autofocus", "");
};

function SearchBox({ menu, findsPeople, onDone }: ConsoleSearchProps & { onDone: () => void }) {
  const navigate = useNavigate();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [keyword, setKeyword] = useState("");
  const [at, setAt] = useState(0);
  const people = usePeopleSearch(findsPeople ? keyword : "");
  const pages = searchConsoleLinks(menu, keyword);
  const hits: ConsoleHit[] = [...pages, ...people.hits];
  const chosen = Math.min(at, hits.length - 1);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const go = ({ href }: ConsoleHit) => {
    onDone();
    void navigate(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Ignores keys during IME composition.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const hit = hits[chosen];
    if (step !== 0 && hits.length > 0) setAt((chosen + step + hits.length) % hits.length);
    else if (event.key === "Enter" && hit) go(hit);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={markForFocus}
        role="combobox"
        aria-label="찾을 말"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={hits.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        value={keyword}
        maxLength={SIZE_LIMITS.keywordLength}
        onChange={(event) => {
          setKeyword(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        placeholder={findsPeople ? "화면, 설정, 회원의 이름이나 아이디" : "화면, 설정"}
        className={cx(CONTROL_CLASS, "min-h-12")}
      />
      <p role="status" className="my-2 text-sm text-gray-60">
        {people.busy ? "회원을 찾고 있습니다." : hits.length === 0 ? "찾은 것이 없습니다." : `${hits.length}개`}
        {people.failed && " 회원을 찾지 못했습니다. 잠시 후 다시 시도해 주십시오."}
      </p>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="찾은 것" className="max-h-80 overflow-y-auto">
        {hits.map((hit, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
          <div
            key={hit.href}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => go(hit)}
            onPointerMove={() => setAt(index)}
            className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-md px-3 aria-selected:bg-primary-10"
          >
            <span className="font-medium">{hit.label}</span>
            <span className="min-w-0 truncate text-sm text-gray-70">{hit.note}</span>
          </div>
        ))}
      </div>
    </>
  );
}

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

function usePeopleSearch(keyword: string): { hits: ConsoleHit[]; busy: boolean; failed: boolean } {
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
