import { useEffect, useEffectEvent, useState } from "react";
import { enterSite } from "#app/features/account/enter-site.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { useSigninTexts } from "#app/features/account/signin-texts.ts";
import { useAction } from "#app/features/form/use-action.ts";

/** Before what the server asked runs out; its five minutes are `SECOND_FACTOR_LIMITS.challengeMs`. */
const RENEW_MS = 4 * 60_000;

/** Signs in by a passkey alone: offered by the browser in the field of the ID, and by a button. */
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
    // Nobody asked for it yet: a browser that cannot, or a lost connection, is no error of the form.
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
    // Where the browser offers passkeys in the field, it waits in the background until one is chosen.
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
