import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { callJson } from "../support/api-client.ts";
import { type TestUser } from "../support/people.ts";

/** A published incident and its reenactment. */
export interface Replay {
  name: string;
  happened: string;
  stopped: string;
  play: (stage: Stage) => Promise<void>;
}
export interface ReplayAct {
  act: string;
  answer: string;
}

/** Checks the answers of a reenactment and records them for the page. */
export interface Stage {
  refuse: (act: string, answer: { status: number; code: string }, ...expected: string[]) => void;
  holds: (act: string, outcome: string, seen: unknown, expected: unknown) => void;
}

export function openStage(acts: ReplayAct[]): Stage {
  return {
    refuse(act, answer, ...expected) {
      expect([act, answer.status >= 400 && answer.status < 500]).toEqual([act, true]);
      expect(expected, act).toContain(answer.code);
      acts.push({ act, answer: `${answer.status} ${answer.code}` });
    },
    holds(act, outcome, seen, expected) {
      expect([act, seen]).toEqual([act, expected]);
      acts.push({ act, answer: outcome });
    },
  };
}

export const ATTACKER_ADDRESS = "198.51.100.66";
export const signInAs = (userKeyCode: string, password: string, address = ATTACKER_ADDRESS) =>
  callJson("POST", "/api/user/signin", { body: { userKeyType: "Id", userKeyCode, password }, address });
export const readPasswordHash = (person: TestUser) =>
  env.DB.prepare("SELECT password_hash FROM user WHERE id = ?").bind(person.id).first<string>("password_hash");
