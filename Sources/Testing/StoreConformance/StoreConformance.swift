public import Trellis

/// Runs any store through what contexts expect of it.
///
/// Every check opens containers over a new, empty store, works with it as programs do, and says
/// precisely what the store did not do: in which operation, what was seen instead of what, and under
/// which heading of the article <doc:CustomStores> the contract stands.
///
/// As a test:
///
///     @Test(arguments: ConformanceCheck.all)
///     func myStoreConforms(check: ConformanceCheck) async throws {
///       try await StoreConformance { MyConfiguration(url: newTemporaryURL()) }.verify(check)
///     }
///
/// As a program:
///
///     StoreConformance { MyConfiguration(url: newTemporaryURL()) }.main()
public struct StoreConformance<Configuration: DataStoreConfiguration & SendableMetatype>: Sendable {
  let makeConfiguration: @Sendable () throws -> Configuration
  let keepsData: Bool
  let declined: Set<ConformanceAllowance>
  let breakSaves: (@Sendable (Configuration, _ isBroken: Bool) throws -> Void)?

  /// The suite for a store.
  ///
  /// - Parameters:
  ///   - keepsData: whether a store opened again with an equal configuration has what was saved;
  ///     false for stores in memory.
  ///   - declined: what the store is known not to keep or to do; nothing by default.
  ///   - breakSaves: makes every save of stores with the configuration fail, or lets them succeed
  ///     again: pull the plug, fill the disk. Without it nothing is known of saves that fail.
  ///   - makeConfiguration: gives the configuration of a new, empty store each time it is called.
  public init(
    keepsData: Bool = true, declining declined: Set<ConformanceAllowance> = [],
    breakSaves: (@Sendable (Configuration, _ isBroken: Bool) throws -> Void)? = nil,
    _ makeConfiguration: @escaping @Sendable () throws -> Configuration
  ) {
    self.keepsData = keepsData
    self.declined = declined
    self.breakSaves = breakSaves
    self.makeConfiguration = makeConfiguration
  }

  /// The suite for an asynchronous store.
  ///
  ///     StoreConformance { RemoteConfiguration(host: testHost) }
  public init<Base: AsyncDataStoreConfiguration>(
    keepsData: Bool = true, declining declined: Set<ConformanceAllowance> = [],
    breakSaves: (@Sendable (Base, _ isBroken: Bool) throws -> Void)? = nil,
    _ makeConfiguration: @escaping @Sendable () throws -> Base
  ) where Configuration == AsyncConfiguration<Base> {
    self.keepsData = keepsData
    self.declined = declined
    if let breakSaves {
      self.breakSaves = { configuration, isBroken in try breakSaves(configuration.base, isBroken) }
    } else {
      self.breakSaves = nil
    }
    self.makeConfiguration = { AsyncConfiguration(try makeConfiguration()) }
  }

  /// Runs every check; a failing one does not stop the others.
  ///
  /// Each runs on a thread of its own, for which the calling one waits.
  public func run() -> [ConformanceResult] { ConformanceCheck.all.map { result(of: $0) } }

  /// Runs one check and gives back what it found.
  public func result(of check: ConformanceCheck) -> ConformanceResult {
    if let reason = reasonToSkip(check) {
      return ConformanceResult(check: check, failure: nil, skipped: reason)
    }
    let failure = CheckThread.wait { self.failure(of: check) }
    return ConformanceResult(check: check, failure: failure, skipped: nil)
  }

  /// Runs one check, as a case of a test. One that the store declines passes.
  ///
  /// - Throws: ``ConformanceFailure``.
  public func verify(_ check: ConformanceCheck) async throws {
    guard reasonToSkip(check) == nil else { return }
    if let failure = await CheckThread.run({ self.failure(of: check) }) { throw failure }
  }

  private func reasonToSkip(_ check: ConformanceCheck) -> String? {
    if check.needsReopening, !keepsData { return "the store keeps nothing" }
    if check.needsBreaking, breakSaves == nil { return "'breakSaves' is not given" }
    if check.needsHistory, !(Configuration.Store.self is any HistoryProviding.Type) {
      return "the store keeps no history"
    }
    return check.exercises.intersection(declined).first.map { "the store declines '\($0)'" }
  }

  private func failure(of check: ConformanceCheck) -> ConformanceFailure? {
    do {
      let configuration = try makeConfiguration()
      let breakSaves = breakSaves
      try check.body(
        ConformanceStore(
          configuration: configuration, declined: declined,
          watched: { WatchedConfiguration(configuration, $0) },
          breakSaves: { try breakSaves?(configuration, $0) }))
      return nil
    } catch let mismatch as Mismatch {
      return ConformanceFailure(check, mismatch.operation, mismatch.seen, mismatch.expected)
    } catch {
      return ConformanceFailure(
        check, "a call of the store", "the error '\(error)'", "that it does what it is asked to")
    }
  }
}

/// What a store may be known not to keep or to do.
public enum ConformanceAllowance: String, Sendable, Hashable, CaseIterable {
  /// Infinities and NaN, for which formats like JSON have no numbers.
  case nonFiniteNumbers
  /// Dates between two seconds.
  case fractionsOfSeconds
  /// The sign of a zero.
  case negativeZero
  /// Text exactly as it was written, where its composed form is equal.
  case textForms
  /// More than one context at a time.
  case concurrency
}
