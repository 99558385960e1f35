import Foundation
import Synchronization
public import Trellis

/// Checks that a store fulfills its contract with contexts.
///
/// Each check opens containers with a new, empty store and uses the store as an app does. A failure contains the
/// operation, the actual and the expected result, and the section of Trellis's article "Stores of your own" that
/// specifies the requirement.
///
/// Run it as a test, with a test case for each check:
///
/// ```swift
/// @Test(arguments: ConformanceCheck.all)
/// func myStoreConforms(check: ConformanceCheck) async throws {
///   let file = URL.temporaryDirectory.appending(path: "\(UUID()).mine")
///   try await StoreConformance { MyConfiguration(url: file) }.verify(check)
/// }
/// ```
///
/// Or run it as an executable that prints every result:
///
/// ```swift
/// import StoreConformance
///
/// StoreConformance { MyConfiguration(url: .temporaryDirectory.appending(path: "\(UUID()).mine")) }.main()
/// ```
public struct StoreConformance<Configuration: DataStoreConfiguration & SendableMetatype>: Sendable {
  let makeConfiguration: @Sendable () throws -> Configuration
  let keepsData: Bool
  let declined: Set<ConformanceAllowance>
  let breakSaves: (@Sendable (Configuration, _ isBroken: Bool) throws -> Void)?

  /// Creates a suite for a store.
  ///
  /// ```swift
  /// import StoreConformance
  ///
  /// let suite = StoreConformance(
  ///   breakSaves: { configuration, isBroken in
  ///     // Saves write a file with the extension `new` first. A folder with that name makes them fail.
  ///     let obstacle = configuration.url.appendingPathExtension("new")
  ///     if isBroken {
  ///       try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
  ///     } else {
  ///       try FileManager.default.removeItem(at: obstacle)
  ///     }
  ///   }
  /// ) { MyConfiguration(url: .temporaryDirectory.appending(path: "\(UUID()).mine")) }
  /// ```
  ///
  /// - Parameters:
  ///   - keepsData: True if a store that is reopened with an equal configuration contains the saved data; false for
  ///     in-memory stores.
  ///   - declined: The optional features that the store does not support. Default: none.
  ///   - breakSaves: Makes all saves to stores with the configuration fail, or succeed again. If `nil`, the checks for
  ///     failing saves are skipped.
  ///   - makeConfiguration: Returns the configuration for a new, empty store on each call. Called once for each check,
  ///     from any thread. If it throws, the check fails.
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

  /// Runs all checks in sequence, even after failures.
  ///
  /// ```swift
  /// import StoreConformance
  ///
  /// let suite = StoreConformance { MyConfiguration(url: .temporaryDirectory.appending(path: "\(UUID()).mine")) }
  /// let results = suite.run()
  /// print("\(results.count { $0.failure != nil }) of \(results.count) checks failed")
  /// ```
  ///
  /// Each check runs on a separate thread. The call blocks until all checks are complete. In an asynchronous function,
  /// use ``verify(_:)``.
  ///
  /// - Returns: A result for each check, in contract order.
  public func run() -> [ConformanceResult] { ConformanceCheck.all.map { result(of: $0) } }

  /// Runs a check on a separate thread and returns the result.
  ///
  /// ```swift
  /// import StoreConformance
  ///
  /// let suite = StoreConformance { MyConfiguration(url: .temporaryDirectory.appending(path: "\(UUID()).mine")) }
  /// if let check = ConformanceCheck.all.first(where: { $0.name == "treats nil as Swift does" }) {
  ///   print(suite.result(of: check))
  /// }
  /// ```
  ///
  /// The call blocks until the check is complete.
  public func result(of check: ConformanceCheck) -> ConformanceResult {
    if let reason = reasonToSkip(check) {
      return ConformanceResult(check: check, failure: nil, skipped: reason)
    }
    let failure = CheckThread.wait { self.failure(of: check) }
    return ConformanceResult(check: check, failure: failure, skipped: nil)
  }

  /// Runs a check as a test case.
  ///
  /// ```swift
  /// @Test(arguments: ConformanceCheck.all)
  /// func memoryConforms(check: ConformanceCheck) async throws {
  ///   try await StoreConformance(keepsData: false) { ModelConfiguration(isStoredInMemoryOnly: true) }.verify(check)
  /// }
  /// ```
  ///
  /// A check passes if it is skipped, because the store declines a feature or because `keepsData`, `breakSaves` or a
  /// history is missing. At most eight checks run concurrently.
  ///
  /// - Throws: ``ConformanceFailure`` if the check fails.
  public func verify(_ check: ConformanceCheck) async throws {
    guard reasonToSkip(check) == nil else { return }
    if let failure = await CheckThread.run({ self.failure(of: check) }) { throw failure }
  }

