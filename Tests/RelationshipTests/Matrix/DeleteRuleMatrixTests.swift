import Foundation
import TestTraits
import Testing
import Trellis

@testable import TestSupport

/// Tests every row of ``MatrixTables`` in every kind of store, with loaded and unloaded lists, for `delete(_:)` and
/// `delete(model:where:)`. A short run tests each cell once, alternating between stores and ways to delete.
@Suite(.waiting) struct DeleteRuleMatrixTests {
  @Test(arguments: MatrixFamilies.all.indices, StoreKind.allCases)
  func S024_S025_S026_S027_S028_S029_deletionsMatchTheTable(
    _ index: Int, _ kind: StoreKind
  ) throws {
    guard Repetitions.isThorough || Self.kindsOfShortRun(index).contains(kind) else { return }
    let family = MatrixFamilies.all[index]
    let place = try StorePlace(kind, family.schema)
    var tag = 0
    var cell = 0
    for (shape, table) in family.shapes {
      let row = try #require(Self.row(of: family.rules, in: table))
      for (victim, expected) in zip(["a", "b"], row) {
        cell += 1
        for mode in MatrixRun.Mode.allCases where mode.isTested(in: kind) {
          tag += 1
          guard Repetitions.isThorough || Self.isInShortRun(kind, mode, family: index, cell: cell) else { continue }
          let run = MatrixRun(
            family: family, shape: shape, tag: tag, victim: victim, mode: mode,
            container: place.container)
          let outcome = Result { try run.outcome() }
          let found = (try? outcome.get()) ?? "\(outcome)"
          #expect(
            found == expected, "\(family.rules) \(shape), delete \(victim), \(mode), \(kind)")
        }
      }
    }
  }

  /// The stores that a short run uses for a family. Only every fifth family uses a server, which takes the longest to
  /// create tables.
  private static func kindsOfShortRun(_ family: Int) -> [StoreKind] {
    StoreKind.allCases.filter { $0 != .postgres || family % 5 == 0 }
  }

  /// The store changes with each cell and family. The way to delete changes once all stores have been used.
  private static func isInShortRun(_ kind: StoreKind, _ mode: MatrixRun.Mode, family: Int, cell: Int) -> Bool {
    let kinds = kindsOfShortRun(family)
    let modes = MatrixRun.Mode.allCases.filter { $0.isTested(in: kind) }
    return kinds[(family + cell) % kinds.count] == kind && modes[(cell / kinds.count + family) % modes.count] == mode
  }

  /// The cells of the table row that begins with these rules.
  private static func row(of rules: [String], in table: String) -> [String]? {
    for line in table.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let head = cells[0].split(separator: " ").map(String.init)
      if head == rules { return Array(cells.dropFirst()) }
    }
    return nil
  }

  @Test func theTablesAreComplete() {
    var cells = 0
    for family in MatrixFamilies.all {
      for shape in family.shapes { cells += Self.row(of: family.rules, in: shape.table)?.count ?? 0 }
    }
    // 16 pairs of rules with 8 shapes and 4 rules with 5 shapes, each with two deletions.
    let expected: Int = 16 * 8 * 2 + 4 * 5 * 2
    #expect(cells == expected)
  }
}

/// A deletion with all its visible effects.
struct MatrixRun {
  enum Mode: CaseIterable {
    case loaded, unloaded, loadedByPredicate, unloadedByPredicate, rowByPredicate

    /// A server receives the same requests whether lists are loaded or not, and its tests take most of the time.
    func isTested(in kind: StoreKind) -> Bool {
      kind != .postgres || self == .unloaded || self == .loadedByPredicate || self == .rowByPredicate
    }
  }

  let family: any MatrixFamily
  let shape: String
  let tag: Int
  let victim: String
  let mode: Mode
  let container: ModelContainer

  struct Disagreement: Error, CustomStringConvertible { var description: String }

  private var isLoaded: Bool { mode == .loaded || mode == .loadedByPredicate }
  private var isByPredicate: Bool { mode != .loaded && mode != .unloaded }
  /// True if the context has no object for the deleted model.
  private var isRow: Bool { mode == .rowByPredicate }

