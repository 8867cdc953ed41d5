import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { z } from 'zod';
import {
  type Bridge,
  type BridgeCall,
  channelOf,
  desktopSwitches,
  trayDrawings,
} from '../contract/window/bridge.ts';
import { bridgeRefusal } from '../text/service/desktop-text.ts';
import { isPageOfOurs } from './windows/guard-page.ts';

type Answers = {
  [C in BridgeCall]: (
    ...given: Parameters<Bridge[C]>
  ) => Awaited<ReturnType<Bridge[C]>> | ReturnType<Bridge[C]>;
};

/** The arguments of each call; all others are refused. */
const given: { [C in BridgeCall]: z.ZodType<Parameters<Bridge[C]>> } = {
  quit: z.tuple([]),
  restart: z.tuple([]),
  readSwitch: z.tuple([z.enum(desktopSwitches)]),
  setSwitch: z.tuple([z.enum(desktopSwitches), z.boolean()]),
  readTrayDrawing: z.tuple([]),
  setTrayDrawing: z.tuple([z.enum(trayDrawings).nullable()]),
  showDataFolder: z.tuple([]),
  copySecret: z.tuple([z.string().min(1).max(10_000)]),
  checkForUpdates: z.tuple([]),
  readTeamHost: z.tuple([]),
  connectTeamHost: z.tuple([z.string().max(300), z.string().max(500).nullable()]),
  disconnectTeamHost: z.tuple([]),
};

/**
 * Answers the preload script's calls, for the main frame of the service's own page only.
 *
 * The page cannot leave its origin (windows/guard-page.ts); the sender is checked here as a second protection.
 */
export function serveBridge({ answers, origin }: { answers: Answers; origin: string }): void {
  for (const call of Object.keys(given) as BridgeCall[]) serve(call, answers[call], origin);
}

function serve<C extends BridgeCall>(call: C, answer: Answers[C], origin: string): void {
  ipcMain.handle(channelOf(call), (event, ...arrived: unknown[]) => {
    checkSender(event, origin);
    const checked = given[call].safeParse(arrived);
    // Without the arguments, which may contain a secret.
    if (!checked.success) throw new Error(bridgeRefusal.invalid(call));
    return answer(...(checked.data as Parameters<Bridge[C]>));
  });
}

function checkSender({ senderFrame }: IpcMainInvokeEvent, origin: string): void {
  if (senderFrame?.parent === null && senderFrame.origin === origin && isPageOfOurs(senderFrame.url, origin))
    return;
  throw new Error(bridgeRefusal.sender);
}
