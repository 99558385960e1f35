import Foundation
import Synchronization
import Trellis

/// Opening, and reading on demand.
extension JSONHistory {
  /// Finds the line of the contents that the JSON file has.
  ///
  /// - Parameters:
  ///   - contents: of the JSON file; nil if there is none.
  ///   - number: of the last transaction, as the JSON file has it.
  ///   - file: the opened file, with the stages that were run over its models.
  func load(
    into exchange: HistoryExchange, _ contents: Data?, number stored: Int64, _ opened: JSONFileOpener.Read?,
    rights: FileRights?
  ) throws {
    let names = exchange.store.modelNames
    try state.withLock { state in
      state.names = JSONHistoryNaming.digest(names)
      state.naming = JSONHistoryNaming(names: names)
      guard let contents else { return }
      state.digest = JSONHistoryFile.digest(contents)
      var end: JSONHistoryEnd?
      let number = HistoryExchange.numbers.contains(stored) ? stored : 0
      do {
        if let lines = try state.file.open() {
          if lines.identifier == exchange.store.identifier {
            let found = try JSONHistoryEnd(lines, digest: state.digest)
            try state.begin(found, names, opened, exchange.store.schema)
            end = found
          } else {
            // The history of a file that was here before.
            state.file.forget()
          }
        }
        guard stored == number else {
          throw HistoryExchange.Damage(
            "'\(HistoryExchange.numberKey)' of the JSON file is \(stored), which is the number of no transaction")
        }
      } catch let damage as HistoryExchange.Damage {
        state.damage = damage.description
        state.rest = nil
      }
      guard state.damage != nil || number > 0 || end?.line != nil else { return }
      state.last = end?.line?.id ?? 0
      state.count = Int(clamping: min(state.last - (end?.line?.notes.from ?? 1), 1 << 32) + 1)
      let highest = max(number, end?.highest ?? 0, state.last)
      try exchange.connection.write {
        if state.damage != nil {
          if highest > 0 { try exchange.insertHole(highest) }
          try exchange.raiseFloor(to: highest)
          state.last = highest
          return
        }
        try enter(end, highest, &state, exchange)
        if end?.isOfTheFile != true { try noteGap(&state, rights, exchange) }
      }
    }
  }

  private func enter(
    _ end: JSONHistoryEnd?, _ highest: Int64, _ state: inout State, _ exchange: HistoryExchange
  ) throws {
    if state.last < highest {
      for hole in max(state.last, highest - JSONHistoryRest.holes) + 1...highest { try exchange.insertHole(hole) }
    }
    try exchange.raiseFloor(to: max(end?.line?.notes.floor ?? 0, (end?.line?.notes.from ?? 1) - 1))
    do {
      // Saves that also forget old transactions need all of them; and numbers continue after the last one.
      try state.rest?.read(through: keepsAll ? state.last : .min, exchange)
    } catch let damage as HistoryExchange.Damage {
      if keepsAll { state.damage = damage.description }
    }
    if try exchange.last() < highest { try exchange.insertHole(highest) }
  }

  /// Adds a transaction for what another program has saved: no token leads across.
  private func noteGap(_ state: inout State, _ rights: FileRights?, _ exchange: HistoryExchange) throws {
    let gap = try exchange.noteGap()
    try exchange.raiseFloor(to: gap)
    guard isRecorded else { return }
    let before = state
    do {
      _ = try state.add(exchange.transactions(after: gap - 1).map(JSONHistoryLine.init), exchange, rights)
    } catch {
      // If that cannot be written now, the program that opens the file next finds the same.
      state = before
      state.file.forget()
      state.last = gap
    }
  }

  /// Enters the transactions from a number on into the tables.
  ///
  /// - Throws: ``SwiftDataError/invalidTransactionFetchRequest`` if a line cannot be read.
  func read(through number: Int64, _ engine: DefaultStore) throws {
    guard let unread, unread >= number else { return }
    try engine.exclusively(for: .history) { connection in
      try connection.read {
        try state.withLock { state in
          do {
            try state.rest?.read(through: number, HistoryExchange(engine, connection))
          } catch let damage as HistoryExchange.Damage {
            throw failure(damage.description)
          }
          if state.rest?.isEmpty == true { state.rest = nil }
        }
      }
    }
  }

  /// The transaction before those that the tables have; nil if they have all.
  var unread: Int64? { state.withLock { $0.rest.flatMap { $0.isEmpty ? nil : $0.next } } }
}

extension JSONHistory.State {
  /// Takes over the lines of a history.
  fileprivate mutating func begin(
    _ end: JSONHistoryEnd, _ names: HistoryModelNames, _ opened: JSONFileOpener.Read?, _ schema: Schema
  ) throws {
    naming = nil
    if end.line?.notes.names != self.names {
      let old = try end.names()
      naming = JSONHistoryNaming(
        names: names, before: end.line?.notes.names,
        renaming: old.map { HistoryRenaming(from: $0, to: names, opened?.stages ?? [], schema) })
    }
    rest = JSONHistoryRest(end, renaming: naming?.renaming)
  }
}
