import CSQLite
import Foundation
import SchemaDiagnostics
import SchemaModel
package import Trellis

/// A condition on an entity's rows, written as text in `#Predicate` syntax.
///
///     let filter = try RowFilter("$0.tags.count > 3 && $0.kind == .business", entity: "Trip", in: source.target)
///     switch try filter.selection(in: source.connection) {
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
  ///   - target: The store's schema.
  /// - Throws: ``FilterError`` with the position in the text.
  package init(_ text: String, entity: String, in target: TransferTarget) throws {
    try self.init(text, entity: entity, in: FilterModel(target.resolved, target.catalogue.layout))
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
  /// An SQLite connection must be prepared; see ``prepare(_:)``. A statement with the condition may fail at a row that SQL
  /// cannot evaluate, for example because an integer overflows. ``PredicateFunctions/isDeclined(_:)`` then returns true
  /// for the error, and ``keys(in:)`` evaluates the rows in memory.
  package func selection(in store: any StoreQueries) throws -> Selection {
    do {
      return .condition(try condition(in: store))
    } catch is Untranslatable {
      return .keys(try evaluatedKeys(in: store))
    }
  }

  /// Returns the keys of the matching rows in ascending order.
  package func keys(in store: any StoreQueries) throws -> [Int64] {
    do {
      let condition = try condition(in: store)
      return try store.integers("SELECT \(key) FROM \(source) WHERE \(condition) ORDER BY \(key)")
    } catch is Untranslatable {
      return try evaluatedKeys(in: store)
    } catch let error as SQLiteError where PredicateFunctions.isDeclined(error) {
      return try evaluatedKeys(in: store)
    }
  }

  /// Returns the reason why the predicate is evaluated in memory, or `nil` if SQL evaluates it.
  package func reasonForMemory(in store: any StoreQueries) throws -> String? {
    do {
      _ = try condition(in: store)
      return nil
    } catch let error as Untranslatable {
      return error.reason
    }
  }

  private func translator(in store: any StoreQueries) throws -> PredicateTranslator {
    PredicateTranslator(
      layout: model.layout, entity: entity.layout, marks: try store.flags(), dialect: store.dialect)
  }

  private func condition(in store: any StoreQueries) throws -> SQLFragment {
    restricted("(\(try translator(in: store).filter(predicate)))")
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
  private func evaluatedKeys(in store: any StoreQueries) throws -> [Int64] {
    let narrowing = try translator(in: store).narrowing(predicate)
    let every = store.dialect.condition(true)
    let condition = restricted(narrowing ?? every)
    let source = FilterSource(store, model)
    let filter = MemoryFilter(predicate)
    let candidates: [Int64]
    do {
      candidates = try store.integers("SELECT \(key) FROM \(self.source) WHERE \(condition) ORDER BY \(key)")
    } catch let error as SQLiteError where PredicateFunctions.isDeclined(error) {
      candidates = try store.integers(
        "SELECT \(key) FROM \(self.source) WHERE \(restricted(every)) ORDER BY \(key)")
    }
    return try candidates.filter { try filter.matches(FilterRow($0, of: entity, in: source)) }
  }
}
