import { Fragment } from "react";
import type { comingEventTexts } from "#app/features/site/home/coming-event-texts.ts";
import { HomeHero } from "#app/features/site/home/home-hero.tsx";
import { HomePopups } from "#app/features/site/home/home-popups.tsx";
import { useSiteFrame, useTexts, useWords } from "#app/lib/page-language.ts";
import type { ShownHomePart } from "#worker/contract/kernel/setting/site-setting.ts";
import type { ItemRow } from "#worker/contract/board/view.ts";
import type { HomeExtras, QuickLinkView, SiteFrame } from "#worker/contract/site/view.ts";
import { Link, type MetaDescriptor } from "react-router";
import { findRootData, type Matches, siteIconOf } from "#app/lib/page-meta.ts";
import ChevronRight from "lucide-react/icons/chevron-right";
import { boardItemHref, boardListHref } from "#app/features/board/board-paths.ts";
import { UserText } from "#app/ui/user-text.tsx";
import { KoreanMark, NewMark, SecretMark } from "#app/features/board/row-marks.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Time } from "#app/ui/inline.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { centerPath, centersPath, residencePath } from "#worker/contract/content/view.ts";
import type { HomePage } from "#worker/domain/site/home.server.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import FileText from "lucide-react/icons/file-text";
import FolderOpen from "lucide-react/icons/folder-open";
import LogIn from "lucide-react/icons/log-in";
import MapPin from "lucide-react/icons/map-pin";
import Megaphone from "lucide-react/icons/megaphone";
import MessagesSquare from "lucide-react/icons/messages-square";
import UserPlus from "lucide-react/icons/user-plus";
import { cx } from "#app/ui/cx.ts";
import { GUEST_MENU } from "#app/features/site/shell/site-menu.ts";

export interface HomeData extends HomePage {
  /** Formatted in the loader so that the browser needs no code for it. */
  events: ReturnType<typeof comingEventTexts>[];
  extras: HomeExtras;
  /** Names of the provinces on the map. */
  marks: (Record<"code" | "name", string> & Record<"x" | "y", number>)[];
}

export function HomeBody({ data }: { data: HomeData }) {
  const { boards, extras } = data;
  const frame = useSiteFrame();
  return (
    <>
      {frame && (
        <HomeHero
          frame={frame}
          extras={extras}
          papers={boards.find(({ boardCode }) => boardCode === "reference")?.total ?? null}
        />
      )}
      <HomePopups popups={extras.popups} />
      {extras.parts.map(({ part, isHidden }, at) => (
        <Fragment key={part}>{!isHidden && <HomePart part={part} isFirst={at === 0} data={data} />}</Fragment>
      ))}
    </>
  );
}

interface HomePartProps {
  part: ShownHomePart["part"];
  /** True directly below the hero, which the quick links overlap. */
  isFirst: boolean;
  data: HomeData;
}

function HomePart({ part, isFirst, data: { boards, events, extras, marks } }: HomePartProps) {
  const frame = useSiteFrame();
  if (!frame) return null;
  if (part === "quickLinks") return <HomeQuickLinks frame={frame} chosen={extras.quickLinks} isOverHero={isFirst} />;
  if (part === "events") return <HomeComingEvents events={events} />;
  if (part === "centers") return <CenterTeaser extras={extras} marks={marks} productCode={frame.site.productCode} />;
  if (boards.length === 0) return null;
  const lead = leadStoryOf(boards);
  return (
    <div className="container-page grid gap-12 py-14 md:py-20 lg:grid-cols-2 lg:gap-14">
      {lead && <LeadStory item={lead} />}
      {boards.map((panel) => (
        <HomeBoardPanel key={panel.boardCode} panel={panel} lead={lead} />
      ))}
    </div>
  );
}

/** The newest item with a picture. */
const leadStoryOf = (boards: HomePage["boards"]) =>
  boards
    .flatMap(({ items }) => items ?? [])
    .filter(({ thumbnailUrl }) => thumbnailUrl)
    .toSorted((a, b) => b.createdDate.localeCompare(a.createdDate))[0];

