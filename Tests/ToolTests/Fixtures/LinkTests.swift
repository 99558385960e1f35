import SchemaDiagnostics
import SchemaModel
import TestSupport
import Testing
import Trellis

@testable import SchemaFixtures

/// Relationships of all kinds, with and without count bounds.
struct LinkTests {
  /// One side of a relationship: the type of the property and the bounds of a list.
  struct End: CustomStringConvertible {
    var isToMany = false
    var isOptional = true
    var minimum = 0
    var maximum = 0

    /// The minimum and maximum number of destinations.
    var needed: Int { isOptional ? 0 : isToMany ? minimum : 1 }
    var room: Int { !isToMany ? 1 : maximum > 0 ? maximum : .max }

    /// - Parameter inverse: The argument after `inverse:`; nil if the other side declares it.
    func property(_ name: String, to model: String, inverse: String?) -> String {
      var arguments: [String] = []
      if minimum > 0 { arguments.append("minimumModelCount: \(minimum)") }
      if maximum > 0 { arguments.append("maximumModelCount: \(maximum)") }
      if let inverse { arguments.append("inverse: \(inverse)") }
      let type = (isToMany ? "[\(model)]" : model) + (isOptional ? "?" : "")
      let options = arguments.isEmpty ? "" : "@Relationship(\(arguments.joined(separator: ", "))) "
      return "  \(options)var \(name): \(type)\n"
    }

    var description: String {
      "\(isToMany ? "list" : "one")\(isOptional ? "?" : "")\(minimum)...\(maximum)"
    }
  }

  static let ends: [End] =
    [End(), End(isOptional: false)]
    + [(0, 0), (1, 0), (2, 0), (0, 1), (0, 3), (1, 3), (2, 2)].flatMap { minimum, maximum in
      [true, false].map {
        End(isToMany: true, isOptional: $0, minimum: minimum, maximum: maximum)
      }
    }

  private func schema(_ text: String) throws -> ResolvedSchema? {
    let compilation = SchemaCompiler.compile([SourceFile(path: "Pairs.schema", text: text)])
    return compilation.schemas.first
  }

  /// Returns the invalid links in a fixture.
  private func problems(_ schema: ResolvedSchema, rows: Int) throws -> [String] {
    let graph = SchemaGraph(schema)
    let all = try FixtureRows(schema, rows: rows, seed: 1).byModel
    var problems: [String] = []
    func members(_ side: RelationshipPair.Side, of owner: DescribedReference) -> [DescribedReference] {
      let row = all[owner.model]?[owner.row]
      if side.isToMany { return row?.lists[side.relationship.name] ?? [] }
      if case .reference(let target)? = row?.cells[side.relationship.name] { return [target] }
      return []
    }
    func every(_ model: String) -> [DescribedReference] {
      graph.members(of: model).flatMap { name in
        (all[name] ?? []).indices.map { DescribedReference(name, $0) }
      }
    }
    func check(_ side: RelationshipPair.Side, _ other: RelationshipPair.Side?, _ target: String) {
      let targets = Set(every(target))
      for owner in every(side.model) {
        let found = members(side, of: owner)
        if Set(found).count != found.count { problems.append("\(side.key) of \(owner) has one twice") }
        if !Set(found).isSubset(of: targets) { problems.append("\(side.key) of \(owner) leads nowhere") }
        if side.isRequired, found.isEmpty { problems.append("\(side.key) of \(owner) is missing") }
        if side.isToMany, !(found.isEmpty && side.isOptional), found.count < side.minimum {
          problems.append("\(side.key) of \(owner) has \(found.count)")
        }
        if found.count > side.maximum { problems.append("\(side.key) of \(owner) has \(found.count)") }
        guard let other else { continue }
        for member in found where !members(other, of: member).contains(owner) {
          problems.append("\(side.key) of \(owner) is not what \(member) says")
        }
      }
    }
    for pair in graph.pairs {
      check(pair.own, pair.other, pair.target)
      if let other = pair.other { check(other, pair.own, other.relationship.destination) }
    }
    return problems
  }

  /// The row counts to test for each model.
  private static let rows = Repetitions.isThorough ? [1, 2, 3, 24] : [1, 24]

  @Test(arguments: rows) func relationshipsBetweenModelsRespectTheirBounds(_ rows: Int) throws {
    var tried = 0
    for end in Self.ends {
      for other in Self.ends {
        let text = """
          schema Pairs 1.0.0
          @Model class A {
          \(end.property("b", to: "B", inverse: "\\B.a"))}
          @Model class B {
          \(other.property("a", to: "A", inverse: nil))}
          """
        guard let schema = try schema(text) else { continue }
        tried += 1
        do {
          #expect(try problems(schema, rows: rows) == [], "\(end) \(other)")
        } catch let refusal as FixtureRefusal {
          Issue.record("\(end) \(other): \(refusal)")
        }
      }
    }
    #expect(tried > 200)
  }

  @Test(arguments: rows) func relationshipsWithinAModelRespectTheirBounds(_ rows: Int) throws {
    var tried = 0
    for end in Self.ends {
      for inverse in ["\\A.own", "nil", "\\A.other"] {
        for other in inverse == "\\A.other" ? Self.ends : [End()] {
          let second = inverse == "\\A.other" ? other.property("other", to: "A", inverse: nil) : ""
          let text = """
            schema Pairs 1.0.0
            @Model class A {
            \(end.property("own", to: "A", inverse: inverse))\(second)}
            """
          guard let schema = try schema(text) else { continue }
          tried += 1
          do {
            #expect(try problems(schema, rows: rows) == [], "\(end) \(inverse) \(other)")
          } catch let refusal as FixtureRefusal {
            // A refusal is correct only if the bounds contradict each other.
            let isImpossible = end.needed > other.room || other.needed > end.room
            #expect(isImpossible && inverse.hasSuffix("other"), "\(end) \(inverse) \(other): \(refusal)")
          }
        }
      }
    }
    #expect(tried > 200)
  }
}
