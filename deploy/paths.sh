# shellcheck shell=bash
# Where install.sh puts files and uninstall.sh finds them. DESTDIR stages into an image; PREFIX moves the programs.
# shellcheck disable=SC2034  # used by the scripts that read this file
DESTDIR=${DESTDIR:-}
PREFIX=${PREFIX:-/usr/local}

programs=$DESTDIR$PREFIX/bin
documents=$DESTDIR$PREFIX/share/doc/tracker
configuration=$DESTDIR/etc/tracker/tracker.yaml
unit=$DESTDIR/etc/systemd/system/tracker.service
rules=$DESTDIR/etc/udev/rules.d/60-tracker.rules
poweroff=$DESTDIR/etc/polkit-1/rules.d/60-tracker-poweroff.rules
modem=$DESTDIR/etc/polkit-1/rules.d/60-tracker-modem.rules
accounts=$DESTDIR/etc/sysusers.d/tracker.conf
folders=$DESTDIR/etc/tmpfiles.d/tracker.conf
state=$DESTDIR/var/lib/tracker

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# Into an image nothing of this machine may be touched.
live() { [ -z "$DESTDIR" ]; }
managed() { live && [ -d /run/systemd/system ]; }

need_root() {
    if live && [ "$(id -u)" != 0 ]; then
        die "needs root for this machine's files. Run: sudo $0, or set DESTDIR to stage into a folder."
    fi
}
