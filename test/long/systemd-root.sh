#!/bin/bash
# A Debian in a folder with systemd as process 1, for as long as stdin is open: systemd-root.sh ROOT CGROUP; see debian-root.ts.
#
# Boots after the first line on stdin and writes the process id of systemd. However the process at the other end of stdin ends, the processes
# inside, the group and the folder are removed. Nothing of the machine can be written from inside: /proc/sys and /sys are read-only, /tmp,
# /run and /dev are its own.

boot() {
  set -e
  root=$1
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -o bind,ro "$root/proc/sys" "$root/proc/sys"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  # Nodes of its own: what a program of this machine has made of /dev/null, such as a file, would be no device to systemd.
  while read -r device numbers; do
    mknod -m 666 "$root/dev/$device" c $numbers
  done <<'NODES'
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
NODES
  mkdir "$root/dev/shm" "$root/dev/pts"
  mount -t tmpfs tmpfs "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
  # The /proc of this machine still: it knows this process by its id outside.
  read -r pid _ </proc/self/stat
  cd "$root"
  mkdir run/old
  pivot_root . run/old
  umount -l /run/old
  # As every container does: files that systemd mounts for a service have to appear in it.
  mount --make-rshared /
  echo "$pid"
  exec env -i container=rotavox PATH=/usr/sbin:/usr/bin /lib/systemd/systemd --log-target=journal --show-status=no >/dev/null
}

# The shell enters the group first: it is the root of all groups inside.
start() {
  echo 0 >"$2/cgroup.procs" || exit
  exec setpriv --pdeathsig=KILL unshare --pid --fork --mount --uts --ipc --net --cgroup --kill-child=SIGKILL \
    bash "$0" boot "$1"
}

remove() {
  # Nobody may read any more what bash says of what it kills.
  trap '' PIPE
  [ -z "$system" ] || kill -KILL "$system" 2>/dev/null
  [ -z "$until_closed" ] || kill -KILL "$until_closed" 2>/dev/null
  wait
  # Busy until the last process is gone.
  for attempt in {1..100}; do
    find "$2" -depth -type d -exec rmdir {} + 2>/dev/null
    [ -e "$2" ] || break
    sleep 0.1
  done
  rm -rf --one-file-system "$1"
}

if [ "$1" = boot ]; then
  boot "$2"
fi
trap 'remove "$@"' EXIT
read -r _ || exit 0
exec 3<&0
start "$@" </dev/null &
system=$!
cat <&3 >/dev/null &
until_closed=$!
wait -n "$system" "$until_closed"
