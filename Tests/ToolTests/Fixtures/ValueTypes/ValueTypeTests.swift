import Foundation
import SchemaFacts
import SchemaFixtures
import SchemaModel
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// All places that handle values must know all value types.
///
/// After adding a type to `ScalarType`, these tests name the places that lack it.
struct ValueTypeTests {
  @Test func typesHaveTheExpectedNames() {
    #expect(StandardValues.all.map { "\($0)" } == ScalarType.allCases.map(\.rawValue))
  }

  @Test(arguments: ScalarType.allCases) func everyPlaceSupportsTheType(_ scalar: ScalarType) throws {
    guard let sampled = scalar.valueType as? any (ColumnValue & Sampled).Type else {
      Issue.record("SampleValues.swift has no samples of \(scalar.rawValue)")
      return
    }
    try open(scalar.valueType, sampled, scalar)
  }

  private func open<V: StandardValue>(
    _: V.Type, _ sampled: any (ColumnValue & Sampled).Type, _ scalar: ScalarType
  ) throws {
    func distinct<S: Sampled>(_: S.Type, _ number: Int) -> V? { S.distinct(number) as? V }
    guard let one = distinct(sampled, 1), let two = distinct(sampled, 2) else {
      Issue.record("SampleValues.swift has no values of \(V.self)")
      return
    }
    let values = scalar == .bool ? [true as? V, false as? V].compactMap(\.self) : [one, two]
    guard let place = ValueTypePlaces(V.self, scalar, values) else {
      Issue.record("Specimens.schema, or its generated code, lacks a property of type \(V.self)")
      return
    }
    try place.check()
  }
}

/// Checks these places for a single type.
private struct ValueTypePlaces<V: StandardValue> {
  let scalar: ScalarType
  let values: [V]
  let path: ReferenceWritableKeyPath<Specimen, V>
  let name: String

  init?(_: V.Type, _ scalar: ScalarType, _ values: [V]) {
    let properties = Specimen._$definition.layout.columns.filter { $0.name != "key" }
    guard let property = properties.first(where: { $0.keyPath is ReferenceWritableKeyPath<Specimen, V> }),
      let path = property.keyPath as? ReferenceWritableKeyPath<Specimen, V>, values.count == 2
    else { return nil }
    (self.scalar, self.values, self.path, name) = (scalar, values, path, property.name)
  }

  func check() throws {
    try compiler()
    try columns()
    try texts()
    try constraints()
    try migration()
    try stored()
  }

  private func expect(_ isKnown: Bool, _ place: String) {
    #expect(isKnown, "\(V.self) is not known to \(place)")
  }

  private func areEqual(_ lhs: V?, _ rhs: V) -> Bool {
    lhs.flatMap { try? ColumnForm($0).value } == (try? ColumnForm(rhs).value)
  }

  private func compiler() throws {
    // Foundation declares its types in modules such as FoundationEssentials.
    expect(_typeName(V.self, qualified: true).hasPrefix(scalar.module), "ScalarType.traits.module")
    let integer = V.self as? any FixedWidthInteger.Type
    expect(scalar.integer?.bits == integer?.bitWidth, "ScalarType.traits.number (bits)")
    expect(scalar.integer?.isSigned == integer?.isSigned, "ScalarType.traits.number (sign)")
  }

  private func columns() throws {
    expect(V.columnType.comparison != .none, "StandardValue.columnType: its column would be JSON")
    expect(V.scalar.fits(V.columnType), "ScalarKind.fits")
    expect(ScalarKind.of(V?.self) == V.scalar, "ScalarKind.of")
    expect(ValueTypeName(V?.self).resolved == V?.self, "ValueTypeName.resolved")
    for value in values { expect(areEqual(V(stored: value.stored), value), "StandardValue.init(stored:)") }
  }

  private func texts() throws {
    for value in values {
      let text = try JSONColumn.text(of: [value])
      expect(areEqual(try JSONColumn.value([V].self, from: Data(text.utf8)).first, value), "JSON text")
    }
    let attribute = Schema.Attribute(name: "a", valueType: V.self, defaultValue: values[0])
    let copy = try JSONDecoder().decode(Schema.Attribute.self, from: JSONEncoder().encode(attribute))
    expect(copy.valueType == V.self && areEqual(copy.defaultValue as? V, values[0]), "Schema.Attribute's coding")
    expect(Schema.CompositeAttribute.parts(of: V.self).isEmpty, "Schema.CompositeAttribute.parts")
  }

  private func constraints() throws {
    expect(try UniqueValue(values[0]) == UniqueValue(values[0]), "UniqueValue")
    expect(try UniqueValue(values[0]) != UniqueValue(values[1]), "UniqueValue")
    expect(try OrderKey.of(values[0]) != OrderKey.of(values[1]), "OrderKey: groups and distinct values")
  }

