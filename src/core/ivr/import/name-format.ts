import type { ForeignFormat } from '../../../contract/menu/ivr-import.ts';
import { isObject, type JsonObject } from './find-menus.ts';

/** How much of a text is looked at. */
const lookedAt = 64 * 1024;

/**
 * Names a text that is not JSON by what telephone systems and services write; null where it is nothing that is known.
 *
 * Only named, never read: what such a file means, its own program decides.
 */
export function nameText(text: string): ForeignFormat | null {
  const start = text.slice(0, lookedAt);
  const root = rootOf(start);
  if (root !== null) return nameXml(root, start);
  // Asterisk, configs/samples/extensions.conf.sample and extensions.ael.sample.
  if (/^[ \t]*(?:exten|same)[ \t]*=>?[ \t]*\S/m.test(start)) return 'dialplan';
  if (/^[ \t]*(?:abstract[ \t]+)?context[ \t]+[\w-]+[ \t]*\{/m.test(start)) return 'dialplan';
  // Genesys Cloud, Archy: a flow begins with its type.
  if (
    /^(?:inboundCall|outboundCall|inQueueCall|secureCall|commonModule|voicemail|voice):[ \t]*$/m.test(start)
  )
    return 'genesys_flow';
  if (/^\s*(?:strict\s+)?(?:di)?graph\b[^{\n]*\{/.test(start)) return 'picture';
  return null;
}

/** The name of the root element of an XML or HTML text; null for any other text. */
function rootOf(text: string): string | null {
  const [, root = null] =
    /^\s*(?:<\?[^>]*>\s*|<!--(?:(?!-->)[^])*-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<([A-Za-z_][\w.:-]*)/i.exec(
      text,
    ) ?? [];
  return root;
}

function nameXml(root: string, text: string): ForeignFormat | null {
  switch (root.toLowerCase()) {
    case 'svg':
      return 'picture';
    case 'html':
      return 'web_page';
    // VoiceXML 2.1, W3C.
    case 'vxml':
      return 'voicexml';
    // TwiML, and what other services take alike.
    case 'response':
      return 'twiml';
    // 3CX Call Flow Designer: Main.flow and *.cfdproj (3cx/cfd-demos).
    case 'graphical_application_designer_project':
      return 'cfd_flow';
    case 'file':
      return text.includes('TCX.CFD.') ? 'cfd_flow' : null;
    // FreeSWITCH, conf/vanilla: freeswitch.xml, ivr_menus/demo_ivr.xml, dialplan/default.xml.
    case 'document':
      return /<document\s+type=["']freeswitch\/xml["']/i.test(text) ? 'freeswitch' : null;
    case 'include':
    case 'configuration':
    case 'section':
    case 'menus':
    case 'menu':
    case 'context':
    case 'extension':
      return /<(?:menu\s[^<>]*(?:greet-long|invalid-sound|digit-len)|entry\s[^<>]*\bdigits|condition\s[^<>]*\bfield|action\s[^<>]*\bapplication)=/.test(
        text,
      )
        ? 'freeswitch'
        : null;
    default:
      return null;
  }
}

/** Names JSON in which no menus were found. */
export function nameJson(value: unknown): ForeignFormat | null {
  if (Array.isArray(value)) return isNcco(value) ? 'ncco' : null;
  if (!isObject(value)) return null;
  if (isStudio(value)) return 'studio_flow';
  const { definition } = value;
  // As the API of Studio returns it.
  if (isObject(definition) && isStudio(definition)) return 'studio_flow';
  if (isConnect(value)) return 'connect_flow';
  const { flow } = value;
  return isKazoo(value) || (isObject(flow) && isKazoo(flow)) ? 'kazoo_callflow' : null;
}

/** Twilio, “Studio Flow Definition” (schemas.twilio.com/studio/draft/2019-09/flow-definition). */
function isStudio(value: JsonObject): boolean {
  return Array.isArray(value['states']) && typeof value['initial_state'] === 'string';
}

/** AWS, “Amazon Connect Flow language”; the exports of its console before 2022; and the reply of DescribeContactFlow. */
function isConnect(value: JsonObject): boolean {
  const isFlow = Array.isArray(value['Actions']) && typeof value['StartAction'] === 'string';
  const isOlder = Array.isArray(value['modules']) && typeof value['start'] === 'string';
  const reply = value['ContactFlow'];
  return isFlow || isOlder || (isObject(reply) && typeof reply['Content'] === 'string');
}

/** Vonage, “NCCO reference”: a list of actions. */
function isNcco(list: readonly unknown[]): boolean {
  const actions = [
    'talk',
    'stream',
    'input',
    'connect',
    'conversation',
    'record',
    'notify',
    'pay',
    'wait',
    'transfer',
  ];
  return (
    list.length > 0 && list.every((entry) => isObject(entry) && actions.includes(String(entry['action'])))
  );
}

/** 2600Hz Kazoo, “Callflows”. */
function isKazoo(value: JsonObject): boolean {
  return typeof value['module'] === 'string' && isObject(value['data']) && isObject(value['children']);
}
