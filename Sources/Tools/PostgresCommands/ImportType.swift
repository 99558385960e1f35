import StoreTransfer
import Trellis

/// A type in the server's catalogue.
struct ServerType {
  var name: String
  /// `b` base, `c` composite, `d` domain, `e` enum, `r` range, `m` multirange.
  var kind: String
  var category: String
  /// An array's element type, or 0.
  var element: Int64
  /// A domain's base type, or 0.
  var base: Int64
  var isRequired: Bool
  var defaultValue: String?
  /// An enum's labels.
  var labels: [String] = []
  /// A domain's constraints.
  var checks: [String] = []
}

/// A column's Swift type, and how to read the values.
struct ImportType {
  /// How the server's values are stored in the temporary database.
  enum Form {
    /// An unchanged integer or text.
    case plain
    case double, float
    /// A decimal number with trailing zeros removed, so that equal numbers have equal text.
    case numeric
    /// Hexadecimal digits.
    case bytes
  }

  var type: ForeignType
  var form = Form.plain
  /// The type name; for a domain, the base type's name.
  var name: String
  /// Returns the query expression for a value, for example a column.
  var expression: @Sendable (SQLFragment) -> SQLFragment = { "\($0)::text" }
  /// A difference between the type and the Swift type, for the report.
  var remark: String?
  /// The enum type, or the domain that lists the permitted values.
  var enumName: String?
  var isRequired = false
  var defaultValue: String?
  /// The domain's constraints that a schema cannot express.
  var checks: [String] = []
  var isInteger: Bool { type == .integer || type == .exact("Int32") || type == .exact("Int16") }
}

/// A database's types.
struct ImportTypes {
  private let types: [Int64: ServerType]

  init(_ types: [Int64: ServerType]) { self.types = types }

  func type(_ number: Int64) -> ImportType {
    guard let type = types[number] else { return ImportType(type: .text, name: "", remark: "has an unknown type") }
    switch type.kind {
    case "d": return domain(type)
    case "e" where !type.labels.isEmpty:
      return ImportType(type: .choice(texts: type.labels), name: type.name, enumName: type.name)
    case "b" where type.category == "A" && type.element != 0: return array(type)
    default: return scalar(number, type.name)
    }
  }

  private func domain(_ domain: ServerType) -> ImportType {
    var type = self.type(domain.base)
    for check in domain.checks where !type.restrict(ImportExpression(check), "VALUE", enumName: domain.name) {
      type.checks.append(check)
    }
    if domain.isRequired { type.isRequired = true }
    type.defaultValue = domain.defaultValue ?? type.defaultValue
    return type
  }

  private func scalar(_ number: Int64, _ name: String) -> ImportType {
    switch number {
    case 16: ImportType(type: .boolean, name: name) { $0 }
    case 20: ImportType(type: .integer, name: name) { $0 }
    case 23: ImportType(type: .exact("Int32"), name: name) { $0 }
    case 21: ImportType(type: .exact("Int16"), name: name) { $0 }
    case 26: ImportType(type: .integer, name: name) { "\($0)::bigint" }
    case 700: ImportType(type: .exact("Float"), form: .float, name: name)
    case 701: ImportType(type: .real, form: .double, name: name)
    case 1700: ImportType(type: .decimal, form: .numeric, name: name)
    case 790: ImportType(type: .decimal, form: .numeric, name: name) { "\($0)::numeric::text" }
    case 18, 19, 25, 1042, 1043: ImportType(type: .text, name: name)
    case 2950: ImportType(type: .uuid, name: name)
    case 17: ImportType(type: .data, form: .bytes, name: name) { "encode(\($0), 'hex')" }
    case 1082, 1114, 1184: ImportType(type: .date(.iso), name: name)
    case 114, 3802:
      ImportType(
        type: .text, name: name,
        remark: "contains JSON, which becomes text; if its structure is known, decode it into a Codable property")
    // Avoids the cast to text, which appends the mask length to an address.
    case 869:
      ImportType(type: .text, name: name, expression: { "textin(inet_out(\($0)))" }, remark: Self.remark(name))
    default: ImportType(type: .text, name: name, remark: Self.remark(name))
    }
  }

  private static func remark(_ name: String) -> String {
    "has the type \(name), whose values become PostgreSQL's text form"
  }

  // MARK: arrays

