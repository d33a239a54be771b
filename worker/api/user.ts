import { Hono } from "hono";
import { z } from "zod";
import { id } from "#worker/contract/fields.ts";
import { refreshInput, signinInput, signoutInput, signupInput } from "#worker/contract/user.ts";
import { refreshSession, signout } from "#worker/domain/account/session.server.ts";
import { signin } from "#worker/domain/account/signin.server.ts";
import { signup } from "#worker/domain/account/signup.server.ts";
import { getUser } from "#worker/domain/account/user.server.ts";
import { clearSessionCookie, setSessionCookie } from "./cookie.ts";
import { type ApiEnv, body, ok, opened, path } from "./http.ts";

const userPath = z.object({ id });

export const userApi = new Hono<ApiEnv>()
  .post("/signup", body(signupInput), async (c) => ok(c, await signup(await opened(c), c.req.valid("json"))))
  .post("/signin", body(signinInput), async (c) => {
    const tokens = await signin(await opened(c), c.req.valid("json"));
    setSessionCookie(c, tokens.accessToken);
    return ok(c, tokens);
  })
  .post("/signin-by-refresh-token", body(refreshInput), async (c) => {
    const tokens = await refreshSession(await opened(c), c.req.valid("json"));
    setSessionCookie(c, tokens.accessToken);
    return ok(c, tokens);
  })
  .post("/signout", body(signoutInput), async (c) => {
    await signout(await opened(c), c.req.valid("json"));
    clearSessionCookie(c);
    return ok(c, {});
  })
  .get("/:id", path(userPath), async (c) => ok(c, await getUser(await opened(c), c.req.valid("param").id)));
