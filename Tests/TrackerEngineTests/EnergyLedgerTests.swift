import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Energy ledger")
struct EnergyLedgerTests {
    private func at(_ seconds: Int64) -> Instant { Instant(millis: seconds * 1_000) }

    @Test("Power times time in each state, in whole nanojoules")
    func states() {
        var ledger = EnergyLedger(EnergyModel(), at: .zero)
        ledger.receiverIs(.acquiring, at: .zero)
        ledger.receiverIs(.tracking, at: at(30))
        ledger.receiverIs(.backup, at: at(60))
        ledger.accelerometerIs(.running, at: at(60))
        ledger.settle(at: at(3_660))
        // 30 s × 96 mW + 30 s × 87 mW + 1 h × 45 µW; 1 h × 36 µW; 3 660 s × 600 mW.
        #expect(ledger.run.receiverNanojoules == 2_880_000_000 + 2_610_000_000 + 162_000_000)
        #expect(ledger.run.accelerometerNanojoules == 129_600_000)
        #expect(ledger.run.baseNanojoules == 2_196_000_000_000)
        #expect(ledger.run.millis == 3_660_000)
    }

    @Test("An exchange ends in a tail of 10 s, then the modem idles")
    func tail() {
        var ledger = EnergyLedger(EnergyModel(), at: .zero)
        ledger.modemIs(.active, at: .zero)
        ledger.modemIs(.tail, at: at(2))
        ledger.settle(at: at(100))
        #expect(ledger.modem == .idle)
        #expect(ledger.run.modemNanojoules == 2_000 * 1_150_000 + 10_000 * 380_000 + 88_000 * 115_000)
    }

    @Test("A new exchange within the tail ends it")
    func busyTail() {
        var ledger = EnergyLedger(EnergyModel(), at: .zero)
        ledger.modemIs(.tail, at: .zero)
        ledger.modemIs(.active, at: at(4))
        ledger.settle(at: at(20))
        #expect(ledger.run.modemNanojoules == 4_000 * 380_000 + 16_000 * 1_150_000)
    }

    @Test("Wake-ups and processor time cost apart from the base load")
    func work() {
        var ledger = EnergyLedger(EnergyModel(), at: .zero)
        ledger.worked(wakeUps: 100, cpuMillis: 2_000, at: at(10))
        ledger.worked(wakeUps: -5, cpuMillis: -1, at: at(10))
        #expect(ledger.run.workNanojoules == 100 * 200_000 + 2_000 * 500_000)
        #expect(ledger.run.wakeUps == 100 && ledger.run.cpuMillis == 2_000)
    }

    @Test("How often it is asked does not change the sum")
    func steps() {
        var often = EnergyLedger(EnergyModel(), at: .zero)
        often.receiverIs(.tracking, at: .zero)
        for nanos in stride(from: Int64(0), through: 10_000_000_000, by: 333_333) {
            often.settle(at: Instant(nanos: nanos))
        }
        often.settle(at: at(10))
        var once = EnergyLedger(EnergyModel(), at: .zero)
        once.receiverIs(.tracking, at: .zero)
        once.settle(at: at(10))
        #expect(often.run == once.run)
    }

    @Test("Days roll over, seven stay; a date that is not known yet counts to the day before")
    func days() {
        var ledger = EnergyLedger(EnergyModel(), at: .zero)
        ledger.settle(at: at(10))
        #expect(ledger.today.date == nil)
        for day in 1...9 { ledger.settle(at: at(Int64(day) * 100), date: "2026-05-0\(day)") }
        #expect(ledger.today.date == "2026-05-09" && ledger.today.use.millis == 0)
        #expect(ledger.past.map(\.date) == (2...8).reversed().map { "2026-05-0\($0)" })
        // What was counted before the date was known is the first day's.
        let again = EnergyLedger(EnergyModel(), saved: ledger.days, at: .zero)
        #expect(again.days == ledger.days && again.run == EnergyUse())
    }

    @Test("The present rate is that of the last hour or two")
    func rate() {
        var ledger = EnergyLedger(EnergyModel(), at: .zero)
        #expect(ledger.presentMicrowatts == nil)
        for minute in 0...600 {
            if minute == 300 { ledger.receiverIs(.tracking, at: at(Int64(minute) * 60)) }
            ledger.settle(at: at(Int64(minute) * 60))
            if minute == 299 { #expect(ledger.presentMicrowatts == 600_000) }
        }
        #expect(ledger.presentMicrowatts == 687_000)
    }
}
