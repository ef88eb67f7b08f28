#!/bin/sh
# Makes what the bot and its Valkey need to trust each other: a password, and a certificate for the name of Valkey's host.
# Usage: valkey-secrets.sh FOLDER HOST
set -eu
folder=${1:?the folder of the secrets} host=${2:?the host name of Valkey}
umask 077
mkdir -p "$folder"
cd "$folder"
if [ -e valkey.conf ]; then
  echo "$folder/valkey.conf is there already. With another password, bot and Valkey no longer understand each other." >&2
  exit 1
fi

password=$(openssl rand -hex 32)
printf 'requirepass %s\n' "$password" >valkey.conf
printf 'rediss://:%s@%s:6379' "$password" "$host" >redis-url
# It is its own authority, and of nobody else: who has the key cannot speak for Discord or the panel.
printf '[req]\ndistinguished_name=name\n[name]\n[leaf]\nbasicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:%s\n' "$host" |
  openssl req -x509 -config /dev/stdin -extensions leaf -subj "/CN=$host" -days 3650 \
    -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout valkey.key -out valkey.crt 2>/dev/null
# Bot and Valkey read it as different users, and it is no secret.
chmod 644 valkey.crt