function LeadStory({ item }: { item: ItemRow }) {
  const { pathOf } = useTexts();
  return (
    <article className="lead-story">
      <img src={item.thumbnailUrl ?? ""} alt="" loading="lazy" />
      <div>
        <h2>
          <Link to={pathOf("", boardItemHref(item.boardCode, item.itemNo))}>
            <UserText>{item.title}</UserText>
          </Link>
        </h2>
        <p>
          <KoreanMark text={item.title} /> <Time date={item.createdDate} />
        </p>
      </div>
    </article>
  );
}

export function organizationJsonLd(matches: Matches): MetaDescriptor[] {
  const root = findRootData(matches);
  if (!root) return [];
  const { siteName, description, contact } = root.site;
  return [
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Organization",
        name: siteName,
        url: `${root.origin}/`,
        logo: root.origin + siteIconOf(root),
        ...(description ? { description } : {}),
        ...(contact.address ? { address: contact.address } : {}),
        ...(contact.phone ? { telephone: contact.phone } : {}),
        ...(contact.email ? { email: contact.email } : {}),
      },
    },
  ];
}

interface HomeBoardPanelProps {
  panel: HomePage["boards"][number];
  /** Stands above, so that no list repeats it. */
  lead: ItemRow | undefined;
}

function HomeBoardPanel({ panel, lead }: HomeBoardPanelProps) {
  const { boardCode, boardName, items } = panel;
  const { home, pathOf, langOf } = useTexts();
  const headingId = `panel-${boardCode}`;
  return (
    <section aria-labelledby={headingId} className="min-w-0">
      <div className="flex items-end justify-between gap-4 border-b-2 border-primary-80 pb-2">
        <h2 id={headingId} lang={langOf(boardName)} className="text-xl">
          {boardName}
        </h2>
        <Link to={pathOf("", boardListHref(boardCode))} className="more-link">
          <span className="sr-only">{home.moreOf(boardName)}</span>
          {home.more}
          <ChevronRight aria-hidden="true" />
        </Link>
      </div>
      {items === null ? (
        <Empty>{home.boardFailed(boardName)}</Empty>
      ) : items.length === 0 ? (
        <Empty>{home.noItems}</Empty>
      ) : (
        <ul className="panel-rows">
          {items
            .filter((item) => item !== lead)
            .map((item) => (
              <li key={item.itemNo}>
                <span>
                  {item.isSecret && <SecretMark />}
                  <Link to={pathOf("", boardItemHref(boardCode, item.itemNo))}>
                    <UserText>{item.title}</UserText>
                  </Link>
                  <KoreanMark text={item.title} />
                  {item.isNew && <NewMark />}
                </span>
                <Time date={item.createdDate} format="short" />
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}

function CenterTeaser({ extras, marks, productCode }: Pick<HomeData, "extras" | "marks"> & { productCode: string }) {
  const say = useWords();
  const { home, map, pathOf, hasWideNames, regionName: provinceName } = useTexts();
  const nameOf = (code: string, name: string) => lookUp(map.islands, code) ?? provinceName(code, name);
  const centersHref = pathOf(productCode, centersPath(productCode));
  const hasResidence = !useSiteFrame()?.look.hasNoCaseReport;
  const { centers } = extras;
  if (centers.length === 0) return null;
  return (
    <section aria-labelledby="home-centers" className="bg-primary-5">
      <div className="container-page grid items-center gap-10 py-14 md:py-20 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-20">
        <div>
          <h2 id="home-centers" className="text-2xl">
            {say(home.findCenter)}
          </h2>
          <p className="mt-3 text-gray-70">{say(home.findCenterHow)}</p>
          <ul className={hasWideNames ? "center-chips wide-names" : "center-chips"}>
            {centers.map(({ regionCode, regionName, isKorean }) => (
              <li key={regionCode}>
                <Link
                  to={
                    isKorean
                      ? centerPath(productCode, regionCode)
                      : pathOf(productCode, centerPath(productCode, regionCode))
                  }
                  className="center-chip"
                >
                  {regionName}
                  <span className="sr-only"> {say(home.center)}</span>
                </Link>
              </li>
            ))}
          </ul>
          <p className="mt-6 flex flex-wrap gap-2">
            <ButtonLink to={centersHref}>{say(home.allCenters)}</ButtonLink>
            {hasResidence && (
              <ButtonLink to={pathOf(productCode, residencePath(productCode))}>{home.residence}</ButtonLink>
            )}
          </p>
        </div>
        <div className="max-md:hidden print:hidden">
          {/* Is an image because inline shapes would be a tenth of the page's script. */}
          <Link to={centersHref} className="relative mx-auto block w-full max-w-sm rounded-lg">
            <img src="/korea.svg" alt={say(home.mapAlt)} width={476} height={631} loading="lazy" className="w-full" />
            <svg viewBox="48 0 476 631" aria-hidden="true" className="map-names">
              {marks.map(({ code, name, x, y }) => (
                <text key={code} x={x} y={y}>
                  {nameOf(code, name)}
                </text>
              ))}
            </svg>
          </Link>
          <p className="mt-2 text-center text-xs text-gray-60">{home.mapCredit}</p>
        </div>
      </div>
    </section>
  );
}

function HomeComingEvents({ events }: { events: readonly ReturnType<typeof comingEventTexts>[] }) {
  const { home, pathOf } = useTexts();
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="home-events" className="container-page pt-14 md:pt-20">
      <div className="flex items-end justify-between gap-4 border-b-2 border-primary-80 pb-2">
        <h2 id="home-events" className="text-xl">
          {home.events}
        </h2>
        <Link to={pathOf("", "/calendar")} className="more-link">
          <span className="sr-only">{home.moreOf(home.eventsName)}</span>
          {home.more}
          <ChevronRight aria-hidden="true" />
        </Link>
      </div>
      <ul className="event-rows">
        {events.map(({ href, title, month, day, weekday, span, date, hours, distance, place }) => (
          <li key={href}>
            <span aria-hidden="true" className="event-day">
              <span>{home.monthOnLeaf(month)}</span>
              <span>{day}</span>
              <span>{weekday}</span>
            </span>
            <div>
              <Link to={pathOf("", href)}>
                <UserText>{title}</UserText>
              </Link>
              <p>
                <KoreanMark text={title} />
                <strong>{distance}</strong>
                <time dateTime={date}>
                  <span className="sr-only">{span}</span>
                  <span aria-hidden="true">{hours}</span>
                </time>
                {place && (
                  <span className="line-clamp-1">
                    <UserText>{place}</UserText>
                  </span>
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const BOARD_ICONS: Record<string, typeof Megaphone> = { notice: Megaphone, reference: FolderOpen };
const MAX_LINKS = 4;

const quickLinkIcon = (href: string) => {
  if (/\/center\b/i.test(href)) return MapPin;
  if (/^\/board\/reference\b/i.test(href)) return FolderOpen;
  if (/^\/board\//i.test(href)) return Megaphone;
  return FileText;
};

function defaultQuickLinks({ boards, user }: SiteFrame, say: (text: string) => string) {
  const own = user
    ? []
    : [
        { ...GUEST_MENU.signup, note: "새 회원 등록", Icon: UserPlus },
        { ...GUEST_MENU.signin, note: "회원 서비스 이용", Icon: LogIn },
      ];
  const notes: Record<string, string> = { notice: say("{연구망}의 새 소식"), reference: "서식과 지침" };
  const shown = boards.slice(0, MAX_LINKS - own.length).map((board) => ({
    label: board.boardName,
    href: boardListHref(board.boardCode),
    note: lookUp(notes, board.boardCode) ?? "함께 나누는 이야기",
    Icon: lookUp(BOARD_ICONS, board.boardCode) ?? MessagesSquare,
  }));
  return [...shown, ...own];
}

function HomeQuickLinks({
  frame,
  chosen,
  isOverHero,
}: {
  frame: SiteFrame;
  chosen: readonly QuickLinkView[];
  isOverHero: boolean;
}) {
  const say = useWords();
  const { home, language } = useTexts();
  // The default links have only Korean names.
  const links =
    chosen.length > 0
      ? chosen.map((link) => ({ ...link, Icon: quickLinkIcon(link.href) }))
      : language === "ko"
        ? defaultQuickLinks(frame, say)
        : [];
  if (links.length === 0) return null;
  return (
    <nav
      aria-label={home.quickLinks}
      className={cx("container-page relative", isOverHero ? "-mt-16 md:-mt-18" : "py-10")}
    >
      <ul className="quick-links shadow-lg">
        {links.map(({ label, href, note, Icon }) => (
          <li key={href}>
            <Link to={href}>
              <span>
                <Icon aria-hidden="true" />
              </span>
              <span>
                <span>{label}</span>
                <span>{note}</span>
              </span>
              <ChevronRight aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
