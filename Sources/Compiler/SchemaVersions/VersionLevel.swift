package import SchemaDiff
package import SchemaModel

/// The version number component to increase.
package enum VersionLevel: String, CaseIterable, Comparable {
  case patch, minor, major

  /// Determines the level that changes require: major if a migration needs information or Swift code may no longer
  /// compile, minor for additions, otherwise patch.
  package init(_ changes: [SchemaChange]) {
    if changes.contains(where: { $0.effect > .automatic }) {
      self = .major
    } else if changes.contains(where: \.isNoticed) {
      self = .minor
    } else {
      self = .patch
    }
  }

  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

  private var rank: Int {
    switch self {
    case .patch: 0
    case .minor: 1
    case .major: 2
    }
  }

  package func next(after version: SchemaVersion) -> SchemaVersion {
    switch self {
    case .patch: SchemaVersion(version.major, version.minor, version.patch + 1)
    case .minor: SchemaVersion(version.major, version.minor + 1, 0)
    case .major: SchemaVersion(version.major + 1, 0, 0)
    }
  }
}

extension SchemaChange {
  /// False if only the order, defaults, imports or indexes changed.
  fileprivate var isNoticed: Bool {
    switch self {
    case .index: false
    case .schema(.importAdded), .schema(.importRemoved): false
    case .entity(.propertiesReordered): false
    case .attribute(let change): change.aspect != .defaultValue
    case .relationship(let change): change.aspect != .defaultValue
    case .enumeration(let change): if case .reordered = change.aspect { false } else { true }
    case .structure(let change): if case .reordered = change.aspect { false } else { true }
    case .schema, .entity, .unique: true
    }
  }
}
