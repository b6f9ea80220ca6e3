#!/bin/bash
# Installs the tracker on this machine, or with DESTDIR=/image into an image, where sysusers.d and tmpfiles.d make the
# account and the folders at the first boot. Installing again upgrades: the configuration is kept, the daemon restarted.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../.build/release/tracker
# shellcheck source-path=SCRIPTDIR source=paths.sh
. "$here/paths.sh"

[ -x "$source" ] || die "$source is missing. Run 'make build' first."
need_root

# A folder that is there keeps its mode: polkit's own package closes rules.d to everybody else.
umask 022
mkdir -p "$programs" "$documents" "$(dirname "$unit")" "$(dirname "$rules")" "$(dirname "$accounts")" \
    "$(dirname "$folders")" "$(dirname "$poweroff")"
install -d -m 0750 "$(dirname "$configuration")" "$state"

# Beside the old one, then renamed: a running daemon's file is never written to.
install -m 0755 -s "$source" "$programs/tracker.new"
mv -f "$programs/tracker.new" "$programs/tracker"
ln -sfn tracker "$programs/device-cli"

sed "s|@PREFIX@|$PREFIX|g" "$here/tracker.service.in" >"$unit.new"
chmod 0644 "$unit.new"
mv -f "$unit.new" "$unit"
install -m 0644 "$here/60-tracker.rules" "$rules"
install -m 0644 "$here/60-tracker-poweroff.rules" "$poweroff"
install -m 0644 "$here/60-tracker-modem.rules" "$modem"
install -m 0644 "$here/sysusers.conf" "$accounts"
install -m 0644 "$here/tmpfiles.conf" "$folders"
if [ -f "$here/../README.md" ]; then install -m 0644 "$here/../README.md" "$documents/README.md"; fi

if [ -e "$configuration" ]; then
    install -m 0640 "$here/tracker.yaml" "$configuration.sample"
    echo "Kept $configuration; the present sample is beside it as tracker.yaml.sample."
else
    install -m 0640 "$here/tracker.yaml" "$configuration"
fi

if live; then
    systemd-sysusers "$accounts" || die "the account could not be made; see the line above."
    systemd-tmpfiles --create "$folders" || die "the folders could not be made; see the line above."
fi
if managed; then
    udevadm control --reload
    udevadm trigger --subsystem-match=tty --subsystem-match=i2c-dev --subsystem-match=gpio --subsystem-match=iio
    systemctl daemon-reload
    systemctl enable --quiet tracker.service
    systemctl restart tracker.service \
        || die "installed, but the daemon does not start. See: journalctl -u tracker -n 30"
fi

echo "Installed. Configuration: $configuration"
if live; then
    echo "An operator without root joins the group first: usermod -aG tracker NAME. Then: device-cli status"
fi
