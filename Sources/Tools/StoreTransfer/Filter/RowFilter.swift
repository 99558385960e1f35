import CSQLite
import Foundation
import SchemaDiagnostics
package import SchemaModel
package import Trellis

/// A condition on an entity's rows, written as text in `#Predicate` syntax.
///
///     let filter = try RowFilter("$0.tags.count > 3 && $0.kind == .business", entity: "Trip", schema, runtime)
///     switch try filter.selection(in: connection) {
///     case .condition(let sql): …   // SELECT … FROM "Trip" AS "t0" WHERE sql
///     case .keys(let keys): …       // the keys of the matching rows
///     }
///
/// The text becomes a Foundation predicate, which the runtime translates to SQL or evaluates in memory. The result
/// therefore matches a fetch with the same `#Predicate`. No model class is needed.
package struct RowFilter {
  /// The selected rows, as a condition or as keys.
  package enum Selection {
    /// A condition for `SELECT … FROM table AS "t0" WHERE condition`; see ``RowFilter/source``.
    case condition(SQLFragment)
    /// The keys in ascending order, if the runtime cannot translate the whole predicate.
    case keys([Int64])
  }

  private let model: FilterModel
  private let entity: FilterEntity
  private let predicate: Predicate<FilterRow>

  /// - Parameters:
  ///   - text: The condition with `$0`, a closure with a parameter, or the whole macro.
  ///   - entity: The entity whose rows are selected.
  ///   - schema: The schema that declares the entity and the value types.
  ///   - runtime: The runtime's schema for the same version.
  /// - Throws: ``FilterError`` with the position in the text; ``SwiftDataError/unknownSchema`` if the schema has no
  ///   tables.
  package init(_ text: String, entity: String, _ schema: ResolvedSchema, _ runtime: Schema) throws {
    try self.init(text, entity: entity, in: FilterModel(schema, runtime))
  }

  /// Creates a filter for a schema whose tables are already known.
  ///
  /// - Throws: ``FilterError`` with the position in the text.
  package init(_ text: String, entity: String, in model: FilterModel) throws {
    self.model = model
    guard let found = model.entities[entity] else {
      let help = NearestName.find(entity, in: model.entities.keys.sorted()).map { ": did you mean '\($0)'?" } ?? ""
      throw FilterError("the schema has no entity '\(entity)'\(help)", at: 0, in: text)
    }
    self.entity = found
    let syntax = try FilterSyntax(text, entity: entity)
    let variable = FilterVariable<FilterRow>()
    var reader = FilterReader(
      model: model, text: text, parser: syntax.parser,
      names: [syntax.parameter ?? "$0": TypedNode(.row(entity), variable.node)])
    let condition = try reader.condition(syntax.body)
    predicate = Predicate { variable.enter($0, condition).operand }
  }

  /// The entity's table, with the alias that conditions use.
  package var source: SQLFragment {
    "\(name: entity.layout.table) AS \(name: PredicateTranslator.rootAlias)"
  }

  /// The entity's key column, with the alias that conditions use.
  package var key: SQLFragment { "\(column: entity.layout.keyColumn, of: PredicateTranslator.rootAlias)" }

  /// Registers the functions that conditions call.
  package static func prepare(_ connection: Connection) throws {
    let result = PredicateFunctions.register(on: connection.handle)
    guard result == SQLITE_OK else { throw SQLiteError(connection.handle, result: result) }
  }

  /// Returns a condition for the matching rows, or the keys if SQL cannot evaluate the predicate exactly.
  ///
  /// The connection must be prepared; see ``prepare(_:)``. A statement with the condition may fail at a row that SQL
  /// cannot evaluate, for example because an integer overflows. ``PredicateFunctions/isDeclined(_:)`` then returns true
  /// for the error, and ``keys(in:)`` evaluates the rows in memory.
  package func selection(in connection: Connection) throws -> Selection {
    do {
      return .condition(try condition(marks(in: connection)))
    } catch is Untranslatable {
      return .keys(try evaluatedKeys(in: connection))
    }
  }

  /// Returns the keys of the matching rows in ascending order.
  package func keys(in connection: Connection) throws -> [Int64] {
    do {
      let condition = try condition(marks(in: connection))
      return try connection.integers("SELECT \(key) FROM \(source) WHERE \(condition) ORDER BY \(key)")
    } catch is Untranslatable {
      return try evaluatedKeys(in: connection)
    } catch let error as SQLiteError where PredicateFunctions.isDeclined(error) {
      return try evaluatedKeys(in: connection)
    }
  }

  /// Returns the reason why the predicate is evaluated in memory, or `nil` if SQL evaluates it.
  package func reasonForMemory(in connection: Connection) throws -> String? {
    do {
      _ = try condition(marks(in: connection))
      return nil
    } catch let error as Untranslatable {
      return error.reason
    }
  }

  private func marks(in connection: Connection) throws -> ColumnFlags {
    ColumnFlags(try StoreMetadata.marks(connection))
  }

  private func translator(_ marks: ColumnFlags) -> PredicateTranslator {
    PredicateTranslator(layout: model.layout, entity: entity.layout, marks: marks)
  }

  private func condition(_ marks: ColumnFlags) throws -> SQLFragment {
    restricted("(\(try translator(marks).filter(predicate)))")
  }

  /// Limits a condition on a shared table to the entity's rows.
  private func restricted(_ condition: SQLFragment) -> SQLFragment {
    let layout = entity.layout
    guard layout.name != layout.rootName, !layout.discriminators.isEmpty else { return condition }
    let names = layout.discriminators.map { "\(value: .text($0))" as SQLFragment }.joined(separator: ", ")
    return """
      \(column: layout.entityColumn, of: PredicateTranslator.rootAlias) IN (\(names)) AND \(condition)
      """
  }

  /// Evaluates the predicate for every row that satisfies its translatable part.
  private func evaluatedKeys(in connection: Connection) throws -> [Int64] {
    let narrowing = try translator(marks(in: connection)).narrowing(predicate)
    let condition = restricted(narrowing ?? "1")
    let source = FilterSource(connection, model)
    let filter = MemoryFilter(predicate)
    let candidates: [Int64]
    do {
      candidates = try connection.integers("SELECT \(key) FROM \(self.source) WHERE \(condition) ORDER BY \(key)")
    } catch let error as SQLiteError where PredicateFunctions.isDeclined(error) {
      candidates = try connection.integers(
        "SELECT \(key) FROM \(self.source) WHERE \(restricted("1")) ORDER BY \(key)")
    }
    return try candidates.filter { try filter.matches(FilterRow($0, of: entity, in: source)) }
  }
}