  private func migration() throws {
    let other: any Any.Type = V.self == Bool.self ? Data.self : Bool.self
    expect(ValueForm(V.self).isReadable(as: ValueForm(V?.self)), "ValueForm.isReadable")
    expect(!ValueForm(V.self).isReadable(as: ValueForm(other)), "ValueForm.isReadable")
    guard let integer = scalar.integer, integer.isSigned, integer.bits > 8 else { return }
    if case .none = ValueConversion.from("Int8", to: "\(V.self)") { expect(false, "ValueConversion.from") }
  }

  /// Tests a store that contains both values: rows, snapshots, predicates, sorts, aggregates and history.
  private func stored() throws {
    try inFolder { folder in
      let configuration = ModelConfiguration(url: folder.appendingPathComponent("a.store"))
      let container = try ModelContainer(for: Schema([Specimen.self]), configurations: [configuration])
      let context = ModelContext(container)
      for (key, value) in values.enumerated() {
        let specimen = Specimen._$definition.codec.placeholder(
          Specimen._$definition.temporaryIdentifier(), as: Specimen.self)
        specimen.key = key
        specimen[keyPath: path] = value
        context.insert(specimen)
      }
      try context.save()
      let fresh = ModelContext(container)
      let found = try fresh.fetch(FetchDescriptor<Specimen>(sortBy: [SortDescriptor(\.key)]))
      expect(found.count == 2, "columns: binding")
      for (model, value) in zip(found, values) {
        expect(areEqual(model[keyPath: path], value), "columns: reading")
        let snapshot = Specimen.Snapshot(of: model)
        let copy = try JSONDecoder().decode(Specimen.Snapshot.self, from: JSONEncoder().encode(snapshot))
        expect(areEqual(copy.makeModel()[keyPath: path], value), "Codable of snapshots")
      }
      try predicates(fresh)
      try orders(fresh)
      try history(context, container)
    }
  }

  private func predicates(_ context: ModelContext) throws {
    func equal<E: StandardValue & Equatable>(_ value: E) throws {
      guard let path = path as? KeyPath<Specimen, E> else { return }
      let predicate = Predicate<Specimen> {
        PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.build_KeyPath(root: PredicateExpressions.build_Arg($0), keyPath: path.sendable),
          rhs: PredicateExpressions.build_Arg(value))
      }
      let descriptor = FetchDescriptor(predicate: predicate)
      expect(try descriptor.explain(in: context).runsInStore, "predicates: constants")
      expect(try context.fetchCount(descriptor) == 1, "predicates: constants")
      let members = Predicate<Specimen> {
        PredicateExpressions.build_contains(
          PredicateExpressions.build_Arg([value]),
          PredicateExpressions.build_KeyPath(root: PredicateExpressions.build_Arg($0), keyPath: path.sendable))
      }
      let search = FetchDescriptor(predicate: members)
      expect(try search.explain(in: context).runsInStore, "predicates: captured collections")
      expect(try context.fetchCount(search) == 1, "predicates: captured collections")
    }
    if let value = values[0] as? any StandardValue & Equatable { try equal(value) }
  }

  private func orders(_ context: ModelContext) throws {
    func order<C: StandardValue & Comparable>(_ value: C) throws {
      guard let path = path as? KeyPath<Specimen, C>, let greatest = (values as? [C])?.max() else { return }
      let predicate = Predicate<Specimen> {
        PredicateExpressions.build_Comparison(
          lhs: PredicateExpressions.build_KeyPath(root: PredicateExpressions.build_Arg($0), keyPath: path.sendable),
          rhs: PredicateExpressions.build_Arg(greatest), op: .lessThan)
      }
      let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(path.sendable)])
      expect(try descriptor.explain(in: context).runsInStore, "predicates and sorts: order")
      expect(try context.fetchCount(descriptor) == 1, "predicates: order")
      let sorted = FetchDescriptor<Specimen>(sortBy: [SortDescriptor(path.sendable)])
      expect(try context.fetch(sorted).last?[keyPath: path] == greatest, "sorts")
      expect(value is any OrderedValue, "OrderedValue: aggregates")
    }
    if let value = values[0] as? any StandardValue & Comparable { try order(value) }
    if scalar.traits.number != nil { expect(values[0] is any SummableValue, "SummableValue: aggregates") }
  }

  private func history(_ context: ModelContext, _ container: ModelContainer) throws {
    for model in try context.fetch(FetchDescriptor<Specimen>()) { context.delete(model) }
    try context.save()
    let transactions = try ModelContext(container).fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let kept = transactions.flatMap(\.changes).compactMap { change -> V? in
      guard case .delete(let deletion as DefaultHistoryDelete<Specimen>) = change else { return nil }
      return deletion.tombstone[path] as? V
    }
    expect(values.allSatisfy { value in kept.contains { areEqual($0, value) } }, "history")
  }
}
