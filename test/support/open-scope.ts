import * as context from "#worker/context.server.ts";
import { Invocation, meterBindings } from "./platform-meter.ts";

/** A scope as a request opens it, with an invocation's share of its own. */
export function openRequestScope(options: context.RequestScopeOptions) {
  const invocation = new Invocation();
  const env = { ...options.env, ...meterBindings(options.env, () => invocation) };
  return context.openRequestScope({ ...options, env });
}
