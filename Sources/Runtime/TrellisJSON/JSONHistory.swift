import Foundation
import Synchronization
import Trellis

/// The history of a JSON file: rows of the engine's tables while it is open, and lines of a file beside it.
///
/// A save adds a line that names the contents that the file is about to have, and then replaces the file. If the program
/// is killed in between, the file never gets these contents. Opening looks for the line of the contents that the file
/// has; if there is none, a program without history has written the file.
///
/// The tables get the lines before that one when a question needs them, so that a long history does not slow down
/// opening.
final class JSONHistory: Sendable {
  struct State {
    var file: JSONHistoryFile
    /// The transaction that the contents of the JSON file are of, and the digest of those contents.
    var last: Int64 = 0
    var digest = ""
    /// The number of lines in the file, about.
    var count = 0
    /// Why the history cannot be read.
    var damage: String?
    /// True while the file must be rewritten.
    var isForced = false
    /// The lines that the tables do not have yet.
    var rest: JSONHistoryRest?
    /// The digest of the names that lines have from now on.
    var names = ""
    /// The names for the next line; nil if the last line uses them, too.
    var naming: JSONHistoryNaming?
  }

  let path: String
  let isRecorded: Bool
  let keepsAll: Bool
  let state: Mutex<State>

  init(of file: JSONFile, _ options: ModelConfiguration.HistoryOptions) {
    path = file.path
    isRecorded = options.isRecorded && file.lock != nil
    keepsAll = options.retention == .all
    state = Mutex(State(file: JSONHistoryFile(of: file.path)))
  }

  /// - Throws: an error if the history is damaged.
  func check() throws {
    if let damage = state.withLock({ $0.damage }) { throw failure(damage) }
  }

  func failure(_ damage: String) -> SwiftDataError {
    SwiftDataError.invalidTransactionFetchRequest.explained(
      "the history of the file is damaged, \(damage): put '\(path).history' right, or forget it with "
        + "'deleteHistory(HistoryDescriptor())' and read the models again; they are not concerned", path: path)
  }

  // MARK: saving

  /// Writes the changes of a transaction while a body replaces the JSON file.
  ///
  /// - Parameter replace: calls its argument, which adds lines, before the new file is in its place. If it throws, the
  ///   history is as it was.
  func noting(
    _ contents: Data, _ rights: FileRights?, _ exchange: HistoryExchange,
    _ replace: (_ note: () throws -> Void) throws -> Void
  ) throws {
    try state.withLock { state in
      let before = state
      var added = State.Added()
      do {
        try replace { if isRecorded { added = try state.note(contents, rights, exchange) } }
      } catch {
        let file = state.file
        state = before
        state.file = file
        if let end = added.formerEnd { state.file.takeBack(to: end) }
        throw error
      }
      // The history is made shorter when most of it is forgotten.
      let kept = state.last - (((try? state.first(exchange)) ?? nil) ?? state.last)
      guard isRecorded, state.damage == nil, added.isForgetful || Int64(state.count) / 2 - 128 > kept else { return }
      // If that fails, the file is longer than it need be.
      try? state.replace(rights, exchange)
    }
  }

  // MARK: forgetting

  /// Runs a body that forgets transactions: the commit rewrites the file.
  ///
  /// - Parameter isEverything: true if no transaction is to be left, not even one that cannot be read.
  func forgetting(isEverything: Bool, _ engine: DefaultStore, _ body: () throws -> Void) throws {
    if !isEverything {
      try check()
      try read(through: .min, engine)
    }
    let rest = state.withLock { state in
      state.isForced = true
      defer { if isEverything { state.rest = nil } }
      return state.rest
    }
    defer { state.withLock { $0.isForced = false } }
    do {
      try body()
    } catch {
      state.withLock { $0.rest = rest }
      throw error
    }
  }

  /// True if the file must be rewritten though no model has changed.
  func isToBeRewritten(_ exchange: HistoryExchange) throws -> Bool {
    try state.withLock { state in
      if state.isForced { return true }
      guard isRecorded, state.damage == nil else { return false }
      return try exchange.last() > state.last
    }
  }

  /// Rewrites the file from the tables.
  func rewrite(rights: FileRights?, _ exchange: HistoryExchange) throws {
    try state.withLock { state in
      let before = state.last
      do {
        state.last = max(before, try exchange.last())
        try state.replace(rights, exchange)
      } catch {
        state.last = before
        throw SwiftDataError.opening(
          error.isOutOfRoom ? .diskFull : .notWritable,
          "the history of the store cannot be written, and is as it was: \(error)", path: path)
      }
      state.damage = nil
    }
  }
}

