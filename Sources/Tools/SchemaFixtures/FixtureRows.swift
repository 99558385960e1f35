import Foundation
import SchemaModel
import Trellis

/// Fixture rows with values and relationships.
struct FixtureRows {
  private let graph: SchemaGraph
  private let values: TypeValues
  private let counts: RowCounts
  private let seed: UInt64
  private let keepsNullCharacters: Bool
  private(set) var byModel: [String: [DescribedRow]] = [:]

  init(
    _ schema: ResolvedSchema, rows: Int, seed: UInt64, keepsNullCharacters: Bool = true
  ) throws(FixtureRefusal) {
    self.keepsNullCharacters = keepsNullCharacters
    graph = SchemaGraph(schema)
    values = TypeValues(schema)
    self.seed = seed
    counts = try RowCounts(graph, values, wanted: rows)
    let links = try FixtureLinks(graph, values, counts)
    for entity in schema.entities { byModel[entity.name] = try self.rows(of: entity.name, links) }
  }

  private func rows(of model: String, _ links: FixtureLinks) throws(FixtureRefusal) -> [DescribedRow] {
    let count = counts.byModel[model] ?? 0
    var columns: [(name: String, cell: (Int) -> DescribedRow.Cell?)] = []
    for entity in graph.line(of: model) {
      for case .attribute(let attribute) in entity.properties where attribute.isStored {
        columns.append((attribute.name, try column(attribute, of: entity.name, model, count)))
      }
    }
    return (0..<count).map { row in
      let own = DescribedReference(model, row)
      var described = DescribedRow(lists: links.lists[own] ?? [:])
      for column in columns { described.cells[column.name] = column.cell(row) }
      for (name, target) in links.references[own] ?? [:] { described.cells[name] = .reference(target) }
      return described
    }
  }

  /// Returns an attribute's values by row.
  private func column(
    _ attribute: ResolvedAttribute, of owner: String, _ model: String, _ count: Int
  ) throws(FixtureRefusal) -> (Int) -> DescribedRow.Cell? {
    let path = "\(owner).\(attribute.name)"
    if let transformer = attribute.transformer {
      guard attribute.isOptional else {
        throw FixtureRefusal(
          "'\(path)' is stored with the transformer \(transformer), which only the app contains; create the fixture "
            + "in one of the app's tests, using StoreFixture from TrellisTesting")
      }
      return { _ in nil }
    }
    let samples = values.samples(of: attribute.type)
    guard !samples.isEmpty else {
      throw FixtureRefusal(
        "'\(path)' is required and only the app can encode its type; create the fixture in one of the "
          + "app's tests, using StoreFixture from TrellisTesting")
    }
    let unique = graph.uniqueness(of: attribute.name, in: model, values)
    let first = unique.map { firstNumber(of: model, in: $0.model) } ?? 0
    let order = Permutation(samples.count, seed: seed, of: "\(model).\(attribute.name)")
    // The second half repeats the first half's values if the first half has room for all values.
    let period = max(count / 2, samples.count, 1)
    return { row in
      var value = samples[order[row % period % samples.count]]
      if let unique {
        let number = first + row
        let other =
          unique.field.map { values.distinct(attribute.type, field: $0, number) }
          ?? values.distinct(attribute.type, unique.number(number))
        if let other { value = other } else if attribute.isOptional { value = .null }
      }
      if !keepsNullCharacters { value = value.withoutNullCharacters }
      return cell(value, attribute, of: model, row)
    }
  }

  /// Returns the first number for a model's rows. A constraint also covers subclass rows, which continue the numbers.
  private func firstNumber(of model: String, in owner: String) -> Int {
    var first = 0
    for member in graph.members(of: owner) {
      if member == model { return first }
      first += counts.byModel[member] ?? 0
    }
    return first
  }

  private func cell(
    _ value: DescribedValue, _ attribute: ResolvedAttribute, of model: String, _ row: Int
  ) -> DescribedRow.Cell {
    if attribute.options.contains(.externalStorage), attribute.type.unwrapped == .scalar(.data),
      case .scalar(let data as Data) = value
    {
      // Include the model, because a subclass has separate rows and files.
      return .external(data, number: Permutation.number(of: "\(model).\(attribute.name) \(row)", seed: seed))
    }
    if attribute.storage == .flattened { return .flattened(values.members(value, of: attribute.type)) }
    let isCoded = attribute.storage == .json || attribute.options.contains(.codable)
    return .value(isCoded ? .coded(value) : value)
  }
}

extension DescribedValue {
  /// The value with U+0000 removed from all strings.
  fileprivate var withoutNullCharacters: DescribedValue {
    switch self {
    case .scalar(let text as String): .scalar(text.replacing("\u{0}", with: ""))
    case .coded(let value): .coded(value.withoutNullCharacters)
    case .object(let members): .object(members.mapValues(\.withoutNullCharacters))
    case .list(let elements): .list(elements.map(\.withoutNullCharacters))
    case .null, .scalar: self
    }
  }
}

extension ResolvedAttribute {
  var isStored: Bool { !isTransient && !options.contains(.ephemeral) }
  var isOptional: Bool { if case .optional = type { true } else { false } }
}

/// The requirements that a constraint imposes on a single property.
struct Uniqueness {
  /// The model that declares the constraint.
  let model: String
  /// The field within a flattened struct.
  let field: String?
  /// The property's base and position. Several properties with few values together count the rows, like the digits in a
  /// number; `nil` if a single property is sufficient.
  let digit: (base: Int, place: Int)?

  func number(_ number: Int) -> Int { digit.map { number / $0.place % $0.base } ?? number }
}

extension SchemaGraph {
  /// Returns the uniqueness of an attribute's values; nil if values can repeat. In a constraint on several properties,
  /// a single property with a distinct value for every row is sufficient.
  func uniqueness(of attribute: String, in model: String, _ values: TypeValues) -> Uniqueness? {
    func count(_ path: String) -> Int { self.count(path, of: model, values) }
    for entity in line(of: model) {
      for unique in entity.uniques {
        guard let path = unique.properties.first(where: { $0.split(separator: ".").first ?? "" == attribute })
        else { continue }
        let field = path.split(separator: ".").dropFirst().first.map(String.init)
        if let plenty = unique.properties.first(where: { count($0) == .max }) {
          if plenty == path { return Uniqueness(model: entity.name, field: field, digit: nil) }
          continue
        }
        var place = 1
        for other in unique.properties {
          let base = max(1, count(other))
          if other == path { return Uniqueness(model: entity.name, field: field, digit: (base, place)) }
          place *= base
        }
      }
    }
    return nil
  }
}
