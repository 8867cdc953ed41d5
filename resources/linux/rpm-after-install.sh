#!/bin/sh
# Run by rpm once the files are there: the command on the PATH, Chromium's sandbox helper, the link scheme and the icon.
ln -sf /opt/Rotavox/resources/bin/rotavox /usr/bin/rotavox
chmod 4755 /opt/Rotavox/chrome-sandbox
for program in 'update-desktop-database -q' 'gtk-update-icon-cache -q -t /usr/share/icons/hicolor'; do
  $program 2>/dev/null || :
done
