import { readFileSync, statSync } from 'node:fs';
import { readProcessStat } from '../../contract/credential/process-stat.ts';
import type { AskingProcess } from '../../contract/credential/tool-connection.ts';
import type { RunningTool } from '../../contract/credential/use.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import { endsAtOnce, mayWaitUntilMs, type ToolWait } from '../../core/connection/tool-wait.ts';
import type { ToolUse } from '../../core/credential/credential-agent.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import type { DerivedCredential } from '../../core/credential/derive-credential.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import type { Records } from '../ports.ts';

/** How many processes are noted for one credential, the newest. */
const mostNoted = 64;
/** How long a tool counts as running whose process is not known, in milliseconds. */
const unknownRunsMs = 2 * 60_000;

interface NotedTool extends ToolUse {
  readonly atMs: number;
}

interface NotedWait extends ToolWait {
  readonly generation: number;
}

/**
 * The connected tools that got the current token and still run, and the rotations that wait for them. In memory only: after a restart
 * nothing waits. The system is asked only when somebody asks here, and nothing here has a timer.
 */
// see decisions/connections.md
export class RunningTools {
  readonly #ports: Pick<Records, 'ledger' | 'clock' | 'zone'>;
  readonly #noted = new Map<CredentialId, readonly NotedTool[]>();
  readonly #waits = new Map<CredentialId, NotedWait>();
  readonly #listeners = new Set<() => void>();

  constructor(ports: Pick<Records, 'ledger' | 'clock' | 'zone'>) {
    this.#ports = ports;
  }

  note(id: CredentialId, use: ToolUse): void {
    const { process: one } = use;
    if (one !== undefined && !(isRunning(one) && isOurs(one.pid))) return;
    const atMs = this.#ports.clock();
    const others = (this.#noted.get(id) ?? []).filter(
      (other) => !isSameProcess(other, use) && mayRun(other, atMs),
    );
    this.#noted.set(id, [{ ...use, atMs }, ...others].slice(0, mostNoted));
  }

  /** Those that run with the current token, where a rotation ends that at once. The latest first. */
  running(id: CredentialId): RunningTool[] {
    const credential = this.#ports.ledger.state.credentials.get(id);
    const noted = this.#noted.get(id);
    if (noted === undefined) return [];
    const nowMs = this.#ports.clock();
    const left = noted.filter((one) => one.generation === credential?.generation && mayRun(one, nowMs));
    if (left.length === 0) this.#noted.delete(id);
    else this.#noted.set(id, left);
    if (credential === undefined || !endsAtOnce(credential)) return [];
    return left.map(({ tool, process: one, atMs }) => ({
      name: one?.name ?? tool,
      pid: one?.pid ?? null,
      since: isoInstant(atMs),
    }));
  }

  /** Until when a rotation that is due now waits for tools; null: it begins. */
  waitUntilMs(credential: DerivedCredential, nowMs: number): number | null {
    const { id, generation } = credential;
    const untilMs = this.#noted.has(id) ? mayWaitUntilMs(credential, nowMs, this.#ports.zone) : null;
    const tools = untilMs === null ? [] : this.running(id);
    if (untilMs === null || tools.length === 0) {
      this.endWait(id);
      return null;
    }
    const before = this.#waits.get(id);
    this.#waits.set(id, { untilMs, tools, generation });
    if (before?.untilMs !== untilMs || !isSameList(before.tools, tools)) this.#tell();
    return untilMs;
  }

  /** Its rotation waits for no tool, or is not due any more. */
  endWait(id: CredentialId): void {
    if (this.#waits.delete(id)) this.#tell();
  }

  /** The credential was removed. */
  forget(id: CredentialId): void {
    this.#noted.delete(id);
    this.endWait(id);
  }

  waitOf({ id, generation }: Pick<Credential, 'id' | 'generation'>): ToolWait | null {
    const wait = this.#waits.get(id);
    return wait?.generation === generation ? wait : null;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isSameProcess(one: ToolUse, other: ToolUse): boolean {
  if (one.process === undefined) return other.process === undefined && one.tool === other.tool;
  return one.process.pid === other.process?.pid && one.process.started === other.process.started;
}

function isSameList(some: readonly RunningTool[], others: readonly RunningTool[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, pid }, at) => others[at]?.name === name && others[at].pid === pid)
  );
}

function mayRun({ process: one, atMs }: NotedTool, nowMs: number): boolean {
  if (one !== undefined) return isRunning(one);
  return atMs <= nowMs && nowMs < atMs + unknownRunsMs;
}

/** Whether it is there, and not another one with its pid. */
function isRunning({ pid, started }: AskingProcess): boolean {
  try {
    const stat = readProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return stat !== null && !stat.hasEnded && stat.started === started;
  } catch {
    return false;
  }
}

/** Whether it is of this account. */
function isOurs(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.getuid?.();
  } catch {
    return false;
  }
}
