import { pagePath } from '../../contract/window/window-page.ts';

/** Where a phone menu is shown. */
export function menuPath(id: string): string {
  return pagePath('menu', id);
}

/** Where a draft of phone menus is designed. */
export function draftPath(id: string): string {
  return pagePath('draft', id);
}

/** Where a token family is shown. */
export function familyPath(id: string): string {
  return pagePath('family', id);
}

/** Where a credential is shown. */
export function credentialPath(name: string): string {
  return pagePath('credential', name);
}

/** Where a telephone system is shown. */
export function pbxPath(name: string): string {
  return pagePath('telephone-system', name);
}

/** Where a call is shown. */
export function callPath(id: string): string {
  return pagePath('call', id);
}

/** Where the history of one family, credential or menu is shown. */
export function historyPath(subject: string): string {
  return `${pagePath('history')}?subject=${encodeURIComponent(subject)}`;
}
