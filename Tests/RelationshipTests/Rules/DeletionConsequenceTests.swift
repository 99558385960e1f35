import SchemaFacts
import Foundation
import SchemaDiagnostics
import SchemaGraph
import SchemaModel
import Testing

/// Compares the table of delete rules with the output of `explain` for all pairs of rules and kinds of relationships.
/// ``DeleteRuleMatrixTests`` executes these deletions.
@Suite struct DeletionConsequenceTests {
  private static let rules: [String: DeleteRule] = [
    "nullify": .nullify, "cascade": .cascade, "deny": .deny, "noAction": .noAction,
  ]

  private static func relationships(of entity: ResolvedEntity) -> [ResolvedRelationship] {
    entity.properties.compactMap { property in
      if case .relationship(let relationship) = property { relationship } else { nil }
    }
  }

  private static func end(_ relationship: ResolvedRelationship) -> RelationshipEnd {
    switch relationship.cardinality {
    case .toMany: .list
    case .toOne(let isOptional): isOptional ? .optionalReference : .requiredReference
    }
  }

  /// The expected table with one line per rule and one column per kind of end.
  @Test func theTableIsComplete() {
    let expected: [DeleteRule: [DeletionConsequence]] = [
      .nullify: [.nothing, .clearedReference, .missingReference, .shorterList],
      .cascade: [.deletion, .deletion, .deletion, .deletion],
      .deny: [.refusal, .refusal, .refusal, .refusal],
      .noAction: [.nothing, .danglingReference, .danglingReference, .shorterList],
    ]
    for rule in DeleteRule.allCases {
      #expect(RelationshipEnd.allCases.map { DeletionConsequence(rule, $0) } == expected[rule])
    }
  }

  @Test(arguments: ["nullify", "cascade", "deny", "noAction"])
  func explanationsMatchTheTable(_ first: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let path = "Matrix+\(first).schema"
    let text = try String(contentsOf: folder.appending(path: "Matrix/\(path)"), encoding: .utf8)
    let file = SourceFile(path: path, text: text)
    let schema = try #require(SchemaCompiler.compile([file]).schemas.first)
    var seen = 0
    for entity in schema.entities {
      let explained = try #require(DeleteConsequences(of: entity.name, in: schema, files: [file])).deletion
      for relationship in Self.relationships(of: entity) {
        let end: RelationshipEnd =
          switch relationship.inverse {
          case .none: .none
          case .property(let name):
            schema.entities.first { $0.name == relationship.destination }
              .flatMap { Self.relationships(of: $0).first { $0.name == name } }.map(Self.end) ?? .none
          }
        let rule = try #require(Self.rules[relationship.deleteRule.rawValue])
        let name = "\(entity.name).\(relationship.name)"
        let kinds = Set(explained.effects.filter { $0.cause?.name == name }.map(\.kind))
        let isCascade = explained.deletions.contains { $0.cause?.name == name }
        seen += 1
        switch DeletionConsequence(rule, end) {
        case .deletion: #expect(isCascade, "\(name)")
        case .refusal: #expect(kinds.contains(.denied), "\(name)")
        case .nothing: #expect(kinds.isEmpty && !isCascade, "\(name)")
        case .clearedReference: #expect(kinds == [.nullified], "\(name)")
        case .missingReference: #expect(kinds == [.required], "\(name)")
        case .shorterList: #expect(kinds.isSubset(of: [.removedFromList, .tooFew]) && !kinds.isEmpty, "\(name)")
        case .danglingReference:
          #expect(kinds == [end == .requiredReference ? .readsPlaceholder : .readsNil], "\(name)")
        }
      }
    }
    #expect(seen > 0)
  }
}
