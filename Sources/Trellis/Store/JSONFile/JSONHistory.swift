import Foundation
import Synchronization

/// The history of a JSON file: rows of the engine's tables while it is open, lines of a file beside it for
/// ever.
///
/// A save adds a line that names the contents the file is about to have, and then replaces the file. Killed in
/// between, the line names contents that never came to be. Whoever opens the file looks for the line of
/// the contents there are; where there is none, somebody has written the file who keeps no history.
final class JSONHistory: Sendable {
  private struct State {
    var file: JSONHistoryFile
    /// The transaction the contents of the JSON file are of, and those contents.
    var last: Int64 = 0
    var digest = ""
    /// How many lines the file has, about.
    var count = 0
    var damage: String?
    var isForced = false
    /// What a save under way has added.
    var pending: Pending?
  }

  private struct Pending {
    var last: Int64
    var digest: String
    var count: Int
    /// Where the file ended before; nil where it was made anew.
    var end: Int64?
    var isForgetful: Bool
  }

  /// Under this name the JSON file has the number of its last transaction: no model can be called so, and
  /// programs from before there was history keep it.
  static let numberKey = "$history"

  private let path: String
  private let isRecorded: Bool
  private let state: Mutex<State>

  init(of file: JSONFile, isRecorded: Bool) {
    path = file.path
    self.isRecorded = isRecorded && file.lock != nil
    state = Mutex(State(file: JSONHistoryFile(of: file.path)))
  }

  // MARK: opening

  /// Puts what the lines say into the tables of the engine.
  ///
  /// - Parameters:
  ///   - contents: of the JSON file; nil where there is none.
  ///   - number: of the last transaction, as the JSON file has it.
  func load(
    into engine: DefaultStore, _ contents: Data?, number: Int64, rights: JSONFileStamp.Rights?,
    _ connection: Connection
  ) throws {
    guard let contents else { return }
    try state.withLock { state in
      state.digest = JSONHistoryFile.digest(contents)
      var found = state.file.read()
      if let identifier = found.identifier, identifier != engine.identifier {
        // Of a file that was here before.
        found = JSONHistoryFile.Contents()
        state.file.forget()
      }
      guard found.damage != nil || number > 0 || !found.lines.isEmpty else { return }
      let chain = JSONHistoryChain(found.lines, state.digest)
      let highest = max(number, chain.highest)
      let coding = JSONHistoryCoding(engine, connection)
      state.damage = found.damage
      state.count = found.lines.count
      state.last = chain.last
      try connection.write {
        if found.damage == nil {
          for line in chain.lines { try coding.insert(line) }
          for id in chain.holes(upTo: highest) { try coding.insertHole(id) }
          try HistoryLog.raiseFloor(to: chain.floor, connection)
        } else {
          if highest > 0 { try coding.insertHole(highest) }
          try HistoryLog.raiseFloor(to: highest, connection)
          state.last = highest
        }
        guard found.damage == nil, !chain.isOfTheFile else { return }
        // What was saved meanwhile nobody can tell: no token leads across.
        let epoch = engine.metadata.historyEpoch
        let gap = try HistoryLog.noteGap(author: nil, epoch: epoch, connection)
        try HistoryLog.raiseFloor(to: gap, connection)
        guard isRecorded else { return }
        let lines = try Self.finished(
          coding.lines(after: gap - 1), after: chain.last, state.digest, connection)
        // Where that cannot be written now, the next one who opens the file finds the same.
        _ = try? state.file.append(Self.text(of: lines), rights: rights) {
          try Self.head(engine) + Self.text(of: lines)
        }
        state.last = gap
        state.count += 1
      }
    }
  }

  /// - Throws: what is wrong with the history, if something is.
  func check() throws {
    guard let damage = state.withLock({ $0.damage }) else { return }
    throw SwiftDataError.invalidTransactionFetchRequest.explained(
      "the history of the file is damaged, \(damage): put '\(path).history' right, or forget it with "
        + "'deleteHistory(HistoryDescriptor())' and read the models again; they are not concerned", path: path)
  }

  // MARK: saving

  /// Writes down what a transaction has changed, before the JSON file is replaced.
  func note(
    _ contents: [UInt8], rights: JSONFileStamp.Rights?, _ engine: DefaultStore, _ connection: Connection
  ) throws {
    guard isRecorded else { return }
    try state.withLock { state in
      let digest = JSONHistoryFile.digest(contents)
      guard state.damage == nil else {
        // Remembered until the file can be made anew.
        let last = try HistoryTables.last(connection)
        return state.pending = Pending(last: last, digest: digest, count: 0, isForgetful: false)
      }
      let coding = JSONHistoryCoding(engine, connection)
      var lines = try coding.lines(after: state.last)
      if lines.isEmpty {
        guard digest != state.digest else { return }
        lines = [JSONHistoryLine(id: state.last)]
      }
      let last = lines.last?.id ?? state.last
      let isForgetful = lines.last.map { $0.time != nil && $0.changes == nil } ?? false
      lines = try Self.finished(lines, after: state.last, digest, connection)
      let text = try Self.text(of: lines)
      let before = state
      let end = try state.file.append(text, rights: rights) {
        try Self.everything(before, coding, connection) + text
      }
      state.pending = Pending(
        last: last, digest: digest, count: lines.count, end: end, isForgetful: isForgetful)
    }
  }

