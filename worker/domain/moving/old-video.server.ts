const HOST = /^(?:https?:)?\/\/(?:www\.|m\.)?([a-z0-9.-]+)(?::\d+)?(\/[^\s]*)?$/i;

/** Converts an embed address into the watch page; null for unknown hosts. */
export function videoAddress(address: string): string | null {
  const [, host = "", rest = "/"] = HOST.exec(address.trim()) ?? [];
  const page = HOSTS.get(host.toLowerCase());
  if (!page || !URL.canParse(rest, "https://host.invalid")) return null;
  const url = new URL(rest.replaceAll("&amp;", "&"), "https://host.invalid");
  return page(url.pathname, url.searchParams);
}

type Page = (path: string, query: URLSearchParams) => string | null;

const youtube: Page = (path, query) => {
  const list = query.get("list");
  const id = /^\/(?:embed|v|e|shorts|live)\/([\w-]{3,})/.exec(path)?.[1] ?? query.get("v");
  const start = query.get("start") ?? query.get("t");
  if (id && id !== "videoseries" && /^[\w-]+$/.test(id))
    return `https://www.youtube.com/watch?v=${id}${start ? `&t=${encodeURIComponent(start)}` : ""}`;
  return list ? `https://www.youtube.com/playlist?list=${encodeURIComponent(list)}` : null;
};

const found = (pattern: RegExp, place: (id: string) => string): Page => {
  return (path) => {
    const id = pattern.exec(path)?.[1];
    return id === undefined ? null : place(id);
  };
};

const kakao = found(
  /^\/(?:embed\/player\/cliplink|v|channel\/\d+\/cliplink|player\/cliplink)\/(\w+)/,
  (id) => `https://tv.kakao.com/v/${id}`,
);

const HOSTS = new Map<string, Page>(
  Object.entries({
    "youtube.com": youtube,
    "youtube-nocookie.com": youtube,
    "youtu.be": (path, query) => youtube(`/embed${path}`, query),
    "vimeo.com": found(/^\/((?:channels\/\w+\/)?\d+)/, (id) => `https://vimeo.com/${id}`),
    "player.vimeo.com": (path, query) => {
      const id = /^\/video\/(\d+)/.exec(path)?.[1];
      const key = query.get("h");
      return id === undefined ? null : `https://vimeo.com/${id}${key && /^\w+$/.test(key) ? `/${key}` : ""}`;
    },
    "tv.naver.com": found(/^\/(?:embed|v|h)\/(\d+)/, (id) => `https://tv.naver.com/v/${id}`),
    "tvcast.naver.com": found(/^\/(?:embed|v)\/(\d+)/, (id) => `https://tv.naver.com/v/${id}`),
    "tv.kakao.com": kakao,
    "play-tv.kakao.com": kakao,
    "tvpot.daum.net": found(/^\/v\/(\w+)/, (id) => `https://tvpot.daum.net/v/${id}`),
  }),
);
