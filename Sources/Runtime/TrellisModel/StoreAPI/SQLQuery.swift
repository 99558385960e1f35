public import Foundation

/// A handwritten SQL statement. Interpolated values are bound as parameters and never become text.
///
/// ```swift
/// let kinds: [TripKind] = [.business, .personal]
/// let query: SQLQuery = "SELECT count(*) FROM \(Trip.self) WHERE \(\Trip.kind) IN \(kinds)"
/// let count = try context.rows(query, as: Int.self).first
/// ```
///
/// | interpolation | in the statement |
/// |---|---|
/// | a value or an optional | a parameter with the stored form |
/// | an array or a set | parameters for `IN`, in parentheses unless the text already has them |
/// | a ``PersistentIdentifier`` | a parameter with the model's row key |
/// | `\(Trip.self)` | the quoted table name |
/// | `\(\Trip.name)`, `\(\Trip.persistentModelID)` | the quoted column name, or the primary key's name |
/// | a query | that query's text and values |
///
/// See <doc:YourOwnSQL>. Not in SwiftData.
public struct SQLQuery: Sendable, ExpressibleByStringInterpolation {
  package enum Part: Sendable {
    case text(String)
    /// A value and the type's scalar kind; nil for a type that SQL cannot compare.
    case value(any Encodable & Sendable, ScalarKind?)
    case list([any Encodable & Sendable], ScalarKind?)
    case table(ModelDefinition)
    /// The column at a slot; nil for the primary key.
    case column(ModelDefinition, slot: Int?)
    /// A key path that has no column, by property or model name.
    case unknown(String)
  }

  package private(set) var parts: [Part]

  /// Creates a statement that has no values.
  ///
  /// ```swift
  /// let query: SQLQuery = "SELECT name, budget FROM Trip ORDER BY startDate"
  /// ```
  ///
  /// - Parameter text: SQL in the store's dialect.
  public init(stringLiteral text: String) { parts = [.text(text)] }

  /// Creates a statement from an interpolated string.
  ///
  /// ```swift
  /// let city = "Oslo"
  /// let query: SQLQuery = "SELECT \(\Trip.name) FROM \(Trip.self) WHERE \(\Trip.destination) = \(city)"
  /// // SELECT "name" FROM "Trip" WHERE "destination" = ?
  /// ```
  ///
  /// - Parameter stringInterpolation: The literal's text and values, collected by the compiler.
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The models whose table or column names appear in the statement.
  package var models: [ModelDefinition] {
    parts.compactMap { part in
      switch part {
      case .table(let definition), .column(let definition, _): definition
      default: nil
      }
    }
  }

  /// A literal's text and values.
  ///
  /// Swift collects the parts of a literal in this type. To reuse a condition, interpolate it as a query:
  ///
  /// ```swift
  /// let upcoming: SQLQuery = "\(\Trip.startDate) > \(Date.now)"
  /// let names: SQLQuery = "SELECT \(\Trip.name) FROM \(Trip.self) WHERE \(upcoming)"
  /// let count: SQLQuery = "SELECT count(*) FROM \(Trip.self) WHERE \(upcoming)"
  /// ```
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    /// Creates an empty statement.
    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Adds SQL.
    public mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

    /// Adds a parameter with a value; NULL for nil.
    public mutating func appendInterpolation<V: Encodable & Sendable>(_ value: V?) {
      parts.append(.value(value, .of(V.self)))
    }

    /// Adds parameters for `IN`, in parentheses unless the preceding text ends with an opening parenthesis.
    public mutating func appendInterpolation<V: Encodable & Sendable>(_ values: [V]) {
      parts.append(.list(values, .of(V.self)))
    }

    /// Adds parameters for `IN`, in parentheses unless the preceding text ends with an opening parenthesis.
    public mutating func appendInterpolation<V: Encodable & Sendable>(_ values: Set<V>) {
      parts.append(.list(Array(values), .of(V.self)))
    }

    /// Adds a model's quoted table name.
    public mutating func appendInterpolation<M: PersistentModel>(_ model: M.Type) {
      parts.append(.table(M._$definition))
    }

    /// Adds the quoted column name of an attribute, a to-one relationship or the identifier.
    public mutating func appendInterpolation<M: PersistentModel, V>(_ keyPath: KeyPath<M, V>) {
      let definition = M._$definition
      let paths = ModelPaths.of(M.self)
      let property = definition.layout.property(for: keyPath) ?? paths.ownIdentifier(keyPath, definition)
      if let property, !property.kind.isToMany, property.slot >= 0 {
        parts.append(.column(definition, slot: property.slot))
      } else if property == nil, paths.isIdentifier(keyPath) {
        parts.append(.column(definition, slot: nil))
      } else {
        let entity = definition.entityName
        parts.append(.unknown(property.map { "'\(entity).\($0.name)'" } ?? "the key path of '\(entity)'"))
      }
    }

    /// Adds a query's text and values.
    public mutating func appendInterpolation(_ query: SQLQuery) { parts += query.parts }
  }
}

/// An error in a handwritten query that the database does not report.
///
/// ```swift
/// struct Cost: Decodable {
///   let name: String
///   let budget: Decimal
/// }
/// do {
///   let costs = try context.rows("SELECT name, budget FROM \(Trip.self)", as: Cost.self)
///   print(costs.count)
/// } catch let error as SQLQueryError where error.code == .nullValue {
///   print(error.column ?? "", error.row ?? 0)  // budget 3
/// }
/// ```
///
/// Not in SwiftData.
public struct SQLQueryError: Error, Sendable, Hashable {
  /// The reason for the error.
  ///
  /// ```swift
  /// do {
  ///   print(try context.rows("SELECT count(*) FROM \(Trip.self)", as: Int.self))
  /// } catch let error as SQLQueryError where error.code == .unsupportedStore {
  ///   print(try context.fetchCount(FetchDescriptor<Trip>()))  // a custom store
  /// }
  /// ```
  public enum Code: String, Sendable, Hashable {
    /// The store does not support SQL, for example a custom store.
    case unsupportedStore
    /// The container has several stores, and neither the call nor the statement's models select a store.
    case unknownStore
    /// The statement writes, is not a single statement, or has unbound parameters.
    case refusedStatement
    /// A model is not in the store, or a key path has no column.
    case unknownName
    /// The result has no column with the property's name, or more than one.
    case missingColumn
    /// A column is NULL, and the property is not optional.
    case nullValue
    /// A value cannot be bound, or does not have the property's type.
    case invalidValue
  }

  /// The reason for the error.
  public let code: Code
  /// The result column; nil if the error affects the whole statement.
  public let column: String?
  /// The row number, starting at 1; nil if the error affects the whole statement.
  public let row: Int?
  /// The reason for the error and a suggested solution.
  public let message: String

  package init(_ code: Code, _ message: String, column: String? = nil, row: Int? = nil) {
    self.code = code
    self.message = message
    self.column = column
    self.row = row
  }
}

extension SQLQueryError: LocalizedError, CustomStringConvertible {
  public var description: String {
    let places = [column.map { "column '\($0)'" }, row.map { "row \($0)" }].compactMap(\.self)
    return places.isEmpty ? message : "\(places.joined(separator: ", ")): \(message)"
  }

  public var errorDescription: String? { description }
}
