#!/usr/bin/python3
"""A ModemManager of the bench, on the bus of DBUS_SYSTEM_BUS_ADDRESS: one modem whose properties are set by lines of JSON on
standard input, and whose methods are told on standard output. Debian's interpreter, for its python3-dbus and python3-gi.

    {"modem": {"State": 8, ...}}        properties of Modem
    {"network": {"RegistrationState": 1}}  of Modem.Modem3gpp
    {"remove": true}, {"add": true}     the modem goes, and comes under another path
    {"refuse": "Reset"}                 that method is not allowed from here on; WwanEnabled: NetworkManager's switch
    {"slow": 0.5}                       to disable it takes so many seconds
    {"nonsense": true}                  GetManagedObjects answers what it must not
"""
import json
import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

MM = "org.freedesktop.ModemManager1"
ROOT = "/org/freedesktop/ModemManager1"
MODEM = MM + ".Modem"
NETWORK = MODEM + ".Modem3gpp"
PROPERTIES = "org.freedesktop.DBus.Properties"
TYPES = {
    "State": dbus.Int32, "StateFailedReason": dbus.UInt32, "UnlockRequired": dbus.UInt32, "PowerState": dbus.UInt32,
    "AccessTechnologies": dbus.UInt32, "RegistrationState": dbus.UInt32, "OperatorName": dbus.String,
    "SignalQuality": lambda value: dbus.Struct((dbus.UInt32(value), dbus.Boolean(True)), signature="ub"),
    "Ports": lambda names: dbus.Array(
        [dbus.Struct((name, dbus.UInt32(2 if name.startswith("w") else 6)), signature="su") for name in names],
        signature="(su)"),
    "Bearers": lambda paths: dbus.Array([dbus.ObjectPath(path) for path in paths], signature="o"),
    # What nobody asked for is passed over.
    "UnlockRetries": lambda value: dbus.Dictionary({}, signature="uu"),
}


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def typed(properties):
    return dbus.Dictionary({name: TYPES[name](value) for name, value in properties.items()}, signature="sv")


class Modem(dbus.service.Object):
    def __init__(self, manager, bus, number):
        self.manager = manager
        self.path = f"{ROOT}/Modem/{number}"
        self.properties = {MODEM: {
            "State": 7, "StateFailedReason": 0, "UnlockRequired": 1, "AccessTechnologies": 0, "SignalQuality": 0,
            "Ports": ["cdc-wdm0", "wwan0"], "Bearers": [f"{ROOT}/Bearer/1"], "UnlockRetries": 0,
        }, NETWORK: {"RegistrationState": 2, "OperatorName": ""}}
        super().__init__(bus, self.path)

    def interfaces(self):
        return dbus.Dictionary({name: typed(own) for name, own in self.properties.items()}, signature="sa{sv}")

    def set(self, interface, changes):
        self.properties[interface].update(changes)
        self.PropertiesChanged(interface, typed(changes), dbus.Array([], signature="s"))

    @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    def _allow(self, name):
        if name in self.manager.refused:
            raise dbus.DBusException("not for you", name=MM + ".Error.Core.Unauthorized")

    def _called(self, name, *arguments):
        self._allow(name)
        tell("call", method=name, arguments=[value if isinstance(value, str) else int(value) for value in arguments])

    @dbus.service.method(MODEM, in_signature="b", async_callbacks=("done", "_failed"))
    def Enable(self, is_on, done, _failed):
        self._allow("Enable")

        def end():
            self._called("Enable", is_on)
            done()

        GLib.timeout_add(0 if is_on else int(self.manager.slow * 1000), end)

    @dbus.service.method(MODEM)
    def Reset(self):
        self._called("Reset")

    @dbus.service.method(MODEM, in_signature="u")
    def SetPowerState(self, state):
        self._called("SetPowerState", state)

    @dbus.service.method(MODEM + ".Simple", in_signature="o")
    def Disconnect(self, bearer):
        self._called("Disconnect", bearer)

    @dbus.service.method(NETWORK, in_signature="s")
    def Register(self, network):
        self._called("Register", network)


class Bearer(dbus.service.Object):
    @dbus.service.method(MM + ".Bearer")
    def Connect(self):
        tell("call", method="Bearer.Connect", arguments=[])


class ModemManager(dbus.service.Object):
    def __init__(self, bus, has_modem):
        super().__init__(bus, ROOT)
        self.bus = bus
        self.refused = set()
        self.slow = 0
        self.is_nonsense = "--nonsense" in sys.argv
        self.modem = None
        self.number = os.getpid()
        self.bearer = Bearer(bus, ROOT + "/Bearer/1")
        if has_modem:
            self.modem = Modem(self, bus, self.number)

    @dbus.service.method("org.freedesktop.DBus.ObjectManager")
    def GetManagedObjects(self):
        tell("asked")
        if self.is_nonsense:
            return "no modem today"
        modems = [self.modem] if self.modem else []
        return dbus.Dictionary({dbus.ObjectPath(m.path): m.interfaces() for m in modems}, signature="oa{sa{sv}}")

    @dbus.service.signal("org.freedesktop.DBus.ObjectManager", signature="oa{sa{sv}}")
    def InterfacesAdded(self, path, interfaces):
        pass

    @dbus.service.signal("org.freedesktop.DBus.ObjectManager", signature="oas")
    def InterfacesRemoved(self, path, interfaces):
        pass

    def obey(self, order):
        if "refuse" in order:
            self.refused.add(order["refuse"])
        self.slow = order.get("slow", self.slow)
        self.is_nonsense = order.get("nonsense", self.is_nonsense)
        if "remove" in order and self.modem:
            gone, self.modem = self.modem, None
            gone.remove_from_connection()
            self.InterfacesRemoved(dbus.ObjectPath(gone.path), [MODEM, NETWORK, MODEM + ".Simple"])
        if "add" in order and not self.modem:
            self.number += 1
            self.modem = Modem(self, self.bus, self.number)
            self.InterfacesAdded(dbus.ObjectPath(self.modem.path), self.modem.interfaces())
        for key, interface in (("modem", MODEM), ("network", NETWORK)):
            if key in order:
                self.modem.set(interface, order[key])


class NetworkManager(dbus.service.Object):
    """There, and its switch of mobile radio."""

    def __init__(self, bus, manager):
        super().__init__(bus, "/org/freedesktop/NetworkManager")
        self.manager = manager

    @dbus.service.method(PROPERTIES, in_signature="ssv")
    def Set(self, interface, name, value):
        if name in self.manager.refused:
            raise dbus.DBusException("not for you", name="org.freedesktop.NetworkManager.PermissionDenied")
        tell("call", method=name, arguments=[int(value)])


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    loop = GLib.MainLoop()
    manager = ModemManager(bus, "--empty" not in sys.argv)
    names = [dbus.service.BusName(MM, bus)]
    if "--network-manager" in sys.argv:
        names.append(dbus.service.BusName("org.freedesktop.NetworkManager", bus))
        NetworkManager(bus, manager)

    def read(source, _condition):
        # Orders are short, and whole lines.
        text = os.read(source, 65536).decode()
        for line in text.splitlines():
            manager.obey(json.loads(line))
        if not text:
            loop.quit()
        return bool(text)

    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, read)
    tell("ready")
    loop.run()


main()
