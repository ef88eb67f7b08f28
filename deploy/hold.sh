#!/bin/sh
# Runs a command, and passes signals on to it. If it ends with 77 or 78, waits to be stopped instead of ending: starting it
# again cannot help, and Docker, which restarts whatever ends, would do that without end.
"$@" &
child=$!
stopped=
trap 'stopped=yes; kill -TERM "$child" 2>/dev/null' TERM INT
trap 'kill -HUP "$child" 2>/dev/null' HUP

# A signal ends the wait, and not the child.
while wait "$child"; code=$?; kill -0 "$child" 2>/dev/null; do :; done
# Where both come at once, it says the signal, and a second time how the child ended; 127 if it has said that.
wait "$child" 2>/dev/null
again=$?
[ "$again" = 127 ] || code=$again

# First of all, so that no signal is lost in between.
trap 'exit "$code"' TERM INT
trap '' HUP
if [ -n "$stopped" ] || { [ "$code" != 77 ] && [ "$code" != 78 ]; }; then exit "$code"; fi
echo "panelops ended with $code, and is not started again: the lines above say why. Mend that, and restart the container." >&2
while :; do sleep 1; done
