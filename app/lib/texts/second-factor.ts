import type { VerifyMethods } from "#worker/contract/account/second-factor-view.ts";
import type { AroundName } from "#app/lib/texts/account.ts";

interface VerifyMethodTexts {
  label: string;
  text: string;
  field: string;
  missing: string;
}

/** What the second factor says at sign-in and before a dangerous act. */
export interface SecondFactorTexts {
  title: string;
  /** Around the person's name. */
  description: AroundName;
  loading: string;
  methods: Record<keyof VerifyMethods, VerifyMethodTexts>;
  submit: string;
  failed: (error: unknown) => string;
  /** Null where the person or the page gave up by themselves. */
  passkeyFailed: (error: unknown) => string | null;
  passkeyCancelled: string;
  /** The passkey was removed on another device meanwhile. */
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