  /// The JSON file is as it was: so is the history.
  func takeBack() {
    state.withLock { state in
      if let pending = state.pending { state.file.takeBack(to: pending.end) }
      state.pending = nil
    }
  }

  /// The JSON file is in its place.
  func settle(rights: JSONFileStamp.Rights?, _ engine: DefaultStore, _ connection: Connection) {
    state.withLock { state in
      guard let pending = state.pending else { return }
      state.pending = nil
      state.last = pending.last
      state.digest = pending.digest
      state.count += pending.count
      let first = (try? Self.first(connection)) ?? nil
      let kept = pending.last - (first ?? pending.last)
      guard state.damage == nil, pending.isForgetful || Int64(state.count) > 2 * kept + 256 else { return }
      // Where that fails, the file is longer than it need be.
      try? Self.replace(&state, rights, engine, connection)
    }
  }

  /// What happens in the body is forgetting: the file is to be without it when that is committed.
  ///
  /// - Parameter isEverything: whether nothing is to be left, and so what nobody can read may go, too.
  func forgetting(isEverything: Bool, _ body: () throws -> Void) throws {
    if !isEverything { try check() }
    state.withLock { $0.isForced = true }
    defer { state.withLock { $0.isForced = false } }
    try body()
  }

  /// Whether the file has to be made anew where no model has changed.
  func isToBeRewritten(_ connection: Connection) throws -> Bool {
    try state.withLock { state in
      if state.isForced { return true }
      guard isRecorded, state.damage == nil else { return false }
      return try HistoryTables.last(connection) > state.last
    }
  }

  /// Makes the file anew from the tables.
  func rewrite(
    rights: JSONFileStamp.Rights?, _ engine: DefaultStore, _ connection: Connection
  ) throws {
    try state.withLock { state in
      let last = state.last
      do {
        state.last = max(last, try HistoryTables.last(connection))
        try Self.replace(&state, rights, engine, connection)
      } catch {
        state.last = last
        throw SwiftDataError.opening(
          .notWritable, "the history of the store cannot be written, and is as it was: \(error)", path: path)
      }
      state.damage = nil
    }
  }

  private static func replace(
    _ state: inout State, _ rights: JSONFileStamp.Rights?, _ engine: DefaultStore,
    _ connection: Connection
  ) throws {
    let coding = JSONHistoryCoding(engine, connection)
    let text = try everything(state, coding, connection)
    try state.file.replace(with: text, rights: rights)
    state.count = text.count { $0 == UInt8(ascii: "\n") }
  }

  // MARK: text

  /// The head and the lines of all that is remembered up to the contents the JSON file has.
  private static func everything(
    _ state: State, _ coding: JSONHistoryCoding, _ connection: Connection
  ) throws -> [UInt8] {
    var lines = try coding.lines(after: 0).filter { $0.id <= state.last }
    if lines.last?.id != state.last, !state.digest.isEmpty { lines.append(JSONHistoryLine(id: state.last)) }
    lines = try finished(lines, after: nil, state.digest, connection)
    return try head(coding.engine) + text(of: lines)
  }

  /// Each with what comes before it, the last one with what it is the history of.
  private static func finished(
    _ lines: [JSONHistoryLine], after last: Int64?, _ digest: String, _ connection: Connection
  ) throws -> [JSONHistoryLine] {
    var lines = lines
    var last = last
    for index in lines.indices {
      if let last, last != lines[index].id, last != lines[index].id - 1 { lines[index].after = last }
      last = lines[index].id
    }
    guard let end = lines.indices.last else { return lines }
    let floor = try HistoryLog.floor(connection)
    if floor > 0 { lines[end].floor = floor }
    let first = try first(connection) ?? lines[end].id
    if first > 1 { lines[end].from = first }
    lines[end].file = digest
    return lines
  }

  private static func first(_ connection: Connection) throws -> Int64? {
    let found = try connection.rows(
      """
      SELECT MIN("id") FROM \(name: HistoryTables.transactions) WHERE "changes" IS NOT NULL
      """)
    guard case .integer(let first)? = found.first?.first else { return nil }
    return first
  }

  private static func head(_ engine: DefaultStore) throws -> [UInt8] {
    try text(of: [JSONHistoryLine.Head(identifier: engine.identifier)])
  }

  private static func text(of lines: [some Encodable]) throws -> [UInt8] {
    let encoder = JSONDocument.encoder
    var text: [UInt8] = []
    for line in lines {
      text += try encoder.encode(line)
      text.append(UInt8(ascii: "\n"))
    }
    return text
  }
}
