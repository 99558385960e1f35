import Foundation
import Synchronization

/// Opening, and reading what is asked for.
extension JSONHistory {
  /// Finds what the lines say of the contents the JSON file has.
  ///
  /// - Parameters:
  ///   - contents: of the JSON file; nil where there is none.
  ///   - number: of the last transaction, as the JSON file has it.
  ///   - former: the names of the version the models were written with, where stages were run over them.
  ///   - hops: these stages.
  func load(
    into engine: DefaultStore, _ contents: Data?, number stored: Int64, former: JSONHistoryNames? = nil,
    hops: [JSONHistoryHop] = [], rights: FileRights?, _ connection: Connection
  ) throws {
    let names = JSONHistoryNames(engine.catalogue.layout)
    try state.withLock { state in
      state.names = names.digest
      state.naming = JSONHistoryNaming(names, after: nil, renaming: nil)
      guard let contents else { return }
      state.digest = JSONHistoryFile.digest(contents)
      var found = state.file.open()
      let number = JSONHistoryLine.numbers.contains(stored) ? stored : 0
      if stored != number {
        found.damage = "'\(Self.numberKey)' of the JSON file is \(stored), which is the number of no transaction"
      }
      if let identifier = found.identifier, identifier != engine.identifier {
        // Of a file that was here before.
        found = JSONHistoryFile.Contents()
        state.file.forget()
      }
      var end: JSONHistoryEnd?
      do {
        end = try found.tail.map { try JSONHistoryEnd($0, digest: state.digest) }
        if let end {
          state.naming = try JSONHistoryNaming(names, after: end, former, hops, engine.schema)
          state.rest = JSONHistoryRest(end, renaming: state.naming?.renaming)
        }
      } catch {
        found.damage = "\(error)"
      }
      guard found.damage != nil || number > 0 || end?.line != nil else { return }
      state.damage = found.damage
      state.last = end?.line?.id ?? 0
      state.count = Int(clamping: min(state.last - (end?.line?.from ?? 1), 1 << 32) + 1)
      let highest = max(number, end?.highest ?? 0, state.last)
      try connection.write {
        guard found.damage == nil else {
          state.rest = nil
          if highest > 0 { try JSONHistoryCoding(engine, connection).insertHole(highest) }
          try HistoryLog.raiseFloor(to: highest, connection)
          state.last = highest
          return
        }
        try enter(end, highest, &state, engine, connection)
        guard end?.isOfTheFile != true else { return }
        try noteGap(&state, rights, engine, connection)
      }
    }
  }

  private func enter(
    _ end: JSONHistoryEnd?, _ highest: Int64, _ state: inout State, _ engine: DefaultStore,
    _ connection: Connection
  ) throws {
    let coding = JSONHistoryCoding(engine, connection)
    if state.last < highest {
      for hole in max(state.last, highest - JSONHistoryRest.holes) + 1...highest { try coding.insertHole(hole) }
    }
    let floor = max(end?.line?.floor ?? 0, (end?.line?.from ?? 1) - 1)
    try HistoryLog.raiseFloor(to: floor, connection)
    do {
      // Whatever is forgotten while others are saved goes from the beginning; and numbers go on after the last.
      try state.rest?.read(through: keepsAll ? state.last : .min, coding)
    } catch let damage as JSONHistoryTail.Damage {
      if keepsAll { state.damage = damage.description }
    }
    if try HistoryTables.last(connection) < highest { try coding.insertHole(highest) }
  }

  /// What was saved meanwhile nobody can tell: no token leads across.
  private func noteGap(
    _ state: inout State, _ rights: FileRights?, _ engine: DefaultStore, _ connection: Connection
  ) throws {
    let gap = try HistoryLog.noteGap(author: nil, epoch: engine.metadata.historyEpoch, connection)
    try HistoryLog.raiseFloor(to: gap, connection)
    guard isRecorded else { return }
    let coding = JSONHistoryCoding(engine, connection)
    let lines = try coding.lines(after: gap - 1)
    // Where that cannot be written now, the next one who opens the file finds the same.
    do {
      let added = try text(of: finished(lines, state, after: state.last, state.digest, connection))
      if try state.file.append(added, rights: rights) == nil {
        try state.file.replace(
          with: everything(&state, coding, connection, adding: lines, state.digest), rights: rights)
      }
      state.naming = nil
    } catch {
      state.file.forget()
    }
    state.last = gap
    state.count += 1
  }

  /// Sees to it that the tables have what was saved from a number on.
  ///
  /// - Throws: ``SwiftDataError/invalidTransactionFetchRequest`` where the lines cannot be read.
  func read(through number: Int64, _ engine: DefaultStore) throws {
    guard state.withLock({ $0.rest.map { !$0.isEmpty && $0.next >= number } ?? false }) else { return }
    try engine.pool.exclusively(for: .history) { connection in
      try connection.read {
        try state.withLock { state in
          do {
            try state.rest?.read(through: number, JSONHistoryCoding(engine, connection))
          } catch let damage as JSONHistoryTail.Damage {
            throw failure(damage.description)
          }
          if state.rest?.isEmpty == true { state.rest = nil }
        }
      }
    }
  }

  /// The transaction before those that the tables have; nil when they have all.
  var unread: Int64? { state.withLock { $0.rest.flatMap { $0.isEmpty ? nil : $0.next } } }
}
