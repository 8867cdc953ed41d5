/*
 * The windows, as web clients of the service: the same pages in the desktop app and in a browser.
 *
 * Here: the views, one folder for each subject, and what they share (kit/). Not here: rules about tokens or menus
 * (core), sentences (text), Node, Electron, inline script or style (the service's Content-Security-Policy refuses
 * them). Requests go to the host that served the page, so nothing names it. Start reading at pages.tsx; how a view
 * stays up to date is in kit/live/follow-changes.ts.
 */
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followShell } from './kit/desktop-bridge.ts';
import { followPresses } from './kit/form-refusal.tsx';
import { hearShortcuts } from './kit/keys/use-shortcut.ts';
import { changeStream } from './kit/live/change-stream.ts';
import { followChanges } from './kit/live/follow-changes.ts';
import { windowCache } from './kit/live/window-cache.ts';
import { followSteps } from './kit/navigation.ts';
import { followSignIn, sendPageKey } from './kit/page-key.ts';
import './kit/theme.css';
import { Pages } from './pages.tsx';
import { applyRememberedTheme, FollowTheme } from './settings/follow-theme.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root" to draw the window in.');
sendPageKey();
applyRememberedTheme();
followShell();
hearShortcuts();
followPresses();
followSteps();
followChanges(windowCache, changeStream);
changeStream.open();
followSignIn(() => changeStream.open());
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={windowCache}>
      <FollowTheme />
      <Pages />
    </QueryClientProvider>
  </StrictMode>,
);
