import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Testing
import Trellis

/// Stages without code and their effects on values.
@Suite struct ConversionTests {
  enum Numbers1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Numbers.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Numbers2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Numbers.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum NumbersPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Numbers1.self, Numbers2.self] }
    static var stages: [MigrationStage] { [] }
  }

  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  private func number(_ plain: Int, _ wide: UInt64) -> ClassicV1.Numbers {
    ClassicV1.Numbers(
      small: .max, plain: plain, byte: 255, wide: wide, real: 0.1, letter: "é", list: [.min, .max],
      perhaps: nil)
  }

  @Test func wideningConversionsKeepAllValues() throws {
    let wide: [UInt64] = [0, 1, 1 << 63 - 1, 1 << 63, .max]
    let plain = [0, -1, 1 << 53, -(1 << 53), 7]
    try fixture.open(Numbers1.self).add(zip(plain, wide).map { number($0, $1) })
    let context = try fixture.open(Numbers2.self, NumbersPlan.self)
    let numbers = try context.all(ClassicV2.Numbers.self)
    #expect(numbers.map(\.wide) == wide.map { Decimal($0) })
    #expect(numbers.map(\.plain) == plain.map { Double($0) })
    #expect(numbers.allSatisfy { $0.byte == 255 && $0.small == Int64(Int32.max) })
    #expect(numbers.allSatisfy { $0.real == Double(Float(0.1)) && $0.letter == "é" })
    #expect(numbers.allSatisfy { $0.list == [Double(Int32.min), Double(Int32.max)] })
    #expect(numbers.allSatisfy { $0.perhaps == -1 })
    let large = FetchDescriptor<ClassicV2.Numbers>(predicate: #Predicate { $0.byte > 200 })
    #expect(try context.fetchCount(large) == 5)
    #expect(try fixture.complaints() == "")
    #expect(fixture.backups == ["test.store.backup-1.0.0"])
  }

  @Test func lossyConversionsAreErrors() throws {
    try fixture.open(Numbers1.self).add([number(1, 1), number(1 << 53 + 1, 1)])
    let error = #expect(throws: SwiftDataError.self) {
      try fixture.open(Numbers2.self, NumbersPlan.self)
    }
    #expect(
      error?.explanation?.contains(
        "'Numbers.plain' has values that its new type cannot hold exactly: Numbers/2") == true)
    #expect(try fixture.open(Numbers1.self).all(ClassicV1.Numbers.self).count == 2)
    #expect(fixture.backups.isEmpty)
  }

  @Test func flattenedFieldsAreConvertedLikeProperties() throws {
    let full = number(1, 1)
    full.letters = ["é", "n"]
    full.matrix = [[.min], [], [.max]]
    full.parts = ClassicV1.Parts(count: 1 << 53, size: 8)
    full.spare = ClassicV1.Parts(count: -1)
    try fixture.open(Numbers1.self).add([full, number(2, 1)])
    let numbers = try fixture.open(Numbers2.self, NumbersPlan.self).all(ClassicV2.Numbers.self)
    let count = Double(1 << 53)
    #expect(numbers.map(\.parts) == [ClassicV2.Parts(count: count, size: 8), ClassicV2.Parts(count: 0, size: 3)])
    #expect(numbers.map(\.spare) == [ClassicV2.Parts(count: -1, size: 3), nil])
    #expect(numbers.map(\.letters) == [["é", "n"], []])
    #expect(numbers.map(\.matrix) == [[[-128], [], [127]], []])
    #expect(try fixture.complaints() == "")
  }

  @Test func lossyConversionsOfFieldsAreErrors() throws {
    let large = number(1, 1)
    large.spare = ClassicV1.Parts(count: 1 << 53 + 1)
    try fixture.open(Numbers1.self).add([large])
    let error = #expect(throws: SwiftDataError.self) {
      try fixture.open(Numbers2.self, NumbersPlan.self)
    }
    #expect(
      error?.explanation?.contains(
        "'Numbers.spare' has values that its new type cannot hold exactly: Numbers/1") == true)
  }

  enum Vehicles1: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV1.Vehicle.self, ClassicV1.Car.self, ClassicV1.Bicycle.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Vehicles2: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV2.Vehicle.self, ClassicV2.Automobile.self, ClassicV2.Bicycle.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  /// The version without bicycles.
  enum Vehicles3: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV2.Vehicle.self, ClassicV2.Automobile.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  }

  enum VehiclesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Vehicles1.self, Vehicles2.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum LongVehiclesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Vehicles1.self, Vehicles2.self, Vehicles3.self]
    }
    static var stages: [MigrationStage] { [] }
  }

  /// Each store of a container migrates independently.
  @Test func storesWithASubsetOfTheModelsMigrate() throws {
    let other = fixture.folder.appendingPathComponent("other.store")
    func container(
      _ version: any VersionedSchema.Type, _ first: [any PersistentModel.Type],
      _ second: [any PersistentModel.Type], _ plan: (any SchemaMigrationPlan.Type)?
    ) throws -> ModelContext {
      let schema = Schema(versionedSchema: version)
      let stores = [
        ModelConfiguration("a", schema: Schema(first), url: fixture.url),
        ModelConfiguration("b", schema: Schema(second), url: other),
      ]
      return ModelContext(
        try ModelContainer(for: schema, migrationPlan: plan, configurations: stores))
    }
    try container(PlanTests.V1.self, [ClassicV1.Journey.self], [ClassicV1.Pair.self], nil).add([
      ClassicV1.Journey(place: "p"), ClassicV1.Pair(left: "l", right: "r"),
    ])
    let context = try container(
      PlanTests.V2.self, [ClassicV2.Voyage.self], [ClassicV2.Pair.self], PlanTests.ToSecond.self)
    #expect(try context.all(ClassicV2.Voyage.self).map(\.harbour) == ["p"])
    #expect(try context.all(ClassicV2.Pair.self).map(\.left) == ["r"])
  }

  private func addVehicles() throws {
    try fixture.open(Vehicles1.self).add([
      ClassicV1.Vehicle(name: "v"), ClassicV1.Car(name: "c", doors: 5),
      ClassicV1.Bicycle(name: "b", gears: 7),
    ])
  }

  @Test func hierarchiesChangeInPlace() throws {
    try addVehicles()
    let context = try fixture.open(Vehicles2.self, VehiclesPlan.self)
    let car = try #require(try context.all(ClassicV2.Automobile.self).first)
    #expect(car.doors == 5 && car.fuel == "petrol" && car.wheels == 4)
    #expect(try context.all(ClassicV2.Vehicle.self).map(\.name) == ["v", "c", "b"])
    #expect(
      try fixture.shell("SELECT entity, fuel FROM Vehicle ORDER BY id")
        == "Vehicle|\nAutomobile|petrol\nBicycle|")
    #expect(fixture.backups.isEmpty)
  }

  @Test func removingAClassDeletesItsRows() throws {
    try addVehicles()
    let context = try fixture.open(Vehicles3.self, LongVehiclesPlan.self)
    #expect(try context.all(ClassicV2.Vehicle.self).map(\.name) == ["v", "c"])
    #expect(try context.all(ClassicV2.Automobile.self).map(\.fuel) == ["petrol"])
    #expect(try fixture.complaints() == "")
    #expect(fixture.backups.count == 1)
  }

  @Test func identifiersWithAnOldNameFindTheirModels() throws {
    let context = try fixture.open(PlanTests.V1.self)
    try context.add([ClassicV1.Journey(place: "p")])
    let old = try #require(try context.all(ClassicV1.Journey.self).first).persistentModelID
    let encoded = try JSONEncoder().encode(old)
    let new = try fixture.open(PlanTests.V2.self, PlanTests.ToSecond.self)
    let decoded = try JSONDecoder().decode(PersistentIdentifier.self, from: encoded)
    #expect(decoded.entityName == "Journey")
    #expect((new.model(for: decoded) as? ClassicV2.Voyage)?.harbour == "p")
    // Row IDs are never reused.
    let voyage = try #require(try new.all(ClassicV2.Voyage.self).first)
    new.delete(voyage)
    let other = ClassicV2.Voyage(harbour: "q")
    new.insert(other)
    try new.save()
    #expect(other.persistentModelID.number != decoded.number)
  }

  @Test func identifiersSurviveEveryRenaming() throws {
    let context = try fixture.open(PlanTests.V1.self)
    try context.add([ClassicV1.Journey(place: "p"), ClassicV1.Journey(place: "q")])
    let journey = try #require(try context.all(ClassicV1.Journey.self).first { $0.place == "q" })
    let journeyText = try JSONEncoder().encode(journey.persistentModelID)
    let second = try fixture.open(PlanTests.V2.self, PlanTests.ToSecond.self)
    let voyage = try #require(try second.all(ClassicV2.Voyage.self).first { $0.harbour == "p" })
    let voyageText = try JSONEncoder().encode(voyage.persistentModelID)
    for _ in 0..<2 {
      let third = try fixture.open(PlanTests.V3.self, PlanTests.Inferred.self)
      func harbour(_ text: Data) throws -> String? {
        let identifier = try JSONDecoder().decode(PersistentIdentifier.self, from: text)
        return (third.model(for: identifier) as? ClassicV3.Cruise)?.harbour
      }
      #expect(try harbour(journeyText) == "q")
      #expect(try harbour(voyageText) == "p")
    }
  }
}
