import { createContext, use, useCallback } from "react";
import { AppError } from "#worker/contract/kernel/errors.ts";

export const SigninGateContext = createContext<() => Promise<boolean>>(() => Promise.resolve(false));
/** Asks for the password on the page that is open; true once the session stands again. */
export const useSigninGate = () => use(SigninGateContext);

/** Does the work, and once more after a sign-in on the spot where it was refused because the session had ended. */
export function useSignedInWork() {
  const ask = useSigninGate();
  return useCallback(
    async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== "UNAUTHORIZED" || !(await ask())) throw thrown;
        return work();
      }
    },
    [ask],
  );
}
