import { lazy } from "react";

/** Is loaded lazily because few pages ask for it. */
export const LazyVerifyForm = lazy(() => import("./verify-form.tsx"));
