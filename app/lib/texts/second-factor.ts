import type { VerifyMethods } from "#worker/contract/account/second-factor-view.ts";
import type { AroundName } from "#app/lib/texts/account.ts";

interface VerifyMethodTexts {
  label: string;
  text: string;
  field: string;
  missing: string;
}

export interface SecondFactorTexts {
  title: string;
  description: AroundName;
  loading: string;
  methods: Record<keyof VerifyMethods, VerifyMethodTexts>;
  submit: string;
  failed: (error: unknown) => string;
  /** Null if the user or the page cancelled the request. */
  passkeyFailed: (error: unknown) => string | null;
  passkeyCancelled: string;
  passkeyGone: string;
  otherAccount: string;
  recovery: {
    lost: string;
    how: string;
    startedTitle: string;
    started: AroundName;
    usableTitle: string;
    usable: string;
    use: string;
  };
}
