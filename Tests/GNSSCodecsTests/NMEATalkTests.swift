import GNSSCodecs
import Testing
import TrackerModel

@Suite("What receivers say besides positions")
struct NMEATalkTests {
    private func outputs(of bodies: String...) -> [GNSSOutput] {
        var bench = Bench()
        for body in bodies { bench.feed(sentence(body), atMillis: 0) }
        return bench.outputs
    }

    @Test("Acknowledgements of Mediatek, Airoha and Quectel")
    func acknowledgements() {
        #expect(outputs(of: "PMTK001,314,3") == [.reply(.mtk(command: 314, isAccepted: true))])
        for result in 0...2 {
            #expect(outputs(of: "PMTK001,314,\(result)") == [.reply(.mtk(command: 314, isAccepted: false))])
        }
        #expect(outputs(of: "PAIR001,062,0") == [.reply(.mtk(command: 62, isAccepted: true))])
        #expect(outputs(of: "PAIR001,062,4") == [.reply(.mtk(command: 62, isAccepted: false))])
        #expect(outputs(of: "PAIR001,062,1").isEmpty)
        #expect(
            outputs(of: "PQTMCFGMSGRATE,OK,GGA,1", "PQTMSAVEPAR,OK", "PQTMCFGUART,ERROR,1") == [
                .reply(.quectel(command: "PQTMCFGMSGRATE", isAccepted: true)),
                .reply(.quectel(command: "PQTMSAVEPAR", isAccepted: true)),
                .reply(.quectel(command: "PQTMCFGUART", isAccepted: false)),
            ])
        #expect(outputs(of: "PMTK001", "PMTK001,x,3", "PMTK001,,", "PQTMPVT,1,1000,20221225").isEmpty)
    }

    @Test("Who the receiver is")
    func identity() {
        #expect(
            outputs(of: "PMTK705,AXN_2.51_3339_19071200,0002,QUECTEL-L70,1.0") == [
                .identity(ReceiverIdentity(family: .mtk, model: "QUECTEL-L70", firmware: "AXN_2.51_3339_19071200"))
            ])
        #expect(
            outputs(of: "PQTMVERNO,LG290P03AANR01A03S,2024/04/30,10:53:07") == [
                .identity(ReceiverIdentity(family: .quectel, firmware: "LG290P03AANR01A03S"))
            ])
        #expect(outputs(of: "PQTMVERNO,ERROR,1") == [.reply(.quectel(command: "PQTMVERNO", isAccepted: false))])
        #expect(
            outputs(of: "PAIR021,AG3352Q_V2.5.0.AG3352_20210803,S,N") == [
                .identity(ReceiverIdentity(family: .quectel, firmware: "AG3352Q_V2.5.0.AG3352_20210803"))
            ])
    }

    @Test("The start-up text of u-blox receivers of every generation")
    func ublox() {
        let old = outputs(
            of: "GPTXT,01,01,02,u-blox ag - www.u-blox.com",
            "GPTXT,01,01,02,EXT CORE 6.02 (36023) Oct 15 2009 16:52:22",
            "GPTXT,01,01,02,ROM CORE 5.00", "GPTXT,01,01,02,MOD LEA-5H-0", "GPTXT,01,01,02,PROTVER 14.00")
        let identities = old.compactMap { if case .identity(let identity) = $0 { identity } else { nil } }
        #expect(
            identities.last
                == ReceiverIdentity(
                    family: .ublox, model: "LEA-5H-0", firmware: "6.02 (36023) Oct 15 2009 16:52:22",
                    protocolVersion: 1_400))
        let new = outputs(
            of: "GNTXT,01,01,02,FWVER=SPG 3.01", "GNTXT,01,01,02,PROTVER=18.00", "GNTXT,01,01,02,MOD=NEO-M8N-0")
        #expect(
            new.contains(
                .identity(
                    ReceiverIdentity(
                        family: .ublox, model: "NEO-M8N-0", firmware: "SPG 3.01", protocolVersion: 1_800))))
    }

    @Test(
        "The antenna of u-blox and of Mediatek receivers",
        arguments: [
            ("ANTSTATUS=OK", AntennaState.ok), ("ANTSTATUS=SHORT", .short), ("ANTSTATUS=OPEN", .open),
            ("ANTENNA OPEN", .open), ("ANTENNA SHORT", .short), ("ANTENNA OK", .ok), ("ANTSTATUS=INIT", nil),
        ] as [(String, AntennaState?)])
    func antenna(text: String, state: AntennaState?) {
        let heard = outputs(of: "GPTXT,01,01,02," + text).compactMap {
            if case .health(let health) = $0 { health.antenna } else { nil }
        }
        #expect(heard == [state].compactMap { $0 })
    }

    @Test("Other text is passed on with its commas, once while it is repeated")
    func notices() {
        #expect(
            outputs(of: "GNTXT,01,01,00,txbuf alloc", "GNTXT,01,01,00,txbuf alloc", "GNTXT,01,01,02,a,b", "GPTXT,01,01")
                == [.notice("txbuf alloc"), .notice("a,b")])
    }
}
