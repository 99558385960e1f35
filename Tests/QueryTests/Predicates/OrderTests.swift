import Foundation
import TestSupport
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisModel

/// Sorting in SQL and in memory must give equal orders.
@Suite struct OrderTests {
  /// Rows with different sort values, each with its expected position.
  private func context(_ names: [String?]) throws -> ModelContext {
    let context = try DifferentialWorld.emptyContext()
    let owner = DiffOwner(name: "o")
    for (index, name) in names.enumerated() {
      let row = DifferentialWorld.row(owner)
      row.name = name ?? ""
      row.note = name
      row.count = index
      context.insert(row)
    }
    try context.save()
    return context
  }

  private func names(
    _ context: ModelContext, _ sort: SortDescriptor<DiffRow>...
  ) throws -> [String?] {
    let descriptor = FetchDescriptor(sortBy: sort)
    let explanation = try descriptor.explain(in: context)
    #expect(explanation.runsInStore, "\(explanation)")
    let models = try context.fetch(descriptor)
    let again = models.sorted { lhs, rhs in
      for order in sort.map(RowOrder.init) {
        let result = order.compare(lhs, rhs)
        if result != .orderedSame { return result == .orderedAscending }
      }
      return lhs.persistentModelID < rhs.persistentModelID
    }
    #expect(models.map(\.persistentModelID) == again.map(\.persistentModelID))
    return models.map(\.note)
  }

