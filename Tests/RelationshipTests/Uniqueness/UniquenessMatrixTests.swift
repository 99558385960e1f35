import Testing
import Trellis

@testable import TestSupport

/// A new badge conflicts with an existing one: all policies, states of the existing badge and relationships.
@Suite struct UniquenessMatrixTests {
  enum Place: CaseIterable { case saved, savedUnloaded, pending, otherContext }

  /// Tests SQLite stores, and stores of snapshots without uniqueness.
  static let places: [(Place, StoreKind)] = Place.allCases.flatMap { place in
    [StoreKind.disk, .snapshots].map { (place, $0) }
  }

  /// The resulting badge with text, holder, stamps, doors and owner, and the holders' view. The existing badge has `old
  /// h1 s1 h1 h1`, the new one `new h2 s2 h2 h2`.
  static let table = """
    policy  relationships | left in the store
    replace none          | new - - - -
    replace toOne         | new h2 - - -    h2 has it
    replace toMany        | new - s1,s2 - -
    replace manyToMany    | new - - h1,h2 - h1 opens it, h2 opens it
    replace oneToOne      | new - - - h2    h2 owns it
    keep    none          | old - - - -
    keep    toOne         | old h1 - - -    h1 has it
    keep    toMany        | old - s1,s2 - -
    keep    manyToMany    | old - - h1,h2 - h1 opens it, h2 opens it
    keep    oneToOne      | old - - - h1    h1 owns it
    fail    none          | refused old - - - -
    fail    toOne         | refused old h1 - - - h1 has it
    fail    toMany        | refused old - s1 - -
    fail    manyToMany    | refused old - - h1 - h1 opens it
    fail    oneToOne      | refused old - - - h1 h1 owns it
    """

  struct Row: Sendable, CustomTestStringConvertible {
    let policy: String
    let relationships: String
    let expected: String
    var testDescription: String { "\(policy) \(relationships)" }
  }

  static let rows: [Row] = table.split(separator: "\n").dropFirst().map { line in
    let cells = line.split(separator: "|")
    let head = cells[0].split(separator: " ").map(String.init)
    return Row(policy: head[0], relationships: head[1], expected: words(String(cells[1])))
  }

  private static func words(_ text: String) -> String {
    text.split(separator: " ").joined(separator: " ")
  }

  private func badge(_ row: Row, isNew: Bool) -> Badge {
    let text = isNew ? "new" : "old"
    let number = isNew ? "2" : "1"
    let badge = Badge(code: row.policy == "replace" ? "same" : text)
    badge.serial = row.policy == "keep" ? 7 : isNew ? 2 : 1
    badge.site = row.policy == "fail" ? "site" : text
    badge.number = 1
    badge.text = text
    switch row.relationships {
    case "toOne": badge.holder = Holder(name: "h\(number)")
    case "toMany": badge.stamps = [Stamp(text: "s\(number)")]
    case "manyToMany": badge.doors = [Holder(name: "h\(number)")]
    case "oneToOne": badge.owner = Holder(name: "h\(number)")
    default: break
    }
    return badge
  }

  private func view(_ context: ModelContext) throws -> String {
    let badges = try context.fetch(FetchDescriptor<Badge>())
    var words = badges.flatMap { badge in
      [
        badge.text, badge.holder?.name ?? "-", list(badge.stamps.map(\.text)),
        list(badge.doors.map(\.name)), badge.owner?.name ?? "-",
      ]
    }
    var seen: [String] = []
    for holder in try context.fetch(FetchDescriptor<Holder>(sortBy: [SortDescriptor(\.name)])) {
      if holder.badges.contains(where: { badges.first === $0 }) { seen.append("\(holder.name) has it") }
      if holder.doors.contains(where: { badges.first === $0 }) { seen.append("\(holder.name) opens it") }
      if holder.master === badges.first, badges.first != nil { seen.append("\(holder.name) owns it") }
    }
    words.append(seen.joined(separator: ", "))
    return Self.words(words.joined(separator: " "))
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "-" : names.sorted().joined(separator: ",")
  }

  @Test(arguments: rows, places)
  func S008_S010_S014_newModelsConflictWithExistingOnes(_ row: Row, _ where: (Place, StoreKind)) throws {
    let (place, kind) = `where`
    let home = try StorePlace(kind, Badge.self)
    let context = home.fresh()
    let old = badge(row, isNew: false)
    let new = badge(row, isNew: true)
    switch place {
    case .saved:
      context.insert(old)
      try context.save()
    case .savedUnloaded:
      let maker = home.fresh()
      maker.insert(old)
      try maker.save()
    case .pending: context.insert(old)
    case .otherContext:
      _ = try view(context)
    }
    // S009: the insertion never fails.
    context.insert(new)
    #expect(context.insertedModelsArray.contains { $0 === new })
    let maker = home.fresh()
    if place == .otherContext {
      maker.insert(old)
      try maker.save()
    }
    let isRefused = row.policy == "fail"
    if isRefused {
      let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
      let violation = try #require(error?.details.first)
      #expect(violation.properties == ["site", "number"] && violation.rule == .unique)
      #expect(violation.model == new.persistentModelID)
      #expect(violation.others == [old.persistentModelID])
      #expect(violation.reason.contains("site") && violation.reason.contains("1"))
      #expect(context.insertedModelsArray.contains { $0 === new })
      context.rollback()
      if place == .pending {
        // The save wrote nothing.
        #expect(try view(home.fresh()) == "")
        return
      }
    } else {
      try context.save()
      #expect(!context.hasChanges)
    }
    let expected = isRefused ? String(row.expected.dropFirst("refused ".count)) : row.expected
    #expect(try view(home.fresh()) == expected)
    #expect(try view(context) == expected, "in memory")
    #expect(try view(maker) == expected, "in the other context")
    let all = try context.fetch(FetchDescriptor<Badge>())
    #expect(all.count == 1)
    // An object that represented the row still represents it.
    if !isRefused, place == .saved || place == .pending {
      #expect(all.first === old && new.isDeleted && new.modelContext == nil)
    }
    if kind == .disk {
      let tables = try #require(MatrixTablesView(home.container))
      #expect(try tables.complaints() == [])
    }
  }
}