  /// Converts an array to JSON. Arrays with NULL or several dimensions keep PostgreSQL's text form, which is not JSON,
  /// so that the row is rejected.
  private func array(_ array: ServerType) -> ImportType {
    let element = type(array.element)
    var item: @Sendable (SQLFragment) -> SQLFragment = { "\($0)::text" }
    var isUnfit: @Sendable (SQLFragment) -> SQLFragment = { _ in "FALSE" }
    var swift = element.type
    var remark: String? = nil
    switch element.type {
    case .integer: item = element.expression
    case .boolean, .exact, .real, .choiceOfIntegers: item = { $0 }
    case .text:
      item = element.expression
      if element.remark != nil {
        remark = "has the type \(array.name), whose elements become PostgreSQL's text form"
      }
    case .choice: break
    case .uuid: item = { "upper(\($0)::text)" }
    case .decimal:
      item = { "\($0)::numeric" }
      isUnfit = {
        "\($0)::numeric::text !~ '^[-0-9.]+$' OR length(translate(\($0)::numeric::text, '-.', '')) > 38"
      }
    case .data: item = { "translate(encode(\($0), 'base64'), \(literal: "\n"), '')" }
    case .date:
      item = { "extract(epoch FROM \($0)) - 978307200" }
      isUnfit = { "NOT isfinite(\($0))" }
    case .list: swift = .text
    }
    if case .date = swift { swift = .exact("Date") }
    return ImportType(
      type: .list(swift), name: array.name,
      expression: { [item, isUnfit] value in
        """
        CASE WHEN array_ndims(\(value)) > 1 THEN \(value)::text
        WHEN EXISTS (SELECT FROM unnest(\(value)) AS e(v) WHERE e.v IS NULL OR \(isUnfit("e.v"))) THEN \(value)::text
        WHEN \(value) IS NOT NULL THEN to_json(ARRAY(SELECT \(item("e.v"))
        FROM unnest(\(value)) WITH ORDINALITY AS e(v, n) ORDER BY e.n))::text END
        """
      }, remark: remark, enumName: element.enumName)
  }
}

extension ImportType {
  /// Makes the type an enum if a constraint lists the permitted values.
  ///
  /// - Returns: False if the constraint has a different form.
  mutating func restrict(_ constraint: ImportExpression, _ column: String, enumName: String?) -> Bool {
    guard let choices = constraint.choices, choices.column == column else { return false }
    switch choices.values {
    case .texts(let texts) where type == .text && remark == nil: type = .choice(texts: texts)
    case .integers(let numbers) where isInteger && Set(numbers) == [0, 1]: type = .boolean
    case .integers(let numbers) where isInteger: type = .choiceOfIntegers(numbers)
    default: return false
    }
    self.enumName = enumName
    return true
  }
}

extension ImportTypes {
  /// Reads the tables' column types, including element and base types.
  static func read(_ connection: ImportConnection, _ tables: SQLFragment) throws -> ImportTypes {
    let rows = try connection.rows(
      """
      WITH RECURSIVE used(number) AS (
      SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = ANY (\(tables)) AND a.attnum > 0 AND NOT a.attisdropped
      UNION SELECT v.number FROM used u JOIN pg_type t ON t.oid = u.number
      CROSS JOIN LATERAL (VALUES (t.typbasetype), (t.typelem)) AS v(number) WHERE v.number <> 0)
      SELECT t.oid::bigint, format_type(t.oid, NULL), t.typtype::text, t.typcategory::text, t.typelem::bigint,
      t.typbasetype::bigint, t.typnotnull, t.typdefault, t.typname::text, n.nspname::text
      FROM used u JOIN pg_type t ON t.oid = u.number JOIN pg_namespace n ON n.oid = t.typnamespace ORDER BY t.oid
      """)
    var types: [Int64: ServerType] = [:]
    let schemas = Dictionary(grouping: rows, by: { $0[8] })
    for row in rows {
      let kind = row[2].string ?? ""
      // Enum and domain names become Swift names, so they are qualified only if necessary.
      let isShared = (schemas[row[8]]?.count ?? 0) > 1
      let schema = isShared && row[9].string != "public" ? "\(row[9].string ?? "")." : ""
      let name = kind == "e" || kind == "d" ? schema + (row[8].string ?? "") : row[1].string ?? ""
      types[row[0].number ?? 0] = ServerType(
        name: name, kind: kind, category: row[3].string ?? "", element: row[4].number ?? 0, base: row[5].number ?? 0,
        isRequired: row[6].isTrue, defaultValue: row[7].string)
    }
    let list: SQLFragment = "\(value: .list(types.keys.sorted().map { .integer($0) }))::oid[]"
    for row in try connection.rows(
      "SELECT enumtypid::bigint, enumlabel::text FROM pg_enum WHERE enumtypid = ANY (\(list)) ORDER BY enumsortorder")
    {
      types[row[0].number ?? 0]?.labels.append(row[1].string ?? "")
    }
    for row in try connection.rows(
      """
      SELECT contypid::bigint, pg_get_constraintdef(oid) FROM pg_constraint
      WHERE contypid = ANY (\(list)) AND contype = 'c' ORDER BY oid
      """)
    {
      types[row[0].number ?? 0]?.checks.append(row[1].string ?? "")
    }
    return ImportTypes(types)
  }
}
