package import SchemaDiagnostics

/// A part of a model that Apple's SwiftData has no syntax for.
package struct SwiftDataGap: Sendable, Equatable {
  package enum Place: Sendable, Equatable {
    case model
    /// An option without a label, such as `json` in `@Attribute(.json)`.
    case option(String, attribute: String)
    /// An argument, such as `denyMessage` in `@Relationship(denyMessage: "…")`.
    case argument(String, attribute: String)
    case conflictPolicy
  }

  /// A noun phrase, such as `an ordered list`.
  package var what: String
  package var place: Place
  /// The source range of the model's name, the property's name or the constraint.
  package var range: SourceRange
}

extension ResolvedEntity {
  /// The parts of the entity that Apple's SwiftData cannot express, in the order model, properties, constraints.
  package var swiftDataGaps: [SwiftDataGap] {
    var gaps: [SwiftDataGap] = []
    if originalName != nil { gaps.append(.init(what: "a model's original name", place: .model, range: range)) }
    for property in properties {
      switch property {
      case .attribute(let attribute):
        func add(_ option: String, _ what: String) {
          gaps.append(.init(what: what, place: .option(option, attribute: "Attribute"), range: attribute.range))
        }
        if let storage = attribute.storage { add(storage.rawValue, "a storage option") }
        if attribute.unknown != nil { add("unknown", "a fallback for unknown values") }
      case .relationship(let relationship):
        if relationship.isOrdered {
          gaps.append(
            .init(
              what: "an ordered list", place: .option("ordered", attribute: "Relationship"),
              range: relationship.range))
        }
        if isOwnInverse(relationship) {
          gaps.append(
            .init(
              what: "a relationship that is its own inverse",
              place: .argument("inverse", attribute: "Relationship"), range: relationship.range))
        }
        if relationship.denyMessage != nil {
          gaps.append(
            .init(
              what: "a message for refused deletions", place: .argument("denyMessage", attribute: "Relationship"),
              range: relationship.range))
        }
      }
    }
    for unique in uniques where unique.policy != .replace {
      gaps.append(.init(what: "a conflict policy", place: .conflictPolicy, range: unique.range))
    }
    return gaps
  }

  /// True for a relationship such as `friends`, whose key path would make the macro depend on itself.
  package func isOwnInverse(_ relationship: ResolvedRelationship) -> Bool {
    relationship.destination == name && relationship.inverseName == relationship.name
  }
}
