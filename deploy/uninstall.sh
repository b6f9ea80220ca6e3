#!/bin/bash
# Takes the tracker off this machine, or out of DESTDIR. Points and configuration stay unless --purge is given.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=paths.sh
. "$here/paths.sh"

purge=no
case "${1:-}" in
    "") ;;
    --purge) purge=yes ;;
    *) die "unknown option '$1'. Usage: $0 [--purge]" ;;
esac
need_root

if managed && [ -e "$unit" ]; then systemctl disable --quiet --now tracker.service; fi
rm -f "$programs/tracker" "$programs/device-cli" "$unit" "$rules" "$poweroff" "$modem" "$accounts" "$folders" \
    "$configuration.sample"
rm -rf "$documents"
if managed; then
    systemctl daemon-reload
    udevadm control --reload
fi

if [ $purge = yes ]; then
    rm -rf "$state" "$(dirname "$configuration")"
    # The device groups stay: other software may use them.
    if live && getent passwd tracker >/dev/null; then userdel tracker; fi
    echo "Removed, with all points and the configuration."
else
    echo "Removed. Kept: $state and $configuration (uninstall.sh --purge deletes them, points not yet sent included)."
fi
