import { useSiteFrame } from "#app/lib/page-language.ts";
import { shareDrawing } from "#app/lib/markup/reader-markup.ts";
import { initialOf, NETWORK_MARK } from "#worker/contract/site/initial-mark.ts";
import type { LogoName } from "#worker/contract/site/rules.ts";

/** @param stamp changes with the logo, for browser caching */
export const logoAddress = (name: LogoName, stamp: string) => `/api/site-setting/logo/${name}?v=${stamp}`;

export function Logo({ isOnDark = false, className }: { isOnDark?: boolean; className?: string }) {
  const frame = useSiteFrame();
  const stamp = frame?.look.logo;
  if (stamp === NETWORK_MARK) return <NetworkMark className={className} />;
  if (!stamp)
    return (
      <svg viewBox="0 0 40 40" className={className} aria-hidden="true">
        <rect width="40" height="40" rx="9" fill="currentColor" />
        <text
          x="20"
          y="28"
          fontSize="22"
          textAnchor="middle"
          className={isOnDark ? "font-bold fill-primary-90" : "font-bold fill-white"}
        >
          {initialOf(frame?.site.siteName ?? "")}
        </text>
      </svg>
    );
  return (
    <img
      src={logoAddress(isOnDark ? "dark" : "light", stamp)}
      alt=""
      height={40}
      className="h-9 w-auto max-w-40 shrink-0 object-contain lg:h-10"
    />
  );
}

function NetworkMark({ className }: { className?: string | undefined }) {
  const mark = (
    <>
      <path d="m20 5 13 7.5v15L20 35 7 27.5v-15z" fill="none" stroke="currentColor" strokeWidth="2" opacity=".35" />
      <path d="M7 12.5 20 20l13-7.5M20 20v15" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <g fill="currentColor">
        <circle cx="20" cy="5" r="2.6" opacity=".55" />
        <circle cx="7" cy="27.5" r="2.6" opacity=".55" />
        <circle cx="33" cy="27.5" r="2.6" opacity=".55" />
        <circle cx="7" cy="12.5" r="3.9" />
        <circle cx="33" cy="12.5" r="3.9" />
        <circle cx="20" cy="35" r="3.9" />
        <circle cx="20" cy="20" r="5" />
      </g>
    </>
  );
  return (
    <svg viewBox="0 0 40 40" className={className} aria-hidden="true">
      {import.meta.env.SSR ? shareDrawing("network mark", mark) : mark}
    </svg>
  );
}
