import Foundation
import SchemaFixtures
import SchemaModel
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// The app must be able to read a fixture's rows, validate them and save changes.
struct FixtureRowTests {
  /// Checks everything that the app validates.
  @Test(arguments: SchemaUnderTest.quick) func theProgramAcceptsTheRows(_ schema: SchemaUnderTest) throws {
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      let fixture = try schema.write(to: url)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.contains("-wal") })
      let before = try StoreReader(url).metadata
      let context = ModelContext(try schema.container(url))
      #expect(try StoreReader(url).metadata == before, "opening changes the store")
      var pairs = 0
      func look<M: PersistentModel>(at type: M.Type) throws {
        let models = try context.fetch(FetchDescriptor<M>())
        let own = models.filter { Swift.type(of: $0) == M.self }
        let made = fixture.counts.first { $0.model == Schema.entityName(for: type) }?.rows ?? 0
        #expect(own.count == made && made > 0, "\(type)")
        for model in own { pairs += try Relatives(model).check() }
        for model in own { try Relatives(model).touch() }
      }
      for type in schema.compiled.models { try look(at: type) }
      #expect(context.hasChanges)
      try context.save()
      #expect(try StoreReader(url).problems == [])
    }
  }

  @Test(arguments: SchemaUnderTest.sample) func everyCaseAndNilOccur(_ schema: SchemaUnderTest) throws {
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try schema.fixture().write(to: url)
      let store = try DefaultStore(
        ModelConfiguration(schema: Schema(versionedSchema: schema.compiled), url: url))
      let reader = try StoreReader(url)
      let values = TypeValues(schema.version)
      for entity in schema.version.entities {
        guard let layout = store.catalogue.layout.entity(named: entity.name) else { continue }
        func count(_ expression: SQLFragment) throws -> Int64 {
          let condition: SQLFragment =
            layout.discriminators.isEmpty
            ? "" : " WHERE \(name: layout.entityColumn) = \(literal: entity.name)"
          let rows = try reader.rows("SELECT \(expression) FROM \(name: layout.table)\(condition)")
          guard case .integer(let number)? = rows.first?.first else { return 0 }
          return number
        }
        let all = try count("COUNT(*)")
        let uniques = Set(entity.uniques.flatMap(\.properties))
        for case .attribute(let attribute) in entity.properties {
          guard let column = layout.columns.first(where: { $0.property.name == attribute.name }) else {
            continue
          }
          let present = try count("COUNT(\(name: column.name))")
          if case .optional(let wrapped) = attribute.type, !uniques.contains(attribute.name) {
            #expect(present < all, "\(entity.name).\(attribute.name) is never nil")
            if !values.samples(of: wrapped).isEmpty, attribute.transformer == nil {
              #expect(present > 0, "\(entity.name).\(attribute.name) is always nil")
            }
          }
          guard case .enumeration(let name) = attribute.type.unwrapped else { continue }
          let cases = schema.version.enums.first { $0.name == name }?.cases.count ?? 0
          let found = try count("COUNT(DISTINCT \(name: column.name))")
          #expect(found == cases, "\(entity.name).\(attribute.name)")
        }
      }
    }
  }

  @Test func listsHaveZeroOneAndSeveralMembers() throws {
    for schema in SchemaUnderTest.all where schema.version.name == "Relationships" {
      try inFolder { folder in
        let url = folder.appendingPathComponent("a.store")
        try schema.write(to: url)
        let context = ModelContext(try schema.container(url))
        var sizes: [String: Set<Int>] = [:]
        func look<M: PersistentModel>(at type: M.Type) throws {
          for model in try context.fetch(FetchDescriptor<M>()) where Swift.type(of: model) == M.self {
            for list in Relatives(model).lists {
              sizes["\(type).\(list.name)", default: []].insert(min(2, list.members.count))
            }
          }
        }
        for type in schema.compiled.models { try look(at: type) }
        #expect(!sizes.isEmpty)
        for case .relationship(let list) in schema.version.entities.flatMap(\.properties) {
          guard case .toMany = list.cardinality, list.minimumCount ?? 0 == 0, list.maximumCount ?? 0 == 0
          else { continue }
          let found = sizes.filter { $0.key.hasSuffix(".\(list.name)") }
          #expect(found.values.contains([0, 1, 2]), "\(list.name): \(found)")
        }
      }
    }
  }

  @Test func theSecondHalfRepeatsTheFirst() throws {
    let schema = try #require(SchemaUnderTest.all.first { $0.testDescription == "SampleTrips 1.0.0" })
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try schema.write(to: url)
      let rows = try StoreReader(url).rows(
        "SELECT \"title\", \"startDate\", \"endDate\" FROM \"Trip\" ORDER BY \"id\"")
      #expect(rows.count == 24)
      #expect(Array(rows.prefix(12)) == Array(rows.suffix(12)))
    }
  }
}

/// The relationships of a model from its metadata.
struct Relatives<M: PersistentModel> {
  let model: M
  private let relationships: [Schema.PropertyMetadata]

  init(_ model: M) {
    self.model = model
    relationships = M.schemaMetadata.filter { $0.metadata is Schema.Relationship }
  }

  private func members(_ path: AnyKeyPath, of model: any PersistentModel) -> [any PersistentModel] {
    switch (model as Any, model[keyPath: path]) {
    case (_, let list as [any PersistentModel]): list
    case (_, let one as any PersistentModel): [one]
    default: []
    }
  }

  var lists: [(name: String, members: [any PersistentModel])] {
    relationships.compactMap { entry in
      guard let path = entry.keypath, M._$definition.layout.property(named: entry.name)?.kind.isToMany == true
      else { return nil }
      return (entry.name, members(path, of: model))
    }
  }

  /// Checks that both ends of all pairs agree. Returns the number of pairs.
  func check() throws -> Int {
    var pairs = 0
    for relation in M._$definition.relations.all {
      for other in members(relation.property.keyPath, of: model) {
        guard let inverse = relation.inverse else { continue }
        pairs += 1
        let back = members(inverse.keyPath, of: other)
        #expect(back.contains { $0 === model }, "\(M.self).\(relation.property.name)")
      }
      if !relation.property.kind.isToMany, !relation.property.isOptional {
        #expect(!members(relation.property.keyPath, of: model).isEmpty, "\(M.self).\(relation.property.name)")
      }
    }
    return pairs
  }

  /// Assigns the current value to every property, so that a save validates and writes it.
  func touch() throws {
    for entry in M.schemaMetadata {
      guard let path = entry.keypath else { continue }
      func assign<V>(_: V.Type) {
        guard let path = path as? ReferenceWritableKeyPath<M, V> else { return }
        let value = model[keyPath: path]
        model[keyPath: path] = value
      }
      _openExistential(type(of: path).valueType, do: assign)
    }
  }
}
