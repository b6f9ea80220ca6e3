import Ports
import SyncEngine
import TrackerModel
import WireText

/// Where points go and with which credential (spec sync §8).
extension Uploader {
    /// Why the operator's wish is not done.
    struct Refusal: Error {
        var code: ErrorCode
        var message: String
    }

    private static func refusedText(_ at: UTCTime) -> String {
        "the server refused this credential (401) at \(TimeText.iso(at)); give another with device-cli sync configure"
    }

    /// Everything from its sources, as at the start: back-off and halt of an earlier run hold for the same endpoint.
    func load() {
        let found = effective()
        config = found.config
        endpointProblem = found.problem
        let isHalted = record.halted != nil && record.halted?.digest == digest(of: config)
        machine = SyncMachine(
            config, deviceID: surroundings.deviceID, backoff: config.url == nil ? SyncBackoff() : savedBackoff,
            isHalted: isHalted)
        if isHalted { problem = haltedText }
        // The machine names its deadline with its first answer.
        give(.timerFired)
        linkMayHaveChanged()
        hurryCrossings()
    }

    private var haltedText: String {
        guard let status = record.halted?.status else {
            return "the server halted uploads; put that right there, then device-cli sync resume"
        }
        let advice = format.haltReason(status: status).map { Self.advice($0) } ?? Self.advice(status)
        return "the server answered \(status)\(advice)"
    }

    /// The endpoint of `sync configure`, else that of the file, with the credentials that others keep; without one when
    /// it cannot be had or was refused.
    private func effective() -> (config: SyncConfig, problem: String?) {
        var config = base
        isConfiguredHere = false
        isTornDown = false
        if let problem = recordProblem() {
            config.url = nil
            return (config, problem)
        }
        do throws(VaultFailure) {
            if let bytes = try surroundings.vault?.saved() {
                config = try endpoint(bytes).applied(to: base)
                isConfiguredHere = true
            }
            guard config.url != nil else { return (config, nil) }
            config.headers = try headers(of: config)
        } catch {
            config.url = nil
            return (config, "endpoint or credential cannot be used: \(error.message)")
        }
        if let refused = record.refused,
            refused.digest == digest(of: config) || (refused.isExclusive && !isConfiguredHere)
        {
            config.url = nil
            config.headers = []
            isTornDown = true
            return (config, Self.refusedText(refused.at))
        }
        return (config, nil)
    }

    private func endpoint(_ bytes: [UInt8]) throws(VaultFailure) -> UploadEndpoint {
        guard let endpoint = (try? JSONReader.parse(bytes)).flatMap({ UploadEndpoint(json: $0) }) else {
            throw VaultFailure(message: "what sync configure kept is no JSON any more; configure it again")
        }
        if let problem = problems(of: endpoint).first { throw VaultFailure(message: problem) }
        return endpoint
    }

    private func problems(of endpoint: UploadEndpoint) -> [String] {
        endpoint.problems(
            allowCleartext: surroundings.allowsCleartext, format: base.payload.format, deviceID: surroundings.deviceID)
    }

    /// The headers themselves and those behind the references.
    private func headers(of config: SyncConfig) throws(VaultFailure) -> [SyncHeader] {
        var headers = config.headers
        for reference in config.references {
            guard let vault = surroundings.vault else { continue }
            let (found, problems) = HeaderLines.parse(try vault.credential(reference))
            if let problem = problems.first { throw VaultFailure(message: "\(reference.name): \(problem)") }
            headers += found
        }
        if HeaderLines.sizeBytes(headers) > HeaderLines.limitBytes {
            throw VaultFailure(message: "more than 8 KiB of headers in all; give fewer or shorter ones")
        }
        return headers
    }

    /// What an endpoint and its credential are known by.
    func digest(of config: SyncConfig) -> String {
        let lines = [config.url ?? ""] + config.headers.map { "\($0.name): \($0.value)" }
        return Hex.text(surroundings.digests.sha256(Array(lines.joined(separator: "\n").utf8)))
    }

