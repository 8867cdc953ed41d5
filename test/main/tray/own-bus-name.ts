import { connect, type Socket } from 'node:net';

/**
 * Owns a name on the session's message bus and answers every call to it with one boolean, as `Properties.Get` does.
 *
 * Implements only the required part of the D-Bus specification (“Message Protocol”): little-endian, on a Unix socket. Resolves
 * once the name is owned, with a function that releases it.
 */
export async function ownBusName(name: string, answer: () => boolean): Promise<() => void> {
  const bus = connect(socketOf(process.env['DBUS_SESSION_BUS_ADDRESS'] ?? ''));
  const user = Buffer.from(String(process.getuid?.())).toString('hex');
  bus.write(`\0AUTH EXTERNAL ${user}\r\n`);
  await new Promise((resolve) => bus.once('data', resolve));
  bus.write('BEGIN\r\n');
  const daemon = (member: string): Field[] => [
    [field.path, 'o', '/org/freedesktop/DBus'],
    [field.interface, 's', 'org.freedesktop.DBus'],
    [field.member, 's', member],
    [field.destination, 's', 'org.freedesktop.DBus'],
  ];
  bus.write(message({ kind: call, serial: 1, fields: daemon('Hello') }));
  const named = Buffer.concat([padded(string(name), 4), word(0)]);
  const wanted: Field[] = [...daemon('RequestName'), [field.signature, 'g', 'su']];
  bus.write(message({ kind: call, serial: 2, fields: wanted, body: named }));
  await new Promise<void>((resolve) => {
    eachMessage(bus, ({ kind, serial, sender, replyTo }) => {
      if (kind === reply && replyTo === 2) resolve();
      if (kind !== call) return;
      const fields: Field[] = [
        [field.replySerial, 'u', serial],
        [field.destination, 's', sender],
        [field.signature, 'g', 'v'],
      ];
      const variant = Buffer.concat([signature('b'), Buffer.alloc(1), word(answer() ? 1 : 0)]);
      bus.write(message({ kind: reply, serial: 3, fields, body: variant }));
    });
  });
  return () => bus.end();
}

const call = 1;
const reply = 2;
const field = { path: 1, interface: 2, member: 3, replySerial: 5, destination: 6, sender: 7, signature: 8 };
type Field = [code: number, type: 's' | 'o' | 'g' | 'u', value: string | number];

function socketOf(address: string): string {
  const [, kind, place = ''] = /^unix:(path|abstract)=([^,;]+)/.exec(address) ?? [];
  if (kind === undefined) throw new Error(`No Unix socket: ${address}`);
  return kind === 'abstract' ? `\0${place}` : place;
}

function written(type: Field[1], value: Field[2]): Buffer {
  if (type === 'u') return word(Number(value));
  return type === 'g' ? signature(String(value)) : string(String(value));
}

function message(parts: { kind: number; serial: number; fields: Field[]; body?: Buffer }): Buffer {
  const { kind, serial, fields, body = Buffer.alloc(0) } = parts;
  const encoded = fields.map(([code, type, value]) => {
    return Buffer.concat([Buffer.from([code]), signature(type), written(type, value)]);
  });
  // Each field begins at a multiple of eight; the space behind the last one belongs to no field.
  const list = Buffer.concat(
    encoded.map((one, place) => (place < encoded.length - 1 ? padded(one, 8) : one)),
  );
  const head = Buffer.concat([Buffer.from(['l'.charCodeAt(0), kind, 0, 1]), word(body.length), word(serial)]);
  return Buffer.concat([padded(Buffer.concat([head, word(list.length), list]), 8), body]);
}

function string(text: string): Buffer {
  const bytes = Buffer.from(`${text}\0`);
  return Buffer.concat([word(bytes.length - 1), bytes]);
}

function signature(text: string): Buffer {
  return Buffer.from(`${String.fromCharCode(text.length)}${text}\0`);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function padded(bytes: Buffer, to: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)]);
}

interface Heard {
  readonly kind: number;
  readonly serial: number;
  readonly sender: string;
  readonly replyTo: number;
}

function eachMessage(bus: Socket, hear: (heard: Heard) => void): void {
  let arrived = Buffer.alloc(0);
  bus.on('data', (chunk) => {
    arrived = Buffer.concat([arrived, Buffer.from(chunk)]);
    while (arrived.length >= 16) {
      const listEnd = 16 + arrived.readUInt32LE(12);
      const end = Math.ceil(listEnd / 8) * 8 + arrived.readUInt32LE(4);
      if (arrived.length < end) return;
      hear({ kind: arrived.readUInt8(1), serial: arrived.readUInt32LE(8), ...fieldsOf(arrived, listEnd) });
      arrived = arrived.subarray(end);
    }
  });
}

function fieldsOf(bytes: Buffer, end: number): Pick<Heard, 'sender' | 'replyTo'> {
  const found = { sender: '', replyTo: 0 };
  for (let at = 16; at < end; at = Math.ceil(at / 8) * 8) {
    const code = bytes.readUInt8(at);
    const type = String.fromCharCode(bytes.readUInt8(at + 2));
    at += 4;
    if (type === 'g') {
      at += bytes.readUInt8(at) + 2;
      continue;
    }
    const value = bytes.readUInt32LE(at);
    at += 4;
    if (type === 'u') {
      if (code === field.replySerial) found.replyTo = value;
      continue;
    }
    if (code === field.sender) found.sender = bytes.toString('utf8', at, at + value);
    at += value + 1;
  }
  return found;
}
