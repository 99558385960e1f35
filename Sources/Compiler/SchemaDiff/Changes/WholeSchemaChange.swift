package import SchemaDiagnostics
import SchemaModel

/// A change to the schema itself, not to one of its declarations.
package enum WholeSchemaChange: ChangeDetail {
  case renamed(from: String, to: String)
  case importAdded(String)
  case importRemoved(String)

  static func changes(from old: ResolvedSchema, to new: ResolvedSchema) -> [Self] {
    var changes: [Self] = []
    if old.name != new.name { changes.append(.renamed(from: old.name, to: new.name)) }
    let before = Set(old.imports.map(\.module))
    let after = Set(new.imports.map(\.module))
    changes += after.subtracting(before).ordered().map { .importAdded($0) }
    changes += before.subtracting(after).ordered().map { .importRemoved($0) }
    return changes
  }

  package var kind: String {
    switch self {
    case .renamed: "schema-renamed"
    case .importAdded: "import-added"
    case .importRemoved: "import-removed"
    }
  }

  package var subject: String {
    switch self {
    case .renamed(_, let name), .importAdded(let name), .importRemoved(let name): name
    }
  }

  package var effect: ChangeEffect { .automatic }

  package var text: String {
    switch self {
    case .renamed(let old, let new): "schema '\(old)' renamed to '\(new)'"
    case .importAdded(let module): "import of '\(module)' added"
    case .importRemoved(let module): "import of '\(module)' removed"
    }
  }

  package var oldRange: SourceRange? { nil }
  package var newRange: SourceRange? { nil }
}
