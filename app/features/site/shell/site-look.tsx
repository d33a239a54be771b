import { logoAddress } from "#app/features/site/shell/logo.tsx";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { initialMarkAddress, NETWORK_MARK } from "#worker/contract/site/initial-mark.ts";

export function SiteLookHead() {
  const frame = useSiteFrame();
  const look = frame?.look;
  return (
    <>
      <meta name="theme-color" content={look?.themeColor ?? "#0f5f79"} />
      {look?.logo === NETWORK_MARK ? (
        <>
          <link rel="icon" href="/network-mark.ico" sizes="16x16 32x32 48x48" />
          <link rel="icon" href="/network-mark.svg" type="image/svg+xml" />
          <link rel="apple-touch-icon" href="/network-icon.png" />
        </>
      ) : look?.logo ? (
        <>
          <link rel="icon" href={logoAddress("icon", look.logo)} type="image/png" sizes="192x192" />
          <link rel="apple-touch-icon" href={logoAddress("icon", look.logo)} />
        </>
      ) : (
        frame && (
          <link rel="icon" href={initialMarkAddress(frame.site.siteName, look?.themeColor)} type="image/svg+xml" />
        )
      )}
      {/* Unlayered rules override the style sheet, which is in a layer. */}
      {look?.colors && <style>{`:root{${look.colors}}`}</style>}
    </>
  );
}