extension JSONHistory.State {
  struct Added {
    /// Where the file ended before; nil if it was rewritten, or nothing was added.
    var formerEnd: Int64?
    /// True if the last transaction is forgotten already.
    var isForgetful = false
  }

  /// Adds the lines of a transaction that leads to these contents.
  fileprivate mutating func note(
    _ contents: Data, _ rights: FileRights?, _ exchange: HistoryExchange
  ) throws -> Added {
    let (former, now) = (digest, JSONHistoryFile.digest(contents))
    digest = now
    if damage != nil {
      // The tables have the transaction until the file can be rewritten.
      last = try exchange.last()
      return Added()
    }
    var lines = try exchange.transactions(after: last).map(JSONHistoryLine.init)
    if lines.isEmpty {
      guard now != former else { return Added() }
      lines = [JSONHistoryLine(NamedTransaction(id: last))]
    }
    let isForgetful = lines.last.map { $0.transaction.time != nil && $0.transaction.changes == nil } ?? false
    return Added(formerEnd: try add(lines, exchange, rights), isForgetful: isForgetful)
  }

  /// Adds lines, or rewrites the file with them.
  ///
  /// - Returns: where the file ended before; nil if it was rewritten.
  mutating func add(
    _ lines: [JSONHistoryLine], _ exchange: HistoryExchange, _ rights: FileRights?
  ) throws -> Int64? {
    let added = try text(of: finished(lines, after: last, exchange))
    let end = try file.append(added, rights: rights)
    if end == nil { try file.replace(with: everything(exchange, adding: lines), rights: rights) }
    last = lines.last?.id ?? last
    count += lines.count
    naming = nil
    return end
  }

  /// Rewrites the file.
  mutating func replace(_ rights: FileRights?, _ exchange: HistoryExchange) throws {
    let text = try everything(exchange)
    try file.replace(with: text, rights: rights)
    count = text.count { $0 == UInt8(ascii: "\n") }
    naming = nil
  }

  /// The head and the lines of all transactions up to the contents that the JSON file has.
  ///
  /// - Parameter lines: what is added to that.
  private mutating func everything(_ exchange: HistoryExchange, adding lines: [JSONHistoryLine] = []) throws -> Data {
    do {
      try rest?.read(through: .min, exchange)
    } catch is HistoryExchange.Damage {
      // The lines that cannot be read are left out.
      if let next = rest?.next { try exchange.raiseFloor(to: next) }
    }
    rest = nil
    var all = try exchange.transactions(after: 0).filter { $0.id <= last }.map(JSONHistoryLine.init)
    if lines.isEmpty, all.last?.id != last, !digest.isEmpty { all.append(JSONHistoryLine(NamedTransaction(id: last))) }
    naming = JSONHistoryNaming(names: exchange.store.modelNames)
    let head = try text(of: [JSONHistoryLine.Head(identifier: exchange.store.identifier)])
    return head + (try text(of: finished(all + lines, after: nil, exchange)))
  }

  /// Gives each line the transaction before it, the first one the names, and the last one the contents of the file.
  private func finished(
    _ lines: [JSONHistoryLine], after last: Int64?, _ exchange: HistoryExchange
  ) throws -> [JSONHistoryLine] {
    var lines = lines
    var last = last
    for index in lines.indices {
      if let last, last != lines[index].id, last != lines[index].id - 1 { lines[index].notes.after = last }
      last = lines[index].id
    }
    guard let end = lines.indices.last else { return lines }
    if let naming {
      naming.write(into: &lines[0].notes)
      lines[0].notes.names = names
    }
    let floor = try exchange.floor()
    if floor > 0 { lines[end].notes.floor = floor }
    let first = try first(exchange) ?? lines[end].id
    if first > 1 { lines[end].notes.from = first }
    lines[end].notes.file = digest
    lines[end].notes.names = names
    return lines
  }

  /// The first transaction that is not forgotten.
  func first(_ exchange: HistoryExchange) throws -> Int64? {
    if let rest, !rest.isEmpty { return rest.first }
    return try exchange.first()
  }

  private func text(of lines: [some Encodable]) throws -> Data {
    var text = Data()
    for line in lines { text += try JSONDocument.encoder.encode(line) + Data("\n".utf8) }
    return text
  }
}
