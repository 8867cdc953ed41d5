import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { z } from 'zod';
import { type Bridge, type BridgeCall, channelOf } from '../contract/bridge.ts';
import { isPageOfOurs } from './windows/guard-page.ts';

type Answers = {
  [C in BridgeCall]: (
    ...given: Parameters<Bridge[C]>
  ) => Awaited<ReturnType<Bridge[C]>> | ReturnType<Bridge[C]>;
};

/** What each call takes. Nothing else is passed on. */
const given: { [C in BridgeCall]: z.ZodType<Parameters<Bridge[C]>> } = {
  quit: z.tuple([]),
  readOpenAtLogin: z.tuple([]),
  setOpenAtLogin: z.tuple([z.boolean()]),
  showDataFolder: z.tuple([]),
  copySecret: z.tuple([z.string().min(1).max(10_000)]),
  checkForUpdates: z.tuple([]),
};

/**
 * Answers the preload script's calls, for the main frame of the service's own page only.
 *
 * The page cannot leave its origin (windows/guard-page.ts); that the sender is checked here as well keeps one mistake
 * there from becoming two.
 */
export function serveBridge({ answers, origin }: { answers: Answers; origin: string }): void {
  for (const call of Object.keys(given) as BridgeCall[]) serve(call, answers[call], origin);
}

function serve<C extends BridgeCall>(call: C, answer: Answers[C], origin: string): void {
  ipcMain.handle(channelOf(call), (event, ...arrived: unknown[]) => {
    refuseStrangers(event, origin);
    const checked = given[call].safeParse(arrived);
    // Without what arrived: it may be a secret.
    if (!checked.success) throw new Error(`The desktop app cannot do “${call}” with that.`);
    return answer(...(checked.data as Parameters<Bridge[C]>));
  });
}

function refuseStrangers({ senderFrame }: IpcMainInvokeEvent, origin: string): void {
  if (
    senderFrame !== null &&
    senderFrame.parent === null &&
    senderFrame.origin === origin &&
    isPageOfOurs(senderFrame.url, origin)
  )
    return;
  throw new Error('This page may not ask the desktop app for anything.');
}