  private func reasonToSkip(_ check: ConformanceCheck) -> String? {
    if check.needsReopening, !keepsData { return "the store does not keep data" }
    if check.needsBreaking, breakSaves == nil { return "'breakSaves' is missing" }
    if check.needsHistory, !(Configuration.Store.self is any HistoryProviding.Type) {
      return "the store has no history"
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
        check, "a store call", "the error '\(error)'", "success")
    }
  }
}

/// An optional feature that a store can decline.
///
/// Checks that require a declined feature are skipped.
///
/// ```swift
/// import StoreConformance
///
/// // Dates are whole seconds in the file, and the format is JSON.
/// let suite = StoreConformance(declining: [.fractionsOfSeconds, .nonFiniteNumbers]) {
///   MyConfiguration(url: .temporaryDirectory.appending(path: "\(UUID()).mine"))
/// }
/// ```
public enum ConformanceAllowance: String, Sendable, Hashable, CaseIterable {
  /// Infinities and NaN, which formats such as JSON cannot represent.
  case nonFiniteNumbers
  /// Dates with fractional seconds.
  case fractionsOfSeconds
  /// The sign of zero.
  case negativeZero
  /// The exact Unicode form of text. Canonically equivalent strings can have different forms.
  case textForms
  /// Text with U+0000, which some databases cannot store. Saving such text then throws an error.
  case nullCharacters
  /// Concurrent contexts.
  case concurrency
}

extension StoreConformance {
  /// Runs every check, prints the results and exits the process with 0 if no check fails, otherwise with 1.
  ///
  /// ```swift
  /// import StoreConformance
  ///
  /// StoreConformance { MyConfiguration(url: .temporaryDirectory.appending(path: "\(UUID()).mine")) }.main()
  /// // ✔ is empty when new
  /// ```
  public func main() -> Never {
    var failures = 0
    var skipped = 0
    for check in ConformanceCheck.all {
      let result = self.result(of: check)
      print(result)
      if result.failure != nil { failures += 1 }
      if result.skipped != nil { skipped += 1 }
    }
    let run = ConformanceCheck.all.count - skipped
    print(
      failures == 0
        ? "the store conforms: \(run) checks passed, \(skipped) not run"
        : "\(failures) of \(run) checks failed, \(skipped) not run")
    exit(failures == 0 ? 0 : 1)
  }
}

/// Runs checks on separate threads, because stores may block the calling thread.
enum CheckThread {
  static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
      enqueue { continuation.resume(returning: body()) }
    }
  }

  /// The maximum number of concurrent checks. Each check opens files, and a process can open only a limited number.
  private static let limit = 8
  private static let queue = Mutex(Queue())

  private struct Queue {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
  }

  private static func enqueue(_ body: @escaping @Sendable () -> Void) {
    let startsThread = queue.withLock { queue in
      queue.waiting.append(body)
      guard queue.threads < limit else { return false }
      queue.threads += 1
      return true
    }
    guard startsThread else { return }
    start { while let check = next() { check() } }
  }

  /// Returns the next check to run; `nil` if the thread should end.
  private static func next() -> (@Sendable () -> Void)? {
    queue.withLock { queue in
      guard queue.waiting.isEmpty else { return queue.waiting.removeFirst() }
      queue.threads -= 1
      return nil
    }
  }

  static func wait<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
    let answer = Answer<R>()
    start { answer.give(body()) }
    return answer.take()
  }

  /// Runs every block on a separate thread and throws the first error.
  static func all(_ blocks: [@Sendable () throws -> Void]) throws {
    let answers = blocks.map { block in
      let answer = Answer<(any Error)?>()
      start {
        do {
          try block()
          answer.give(nil)
        } catch {
          answer.give(error)
        }
      }
      return answer
    }
    if let error = answers.map({ $0.take() }).compactMap({ $0 }).first { throw error }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 1 << 22
    thread.start()
  }

  private final class Answer<R: Sendable>: Sendable {
    private let value = Mutex<R?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ new: R) {
      value.withLock { $0 = new }
      isThere.signal()
    }

    func take() -> R {
      while true {
        isThere.wait()
        if let value = value.withLock({ $0 }) { return value }
      }
    }
  }
}
