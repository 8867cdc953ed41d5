import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { callersText as text } from '../../../../text/menu/traffic.ts';
import { callPath } from '../../../kit/window-paths.ts';
import { Link } from '../../../kit/link.tsx';
import pageStyles from '../../../kit/page.module.css';
import { Text } from '../../../kit/text.tsx';
import styles from './designer-calls.module.css';
import { useDraftCalls, useOne } from './use-draft-calls.tsx';

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
      <Button className={`${styles['badge']} nodrag nopan`} aria-label={text.title(count, name)}>
        {text.badge(count)}
      </Button>
      <Popover className={styles['list'] ?? ''} placement="bottom end" offset={6}>
        <Dialog className={styles['dialog'] ?? ''} aria-label={text.title(count, name)}>
          <Text weight="bold">{text.title(count, name)}</Text>
          <ul>
            {(calls ?? []).slice(0, mostListed).map((call) => (
              <li key={call.id}>
                <Link to={callPath(call.id)} className={styles['caller']}>
                  {text.line(call)}
                </Link>
              </li>
            ))}
          </ul>
          {count <= mostListed ? null : (
            <Text tone="soft" size="small">
              {text.more(count - mostListed)}
            </Text>
          )}
          <Link to="/calls" className={pageStyles['link']}>
            {text.all}
          </Link>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
