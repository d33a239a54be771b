import { useEffect, useEffectEvent, useState } from "react";
import { enterSite } from "#app/features/account/enter-site.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { useSigninTexts } from "#app/features/account/signin-texts.ts";
import { useAction } from "#app/features/form/use-action.ts";

/** Renews before the server's challenge expires after `SECOND_FACTOR_LIMITS.challengeMs` (5 minutes). */
const RENEW_MS = 4 * 60_000;

export function PasskeySignin({ returnUrl, onError }: { returnUrl: string; onError: (message: string) => void }) {
  const texts = useSigninTexts();
  const [isSupported, setSupported] = useState(false);
  const { busy, run } = useAction({
    reloads: "never",
    onFailure(_failure, thrown) {
      onError(texts.passkeyFailed(thrown) ?? texts.passkeyCancelled);
      return true;
    },
  });

  const askPasskey = async (useBrowserAutofill: boolean) => {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const optionsJSON = await callApi(api["second-factor"]["signin-options"].$post({ json: {} }));
    return startAuthentication({ optionsJSON, useBrowserAutofill });
  };
  const signIn = async (response: Awaited<ReturnType<typeof askPasskey>>) =>
    enterSite(await callApi(api["second-factor"].signin.$post({ json: { response } })), returnUrl);
  const signInByAutofill = useEffectEvent(async () => {
    // Ignores failures: the user has not asked for a passkey yet.
    const response = await askPasskey(true).catch(() => null);
    if (!response) return;
    await signIn(response).catch((error: unknown) => {
      const message = texts.passkeyFailed(error);
      if (message) onError(message);
    });
  });

  useEffect(() => {
    let isHere = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // With autofill, the request waits in the background until a passkey is chosen.
    const wait = () => {
      timer = setTimeout(wait, RENEW_MS);
      void signInByAutofill();
    };
    const start = async () => {
      if (!("PublicKeyCredential" in window)) return;
      setSupported(true);
      const { browserSupportsWebAuthnAutofill } = await import("@simplewebauthn/browser");
      if ((await browserSupportsWebAuthnAutofill()) && isHere) wait();
    };
    void start();
    return () => {
      isHere = false;
      clearTimeout(timer);
      void import("@simplewebauthn/browser").then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony());
    };
  }, []);

  if (!isSupported) return null;
  return (
    <Button
      size="lg"
      className="w-full"
      busy={busy}
      onClick={() => void run(async () => signIn(await askPasskey(false)), null)}
    >
      {texts.passkey}
    </Button>
  );
}
