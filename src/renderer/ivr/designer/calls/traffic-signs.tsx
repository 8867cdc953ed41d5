import {
  exitTrafficText,
  isGivenUp,
  menuTrafficText,
  trafficText as text,
  callersText,
} from '../../../../text/menu/traffic.ts';
import { menuTitle } from '../../../../text/menu/phone-menu.ts';
import { Text } from '../../../kit/text.tsx';
import type { ExitContent } from '../canvas/card-content.ts';
import styles from './designer-calls.module.css';
import { useDraftCalls, useOne } from './use-draft-calls.tsx';
import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { callPath } from '../../../kit/window-paths.ts';
import { Link } from '../../../kit/link.tsx';

/** Above the card of a menu while traffic is shown: how many came in, and how many of them hung up in it. */
export function MenuTrafficSign({ node }: { node: string }) {
  const traffic = useOne(useDraftCalls().traffic, node);
  if (traffic === undefined) return null;
  const { entered, hung_up: hungUp } = traffic;
  const isLost = isGivenUp(traffic);
  return (
    <p className={styles['sign']} data-lost={isLost} title={menuTrafficText(traffic)}>
      <span>{text.entered(entered)}</span>
      {hungUp === 0 ? null : (
        <span className={styles['lost']}>
          {isLost ? <LostIcon /> : null}
          {text.hungUp(hungUp, entered)}
        </span>
      )}
    </p>
  );
}

/** Decorative: the words beside it say the same. */
function LostIcon() {
  return (
    <svg viewBox="0 0 16 16" className={styles['icon']} aria-hidden="true" focusable="false">
      <path d="M8 2 1.5 13.5h13zM8 6.5v3.25m0 1.75v.5" />
    </svg>
  );
}

/** At an exit of a menu while traffic is shown: how often it was taken, with a bar for its share. */
export function ExitTrafficSign({ node, exit }: { node: string; exit: ExitContent }) {
  const traffic = useOne(useDraftCalls().exits, `${node}:${exit.handle}`);
  if (traffic === undefined) return null;
  const { count, entered } = traffic;
  const kind = exit.handle === 'invalid' || exit.handle === 'timeout' ? exit.handle : 'key';
  const words = exitTrafficText(
    kind === 'key' ? { kind, key: 'key' in exit ? String(exit.key) : '' } : { kind },
    traffic,
  );
  return (
    <>
      <span
        className={styles['share']}
        style={{ width: `${Math.min(100, (count / Math.max(1, entered)) * 100)}%` }}
        aria-hidden="true"
      />
      <span className={styles['count']} title={words}>
        {count.toLocaleString()}
      </span>
    </>
  );
}

/** In the outline: who is in a menu now, and its traffic, in words. */
export function MenuCallsNote({ menu }: { menu: { readonly id: string; readonly name: string } }) {
  const { callers, traffic } = useDraftCalls();
  const calls = useOne(callers, menu.id);
  const counted = useOne(traffic, menu.id);
  if (calls === undefined && counted === undefined) return null;
  return (
    <div className={styles['note']}>
      {calls === undefined ? null : (
        <details>
          <summary>{callersText.title(calls.length, menuTitle(menu))}</summary>
          <ul>
            {calls.slice(0, 20).map((call) => (
              <Text as="li" key={call.id} size="small" breaks>
                {callersText.line(call)}
              </Text>
            ))}
          </ul>
        </details>
      )}
      {counted === undefined ? null : (
        <Text size="small" tone={isGivenUp(counted) ? 'bad' : 'soft'} isTabular>
          {menuTrafficText(counted)}
        </Text>
      )}
    </div>
  );
}

/** So many callers are listed; the rest is on the page of calls. */
const mostListed = 20;

/** How many callers are in a menu, on its card; pressed, it lists them. Nothing while there is none. */
export function CallerBadge({ node, name }: { node: string; name: string }) {
  const calls = useOne(useDraftCalls().callers, node);
  const [isOpen, setOpen] = useState(false);
  if (calls === undefined && !isOpen) return null;
  const count = calls?.length ?? 0;
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button className={`${styles['badge']} nodrag nopan`} aria-label={callersText.title(count, name)}>
        {callersText.badge(count)}
      </Button>
      <Popover className={styles['list'] ?? ''} placement="bottom end" offset={6}>
        <Dialog className={styles['dialog'] ?? ''} aria-label={callersText.title(count, name)}>
          <Text weight="bold">{callersText.title(count, name)}</Text>
          <ul>
            {(calls ?? []).slice(0, mostListed).map((call) => (
              <li key={call.id}>
                <Link to={callPath(call.id)} className={styles['caller']}>
                  {callersText.line(call)}
                </Link>
              </li>
            ))}
          </ul>
          {count <= mostListed ? null : (
            <Text tone="soft" size="small">
              {callersText.more(count - mostListed)}
            </Text>
          )}
          <Link to="/calls">{callersText.all}</Link>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
