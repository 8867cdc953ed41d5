#!/bin/sh
# Restores a backup of backup.sh into another, empty database, all of it or nothing.
#
#   restore.sh rotavox-2026-11-23.dump postgres://rotavox@db2.example.com/rotavox
#
# Then start a host with that database and the same passphrase file, and check the history: rotavox history --verify.
# Changes that were made after the backup are lost: a token that was rotated later has to be replaced at its service. Hosts that ran with
# the lost database refuse to go on with an older one until they are started again.
set -eu

if [ $# -ne 2 ]; then
  echo 'usage: restore.sh FILE DATABASE-URL' >&2
  exit 2
fi
has_schema=$(psql --dbname "$2" --no-psqlrc --tuples-only --no-align \
  --command "select count(*) from pg_namespace where nspname = 'rotavox'")
if [ "$has_schema" != 0 ]; then
  echo 'The database has a schema rotavox already. Nothing was changed. Restore into a new database.' >&2
  exit 1
fi
pg_restore --dbname "$2" --no-owner --no-privileges --single-transaction --exit-on-error "$1"
# Nobody leads the restored database yet, so a host need not wait for the deadline of one that is gone.
psql --dbname "$2" --no-psqlrc --quiet --set ON_ERROR_STOP=1 \
  --command "update rotavox.leadership set deadline = '-infinity'"
echo 'Restored. Start a host with this database, then run: rotavox history --verify'
