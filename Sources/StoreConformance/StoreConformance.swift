public import Trellis

/// Runs any store through what contexts expect of it.
///
/// Every check opens a container of its own over a new, empty store and says precisely what the
/// store did not do.
///
///     let results = StoreConformance { MyConfiguration(url: newTemporaryURL()) }.run()
///     for result in results { print(result) }
public struct StoreConformance<Configuration: DataStoreConfiguration> {
  let makeConfiguration: () throws -> Configuration
  let keepsData: Bool

  /// - Parameters:
  ///   - keepsData: whether a store opened again with an equal configuration has what was saved;
  ///     false for stores in memory.
  ///   - makeConfiguration: gives the configuration of a new, empty store each time it is called.
  public init(keepsData: Bool = true, _ makeConfiguration: @escaping () throws -> Configuration) {
    self.keepsData = keepsData
    self.makeConfiguration = makeConfiguration
  }

  /// Runs every check; a failing one does not stop the others.
  public func run() -> [ConformanceResult] {
    ConformanceCheck.all.compactMap { check in
      if check.needsReopening, !keepsData { return nil }
      do {
        let configuration = try makeConfiguration()
        try check.run(ConformanceStore(configuration: configuration))
        return ConformanceResult(name: check.name, failure: nil)
      } catch {
        return ConformanceResult(name: check.name, failure: "\(error)")
      }
    }
  }
}

/// What one check found.
public struct ConformanceResult: Sendable, CustomStringConvertible {
  /// What the store was asked to do.
  public let name: String
  /// What it did instead; nil when it passed.
  public let failure: String?

  public var description: String { failure.map { "✘ \(name): \($0)" } ?? "✔ \(name)" }
}

/// The store a check runs on.
struct ConformanceStore {
  let configuration: any DataStoreConfiguration

  /// A container over the store; a second one sees what the first has saved.
  func container() throws -> ModelContainer {
    try ModelContainer(
      for: ConformanceAuthor.self, ConformanceBook.self, ConformanceShelf.self,
      configurations: configuration)
  }
}

/// One expectation and how it is tried.
struct ConformanceCheck {
  let name: String
  var needsReopening = false
  let run: (ConformanceStore) throws -> Void

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static var all: [ConformanceCheck] { saving + fetching + relationships }

  /// Throws what was seen when it is not what was expected.
  static func expect<Value: Equatable>(
    _ seen: Value, _ expected: Value, _ what: String
  ) throws {
    guard seen == expected else {
      throw Failure(description: "\(what) is \(seen), expected \(expected)")
    }
  }
}
