/// An entity's temporary identifiers from before the save, and the rows that they became.
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

  /// In ascending order of the first serial numbers.
  private var runs: [Run] = []
  /// The run that the last model belongs to.
  private var latest = 0
  /// Identifiers in stores that assign keys.
  private var others: [Int64: PersistentIdentifier] = [:]

  /// Records the permanent identifier that a save gave a model.
  @inline(__always) mutating func add(_ serial: Int64, row: Int64, _ token: IdentifierToken) {
    if latest < runs.count, runs[latest].extend(serial, row, token) { return }
    insert(Run(serial: serial, row: row, token: token))
  }

  @inline(never) private mutating func insert(_ run: Run) {
    latest = end(of: run.serial)
    runs.insert(run, at: latest)
  }

  mutating func add(_ serial: Int64, _ permanent: PersistentIdentifier) { others[serial] = permanent }

  /// The permanent identifier of the model with a serial number; nil if the context has not saved it.
  func identifier(_ serial: Int64) -> PersistentIdentifier? {
    // Runs can overlap: models are not always saved in the order in which they were created.
    for run in runs[..<end(of: serial)].reversed() {
      if let identifier = run.identifier(serial) { return identifier }
    }
    return others[serial]
  }

  /// The position behind the runs that begin at or before a serial number.
  private func end(of serial: Int64) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].serial <= serial { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ModelContext {
  /// The permanent identifier if this context has saved the model since; otherwise the same identifier.
  func current(_ identifier: PersistentIdentifier) -> PersistentIdentifier {
    guard hasSavedInsertions, identifier.isTemporary, let serial = identifier.row else { return identifier }
    if let identifierSource { return identifierSource.current(identifier) }
    guard let definition = core.entity(formerly: identifier.entityName)?.definition,
      let table = tables[ObjectIdentifier(definition.root)], table.object(identifier) == nil
    else { return identifier }
    return table.earlier.identifier(serial) ?? identifier
  }

  /// Replaces identifiers that a predicate captured before a save; nil if there can be none.
  var capturedIdentifiers: CapturedIdentifiers? {
    hasSavedInsertions ? CapturedIdentifiers { self.current($0) } : nil
  }
}
