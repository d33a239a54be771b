import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";

export function NavigationProgress() {
  const busy = useNavigation().state !== "idle";
  return (
    <>
      {busy && (
        <div aria-hidden="true" className="absolute inset-x-0 -bottom-px h-0.75 overflow-hidden bg-primary-10">
          <div className="h-full w-2/5 animate-progress bg-primary-50 motion-reduce:w-full" />
        </div>
      )}
      <TitleAnnouncer />
    </>
  );
}

function TitleAnnouncer() {
  const { pathname } = useLocation();
  const first = useRef(pathname);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (first.current === pathname) return;
    first.current = "";
    setTitle(document.title);
  }, [pathname]);
  return (
    <p className="sr-only" aria-live="polite">
      {title}
    </p>
  );
}
