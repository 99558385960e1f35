import Foundation
import Trellis

/// The output of a process that measured one side of an operation.
struct Measurement: Codable {
  /// The values of all measured executions.
  var values: [Double] = []
  var checksum = ""
  /// The reason why the values are missing.
  var unavailable: String?

  /// Runs an operation in this process.
  init(_ operation: Operation, _ side: Side, in fixtures: Fixtures) {
    self.init()
    do {
      switch side {
      case .raw:
        try execute(operation, side, fixtures, open: fixtures.openRaw, operation.raw)
      case .ours:
        try execute(operation, side, fixtures, open: fixtures.openOurs, operation.ours)
      }
    } catch {
      unavailable = "\(error)"
    }
  }

  init(unavailable reason: String) { unavailable = reason }

  private init() {}

  private mutating func execute<Store>(
    _ operation: Operation, _ side: Side, _ fixtures: Fixtures,
    open: (URL, Operation.Fixture) throws -> Store, _ body: (Store) throws -> Sample
  ) throws {
    let isFresh = [.empty, .copy, .stations].contains(operation.fixture)
    var shared: Store?
    for round in 0..<operation.warmups + operation.samples {
      let url = try fixtures.url(operation.fixture, side, round)
      let store = try (isFresh ? nil : shared) ?? open(url, operation.fixture)
      shared = store
      let sample = try withExtendedLifetime(store) { try body(store) }
      let found = try sample.checksum ?? StoredState.checksum(url)
      guard round == 0 || found == checksum else {
        throw RawFailure(description: "two executions returned different results")
      }
      checksum = found
      if round >= operation.warmups { values.append(sample.value) }
    }
  }
}
