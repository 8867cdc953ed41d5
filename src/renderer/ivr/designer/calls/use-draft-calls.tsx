import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { LiveCall, MenuTraffic } from '../../../../contract/calls/call.ts';
import { useLiveCalls } from '../../../calls/live-calls.ts';
import { useLive } from '../../../kit/live/use-live.ts';
import { knownIds, publicationsOf } from '../publish/read-publications.ts';
import { useDesigner } from '../use-designer.ts';
import { areSameCalls, ById, callersByNode, type ExitTraffic, nodesByMenu } from './draft-calls.ts';

/** What is known of the calls of a draft. */
interface DraftCalls {
  /** Callers who are in a menu now, by its node. */
  readonly callers: ById<readonly LiveCall[]>;
  /** While the traffic is shown: by node, and by the ids of lines. */
  readonly traffic: ById<MenuTraffic>;
  readonly exits: ById<ExitTraffic>;
}

function newDraftCalls(): DraftCalls {
  return {
    callers: new ById(areSameCalls),
    traffic: new ById((one, other) => JSON.stringify(one) === JSON.stringify(other)),
    exits: new ById((one, other) => JSON.stringify(one) === JSON.stringify(other)),
  };
}

const DraftCallsContext = createContext<DraftCalls>(newDraftCalls());

/** Follows the calls of the draft for all that is inside. */
export function DraftCallsProvider({ children }: { children: ReactNode }) {
  const [calls] = useState(newDraftCalls);
  return (
    <DraftCallsContext value={calls}>
      <FollowCallers />
      {children}
    </DraftCallsContext>
  );
}

/** Apart from what is inside the provider: it is rendered with every notice of the stream. */
function FollowCallers() {
  const { draftId } = useDesigner();
  const { callers } = useDraftCalls();
  const menus = useStoredIds();
  const nodes = useMemo(() => nodesByMenu(menus), [menus]);
  const calls = useLiveCalls().known?.value ?? noCalls;
  useLayoutEffect(() => callers.set(callersByNode(calls, draftId, nodes)), [callers, calls, draftId, nodes]);
  return null;
}

const noCalls: readonly LiveCall[] = [];

export function useDraftCalls(): DraftCalls {
  return useContext(DraftCallsContext);
}

/** The ids that the menus of the draft have in this service. */
export function useStoredIds(): Readonly<Record<string, string>> {
  const { draftId } = useDesigner();
  const publications = useLive(publicationsOf(draftId)).known?.value;
  return useMemo(() => knownIds(publications ?? [], null), [publications]);
}

/** The value of one id; rendered again only when it changes. */
export function useOne<T>(values: ById<T>, id: string): T | undefined {
  return useSyncExternalStore(values.subscribe, () => values.all().get(id));
}
