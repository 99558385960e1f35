package import SchemaDiagnostics
package import SchemaDiff
package import SchemaModel

/// The way in which a row-affecting change is handled.
package enum ChangeHandling: String, Sendable {
  case accepted, filled, deduplicated
  case custom = "carried by custom"
  /// Rows keep their values, and no step is needed.
  case automatic
}

/// The migration from one version to the next.
package struct PlannedStage: Sendable {
  /// The explicit values for a model's rows.
  package struct Filling: Sendable {
    /// The model's older name.
    package var oldEntity: String
    package var newEntity: String
    /// In source order.
    package var fills: [MigrationFill]
  }

  let versions: VersionPair
  package let changes: [SchemaChange]
  /// How the migration handles each of ``changes``; `nil` if a change needs no handling or is ``unhandled``.
  package var handlings: [ChangeHandling?] = []
  /// One entry for each concrete model with values to fill, in the newer version's order.
  package var fillings: [Filling] = []
  package var dedupes: [MigrationDedupe] = []
  package var customs: [MigrationCustom] = []
  package var acceptances: [MigrationAcceptance] = []
  /// Properties, as `Model.property`, that are stored differently and whose former values may be discarded.
  package var lettingGo: [String] = []
  /// Changes that the migration does not handle.
  package var unhandled: [UnhandledChange] = []
  /// Diagnostics for unhandled changes and errors in the migration.
  package var diagnostics: [Diagnostic] = []

  package var from: ResolvedSchema { versions.old }
  package var to: ResolvedSchema { versions.new }

  /// True if rows are migrated automatically, with no code in the schema or app.
  package var isLightweight: Bool {
    fillings.isEmpty && dedupes.isEmpty && customs.isEmpty && lettingGo.isEmpty
  }
}
