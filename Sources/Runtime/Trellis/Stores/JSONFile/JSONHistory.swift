import Foundation
import Synchronization

/// The history of a JSON file: rows of the engine's tables while it is open, lines of a file beside it for
/// ever.
///
/// A save adds a line that names the contents the file is about to have, and then replaces the file. Killed in
/// between, the line names contents that never came to be. Whoever opens the file looks for the line of
/// the contents there are; where there is none, somebody has written the file who keeps no history.
///
/// Of the lines before that one the tables get those that somebody asks for, so that opening a file costs the
/// same however much was saved to it.
final class JSONHistory: Sendable {
  struct State {
    var file: JSONHistoryFile
    /// The transaction the contents of the JSON file are of, and those contents.
    var last: Int64 = 0
    var digest = ""
    /// How many lines the file has, about.
    var count = 0
    var damage: String?
    var isForced = false
    /// What the tables do not have yet.
    var rest: JSONHistoryRest?
    /// Which names lines have from now on.
    var names = ""
    /// What the next line has to say of them; nil where the last one has them, too.
    var naming: JSONHistoryNaming?
    /// What a save under way has added.
    var pending: Pending?
  }

  struct Pending {
    var last: Int64
    var digest: String
    var count: Int
    /// Where the file ended before; nil where it was made anew.
    var end: Int64?
    var isForgetful: Bool
    /// Whether it says what there is to be said of names.
    var namesNames: Bool
    /// As these were before.
    var rest: JSONHistoryRest?
    var naming: JSONHistoryNaming?
  }

  /// Under this name the JSON file has the number of its last transaction: no model can be called so, and
  /// programs from before there was history keep it.
  static let numberKey = "$history"

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

  /// - Throws: what is wrong with the history, if something is.
  func check() throws {
    if let damage = state.withLock({ $0.damage }) { throw failure(damage) }
  }

  func failure(_ damage: String) -> SwiftDataError {
    SwiftDataError.invalidTransactionFetchRequest.explained(
      "the history of the file is damaged, \(damage): put '\(path).history' right, or forget it with "
        + "'deleteHistory(HistoryDescriptor())' and read the models again; they are not concerned", path: path)
  }

  // MARK: saving

  /// Writes down what a transaction has changed, before the JSON file is replaced.
  func note(
    _ contents: [UInt8], rights: FileRights?, _ engine: DefaultStore, _ connection: Connection
  ) throws {
    guard isRecorded else { return }
    try state.withLock { state in
      let digest = JSONHistoryFile.digest(contents)
      guard state.damage == nil else {
        // Remembered until the file can be made anew.
        let last = try HistoryTables.last(connection)
        return state.pending = Pending(
          last: last, digest: digest, count: 0, isForgetful: false, namesNames: false, rest: state.rest,
          naming: state.naming)
      }
      let coding = JSONHistoryCoding(engine, connection)
      var lines = try coding.lines(after: state.last)
      if lines.isEmpty {
        guard digest != state.digest else { return }
        lines = [JSONHistoryLine(id: state.last)]
      }
      let last = lines.last?.id ?? state.last
      let isForgetful = lines.last.map { $0.time != nil && $0.changes == nil } ?? false
      state.pending = Pending(
        last: last, digest: digest, count: lines.count, isForgetful: isForgetful,
        namesNames: true, rest: state.rest, naming: state.naming)
      let added = try text(of: finished(lines, state, after: state.last, digest, connection))
      state.pending?.end = try state.file.append(added, rights: rights)
      guard state.pending?.end == nil else { return }
      let all = try everything(&state, coding, connection, adding: lines, digest)
      try state.file.replace(with: all, rights: rights)
    }
  }

  /// The JSON file is as it was: so is the history.
  func takeBack() {
    state.withLock { state in
      guard let pending = state.pending else { return }
      state.file.takeBack(to: pending.end)
      // The tables are as they were, too.
      state.rest = pending.rest
      state.naming = pending.naming
      state.pending = nil
    }
  }

  /// The JSON file is in its place.
  func settle(rights: FileRights?, _ engine: DefaultStore, _ connection: Connection) {
    state.withLock { state in
      guard let pending = state.pending else { return }
      state.pending = nil
      state.last = pending.last
      state.digest = pending.digest
      state.count += pending.count
      if pending.namesNames { state.naming = nil }
      let first = (try? first(state, connection)) ?? nil
      let kept = pending.last - (first ?? pending.last)
      guard state.damage == nil, pending.isForgetful || Int64(state.count) / 2 - 128 > kept else { return }
      // Where that fails, the file is longer than it need be.
      try? replace(&state, rights, engine, connection)
    }
  }

  /// What happens in the body is forgetting: the file is to be without it when that is committed.
  ///
  /// - Parameter isEverything: whether nothing is to be left, and so what nobody has read, or can read, may go,
  ///   too.
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
    rights: FileRights?, _ engine: DefaultStore, _ connection: Connection
  ) throws {
    try state.withLock { state in
      let last = state.last
      do {
        state.last = max(last, try HistoryTables.last(connection))
        try replace(&state, rights, engine, connection)
      } catch {
        state.last = last
        throw SwiftDataError.opening(
          error.isOutOfRoom ? .diskFull : .notWritable,
          "the history of the store cannot be written, and is as it was: \(error)", path: path)
      }
      state.damage = nil
    }
  }

  private func replace(
    _ state: inout State, _ rights: FileRights?, _ engine: DefaultStore,
    _ connection: Connection
  ) throws {
    let coding = JSONHistoryCoding(engine, connection)
    let text = try everything(&state, coding, connection)
    try state.file.replace(with: text, rights: rights)
    state.count = text.count { $0 == UInt8(ascii: "\n") }
    state.naming = nil
  }
}