  @Test func localizedStandardGivesTheExpectedOrder() throws {
    let sorted = [
      nil, "", "\n", " ", "_", "-", "~", "😀", "0", "1", "01", "1.5", "1.10", "2", "a", "A", "å",
      "Å", "a b", "a-b", "ab", "b", "B", "e", "E", "é", "f", "file 9", "file1", "file01", "File9",
      "file10", "o", "ø", "ss", "SS", "z", "か", "カ", "雪",
    ]
    let context = try context(sorted.reversed())
    #expect(try names(context, SortDescriptor(\.note.localizedStandard)) == sorted)
    #expect(try names(context, SortDescriptor(\.note?.localizedStandard)) == sorted)
    #expect(
      try names(context, SortDescriptor(\.note.localizedStandard, order: .reverse))
        == sorted.reversed())
  }

  /// The notation that also compiles on Apple's platforms, where it is the default order.
  @Test func foundationsComparatorsDetermineTheOrder() throws {
    let context = try context(["file 10", "b", nil, "file 9", "a", "B", "A"])
    #expect(
      try names(context, SortDescriptor(\.note, comparator: .localizedStandard))
        == [nil, "a", "A", "b", "B", "file 9", "file 10"])
    #expect(
      try names(context, SortDescriptor(\.note, comparator: .localized, order: .reverse))
        == ["file 9", "file 10", "B", "b", "A", "a", nil])
    #expect(
      try names(context, SortDescriptor(\.name, comparator: .localizedStandard))
        == [nil, "a", "A", "b", "B", "file 9", "file 10"])
    // Only in Trellis, the default order of text is by code points.
    let byCodePoints = ["A", "B", "a", "b", "file 10", "file 9"]
    #expect(try names(context, SortDescriptor(\.name)) == [nil] + byCodePoints)
    #expect(try names(context, SortDescriptor(\.name, comparator: .lexical)) == [nil] + byCodePoints)
  }

  @Test(arguments: [
    ["a", "b", "A", "B", "c", "Z", " "], ["a", "B", "1", "2", "10", "9", "0"],
    ["a", "b", "é", "E", "e", "ü", "u", "ø", "o", "ñ"],
    ["a", "-", "_", ".", ",", "'", "(", "b", " ", "/", "&", "!"], ["か", "カ", "雪", "a", "가", "1"],
  ])
  func localizedStandardMatchesFoundationForOrdinaryText(_ alphabet: [String]) {
    let seed = SeededGenerator.seed("\(alphabet)")
    var dice = SeededGenerator(seed: seed)
    let words = (0..<60).map { _ in
      (0..<dice.roll(7)).map { _ in dice.pick(alphabet) }.joined()
    }
    for word in words {
      for other in words where word != other {
        let isBefore = word.localizedStandard < other.localizedStandard
        let expected = word.localizedStandardCompare(other) == .orderedAscending
        #expect(isBefore == expected, "\(word.debugDescription), \(other.debugDescription)")
      }
    }
  }

  @Test func localizedComparesDigitByDigit() throws {
    let sorted: [String?] = [nil, "file1", "file10", "File2", "file9", "Zoë"]
    let context = try context(sorted.reversed())
    #expect(try names(context, SortDescriptor(\.note.localized)) == sorted)
  }

  @Test func caseInsensitiveTiesUseTheNextDescriptor() throws {
    let context = try context(["b", "A", "a", "B", "É", "é", "straße", "STRASSE"])
    #expect(
      try names(context, SortDescriptor(\.name.caseInsensitive), SortDescriptor(\.count))
        == ["A", "a", "b", "B", "straße", "STRASSE", "É", "é"])
    #expect(
      try names(
        context, SortDescriptor(\.name.caseInsensitive), SortDescriptor(\.count, order: .reverse))
        == ["a", "A", "B", "b", "STRASSE", "straße", "é", "É"])
  }

  @Test func orderedTextIsUsableInPredicates() throws {
    let context = try context(["apple", "Apple", "Äpfel", "banana", "file 10", "file 9", nil])
    let apple = "APPLE".caseInsensitive
    let nine = "file 9".localizedStandard
    let same = FetchDescriptor<DiffRow>(predicate: #Predicate { $0.name.caseInsensitive == apple })
    #expect(try same.explain(in: context).runsInStore)
    #expect(try context.fetch(same).map(\.name) == ["apple", "Apple"])
    let after = FetchDescriptor<DiffRow>(
      predicate: #Predicate { $0.name.localizedStandard > nine })
    #expect(try after.explain(in: context).runsInStore)
    #expect(try context.fetch(after).map(\.name) == ["file 10"])
    let optional = FetchDescriptor<DiffRow>(
      predicate: #Predicate { ($0.note?.localizedStandard ?? nine) >= nine })
    #expect(try optional.explain(in: context).runsInStore)
    #expect(try context.fetch(optional).map(\.note) == ["file 10", "file 9", nil])
  }

  @Test func comparisonMethodsAgainstACapturedResult() throws {
    let context = try context(["apple", "Apple", "Äpfel", "banana", "é", "e\u{301}", nil])
    let (q, same, less) = ("APPLE", ComparisonResult.orderedSame, ComparisonResult.orderedAscending)
    let predicates: [(Predicate<DiffRow>, (String) -> Bool)] = [
      (
        #Predicate { $0.name.caseInsensitiveCompare(q) == same },
        { $0.caseInsensitiveCompare(q) == same }
      ),
      (#Predicate { $0.name.localizedCompare(q) == less }, { $0.localizedCompare(q) == less }),
      (#Predicate { $0.name.localizedCompare(q) != less }, { $0.localizedCompare(q) != less }),
      (
        #Predicate { ($0.note?.caseInsensitiveCompare(q) ?? less) == same },
        { $0.caseInsensitiveCompare(q) == same }
      ),
    ]
    for (predicate, swift) in predicates {
      let descriptor = FetchDescriptor(predicate: predicate)
      #expect(try descriptor.explain(in: context).runsInStore, "\(predicate)")
      let all = try context.fetch(FetchDescriptor<DiffRow>())
      #expect(
        try context.fetch(descriptor).map(\.name) == all.map(\.name).filter(swift), "\(predicate)")
      #expect(try all.filter(predicate.evaluate).map(\.name) == all.map(\.name).filter(swift))
    }
  }

  @Test func localizedStandardContainsIgnoresCaseAccentsAndWidth() throws {
    let context = try context([
      "Musée d'Orsay", "MUSEE", "muse", "ｍｕｓéｅ", "Muse\u{301}e", "a\r\nb", "", nil,
    ])
    func found(_ part: String) throws -> [String] {
      let descriptor = FetchDescriptor<DiffRow>(
        predicate: #Predicate { $0.name.localizedStandardContains(part) })
      #expect(try descriptor.explain(in: context).runsInStore)
      let names = try context.fetch(descriptor).map(\.name)
      let all = try context.fetch(FetchDescriptor<DiffRow>())
      let predicate = try #require(descriptor.predicate)
      #expect(try all.filter(predicate.evaluate).map(\.name) == names)
      return names
    }
    #expect(
      try found("musee")
        == ["Musée d'Orsay", "MUSEE", "ｍｕｓéｅ", "Muse\u{301}e"])
    #expect(try found("MUSÉE").count == 4)
    #expect(try found("D'ORSAY") == ["Musée d'Orsay"])
    #expect(try found("") == [])
    #expect(try found("%") == [])
  }

  @Test func denormalisedTextAndNaNHaveADefinedPosition() throws {
    let context = try DifferentialWorld.emptyContext()
    let owner = DiffOwner(name: "o")
    let sizes = [Double.nan, 1, -.infinity, nil, .infinity, .nan, -0.0, 0]
    for (name, size) in zip(["f", "e\u{301}", "é", "e", "z", "E", "\u{212A}", "K"], sizes) {
      let row = DifferentialWorld.row(owner)
      (row.name, row.note, row.optSize) = (name, name, size)
      context.insert(row)
    }
    try context.save()
    #expect(
      try names(context, SortDescriptor(\.name))
        == ["E", "\u{212A}", "K", "e", "f", "z", "e\u{301}", "é"])
    #expect(
      try names(context, SortDescriptor(\.optSize), SortDescriptor(\.name)).count == 8)
    let found = try context.fetch(FetchDescriptor<DiffRow>(sortBy: [SortDescriptor(\.optSize)]))
    #expect(found.first?.optSize == nil)
    #expect(found.suffix(2).allSatisfy { $0.optSize?.isNaN == true })
  }
}
