/// The temporary identifiers of saved models of one entity, and the rows that they became.
///
/// Models that are created and saved in sequence share a run, so that most saves add nothing to it.
struct EarlierIdentifiers {
  /// Serial numbers at equal distances that became consecutive rows.
  private struct Run {
    let serial: Int64
    let row: Int64
    let token: IdentifierToken
    var distance: Int64 = 1
    var count: Int64 = 1

    /// Adds the next model; false if it is not part of the run.
    @inline(__always) mutating func extend(_ nextSerial: Int64, _ nextRow: Int64, _ token: IdentifierToken) -> Bool {
      guard nextRow == row + count, token == self.token else { return false }
      if count == 1, nextSerial > serial { distance = nextSerial - serial }
      guard nextSerial == serial + distance * count else { return false }
      count += 1
      return true
    }

    func identifier(_ other: Int64) -> PersistentIdentifier? {
      let steps = (other - serial) / distance
      guard other >= serial, steps < count, other == serial + steps * distance else { return nil }
      return PersistentIdentifier(token: token, row: row + steps)
    }
  }

  private var runs: [Run] = []
  /// Identifiers of stores with keys of their own.
  private var others: [Int64: PersistentIdentifier] = [:]

  /// Records that a save gave the model of a serial number its permanent identifier.
  @inline(__always) mutating func add(_ serial: Int64, row: Int64, _ token: IdentifierToken) {
    if !runs.isEmpty, runs[runs.count - 1].extend(serial, row, token) { return }
    runs.append(Run(serial: serial, row: row, token: token))
  }

  mutating func add(_ serial: Int64, _ permanent: PersistentIdentifier) { others[serial] = permanent }

  /// The permanent identifier of the model that had a serial number; nil if no save of the context gave it one.
  func identifier(_ serial: Int64) -> PersistentIdentifier? {
    for run in runs.reversed() {
      if let identifier = run.identifier(serial) { return identifier }
    }
    return others[serial]
  }
}

extension ModelContext {
  /// The permanent identifier of a model that this context has saved since the identifier was read; otherwise the
  /// identifier itself.
  func current(_ identifier: PersistentIdentifier) -> PersistentIdentifier {
    guard hasSavedInsertions, identifier.isTemporary, let serial = identifier.row,
      let definition = core.entity(formerly: identifier.entityName)?.definition
    else { return identifier }
    return tables[ObjectIdentifier(definition.root)]?.earlier.identifier(serial) ?? identifier
  }

  /// Replaces identifiers that a predicate captured before the save of their models; nil if there can be none.
  var capturedIdentifiers: CapturedIdentifiers? {
    hasSavedInsertions ? CapturedIdentifiers { self.current($0) } : nil
  }
}
