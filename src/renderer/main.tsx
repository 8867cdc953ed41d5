/*
 * The windows, as web clients of the service: the same page in the desktop app and in a browser.
 *
 * Here: what people see, by subject (status/, history/), and what all subjects share (kit/). Not here: rules about
 * tokens or menus (core), Node, Electron, inline script or style (the service's Content-Security-Policy refuses them).
 * Addresses are relative. Start reading at status/status-window.tsx; what is live and how, in kit/use-portal.ts.
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import './kit/theme.css';
import { StatusWindow } from './status/status-window.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root" to draw the window in.');
createRoot(root).render(
  <StrictMode>
    <StatusWindow />
  </StrictMode>,
);
