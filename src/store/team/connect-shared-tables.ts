/**
 * The tables that hosts share besides the journal, in the schema `rotavox`.
 *
 * `epoch` and `number` of a row are those of its last write (see `SharedTables`): a statement that arrives late changes nothing.
 */
export const sharedTables: readonly string[] = [
  // `value` is null after a removal, until a later epoch: by then no write from before it can arrive.
  `create table rotavox.entry (
    place text not null, name text not null, value text, epoch bigint not null, number bigint not null,
    primary key (place, name)
  )`,
  `create table rotavox.recording (
    digest text not null, format text not null, bytes bytea not null, epoch bigint not null, number bigint not null,
    primary key (digest, format)
  )`,
  // Audio is compressed already, and a part of it is read without the rest.
  'alter table rotavox.recording alter column bytes set storage external',
  // Its only row orders the writes of the tables of calls, which follow.
  'create table rotavox.call_write (epoch bigint not null, number bigint not null, is_only boolean primary key default true check (is_only))',
  'insert into rotavox.call_write values (0, 0)',
  `create table rotavox.call_record (
    seq bigint generated always as identity primary key, id text not null unique, pbx text not null, ivr text not null,
    draft text, caller text, started bigint not null, ended bigint not null, keys text not null, end_kind text not null,
    end_detail text not null, moments text not null, menu_names text not null
  )`,
  'create index call_record_caller on rotavox.call_record (caller) where caller is not null',
  'create index call_record_started on rotavox.call_record (started)',
  'create table rotavox.call_menu (id text primary key, name text not null)',
  `create table rotavox.call_traffic (
    span integer not null, at integer not null, menu text not null, what text not null, count bigint not null,
    primary key (span, at, menu, what)
  )`,
  'create table rotavox.call_flow (hash text primary key, text text not null)',
  'create table rotavox.call_under_way (id text primary key, flow text not null, call text not null)',
];
