import { logoAddress } from "#app/features/site/shell/logo.tsx";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";

/** In the head of every page: the society's colours over those of the style sheet, and its icon. */
export function SiteLookHead() {
  const look = useSiteFrame()?.look;
  return (
    <>
      <meta name="theme-color" content={look?.themeColor ?? "#0f5f79"} />
      {look?.logo ? (
        <>
          <link rel="icon" href={logoAddress("icon", look.logo)} type="image/png" sizes="192x192" />
          <link rel="apple-touch-icon" href={logoAddress("icon", look.logo)} />
        </>
      ) : (
        <>
          <link rel="icon" href="/favicon.ico" sizes="16x16 32x32 48x48" />
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
          <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        </>
      )}
      {/* The style sheet's own are in a layer, which any other rule overrides. */}
      {look?.colors && <style>{`:root{${look.colors}}`}</style>}
    </>
  );
}
