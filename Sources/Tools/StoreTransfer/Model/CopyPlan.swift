package import Foundation
package import SchemaModel
package import Trellis

/// The tables to fill and the queries for the rows. ``CopyEngine`` runs the plan.
///
/// The source database is attached to the new store as `source`, read-only and immutable. All SQL fragments run on that
/// connection: `FROM "source"."trip" AS "s"`.
package struct CopyPlan: Sendable {
  /// The name under which the source is attached.
  package static let schema = "source"
  package static let rowUnit = "row"

  /// The source database.
  package var source: URL
  /// Statements to run before the first table, for example temporary tables with row numbers.
  package var preparations: [SQLFragment]
  /// The tables in copy order. Referenced tables need not come first.
  package var tables: [TableCopy]
  /// SQL functions for the expressions, in addition to the engine's own; see ``TransferFunctions``.
  package var functions: [TransferFunction]
  /// The word for ``TableCopy/number`` in messages.
  package var unit = rowUnit

  package init(
    source: URL, preparations: [SQLFragment] = [], tables: [TableCopy] = [], functions: [TransferFunction] = []
  ) {
    self.source = source
    self.preparations = preparations
    self.tables = tables
    self.functions = functions
  }
}

/// A table in the store and the query for the rows.
package struct TableCopy: Sendable {
  /// The name in reports: a model, or `Model.list` for a join table.
  package var entity: String
  /// The source's name in reports, usually a table.
  package var origin: String
  package var table: String
  /// The columns to fill. The first is the row key; in a join table, the first two are the key pair.
  package var columns: [ColumnCopy]
  /// The source rows, for example `"source"."trip" AS "s" WHERE …`.
  package var rows: SQLFragment
  /// An integer that identifies a source row in reports.
  package var number: SQLFragment
  /// The named source values to report for rejected rows.
  package var values: [(name: String, expression: SQLFragment)]
  /// The row count for progress reports, if known.
  package var expectedCount: Int64?
  /// True if ``rows`` has a condition, which the engine then extends with `AND`.
  package var hasCondition: Bool

  package init(
    entity: String, origin: String, table: String, columns: [ColumnCopy], rows: SQLFragment, number: SQLFragment,
    values: [(name: String, expression: SQLFragment)] = [], expectedCount: Int64? = nil, hasCondition: Bool = false
  ) {
    self.entity = entity
    self.origin = origin
    self.table = table
    self.columns = columns
    self.rows = rows
    self.number = number
    self.values = values
    self.expectedCount = expectedCount
    self.hasCondition = hasCondition
  }
}

/// A column in the store and the expression for the values.
package struct ColumnCopy: Sendable {
  package var name: String
  /// The source's name in reports, usually a column.
  package var origin: String
  /// The value in stored form. Values that cannot be converted must be passed unchanged, so that the check rejects
  /// them.
  package var expression: SQLFragment
  package var form: StoredForm
  /// True if rows with NULL are rejected.
  package var isRequired: Bool
  /// True for the inverse side of a one-to-one relationship. If the target row was rejected, the value is cleared and
  /// the row is kept.
  package var isDerived = false
  /// The expected values in messages, if ``form`` is too general: `a date`.
  package var noun: String?

  package init(name: String, origin: String, expression: SQLFragment, form: StoredForm, isRequired: Bool) {
    self.name = name
    self.origin = origin
    self.expression = expression
    self.form = form
    self.isRequired = isRequired
  }
}

/// A custom SQL function for a copy.
package struct TransferFunction: Sendable {
  package var name: String
  package var argumentCount: Int
  package var body: @Sendable ([SQLValue]) -> SQLValue

  package init(_ name: String, _ argumentCount: Int, _ body: @escaping @Sendable ([SQLValue]) -> SQLValue) {
    self.name = name
    self.argumentCount = argumentCount
    self.body = body
  }
}

/// The values that a column in the store accepts.
package enum StoredForm: Sendable, Hashable {
  /// A row key, a reference or a position.
  case key
  case integer(ClosedRange<Int64>)
  case choiceOfIntegers(Set<Int64>)
  /// A real number, or the text `NaN`.
  case real
  case text
  case choice(Set<String>)
  /// Text in the canonical form for `Decimal`, `UUID`, `URL` or `Character`.
  case canonical(ScalarType)
  /// JSON text.
  case json
  case data
  /// Data, or the name of an external file.
  case external
}
