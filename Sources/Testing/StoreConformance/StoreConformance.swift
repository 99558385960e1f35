public import Trellis

/// Checks that a store fulfils the contract of contexts.
///
/// Every check opens containers with a new, empty store and uses it like a program. A failure contains the operation,
/// the actual and the expected result, and the section of Trellis's article "Stores of your own" with the requirement.
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

  /// Creates a suite for a store.
  ///
  /// - Parameters:
  ///   - keepsData: True if a store that is opened again with an equal configuration contains the saved data; false
  ///     for in-memory stores.
  ///   - declined: The optional features that the store does not support.
  ///   - breakSaves: Makes every save of stores with the configuration fail, or succeed again. Without it, the
  ///     checks of failing saves are skipped.
  ///   - makeConfiguration: Returns the configuration of a new, empty store on each call.
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

  /// Creates a suite for an asynchronous store.
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

  /// Runs all checks, including those after a failure.
  ///
  /// Each check runs on a separate thread. The call blocks until all checks are complete.
  public func run() -> [ConformanceResult] { ConformanceCheck.all.map { result(of: $0) } }

  /// Runs one check and returns its result.
  public func result(of check: ConformanceCheck) -> ConformanceResult {
    if let reason = reasonToSkip(check) {
      return ConformanceResult(check: check, failure: nil, skipped: reason)
    }
    let failure = CheckThread.wait { self.failure(of: check) }
    return ConformanceResult(check: check, failure: failure, skipped: nil)
  }

  /// Runs one check as a test case. A check of a declined feature passes.
  ///
  /// - Throws: ``ConformanceFailure`` if the check fails.
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

/// An optional feature that a store can decline.
public enum ConformanceAllowance: String, Sendable, Hashable, CaseIterable {
  /// Infinities and NaN, which formats such as JSON cannot express.
  case nonFiniteNumbers
  /// Dates with fractions of seconds.
  case fractionsOfSeconds
  /// The sign of zero.
  case negativeZero
  /// The exact Unicode form of text with an equal composed form.
  case textForms
  /// Several contexts at a time.
  case concurrency
}
