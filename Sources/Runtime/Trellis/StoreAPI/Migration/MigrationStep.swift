/// What a stage of a migration does beside changing the shape of the store. Not in SwiftData.
///
/// Fills run while the rows of a model are carried over; then the other steps, in their order, and then
/// the unique constraints of the new version are put up.
public struct MigrationStep: Sendable {
  enum Kind: Sendable {
    case fill(MigrationFill)
    case dedupe(MigrationDedupe)
    case custom(String, @Sendable (MigrationRows) throws -> Void)
    case accept([String])
  }

  let kind: Kind

  /// Gives properties of a model their values, row by row.
  ///
  /// - Parameters:
  ///   - old: the values of the model in the version the stage starts from.
  ///   - new: those in the version it leads to.
  ///   - properties: the stored properties and to-one relationships that the closure sets. They need no
  ///     default value. What it does to others is not kept.
  ///   - body: called with the old row and the new one, in which all other properties have the values
  ///     they are going to have. An error it throws ends the migration.
  public static func fill<Old: ModelSnapshot, New: ModelSnapshot>(
    _ old: Old.Type, _ new: New.Type, _ properties: [String],
    _ body: @escaping @Sendable (_ old: Old, _ new: inout New) throws -> Void
  ) -> MigrationStep {
    MigrationStep(kind: .fill(TypedFill(properties, body)))
  }

  /// The row that stays of those with the same values.
  public enum Kept: Sendable, Hashable {
    /// The one that was inserted last.
    case newest
    /// The one that was inserted first.
    case oldest
  }

  /// Leaves one of all rows that have the same values, so that a unique constraint can be put up.
  ///
  /// References to the rows that go, and their places in lists, lead to the row that stays. Rows in
  /// which one of the values is nil have no equals.
  ///
  /// - Parameters:
  ///   - model: the model, of the version the stage leads to.
  ///   - properties: the properties of the constraint.
  ///   - keep: which row stays.
  public static func dedupe<T: PersistentModel>(
    _ model: T.Type, on properties: [String], keep: Kept = .newest
  ) -> MigrationStep {
    MigrationStep(
      kind: .dedupe(MigrationDedupe(model: T._$definition, properties: properties, keep: keep)))
  }

  /// Runs code that sees the old rows and the new ones at the same time.
  ///
  /// - Parameters:
  ///   - name: names the step in errors and progress.
  ///   - body: makes of the rows what the stage cannot. The new rows already have what follows by
  ///     itself and from fills. An error it throws ends the migration.
  public static func custom(
    _ name: String, _ body: @escaping @Sendable (_ rows: MigrationRows) throws -> Void
  ) -> MigrationStep {
    MigrationStep(kind: .custom(name, body))
  }

  /// Lets the former values of properties go that are kept in another way now, and do not follow.
  ///
  /// A property that is no longer there is dropped without a word, as in SwiftData. One that is still
  /// there, as something else (a list of another model, say), ends the migration before it begins,
  /// unless a step gives it values or they are accepted to go. Of a list that is a reference now one
  /// member stays, the one that was inserted first.
  ///
  ///     .accept(["Team.sponsors"])
  ///
  /// - Parameter properties: as `Model.property`, in the words of the version the stage leads to.
  public static func accept(_ properties: [String]) -> MigrationStep {
    MigrationStep(kind: .accept(properties))
  }
}

extension MigrationStep {
  /// The properties a fill gives values, as `Model.property`.
  package var filledProperties: [String] {
    guard case .fill(let fill) = kind else { return [] }
    return fill.properties.map { "\(fill.new.entityName).\($0)" }
  }

  /// Whether code of the program does it.
  package var isCustom: Bool { if case .custom = kind { true } else { false } }

  /// The model of which rows may go.
  package var dedupedModel: String? {
    guard case .dedupe(let dedupe) = kind else { return nil }
    return dedupe.model.entityName
  }
}

/// Which rows of a model are the same.
struct MigrationDedupe: Sendable {
  let model: ModelDefinition
  let properties: [String]
  let keep: MigrationStep.Kept
}

/// A fill whose types are known to a subclass.
class MigrationFill: @unchecked Sendable {  // never written
  let old: ModelDefinition
  let new: ModelDefinition
  let properties: [String]

  init(old: ModelDefinition, new: ModelDefinition, properties: [String]) {
    self.old = old
    self.new = new
    self.properties = properties
  }

  /// Sets the parameters of the properties from an old row and the converted one.
  func run(
    old: inout StatementRow, new: inout StatementRow, into row: inout StatementBinder
  ) throws {}
}

final class TypedFill<Old: ModelSnapshot, New: ModelSnapshot>: MigrationFill, @unchecked Sendable {  // as above
  private let body: @Sendable (Old, inout New) throws -> Void

  init(_ properties: [String], _ body: @escaping @Sendable (Old, inout New) throws -> Void) {
    self.body = body
    super.init(old: Old.Model._$definition, new: New.Model._$definition, properties: properties)
  }

  override func run(
    old: inout StatementRow, new: inout StatementRow, into row: inout StatementBinder
  ) throws {
    let before = try Old.read(&old)
    var after = try New.read(&new)
    try body(before, &after)
    try after.write(to: &row)
  }
}
