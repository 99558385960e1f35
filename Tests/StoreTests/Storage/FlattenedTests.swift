import Foundation
import Testing
import Trellis

/// Tests of structs with a column for each property.
@Suite struct FlattenedTests {
  let fixture: StorageFixture
  let container: ModelContainer

  init() throws {
    fixture = try StorageFixture()
    container = try fixture.container(House.self)
    let context = ModelContext(container)
    context.insert(House(name: "a", address: Address(street: "Elm", city: "Bergen", zip: 5003)))
    context.insert(
      House(
        name: "b", address: Address(street: "Oak", kind: .work),
        second: Address(street: "Ash", city: "Å", zip: nil)))
    context.insert(
      House(
        name: "c", address: Address(street: "Fir", city: "Bergen"),
        second: Address(street: "Yew", city: "Bergen", zip: 1), plot: Plot(area: .nan)))
    try context.save()
  }

  private func names(_ predicate: Predicate<House>?, _ sort: [SortDescriptor<House>]) throws
    -> [String]
  {
    try ModelContext(container).fetch(FetchDescriptor(predicate: predicate, sortBy: sort))
      .map(\.name)
  }

  /// The columns of an optional struct can be NULL, whatever its properties are.
  @Test func newlyRequiredPropertiesAreRejected() throws {
    try fixture.shell(
      """
      UPDATE trellis_metadata SET value = 'other' WHERE key = 'fingerprint';
      UPDATE trellis_metadata
      SET value = replace(value, '"isOptional":false,"name":"city"', '"isOptional":true,"name":"city"') WHERE key = 'schema'
      """)
    let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try fixture.container(House.self) }
    #expect(
      error?.explanation?.contains("'House.second_city' are computed from other values") == true,
      "\(error?.explanation ?? "")")
  }

  @Test func everyPropertyHasAColumn() throws {
    #expect(
      try fixture.shell(
        "SELECT address_street, address_city, address_zip, address_kind, second, second_street, second_zip, plot_area FROM House ORDER BY name"
      )
        == "Elm|Bergen|5003|home||||1.0\nOak|Oslo||work|1|Ash||1.0\nFir|Bergen||home|1|Yew|1|NaN")
  }

  @Test func structsRoundTrip() throws {
    let found = try ModelContext(container).fetch(
      FetchDescriptor<House>(sortBy: [SortDescriptor(\.name)]))
    #expect(found[0].address == Address(street: "Elm", city: "Bergen", zip: 5003))
    #expect(found[0].second == nil)
    #expect(found[1].address == Address(street: "Oak", kind: .work))
    // The struct is not nil although all its optional members are nil.
    #expect(found[1].second == Address(street: "Ash", city: "Å", zip: nil))
    #expect(found[2].plot.area.isNaN)
  }

  @Test func changingAMemberWritesTheStruct() throws {
    let context = ModelContext(container)
    let descriptor = FetchDescriptor<House>(predicate: #Predicate { $0.name == "b" })
    let house = try #require(try context.fetch(descriptor).first)
    house.address.zip = 7
    house.second = nil
    try context.save()
    #expect(
      try fixture.shell(
        "SELECT address_street, address_zip, second IS NULL, second_street IS NULL FROM House WHERE name = 'b'")
        == "Oak|7|1|1")
    house.second = Address(street: "New")
    try context.save()
    let again = try #require(try ModelContext(container).fetch(descriptor).first)
    #expect(again.second == Address(street: "New"))
    #expect(again.address.zip == 7)
  }

  @Test func predicatesAndSortsUseTheMembers() throws {
    let sort = [SortDescriptor(\House.name)]
    #expect(try names(#Predicate { $0.address.city == "Bergen" }, sort) == ["a", "c"])
    #expect(try names(#Predicate { $0.address.zip == nil }, sort) == ["b", "c"])
    #expect(try names(#Predicate { $0.second?.city == "Bergen" }, sort) == ["c"])
    #expect(try names(#Predicate { $0.second?.city != "Bergen" }, sort) == ["a", "b"])
    #expect(try names(#Predicate { $0.second == nil }, sort) == ["a"])
    #expect(try names(#Predicate { $0.second?.zip == nil }, sort) == ["a", "b"])
    #expect(try names(#Predicate { $0.plot.area == 1 }, sort) == ["a", "b"])
    #expect(
      try names(nil, [SortDescriptor(\.address.city), SortDescriptor(\.address.street)])
        == ["a", "c", "b"])
    #expect(
      try names(nil, [SortDescriptor(\.second?.street, order: .reverse), SortDescriptor(\.name)])
        == ["c", "b", "a"])
  }

  @Test func membersCanBeInConstraintsAndIndexes() throws {
    let context = ModelContext(container)
    context.insert(House(name: "d", address: Address(street: "Elm", city: "Bergen", zip: 1)))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    let indexes = try fixture.shell(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY sql")
    #expect(indexes.contains(#"("address_city", "name")"#))
    #expect(indexes.contains(#"("second_zip")"#))
    #expect(indexes.contains(#"("address_street", "address_city")"#))
  }
}
