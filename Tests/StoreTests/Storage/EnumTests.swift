import Foundation
import Testing
import Trellis

/// Tests of the storage of enums and of unknown values.
@Suite struct EnumTests {
  private func stored(_ fixture: StorageFixture, _ columns: String) throws -> String {
    try fixture.shell("SELECT \(columns) FROM Specimen")
  }

  @Test func enumsAreStoredInTheirDeclaredForm() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Specimen.self))
    let specimen = Specimen("fern")
    specimen.kind = .fossil
    specimen.grade = .high
    specimen.shade = .dark
    specimen.method = .machine
    specimen.origin = .bought(price: 3)
    context.insert(specimen)
    try context.save()
    // Enums in the model store the raw value, `.json` and `.codable` store JSON, `.raw` of an undeclared type stores
    // the raw value.
    #expect(
      try stored(fixture, "kind, grade, typeof(grade), shade, method, typeof(method), origin")
        == #"petrified|10|text|"dark"|4|integer|{"bought":{"price":3}}"#)
  }

  @Test func enumsInsideModelsAreComparedInTheStore() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Specimen.self))
    for (label, kind) in [("a", Specimen.Kind.plant), ("b", .fossil), ("c", .fossil)] {
      let specimen = Specimen(label)
      specimen.kind = kind
      specimen.method = kind == .plant ? .hand : nil
      context.insert(specimen)
    }
    try context.save()
    let other = ModelContext(context.container)
    let fossil = Specimen.Kind.fossil
    #expect(
      try other.fetch(
        FetchDescriptor<Specimen>(
          predicate: #Predicate { $0.kind == fossil }, sortBy: [SortDescriptor(\.label)])
      ).map(\.label) == ["b", "c"])
    #expect(
      try other.fetchCount(
        FetchDescriptor<Specimen>(predicate: #Predicate { $0.kind.rawValue == "petrified" })) == 2)
    let hand: Method? = .hand
    #expect(
      try other.fetchCount(FetchDescriptor<Specimen>(predicate: #Predicate { $0.method == hand }))
        == 1)
  }

  // MARK: Unknown values

  private func ticket(_ fixture: StorageFixture, _ change: String) throws -> ModelContainer {
    let container = try fixture.container(Ticket.self)
    let context = ModelContext(container)
    context.insert(Ticket(name: "one"))
    try context.save()
    try fixture.shell("UPDATE Ticket SET \(change)")
    return container
  }

  @Test(arguments: [("state", "'frozen'"), ("exact", "'frozen'")])
  func unknownCasesAreErrorsThatNameThem(_ property: String, _ value: String) throws {
    let fixture = try StorageFixture()
    let container = try ticket(fixture, "\(property) = \(value)")
    let error = #expect(throws: StoredValueError.self) {
      try ModelContext(container).all(Ticket.self)
    }
    #expect(error?.entity == "Ticket")
    #expect(error?.property == property)
    #expect(error?.value == value)
    #expect(error?.type == "State")
    // The failed attempts changed nothing.
    #expect(try fixture.shell("SELECT \(property) FROM Ticket") == "frozen")
  }

  @Test func unknownCasesCanReadAsTheDefaultAndAreKept() throws {
    let fixture = try StorageFixture()
    let container = try ticket(
      fixture,
      #"tolerant = 'frozen', perhaps = 'paused', payment = '{"cheque":{"number":7}}'"#)
    let context = ModelContext(container)
    let ticket = try context.only(Ticket.self)
    #expect(ticket.tolerant == .closed)
    #expect(ticket.perhaps == nil)
    #expect(ticket.payment == .cash)
    ticket.name = "two"
    try context.save()
    let columns = "name, tolerant, perhaps, payment"
    #expect(
      try fixture.shell("SELECT \(columns) FROM Ticket")
        == #"two|frozen|paused|{"cheque":{"number":7}}"#)
    ticket.tolerant = .open
    ticket.perhaps = .closed
    ticket.payment = .card(last: 1)
    try context.save()
    #expect(
      try fixture.shell("SELECT \(columns) FROM Ticket")
        == #"two|open|closed|{"card":{"last":1}}"#)
  }

  /// The store and memory agree: a value that reads as the default matches the default.
  @Test func predicatesSeeTheDefaultOfAnUnknownCase() throws {
    let fixture = try StorageFixture()
    let container = try ticket(fixture, "tolerant = 'frozen', perhaps = 'paused'")
    let context = ModelContext(container)
    let closed = Ticket.State.closed
    #expect(
      try context.fetchCount(
        FetchDescriptor<Ticket>(predicate: #Predicate { $0.tolerant == closed })) == 1)
    #expect(
      try context.fetchCount(FetchDescriptor<Ticket>(predicate: #Predicate { $0.perhaps == nil }))
        == 1)
  }

  // MARK: Structs as JSON

  @Test func missingMembersHaveDefaultsAndAdditionalMembersAreIgnored() throws {
    let fixture = try StorageFixture()
    let container = try ticket(fixture, #"contact = '{"mail":"x@y.z","fax":"1"}'"#)
    let context = ModelContext(container)
    let ticket = try context.only(Ticket.self)
    #expect(ticket.contact == Contact(mail: "x@y.z"))
    ticket.name = "two"
    try context.save()
    // Unknown members stay until the property is written.
    #expect(try fixture.shell("SELECT contact FROM Ticket") == #"{"mail":"x@y.z","fax":"1"}"#)
  }

  @Test func missingMembersWithoutDefaultsAreErrors() throws {
    let fixture = try StorageFixture()
    let container = try ticket(fixture, #"contact = '{"phone":"1"}'"#)
    let error = #expect(throws: StoredValueError.self) {
      try ModelContext(container).all(Ticket.self)
    }
    #expect(error?.property == "contact")
  }

  // MARK: Values that are assigned later

  /// An initialiser can assign a value whose type has no placeholder. A model of which only the identifier is known can
  /// be created.
  @Test func typesWithoutPlaceholdersAreUnsetUntilAssigned() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Specimen.self))
    context.insert(Specimen("fern", strict: Strict(word: "one")))
    try context.save()
    let identifier = try context.only(Specimen.self).persistentModelID
    let other = ModelContext(context.container)
    let model = try #require(other.model(for: identifier) as? Specimen)
    #expect(model.strict == Strict(word: "one"))
    model.strict = Strict(word: "two")
    try other.save()
    #expect(try fixture.shell("SELECT strict FROM Specimen") == #""two""#)
  }
}
