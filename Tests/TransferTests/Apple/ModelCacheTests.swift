import AppleStore
import AppleStoreFiles
import SchemaImport
import TestSupport
import Testing

@Suite struct ModelCacheTests {
  @Test(arguments: ModelArchive.Inherited.allCases)
  func modelsAreReadAsWritten(_ inherited: ModelArchive.Inherited) throws {
    let bytes = ModelArchive.bytes(TestModels.travel, inherited: inherited)
    var expected = TestModels.travel
    for index in expected.entities.indices {
      for place in expected.entities[index].relationships.indices {
        // The archive has a rule for each relationship.
        let rule = expected.entities[index].relationships[place].deletionRule
        expected.entities[index].relationships[place].deletionRule = rule ?? "Nullify"
      }
    }
    for cache in [
      try ModelCache(archive: bytes), try ModelCache(compressed: DeflateWriter.stored(bytes)),
      try ModelCache(compressed: DeflateWriter.fixed(bytes)),
    ] {
      #expect(cache.model == expected)
      #expect(cache.remarks == [])
    }
  }

  @Test func schemaOfAModel() throws {
    let result = CoreDataImporter.run(TestModels.travel, name: "Travel", path: "Travel.store")
    let text = try #require(result.files.first).text
    #expect(text.hasPrefix("schema Travel 1.0.0\n"))
    for line in [
      "class Halt: Stop {", "#Unique<Trip>([\\.key])",
      "@Attribute(.preserveValueOnDeletion, originalName: \"name\") var title: String = \"untitled\"",
      "@Attribute(.flattened) var address: Address?", "@Attribute(.externalStorage) var photo: Data?",
      "var nights: Int16 = -3", "var isPaid: Bool = true", "var tags: Array<String>",
      "@Relationship(.ordered, deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []",
      "var price: Decimal = Decimal(sign: .plus, exponent: -1, significand: 125)",
      "var debt: Decimal = Decimal(sign: .minus, exponent: -2, significand: 7)",
    ] {
      #expect(text.contains(line), "missing: \(line)\n\(text)")
    }
    #expect(result.models == 4)
  }

  private static func archive(_ change: (inout CoreDataModel) -> Void) -> [UInt8] {
    var model = TestModels.travel
    change(&model)
    return ModelArchive.bytes(model)
  }

  @Test(arguments: [
    (PropertyListWriter.bytes(.text("x")), "the property list is not a keyed archive"),
    (
      PropertyListWriter.bytes(
        .dictionary([
          ("$archiver", .text("NSKeyedArchiver")), ("$objects", .list([])), ("$top", .dictionary([])),
        ])), "the keyed archive has no root object"
    ),
    (
      PropertyListWriter.bytes(
        .dictionary([
          ("$archiver", .text("NSKeyedArchiver")), ("$objects", .list([.text("$null")])),
          ("$top", .dictionary([("root", .uid(0))])),
        ])), "the keyed archive does not contain a managed object model"
    ),
    (archive { $0.entities = [] }, "the model has no entities"),
    (archive { $0.entities[0].name = "" }, "an entity of the model has no valid name"),
    (archive { $0.entities[0].name = "Trip" }, "the model has two entities named 'Trip'"),
    (
      archive { $0.composites[0].attributes = [] },
      "the composite attribute 'Trip.address' has no elements"
    ),
  ])
  func damagedModelsAreRefused(_ bytes: [UInt8], _ message: String) {
    #expect(throws: AppleStoreProblem(message)) { try ModelCache(archive: bytes) }
  }

  @Test func inheritanceInACircleIsRefused() {
    let model = TestModels.model([TestModels.entity("A"), TestModels.entity("B")])
    var list = ModelArchive.list(model)
    // Both entities become superentities of each other.
    guard case .dictionary(var top) = list, case .list(var objects)? = top.first(where: { $0.0 == "$objects" })?.1
    else {
      Issue.record("not an archive")
      return
    }
    for (entity, parent) in [(2, 3), (3, 2)] {
      guard case .dictionary(var fields) = objects[entity] else { continue }
      fields.removeAll { $0.0 == "NSSuperentity" }
      objects[entity] = .dictionary(fields + [("NSSuperentity", .uid(parent))])
    }
    top.removeAll { $0.0 == "$objects" }
    list = .dictionary(top + [("$objects", .list(objects))])
    #expect(throws: AppleStoreProblem("the superentities of 'A' have no end")) {
      try ModelCache(archive: PropertyListWriter.bytes(list))
    }
  }

  /// Two composite attributes with different elements and one class name have two types.
  @Test func compositesWithEqualNames() throws {
    let model = TestModels.model(
      [
        TestModels.entity(
          "Trip",
          [
            TestModels.attribute("home", "Composite", className: "App.Place", composite: "A"),
            TestModels.attribute("work", "Composite", className: "App.Place", composite: "B"),
            TestModels.attribute("shop", "Composite", className: "App.Place", composite: "A"),
          ])
      ],
      [
        TestModels.composite("A", [TestModels.attribute("street", "String")]),
        TestModels.composite("B", [TestModels.attribute("city", "String")]),
      ])
    let read = try ModelCache(archive: ModelArchive.bytes(model)).model
    #expect(read.entities[0].attributes.map(\.composite) == ["Place", "Place", "Place2"])
    #expect(read.composites.map { $0.attributes.map(\.name) } == [["street"], ["city"]])
  }

  /// Damaged archives are refused or read as a model; they never stop the process.
  @Test func mutatedArchives() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    var model = TestModels.travel
    model.entities.removeAll { $0.name == "Guide" || $0.name == "Trip" }
    let archive = ModelArchive.bytes(model)
    let whole = ModelArchive.bytes(TestModels.travel)
    let inputs =
      [archive, DeflateWriter.stored(archive), archive, DeflateWriter.stored(archive), whole]
      + [DeflateWriter.fixed(archive)]
    var refused = 0
    let rounds = Repetitions.scaled(240)
    for round in 0..<rounds {
      let kind = round % inputs.count
      let bytes = random.mutate(inputs[kind])
      do {
        let isPlain = kind % 2 == 0
        let cache = isPlain ? try ModelCache(archive: bytes) : try ModelCache(compressed: bytes)
        #expect(!cache.model.entities.isEmpty)
      } catch {
        refused += 1
        #expect(!error.description.isEmpty)
      }
    }
    #expect(refused > rounds / 20, "seed \(seed): nothing was damaged")
  }
}

extension SeededGenerator {
  /// Changes, removes, repeats or exchanges a few bytes.
  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...roll(4) {
      guard !bytes.isEmpty else { return bytes }
      let place = roll(bytes.count)
      switch roll(7) {
      case 0: bytes[place] = UInt8(roll(256))
      case 1: bytes[place] ^= 1 << UInt8(roll(8))
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + roll(16)))
      case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + roll(16))], at: roll(bytes.count))
      case 4: bytes.replaceSubrange(place..<place + 1, with: [[0x00, 0xFF, 0x7F, 0x80][roll(4)]])
      case 5:
        // The trailer and the offset table.
        let end = bytes.count - 1 - roll(min(bytes.count, 400))
        bytes[end] = UInt8(roll(256))
      default: bytes = Array(bytes.prefix(bytes.count - roll(min(bytes.count, 64))))
      }
    }
    return bytes
  }
}
