import SchemaDiagnostics
import SchemaFormat
import SchemaImport
import SchemaModel
import SchemaVersions

/// A schema for a source database, with a model for each table and the origin of each property.
package struct SchemaDraft: Sendable {
  package let name: String
  package let database: ForeignDatabase
  package let models: [DraftModel]
  package let enums: [DraftEnum]
  /// Tables that contain only pairs.
  package let joins: [DraftJoin]
  package let notes: [TransferNote]

  /// - Parameter name: The schema's name, a Swift type name.
  package init(_ database: ForeignDatabase, name: String) {
    var builder = DraftBuilder(database, name: name)
    builder.build()
    self.name = name
    self.database = database
    models = builder.models
    enums = builder.enums
    joins = builder.joins
    notes = builder.notes
  }

  package func model(of table: String) -> DraftModel? { models.first { $0.table.name == table } }

  /// The schema file, formatted as by `trellis format`.
  package var text: String { SchemaFormatter.format(DraftText(self).text) }

  /// - Throws: ``TransferError`` with the compiler's errors. Please report them: every draft should compile.
  package func target(module: String) throws -> TransferTarget {
    let file = SourceFile(path: "\(name).schema", text: text)
    let compilation = SchemaCompiler.compile([file])
    guard !compilation.hasErrors, let head = compilation.schemas.first else {
      let errors = compilation.diagnostics.filter { $0.severity == .error }.map(\.message)
      throw TransferError(
        "the schema for this database does not compile, which is a fault of the import: "
          + errors.joined(separator: "; "))
    }
    return try TransferTarget(head, in: SchemaHistory(head: head, frozen: []), files: [file], module: module)
  }
}

package struct DraftModel: Sendable {
  package var name: String
  package var table: ForeignTable
  package var properties: [DraftProperty] = []
  /// Constraints on several properties or on a relationship.
  package var uniques: [[String]] = []
  package var indexes: [[String]] = []

  func property(of column: String) -> DraftProperty? {
    properties.first { $0.columns == [column] && $0.inverse == nil }
  }
}

package struct DraftProperty: Sendable {
  package enum Kind: Sendable {
    case attribute(type: String, isUnique: Bool, defaultValue: String?)
    /// A reference along a foreign key.
    case reference(ForeignKey)
    /// The inverse of a reference: a list unless the foreign key is unique.
    case inverse(of: ForeignKey, from: String, isList: Bool, deleteRule: String)
    /// A list stored in a join table.
    case members(join: Int, isOwner: Bool)
  }

  package var name: String
  /// The source columns; empty for inverses and lists.
  package var columns: [String]
  package var kind: Kind
  package var isOptional: Bool
  /// The destination class.
  package var destination = ""
  /// The inverse, for the side that declares it: `Post.author`.
  package var inverse: String?
}

package struct DraftEnum: Sendable {
  package var name: String
  /// `String` or `Int`.
  package var rawType: String
  /// The database's enum type, if it has one.
  package var origin: String?
  /// The case names and the raw values in source form.
  package var cases: [(name: String, value: String)]
}

/// A table that becomes a many-to-many relationship.
package struct DraftJoin: Sendable {
  package var table: ForeignTable
  /// The foreign keys to the list's owner and members.
  package var owner: ForeignKey
  package var member: ForeignKey
  /// The model and the list that own the pairs.
  package var ownerModel = ""
  package var ownerList = ""
}

/// A message about an import.
package struct TransferNote: Sendable, Hashable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    /// A part is missing in the schema or the store.
    case notCarried = "not-carried"
    /// A part has a different meaning, or should be checked.
    case check
    /// The values may be dates.
    case date
  }

  package var kind: Kind
  /// A table, a column (`trips.created_at`) or another object.
  package var subject: String
  package var message: String

  package init(_ kind: Kind, _ subject: String, _ message: String) {
    self.kind = kind
    self.subject = CoreDataSpelling.line(subject)
    self.message = CoreDataSpelling.line(message)
  }

  package var text: String { "\(subject): \(kind.rawValue): \(message)" }
}
