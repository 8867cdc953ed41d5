#!/bin/sh
# Writes a backup of a team's database: everything that its hosts share, as of one instant, while they run.
#
#   backup.sh postgres://rotavox@db.example.com/rotavox rotavox-$(date +%F).dump
#
# The password comes from PGPASSFILE (~/.pgpass) or PGPASSWORD. The passphrase file of the hosts is not part of the backup: without it
# the tokens in the backup cannot be opened. Keep a copy of it in another place.
set -eu

if [ $# -ne 2 ]; then
  echo 'usage: backup.sh DATABASE-URL FILE' >&2
  exit 2
fi
umask 077
pg_dump --dbname "$1" --schema rotavox --no-owner --no-privileges --format custom --file "$2.part"
# A dump that was cut short has no table of contents.
pg_restore --list "$2.part" >/dev/null
sync "$2.part"
mv "$2.part" "$2"
echo "Backup written: $2"
