import { createContext, use } from "react";

export const SigninGateContext = createContext<() => Promise<boolean>>(() => Promise.resolve(false));
/** Asks for the password on the open page; resolves to true once signed in. */
export const useSigninGate = () => use(SigninGateContext);
