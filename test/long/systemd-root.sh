#!/bin/bash
# Runs systemd as process 1 in a root of its own: systemd-root.sh ROOT. Called in new namespaces; see debian-root.ts.
# Nothing of the machine can be written from inside: /proc/sys and /sys are read-only, /tmp, /run and /dev are its own.
set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -o bind,ro "$root/proc/sys" "$root/proc/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
cd "$root"
mkdir run/old
pivot_root . run/old
umount -l /run/old
# As every container does: files that systemd mounts for a service have to appear in it.
mount --make-rshared /
exec env -i container=rotavox PATH=/usr/sbin:/usr/bin /lib/systemd/systemd --log-target=journal --show-status=no
