import { lineOfReplaced } from '../../../contract/decode-text.ts';
import { findJsonError } from '../../../contract/find-json-error.ts';
import {
  DocumentFile,
  documentFormat,
  documentVersion,
  draftBounds,
  IvrDocument,
} from '../../../contract/menu/ivr-draft.ts';
import type { ImportRefusal, ImportWarnings, ForeignFormat } from '../../../contract/menu/ivr-import.ts';
import { expectedWords, fieldProblemsOf } from '../../../contract/field-problem.ts';
import { FlowPart, type ScheduleHours } from '../../../contract/menu/schedule.ts';
import { done, refused, type Result } from '../../result.ts';
import { unfitNames } from '../draft/change-draft.ts';
import { drawMenus } from './draw-menus.ts';
import { findMenus, isObject, type JsonObject } from './find-menus.ts';
import { ImportNotes, readMenu } from './read-menu.ts';

export interface ImportedDocument {
  readonly document: IvrDocument;
  /** Those of an exported call flow: as they were where it was exported. */
  readonly schedules?: readonly ScheduleHours[];
  /** What was left out and what is incomplete, each with its path. */
  readonly warnings: ImportWarnings;
}

type Import = Result<ImportedDocument, readonly ImportRefusal[]>;

/** In UTF-16 units: a mebibyte of plain text. */
const longestText = 1024 * 1024;
const mostErrors = 20;

/**
 * Reads a file or pasted text as a document: a body or a list of bodies (spec 2.3), menus of the platform's `GET
 * /v1/ivrs`, our own export, or a draft from the portal.
 *
 * An incomplete menu is imported as far as possible, with warnings. Anything that is not a menu is refused with its
 * path and what is expected there. Never throws.
 */
export function readImport(text: string): Import {
  if (text.length > longestText)
    return refused([{ code: 'too_large', at: '', params: { characters: text.length } }]);
  const parsed = parseJson(text.replace(/^\ufeff/, ''));
  if (!parsed.ok) return parsed;
  // Also where it is written as an escape. A backslash before that is one of a pair in no text that people write.
  const line = lineOfReplaced(text.replaceAll(/\\ufffd/gi, '\ufffd'));
  if (line !== null) return refused([{ code: 'replaced', at: '', params: { line } }]);
  const { value } = parsed;
  if (isObject(value)) {
    if (Object.hasOwn(value, 'format')) return readExport(value);
    if (Object.hasOwn(value, 'document')) return drawn(value['document'], 'document');
    if (Object.hasOwn(value, 'nodes') && Object.hasOwn(value, 'caller')) return drawn(value, '');
  }
  return readMenus(value);
}

/**
 * Whether a value is one body, which is checked as `POST /v1/ivr` would: not a list or an envelope of menus, an export, or what another
 * program has written. What is nothing of all this is an incomplete body.
 */
export function isBody(value: unknown): boolean {
  if (!isObject(value)) return !Array.isArray(value);
  if (nameJson(value) !== null) return false;
  if (['format', 'document', 'nodes', 'ivr_menu'].some((field) => Object.hasOwn(value, field))) return false;
  const found = findMenus(value);
  return found.ok ? found.value.every(({ path }) => path === '') : found.refusal.every(({ at }) => at === '');
}

function parseJson(text: string): Result<unknown, readonly ImportRefusal[]> {
  try {
    const value = JSON.parse(text) as unknown;
    return done(longNumber.test(text) ? (JSON.parse(withTexts(text)) as unknown) : value);
  } catch {
    const format = nameText(text);
    if (format !== null) return refused([{ code: 'foreign', at: '', params: { format } }]);
    return refused([{ code: 'not_json', at: '', params: findJsonError(text) }]);
  }
}

/** From 16 digits on a number of JavaScript may not be exact: services number with 64 bits (darvester/darvester#43, oceanbase/powercontext#91). */
const longNumber = /\d{16}/;

/** JSON with its long whole numbers as texts: they are ids, of which every digit counts. */
function withTexts(json: string): string {
  const texts = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])(-?\d{16,})(?![\d.eE])/g;
  return json.replace(texts, (whole, digits?: string) => (digits === undefined ? whole : `"${digits}"`));
}

function readExport({ format, version, document, schedules }: JsonObject): Import {
  if (format !== documentFormat)
    return refused([{ code: 'wrong_format', at: 'format', params: { format: documentFormat } }]);
  if (version !== documentVersion)
    return refused([{ code: 'wrong_version', at: 'version', params: { version: documentVersion } }]);
  const read = drawn(document, 'document');
  const parsed = DocumentFile.shape.schedules.safeParse(schedules);
  if (!read.ok || !parsed.success || parsed.data === undefined) return read;
  return done({ ...read.value, schedules: parsed.data });
}

function drawn(value: unknown, path: string): Import {
  const document = readDocument(value, path);
  return document.ok ? done({ document: document.value, warnings: new ImportNotes().warnings() }) : document;
}

function readMenus(value: unknown): Import {
  const found = findMenus(value);
  if (!found.ok) {
    const format = nameJson(value);
    if (format !== null) return refused([{ code: 'foreign', at: '', params: { format } }]);
    return refused(found.refusal.slice(0, mostErrors));
  }
  const tooMany = { code: 'too_many_nodes', at: '', params: { most: draftBounds.nodes } } as const;
  if (found.value.length > draftBounds.nodes) return refused([tooMany]);
  const parts = found.value.flatMap(({ fields }) => {
    const part = FlowPart.safeParse(fields);
    return part.success ? [part.data] : [];
  });
  const menus = found.value.filter(({ fields }) => !FlowPart.safeParse(fields).success);
  const notes = new ImportNotes(new Set(parts.map(({ kind, id }) => `${kind}||${id}`)));
  const document = drawMenus(
    menus.map((menu, index) => readMenu(menu, notes, index + 1)),
    notes,
    parts,
  );
  if (Object.keys(document.nodes).length > draftBounds.nodes) return refused([tooMany]);
  return done({ document, warnings: notes.warnings() });
}

const mostDocumentErrors = 20;

/** The document in a file, or the path of the first error and what is expected there; `path` is where it is. */
function readDocument(value: unknown, path: string): Result<IvrDocument, readonly ImportRefusal[]> {
  const parsed = IvrDocument.safeParse(value, { error: expectedWords });
  const found = parsed.success ? unfitNames(parsed.data) : fieldProblemsOf(parsed.error, value);
  if (parsed.success && found.length === 0) return done(parsed.data);
  const problems = found.slice(0, mostDocumentErrors);
  return refused(
    problems.map(({ field, ...finding }) => ({
      code: 'field',
      at: [path, field].filter((part) => part !== '').join('.'),
      params: finding,
    })),
  );
}

/** How much of a text is looked at. */
const lookedAt = 64 * 1024;

/**
 * Names a text that is not JSON by what telephone systems and services write; null where it is nothing that is known.
 *
 * Only named, never read: what such a file means, its own program decides.
 */
function nameText(text: string): ForeignFormat | null {
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
function nameJson(value: unknown): ForeignFormat | null {
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
