import * as context from "#worker/context.server.ts";
import { noteDeferred } from "./unread-answers.ts";
import { Invocation, meterBindings } from "./platform-meter.ts";

export function openRequestScope(options: context.RequestScopeOptions) {
  const invocation = new Invocation();
  const env = { ...options.env, ...meterBindings(options.env, () => invocation) };
  const defer = (work: Promise<unknown>) => {
    noteDeferred(work);
    options.defer(work);
  };
  return context.openRequestScope({ ...options, env, defer });
}
