import { valuesOf } from "./labels.ts";

interface Command<State extends string> {
  /** The person of the case, the office with the right of the desk, or those who decide. */
  by: "person" | "office" | "decider";
  from: readonly State[];
  /** The state stays without it. */
  to?: State;
}

/** The rules of a desk: its states, and the commands with their callers. */
export interface DeskRules<State extends string = string, Name extends string = string> {
  states: Readonly<Record<State, string>>;
  tones: Readonly<Record<State, "primary" | "success" | "warning" | "danger" | "gray">>;
  commands: Readonly<Record<Name, Command<State>>>;
}
type Commands<State extends string, Name extends string> = Pick<DeskRules<State, Name>, "commands">;

/** `letters` names the mail template that tells the person about a command. */
export const defineDesk = <
  const State extends string,
  const Name extends string,
  const Letters extends Partial<Record<Name, string>>,
>(
  desk: DeskRules<State, Name> & { letters: Letters },
) => ({ ...desk, names: valuesOf(desk.states) });

/** Whether the command exists for a case in this state; the caller's right is another question. */
export const hasCommand = <State extends string, Name extends string>(
  { commands }: Commands<State, Name>,
  name: NoInfer<Name>,
  state: NoInfer<State>,
): boolean => commands[name].from.includes(state);

export const isEnded = <State extends string>({ commands }: Commands<State, string>, state: NoInfer<State>): boolean =>
  Object.values<Command<State>>(commands).every(({ from }) => !from.includes(state));
