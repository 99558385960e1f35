import Foundation
import TestSupport
import Testing

@testable import Trellis
@testable import TrellisStore

/// Sorting in SQL must give the order of the sort descriptors.
@Suite struct PredicateOrderTests {
  private func filled(irregular: Bool) throws -> PredicateStore {
    let store = try PredicateStore()
    var dice = SeededGenerator(seed: 11)
    try store.fill(80, irregular: irregular, &dice)
    return store
  }

  private func expect(
    _ sort: [SortDescriptor<Item>], _ text: String, in store: PredicateStore,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let order = try store.translator(Item.self).order(sort).text
    #expect(order.replacing("\"", with: "") == text, sourceLocation: location)
    // The items are in key order.
    let orders = sort.map(RowOrder.init)
    let expected = store.items.enumerated().sorted { lhs, rhs in
      for order in orders {
        let result = order.compare(lhs.element, rhs.element)
        if result != .orderedSame { return result == .orderedAscending }
      }
      return lhs.offset < rhs.offset
    }.compactMap(\.element._$identifier.row)
    #expect(try store.rows(nil, sort) == expected, sourceLocation: location)
  }

  @Test func orders() throws {
    let store = try filled(irregular: false)
    try expect([], "", in: store)
    try expect([SortDescriptor(\.name)], "t0.name", in: store)
    try expect([SortDescriptor(\.name, order: .reverse)], "t0.name DESC", in: store)
    try expect([SortDescriptor(\.name, comparator: .lexical)], "t0.name", in: store)
    try expect(
      [SortDescriptor(\.note, comparator: .lexical, order: .reverse)], "t0.note DESC", in: store)
    try expect([SortDescriptor(\.note)], "t0.note", in: store)
    try expect([SortDescriptor(\.optDate, order: .reverse)], "t0.optDate DESC", in: store)
    try expect([SortDescriptor(\.count), SortDescriptor(\.name)], "t0.count, t0.name", in: store)
    try expect([SortDescriptor(\.big)], "t0.big", in: store)
    try expect([SortDescriptor(\.size)], "t0.size", in: store)
    try expect([SortDescriptor(\.ratio)], "t0.ratio", in: store)
    try expect([SortDescriptor(\.uid)], "t0.uid", in: store)
    try expect([SortDescriptor(\.letter)], "t0.letter", in: store)
    try expect([SortDescriptor(\.price)], "decimal_key(t0.price)", in: store)
    try expect(
      [SortDescriptor(\.optPrice, order: .reverse)], "decimal_key(t0.optPrice) DESC", in: store)
    try expect([SortDescriptor(\.persistentModelID, order: .reverse)], "t0.id DESC", in: store)
    try expect(
      [SortDescriptor(\.owner.name)], "(SELECT r.name FROM Owner AS r WHERE r.id = t0.owner)",
      in: store)
    try expect(
      [SortDescriptor(\.group?.title)],
      "(SELECT r.title FROM Group AS r WHERE r._id = t0.group)", in: store)
    try expect(
      [SortDescriptor(\.group?.parent?.rank, order: .reverse)],
      """
      (SELECT r.rank FROM Group AS r WHERE r._id = \
      (SELECT r.parent FROM Group AS r WHERE r._id = t0.group)) DESC
      """, in: store)
    try expect([SortDescriptor(\.name.localizedStandard)], "swift_text_key(t0.name, 0)", in: store)
    try expect([SortDescriptor(\.note.caseInsensitive)], "swift_text_key(t0.note, 2)", in: store)
    try expect(
      [SortDescriptor(\.group?.title, comparator: .localized)],
      "swift_text_key((SELECT r.title FROM Group AS r WHERE r._id = t0.group), 1)", in: store)
    var turned = SortDescriptor(\Item.count)
    turned.order = .reverse
    try expect([turned], "t0.count DESC", in: store)
  }

  @Test func refused() throws {
    let calm = try filled(irregular: false).translator(Item.self)
    #expect(throws: Untranslatable.self) { try calm.order([SortDescriptor(\Item.level)]) }
    #expect(throws: Untranslatable.self) { try calm.order([SortDescriptor(\Item.scratch)]) }
    #expect(throws: Untranslatable.self) {
      try calm.order([SortDescriptor(\Item.group?.title.count)])
    }
  }

  @Test func nanComesLastAndTextIsComparedNormalised() throws {
    let wild = try filled(irregular: true)
    try expect([SortDescriptor(\.size)], "t0.size", in: wild)
    try expect([SortDescriptor(\.optDate, order: .reverse)], "t0.optDate DESC", in: wild)
    try expect([SortDescriptor(\.name)], "swift_nfc(t0.name)", in: wild)
    try expect([SortDescriptor(\.letter)], "swift_nfc(t0.letter)", in: wild)
    try expect([SortDescriptor(\.note.localizedStandard)], "swift_text_key(t0.note, 0)", in: wild)
  }
}
