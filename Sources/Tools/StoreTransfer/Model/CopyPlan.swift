package import Foundation
package import SchemaModel
package import Trellis

/// The tables to fill and the queries that give their rows. ``CopyEngine`` carries it out.
///
/// The source database is attached to the new store as `source`, read-only and immutable. All fragments are SQL for
/// that connection: `FROM "source"."trip" AS "s"`.
package struct CopyPlan: Sendable {
  /// The name under which the source is attached.
  package static let schema = "source"

  /// The source database.
  package var source: URL
  /// Statements to run before the first table, for example temporary tables with row numbers.
  package var preparations: [SQLFragment]
  /// In this order, which need not follow the references.
  package var tables: [TableCopy]
  /// Functions that the expressions call, besides those that the engine provides; see ``TransferFunctions``.
  package var functions: [TransferFunction]

  package init(
    source: URL, preparations: [SQLFragment] = [], tables: [TableCopy] = [], functions: [TransferFunction] = []
  ) {
    self.source = source
    self.preparations = preparations
    self.tables = tables
    self.functions = functions
  }
}

/// A table of the store and the query for its rows.
package struct TableCopy: Sendable {
  /// The name in reports: a model, or `Model.list` for a join table.
  package var entity: String
  /// The source's name in reports, usually a table.
  package var origin: String
  package var table: String
  /// The columns to fill. The first is the row key; in a join table, the first two are the keys of the pair.
  package var columns: [ColumnCopy]
  /// The source rows, for example `"source"."trip" AS "s" WHERE …`.
  package var rows: SQLFragment
  /// The number that identifies a source row in reports, an integer.
  package var number: SQLFragment
  /// The source values for the list of rejected rows, with their names.
  package var values: [(name: String, expression: SQLFragment)]
  /// The number of rows, if known; for progress.
  package var expectedCount: Int64?
  /// True if ``rows`` already has a condition, so that the engine adds its own with `AND`.
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

/// A column of the store and the expression for its values.
package struct ColumnCopy: Sendable {
  package var name: String
  /// The source's name in reports, usually a column.
  package var origin: String
  /// The value in stored form. A value that cannot be converted must be given as it is, so that the check rejects it.
  package var expression: SQLFragment
  package var form: StoredForm
  /// True if a row without value does not fit.
  package var isRequired: Bool
  /// True for the other side of a one-to-one relationship. If the target was rejected, the value is cleared, and the row
  /// remains.
  package var isDerived = false
  /// The expected values in messages, if ``form`` is not specific enough: `a date`.
  package var noun: String?

  package init(name: String, origin: String, expression: SQLFragment, form: StoredForm, isRequired: Bool) {
    self.name = name
    self.origin = origin
    self.expression = expression
    self.form = form
    self.isRequired = isRequired
  }
}

/// An SQL function for one copy.
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

/// The values that a column of the store accepts.
package enum StoredForm: Sendable, Hashable {
  /// A row key, a reference or a position.
  case key
  case integer(ClosedRange<Int64>)
  case choiceOfIntegers(Set<Int64>)
  /// A real number, or the text `NaN`.
  case real
  case text
  case choice(Set<String>)
  /// Text in the only form that a type writes: `Decimal`, `UUID`, `URL` or `Character`.
  case canonical(ScalarType)
  /// Text in JSON.
  case json
  case data
  /// Data, or the name of the file that contains it.
  case external
}
