import Foundation
import Testing
import Trellis

/// An aggregate of a value that matches no enum case reports the row and the property, like a fetch.
@Suite struct UnknownValueAggregateTests {
  let fixture: StorageFixture
  let container: ModelContainer
  let bad: PersistentIdentifier

  init() throws {
    fixture = try StorageFixture()
    container = try fixture.container(Ticket.self, Deed.self)
    let context = ModelContext(container)
    let tickets = ["one", "two", "three"].map { Ticket(name: $0) }
    for ticket in tickets {
      context.insert(ticket)
      context.insert(Deed(title: ticket.name, ticket: ticket.name == "one" ? nil : ticket))
    }
    try context.save()
    bad = tickets[1].persistentModelID
    try fixture.shell("UPDATE Ticket SET state = 'frozen' WHERE name = 'two'")
  }

  private func check(_ error: StoredValueError?, location: SourceLocation = #_sourceLocation) {
    #expect(error?.entity == "Ticket", sourceLocation: location)
    #expect(error?.property == "state", sourceLocation: location)
    #expect(error?.identifier == bad, sourceLocation: location)
    #expect(error?.value == "'frozen'" && error?.type == "State", sourceLocation: location)
  }

  @Test func unknownValueOfTheRow() throws {
    let context = ModelContext(container)
    check(#expect(throws: StoredValueError.self) { try context.all(Ticket.self) })
    check(
      #expect(throws: StoredValueError.self) {
        try context.groups(of: FetchDescriptor<Ticket>(), by: \.name, \.state, computing: .count)
      })
    check(#expect(throws: StoredValueError.self) { try context.distinctValues(of: \Ticket.state) })
    check(#expect(throws: StoredValueError.self) { try context.values(of: \Ticket.name, \.state) })
    var page = FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.name)])
    page.fetchOffset = 1
    check(
      #expect(throws: StoredValueError.self) { try context.distinctValues(of: \.state, fetching: page) })
  }

  @Test func unknownValueOfAReferencedRow() throws {
    let context = ModelContext(container)
    check(
      #expect(throws: StoredValueError.self) {
        try context.groups(of: FetchDescriptor<Deed>(), by: \.ticket?.state, computing: .count)
      })
    check(
      #expect(throws: StoredValueError.self) { try context.values(of: \Deed.title, \.ticket?.state) })
  }

  /// Pending changes make the context evaluate queries itself. It does not take an unreadable row for nil.
  @Test func unknownValueOfAReferencedRowInMemory() throws {
    let context = ModelContext(container)
    context.insert(Deed(title: "pending"))
    let isOpen = #Predicate<Deed> { $0.ticket?.name == "one" || $0.title == "pending" }
    for query: () throws -> Void in [
      { _ = try context.groups(of: FetchDescriptor<Deed>(), by: \.ticket?.state, computing: .count) },
      { _ = try context.values(of: \Deed.title, \.ticket?.state) },
      { _ = try context.fetch(FetchDescriptor(predicate: isOpen)) },
      { _ = try context.fetchCount(FetchDescriptor(predicate: isOpen)) },
      { _ = try context.fetchIdentifiers(FetchDescriptor(predicate: isOpen)) },
      { _ = try context.fetch(FetchDescriptor<Deed>(sortBy: [SortDescriptor(\.ticket?.name)])) },
      { try context.enumerate(FetchDescriptor(predicate: isOpen), allowEscapingMutations: true) { _ in } },
      { try context.delete(model: Deed.self, where: isOpen) },
    ] {
      check(#expect(throws: StoredValueError.self) { try query() })
    }
    // The program has seen none of the values.
    try context.save()
    let none = FetchDescriptor<Deed>(predicate: #Predicate { $0.ticket == nil })
    #expect(try ModelContext(container).fetchCount(none) == 2)
  }

  /// Rows outside of the query do not matter.
  @Test func unknownValueOutsideTheMatches() throws {
    let context = ModelContext(container)
    let others = FetchDescriptor<Ticket>(predicate: #Predicate { $0.name != "two" })
    #expect(try context.distinctValues(of: \.state, fetching: others) == [.open])
    #expect(try context.aggregate(.count, over: FetchDescriptor<Ticket>()) == 3)
  }
}
