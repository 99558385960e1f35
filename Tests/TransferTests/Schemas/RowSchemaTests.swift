import SchemaDriver
import SchemaVersions
import SchemaModel
import Foundation
import SchemaFixtures
import StoreCommands
import StoreTransfer
import TestSupport
import Testing

/// Exported rows must match the JSON Schema of their schema.
@Suite struct RowSchemaTests {
  /// Schemas with rows: their fixtures can be written.
  private static let sample = EveryHistory.all.filter { schema in
    let short = ["Schemas/SampleTrips", "Schemas/Inheritance", "Schemas/Values", "Tests/TransferTests/Schemas/Goldens"]
    let long = ["Schemas/Relationships", "Schemas/Access", "Schemas/Several", "Sources/Testing/StoreConformance"]
    return (short + (Repetitions.isThorough ? long : [])).contains(schema.folder)
  }

  @Test(arguments: sample) func exportedRowsMatch(_ schema: EveryHistory) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "rows-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appending(path: "rows.store")
    let (history, head) = (schema.history, schema.history.head)
    try SchemaFixture(head, of: history, files: schema.files, module: "App", rows: 12).write(to: store)
    let report = try RowExport(StoreSource(store), .ndjson).write(to: folder)
    let target = try TransferTarget(head, in: history, files: schema.files, module: "App")
    let document = try RowSchema(target).text
    let validator = try JSONSchemaValidator(document)
    var rows = 0
    for table in report.tables {
      let lines = try String(contentsOf: folder.appending(path: table.file), encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: true)
      for line in lines {
        let row = try JSONSerialization.jsonObject(with: Data(line.utf8))
        #expect(validator.problem(row, table.name) == nil, "\(table.name): \(line)")
        let object = try #require(row as? [String: Any])
        rows += 1
        // Any other row is rejected.
        for key in object.keys.sorted().prefix(3) {
          var broken = object
          broken.removeValue(forKey: key)
          #expect(validator.problem(broken, table.name) != nil, "\(table.name) without \(key)")
        }
        #expect(validator.problem(object.merging(["another": 1]) { $1 }, table.name) != nil)
        #expect(validator.problem(object.merging(["id": "text"]) { $1 }, table.name) != nil)
      }
    }
    #expect(rows > head.entities.count)
  }

  @Test func wrongValuesAreRejected() throws {
    let schema = try EveryHistory.golden()
    let target = try TransferTarget(
      schema.history.head, in: schema.history, files: schema.files, module: "App")
    let validator = try JSONSchemaValidator(RowSchema(target).text)
    let row: [String: Any] = [
      "id": 1, "entity": "Vessel", "name": "Tern", "port": "Oslo", "built": "2001-01-01T00:00:00Z",
      "callSign": "8D0FB8B5-4C4B-4B9C-9C61-2F4B9A3D0F11", "tonnage": "1.5", "kind": "misc",
      "state": ["moored": ["berth": 2]], "position": ["lat": 1.5, "lon": 2, "accuracy": 1], "flags": ["a"],
      "hours": ["mon": 8], "photo": NSNull(), "registry": true, "registry.country": "NO", "registry.number": NSNull(),
      "visits": 3, "pull": NSNull(),
    ]
    #expect(validator.problem(row, "Vessel") == nil)
    let wrong: [(String, Any)] = [
      ("entity", "Sailor"), ("name", NSNull()), ("built", true), ("tonnage", 1.5), ("kind", "cargos"),
      ("state", ["moored": ["place": 2]]), ("state", ["lost": [:] as [String: Any]]), ("position", ["lat": 1.5]),
      ("flags", "a"), ("hours", ["mon": "8"]), ("visits", 3_000_000_000), ("pull", 1.5), ("registry", 1),
    ]
    for (key, value) in wrong {
      #expect(validator.problem(row.merging([key: value]) { $1 }, "Vessel") != nil, "\(key) = \(value)")
    }
    // A tug needs the value that other vessels cannot have.
    #expect(validator.problem(row.merging(["entity": "Tug", "pull": 1.5]) { $1 }, "Vessel") == nil)
    #expect(validator.problem(row.merging(["entity": "Tug"]) { $1 }, "Vessel") != nil)
  }
}