    /// A credential that could not be read may be readable now; one that was refused waits for the operator.
    func retryEndpoint() {
        guard !isTornDown else { return }
        generation += 1
        // Like a start: a halt and a wait of an earlier run hold for what is read only now.
        load()
    }

    private func use(_ config: SyncConfig, problem: String?) {
        self.config = config
        endpointProblem = problem
        self.problem = nil
        lastAnswer = nil
        generation += 1
        give(.configured(config))
        give(.backlogChecked)
    }

    /// `sync configure`: keeps the endpoint and begins to use it. The operator's word: a credential that was refused
    /// before is tried again.
    func configure(_ endpoint: UploadEndpoint) throws(Refusal) {
        guard let vault = surroundings.vault else {
            throw Refusal(code: .notReady, message: "there is no place for credentials here")
        }
        if let problem = recordProblem() { throw Refusal(code: .internalError, message: problem) }
        let problems = problems(of: endpoint)
        if !problems.isEmpty { throw Refusal(code: .invalidConfig, message: problems.joined(separator: "; ")) }
        // Read before anything is changed: what cannot be used leaves the former endpoint as it is.
        do throws(VaultFailure) {
            _ = try headers(of: endpoint.applied(to: base))
            try vault.save(endpoint.json.bytes)
        } catch { throw Refusal(code: .invalidConfig, message: error.message) }
        record.refused = nil
        // The same once more changes nothing: no wait is cut short, no exchange forgotten.
        if !machine.isHalted, machine.isConfigured, effective().config == config { return }
        reload()
    }

    /// `sync configure --from-file`: forgets what was configured here.
    func useFile() throws(Refusal) {
        do throws(VaultFailure) { try surroundings.vault?.deleteSaved() } catch {
            throw Refusal(code: .internalError, message: error.message)
        }
        if let problem = recordProblem() { throw Refusal(code: .internalError, message: problem) }
        record.refused?.isExclusive = false
        reload()
    }

    /// `sync resume`: ends a halt after 403, reads the credential again, and lets the file's endpoint take the place of
    /// one of `sync configure` that was refused.
    func resume() throws(Refusal) {
        record.refused?.isExclusive = false
        let found = effective()
        guard found.config.url != nil else {
            throw Refusal(
                code: .conflict,
                message: found.problem ?? "no endpoint is configured; set upload.url, or use device-cli sync configure")
        }
        record.halted = nil
        isRecordStale = true
        use(found.config, problem: nil)
    }

    private func reload() {
        record.halted = nil
        isRecordStale = true
        let found = effective()
        use(found.config, problem: found.problem)
    }

    /// 401: the credential is gone from memory and from where it was kept, and remembered only as a digest.
    func tearDown() {
        record.refused = (digest(of: config), surroundings.utcNow(), isConfiguredHere)
        isRecordStale = true
        config.url = nil
        config.headers = []
        generation += 1
        do throws(VaultFailure) { try surroundings.vault?.deleteSaved() } catch {
            surroundings.log.write(.error, "sync.credential.kept", [("problem", .text(error.message))])
        }
        isConfiguredHere = false
        isTornDown = true
        endpointProblem = record.refused.map { Self.refusedText($0.at) }
    }

    /// After a 401: the one more chance of a credential that somebody else keeps.
    func rereadCredential() {
        let before = config.headers
        let found = effective()
        if found.config.url != nil { config = found.config }
        give(.credentialReread(isChanged: found.config.url != nil && config.headers != before))
    }
}

extension SyncConfig {
    var references: [CredentialReference] {
        var references: [CredentialReference] = []
        if !credentialFile.isEmpty { references.append(.file(credentialFile)) }
        if !systemdCredential.isEmpty { references.append(.systemd(systemdCredential)) }
        if !credentialEnvironment.isEmpty { references.append(.environment(credentialEnvironment)) }
        return references
    }
}

extension CredentialReference {
    fileprivate var name: String {
        switch self {
        case .file(let name), .systemd(let name), .environment(let name): name
        }
    }
}