  /// The result, which must be equal in memory, in another context and in the tables; otherwise the reason for the
  /// failure.
  func outcome() throws -> String {
    let maker = ModelContext(container)
    let pieces = family.build(shape, tag)
    for piece in pieces { maker.insert(piece) }
    try maker.save()
    let before = try family.view(shape, tag, in: maker)
    var names: [PersistentIdentifier: String] = [:]
    for piece in pieces { names[piece.persistentModelID] = piece.name }
    let context = isLoaded ? maker : ModelContext(container)
    let made = try piece(named: victim, pieces)
    let target = isLoaded || isRow ? made : context.model(for: made.persistentModelID)
    try delete(target, context)
    do {
      try context.save()
    } catch let error as SwiftDataError where error == .modelValidationFailure {
      guard context.hasChanges, target.isDeleted != isRow else {
        throw Disagreement(description: "a refused deletion is still pending")
      }
      try agree(before, family.view(shape, tag, in: ModelContext(container)), "fresh, refused")
      try agreeTables(before, "refused")
      context.rollback()
      try agree(before, family.view(shape, tag, in: context), "memory, rolled back")
      return describe(error, names)
    }
    guard !context.hasChanges, isRow || target.isDeleted && target.modelContext == nil else {
      throw Disagreement(description: "a saved deletion is done")
    }
    let after = try family.view(shape, tag, in: context)
    try agree(after, family.view(shape, tag, in: ModelContext(container)), "fresh")
    if isLoaded {
      let held = pieces.filter { !$0.isDeleted }.map(\.name).sorted()
      let left = try family.pieces(shape, tag, in: context).map(\.name).sorted()
      try agree("\(held)", "\(left)", "objects that are held")
    }
    try agreeTables(after, "saved")
    return after
  }

  private func agree(_ one: String, _ other: String, _ place: String) throws {
    guard one != other else { return }
    throw Disagreement(description: "\(place): \(one) is not \(other)")
  }

  private func agreeTables(_ text: String, _ place: String) throws {
    guard let tables = MatrixTablesView(container) else { return }
    try agree(text, tables.view(family.storage(shape), tag), "tables, \(place)")
    try agree("[]", "\(tables.complaints())", "foreign keys, \(place)")
  }

  private func piece(named name: String, _ pieces: [any Piece]) throws -> any PersistentModel {
    guard let piece = pieces.first(where: { $0.name == name }) else {
      throw Disagreement(description: "no \(name)")
    }
    return piece
  }

  private func delete(_ model: any PersistentModel, _ context: ModelContext) throws {
    guard let piece = model as? any Piece else { throw Disagreement(description: "no piece") }
    if isByPredicate { try deleteMatches(of: piece, context) } else { context.delete(piece) }
  }

  private func deleteMatches<P: Piece>(of piece: P, _ context: ModelContext) throws {
    let (tag, name) = (piece.tag, piece.name)
    try context.delete(model: P.self, where: #Predicate { $0.tag == tag && $0.name == name })
  }

  /// The violations in table notation.
  private func describe(_ error: SwiftDataError, _ names: [PersistentIdentifier: String]) -> String {
    var denied: [String] = []
    var invalid = Set<String>()
    for violation in error.details {
      let name = names[violation.model] ?? "\(violation.model)"
      guard violation.rule == .deny else {
        invalid.insert(violation.properties.isEmpty ? "\(name) without a property" : name)
        continue
      }
      let others = violation.others.map { names[$0] ?? "\($0)" }.sorted()
      denied.append("\(name)(\(others.joined(separator: ",")))")
    }
    // A model with two deny relationships has two violations; the table contains one.
    let parts = merged(denied)
    return [
      parts.isEmpty ? nil : "denied " + parts.joined(separator: " "),
      invalid.isEmpty ? nil : "invalid " + invalid.sorted().joined(separator: " "),
    ].compactMap { $0 }.joined(separator: " ")
  }

  private func merged(_ denied: [String]) -> [String] {
    var others: [String: [String]] = [:]
    for text in denied {
      let parts = text.dropLast().split(separator: "(", maxSplits: 1).map(String.init)
      others[parts[0], default: []] += parts.dropFirst().joined().split(separator: ",").map(String.init)
    }
    return others.keys.sorted().map { "\($0)(\((others[$0] ?? []).sorted().joined(separator: ",")))" }
  }
}
