#!/bin/sh
# Run by rpm once the files are gone; 0 is a removal, 1 an update, which keeps the command.
[ "$1" != 0 ] || rm -f /usr/bin/rotavox