/// The part of JSON Schema that exported schemas use. Unknown keywords are errors.
private struct JSONSchemaValidator {
  private let document: [String: Any]
  private let definitions: [String: Any]

  init(_ text: String) throws {
    document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    definitions = try #require(document["$defs"] as? [String: Any])
    #expect(document["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    for case let reference as [String: String] in document["anyOf"] as? [Any] ?? [] {
      #expect(definitions[String(reference["$ref"]?.dropFirst("#/$defs/".count) ?? "")] != nil)
    }
  }

  /// Returns the first problem of a value with a definition.
  func problem(_ value: Any, _ definition: String) -> String? { check(value, definitions[definition] ?? false) }

  private func check(_ value: Any, _ schema: Any) -> String? {
    if let flag = schema as? Bool { return flag ? nil : "nothing is accepted" }
    guard let schema = schema as? [String: Any] else { return "not a schema" }
    for (keyword, rule) in schema.sorted(by: { $0.key < $1.key }) {
      if let problem = check(value, keyword, rule, schema) { return "\(keyword): \(problem)" }
    }
    return nil
  }

  private func check(_ value: Any, _ keyword: String, _ rule: Any, _ schema: [String: Any]) -> String? {
    let rules = rule as? [Any] ?? []
    let object = value as? [String: Any]
    switch keyword {
    case "description", "format", "contentEncoding": return nil
    case "type": return type(of: value).contains(rule as? String ?? "") ? nil : "\(value) is not \(rule)"
    case "enum": return rules.contains { isEqual($0, value) } ? nil : "\(value) is none of \(rules)"
    case "const": return isEqual(rule, value) ? nil : "\(value) is not \(rule)"
    case "anyOf": return rules.contains { check(value, $0) == nil } ? nil : "\(value) matches nothing"
    case "oneOf": return rules.count { check(value, $0) == nil } == 1 ? nil : "\(value) does not match one"
    case "not": return check(value, rule) == nil ? "\(value) matches" : nil
    case "$ref": return check(value, definitions[String((rule as? String ?? "").dropFirst("#/$defs/".count))] ?? false)
    case "minimum": return number(value) >= number(rule) ? nil : "\(value) is too small"
    case "maximum": return number(value) <= number(rule) ? nil : "\(value) is too large"
    case "minItems": return (value as? [Any])?.count ?? 0 >= Int(number(rule)) ? nil : "too few"
    case "maxItems": return (value as? [Any])?.count ?? 0 <= Int(number(rule)) ? nil : "too many"
    case "uniqueItems": return nil
    case "items": return (value as? [Any])?.lazy.compactMap { check($0, rule) }.first
    case "required":
      return object.flatMap { object in rules.first { object[$0 as? String ?? ""] == nil }.map { "no \($0)" } }
    case "properties":
      return (rule as? [String: Any])?.sorted { $0.key < $1.key }.lazy.compactMap { key, rule in
        object?[key].flatMap { check($0, rule) }.map { "\(key): \($0)" }
      }.first
    case "additionalProperties":
      let known = schema["properties"] as? [String: Any] ?? [:]
      return object?.filter { known[$0.key] == nil }.lazy.compactMap { check($0.value, rule) }.first
    default: return "unknown keyword"
    }
  }

  private func type(of value: Any) -> Set<String> {
    switch value {
    case is NSNull: return ["null"]
    case is [String: Any]: return ["object"]
    case is [Any]: return ["array"]
    case let number as NSNumber where isBoolean(number): return ["boolean"]
    case let number as NSNumber:
      return number.doubleValue.rounded() == number.doubleValue ? ["integer", "number"] : ["number"]
    default: return ["string"]
    }
  }

  private func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
  private func number(_ value: Any) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }

  private func isEqual(_ one: Any, _ other: Any) -> Bool {
    if let one = one as? String { return one == other as? String }
    guard let one = one as? NSNumber, let other = other as? NSNumber else { return false }
    return isBoolean(one) == isBoolean(other) && one == other
  }
}
