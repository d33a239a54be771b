import * as context from "#worker/context.server.ts";
import { Invocation, meterBindings } from "./platform-meter.ts";

export function openRequestScope(options: context.RequestScopeOptions) {
  const invocation = new Invocation();
  const env = { ...options.env, ...meterBindings(options.env, () => invocation) };
  return context.openRequestScope({ ...options, env });
}
