import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import type { LogoName } from "#worker/contract/site/rules.ts";

/** @param stamp changes with the logo, so that a browser may keep what it has */
export const logoAddress = (name: LogoName, stamp: string) => `/api/site-setting/logo/${name}?v=${stamp}`;

/** The society's logo, or the mark that a site begins with. Its name stands beside it. */
export function Logo({ isOnDark = false, className }: { isOnDark?: boolean; className?: string }) {
  const stamp = useSiteFrame()?.look.logo;
  if (!stamp) return <LogoMark className={className} />;
  return (
    <img
      src={logoAddress(isOnDark ? "dark" : "light", stamp)}
      alt=""
      height={40}
      className="h-9 w-auto max-w-40 shrink-0 object-contain lg:h-10"
    />
  );
}

/** Centres around a hub: the mark of the network. It takes its colours from where it stands. */
function LogoMark({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 40 40" className={className} aria-hidden="true">
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
    </svg>
  );
}
