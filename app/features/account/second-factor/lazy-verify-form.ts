import { lazy } from "react";

/** Few pages ever ask for it. */
export const LazyVerifyForm = lazy(() => import("./verify-form.tsx"));
