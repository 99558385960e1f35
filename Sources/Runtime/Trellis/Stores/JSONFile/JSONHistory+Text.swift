import Foundation

/// What is written.
extension JSONHistory {
  /// The head and the lines of all that is remembered up to the contents the JSON file has.
  ///
  /// - Parameter lines: what is added to that.
  func everything(
    _ state: inout State, _ coding: JSONHistoryCoding, _ connection: Connection,
    adding lines: [JSONHistoryLine] = [], _ digest: String? = nil
  ) throws -> [UInt8] {
    do {
      try state.rest?.read(through: .min, coding)
    } catch let damage as JSONHistoryTail.Damage {
      // Of what nobody can read nothing is left.
      if let next = state.rest?.next { try HistoryLog.raiseFloor(to: next, connection) }
      _ = damage
    }
    state.rest = nil
    let last = state.last
    var all = try coding.lines(after: 0).filter { $0.id <= last }
    if lines.isEmpty, all.last?.id != last, !state.digest.isEmpty { all.append(JSONHistoryLine(id: last)) }
    all += lines
    state.naming = JSONHistoryNaming(JSONHistoryNames(coding.engine.catalogue.layout), after: nil, renaming: nil)
    all = try finished(all, state, after: nil, digest ?? state.digest, connection)
    return try text(of: [JSONHistoryLine.Head(identifier: coding.engine.identifier)]) + text(of: all)
  }

  /// Each with what comes before it, the first one with what there is to be said of names, the last one with
  /// what it is the history of.
  func finished(
    _ lines: [JSONHistoryLine], _ state: State, after last: Int64?, _ digest: String, _ connection: Connection
  ) throws -> [JSONHistoryLine] {
    var lines = lines
    var last = last
    for index in lines.indices {
      if let last, last != lines[index].id, last != lines[index].id - 1 { lines[index].after = last }
      last = lines[index].id
    }
    guard let end = lines.indices.last else { return lines }
    state.naming?.write(into: &lines[0])
    let floor = try HistoryLog.floor(connection)
    if floor > 0 { lines[end].floor = floor }
    let first = try first(state, connection) ?? lines[end].id
    if first > 1 { lines[end].from = first }
    lines[end].file = digest
    lines[end].names = state.names
    return lines
  }

  /// The first transaction that is remembered.
  func first(_ state: State, _ connection: Connection) throws -> Int64? {
    if let rest = state.rest, !rest.isEmpty { return rest.first }
    let found = try connection.rows(
      """
      SELECT MIN("id") FROM \(name: HistoryTables.transactions) WHERE "changes" IS NOT NULL
      """)
    guard case .integer(let first)? = found.first?.first else { return nil }
    return first
  }

  func text(of lines: [some Encodable]) throws -> [UInt8] {
    let encoder = JSONDocument.encoder
    var text: [UInt8] = []
    for line in lines {
      text += try encoder.encode(line)
      text.append(UInt8(ascii: "\n"))
    }
    return text
  }
}

/// What the first line of a version of the schema says of names.
struct JSONHistoryNaming {
  let names: JSONHistoryNames
  /// Which names the line before has.
  let before: String?
  /// How they became these.
  let renaming: JSONHistoryRenaming?

  init(_ names: JSONHistoryNames, after before: String?, renaming: JSONHistoryRenaming?) {
    self.names = names
    self.before = before
    self.renaming = renaming
  }

  /// What there is to be said after a line; nil where it has the same names.
  ///
  /// - Throws: ``JSONHistoryTail/Damage``.
  init?(
    _ names: JSONHistoryNames, after end: JSONHistoryEnd, _ former: JSONHistoryNames?, _ hops: [JSONHistoryHop],
    _ schema: Schema
  ) throws {
    let before = end.line?.names
    guard before != names.digest else { return nil }
    // From before that was noted, lines have the names of the version the file has.
    let old = try end.names() ?? former
    self.init(
      names, after: before,
      renaming: old.map { JSONHistoryRenaming(from: $0, to: names, hops, schema) })
  }

  func write(into line: inout JSONHistoryLine) {
    line.names = names.digest
    line.models = names.models
    line.namesBefore = before
    guard let renaming else { return }
    if !renaming.names.isEmpty { line.was = renaming.names }
    if !renaming.unlike.isEmpty { line.unlike = renaming.unlike.sorted() }
  }
}
