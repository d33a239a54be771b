import { createContext, use } from "react";

export const SigninGateContext = createContext<() => Promise<boolean>>(() => Promise.resolve(false));
/** Asks for the password on the page that is open; true once the session stands again. */
export const useSigninGate = () => use(SigninGateContext);
