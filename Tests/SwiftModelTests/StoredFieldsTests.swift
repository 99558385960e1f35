import Foundation
import Testing
import TrellisSQLite

@testable import Trellis
@testable import TrellisStore

/// A store does not open if changed types inside JSON would read different values, because JSON does not distinguish
/// dates from numbers, or data from strings.
struct StoredFieldsTests {
  private func withStore(_ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("fields \(UUID().uuidString).store")
    defer { try? FileManager.default.removeItem(at: url) }
    let context = ModelContext(try Self.open(url, FieldsA.self))
    context.insert(FieldsA.Voyage())
    try context.save()
    try body(url)
  }

  @discardableResult
  private static func open(
    _ url: URL, _ version: any VersionedSchema.Type, plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContainer {
    let schema = Schema(versionedSchema: version)
    return try ModelContainer(
      for: schema, migrationPlan: plan, configurations: ModelConfiguration(schema: schema, url: url))
  }

  @Test(arguments: [nil, FieldsBPlan.self] as [(any SchemaMigrationPlan.Type)?])
  func incompatibleValuesAreRejected(plan: (any SchemaMigrationPlan.Type)?) throws {
    try withStore { url in
      let error = #expect(throws: SwiftDataError.self) { try Self.open(url, FieldsB.self, plan: plan) }
      let text = error?.explanation ?? ""
      for line in [
        "'Voyage.period.from' was 'Date' as JSON and is now 'Double' as JSON",
        "'Voyage.period.stops.arrival' was 'Date' as JSON and is now 'Double' as JSON",
        "'Voyage.period.stops.picture' was 'Data' as JSON and is now 'String' as JSON",
        "'Voyage.stops.arrival' was 'Date'", "'Voyage.reminder.at._0' was 'Date' as JSON and is now 'Double' as JSON",
      ] {
        #expect(text.contains(line), "\(text)")
      }
      #expect(!text.contains("length") && !text.contains("text"), "\(text)")
      let context = ModelContext(try Self.open(url, FieldsA.self))
      let voyage = try #require(try context.fetch(FetchDescriptor<FieldsA.Voyage>()).first)
      #expect(voyage.period == FieldsA.Period())
    }
  }

  @Test(arguments: [nil, FieldsCPlan.self] as [(any SchemaMigrationPlan.Type)?])
  func compatibleValuesAreRead(plan: (any SchemaMigrationPlan.Type)?) throws {
    try withStore { url in
      let context = ModelContext(try Self.open(url, FieldsC.self, plan: plan))
      let voyage = try #require(try context.fetch(FetchDescriptor<FieldsC.Voyage>()).first)
      #expect(voyage.period.start == Date(timeIntervalSinceReferenceDate: 60) && voyage.period.length == 3)
      #expect(voyage.stops["a"]?.arrival == 7 && voyage.period.stops?.first?.arrival == 5)
      #expect(voyage.reminder == .at(Date(timeIntervalSinceReferenceDate: 9), text: "go"))
    }
  }

  @Test func fingerprintsDoNotDependOnFields() throws {
    let (a, c) = (Schema(versionedSchema: FormsA.self), Schema(versionedSchema: FormsA.self))
    let attributes = c.entities.flatMap(\.attributes)
    for attribute in attributes { attribute.jsonFields = "Code;Code(rawValue=Date)" }
    #expect(!attributes.isEmpty && SchemaFingerprint.text(of: a) == SchemaFingerprint.text(of: c) && a == c)
    #expect(a.valueTypes != c.valueTypes)
  }

  /// A store's metadata may contain any string.
  @Test(arguments: [
    ("A;A(a=Date)", "A;A(a=Double)", ["a"]), ("A;A(a=Date)", "B;B(a=Int b=Date)", ["a"]),
    ("A;A(a=Int)", "A;A(a=Optional<Date>)", ["a"]), ("A;A(a=Date)", "A;A(a=Bool)", []),
    ("A;A(a=Date)", "A;A(b=Double)", []), ("A;A(a=Data)", "A;A(a=URL)", ["a"]), ("A;A(a=UUID)", "A;A(a=Data)", []),
    ("Array<A>;A(a=Array<Date>)", "Array<A>;A(a=Array<Double>)", ["a"]),
    ("Optional<A>;A(a=Dictionary<String,Date>)", "A;A(a=Dictionary<String,Optional<Decimal>>)", ["a"]),
    ("A;A(a=A b=Date)", "A;A(a=A b=Float)", ["b"]), ("A;A(a=B b=B);B(c=Date)", "A;A(a=B b=B);B(c=Int)", ["a.c"]),
    ("A;A(a=Array<Date>)", "A;A(a=Double)", []), ("A;A(a=Date)", "A", []), ("A;A(", "A;A(a", []), ("A;A()", "A;;", []),
    ("A;A(a=Date)", "A;A(a=Date a=Double)", ["a"]), ("Date;Date(a=Int)", "Int", []), ("=", "=", []),
    ("A;A(a=ClosedRange<Int>)", "A;A(a=Range<Int>)", ["a"]), ("A;A(a=Range<Int>)", "A;A(a=Array<Int>)", ["a"]),
    ("A;A(a=Range<Int>)", "A;A(a=Range<Int>)", []),
    ("A;A(a=Dictionary<String,Int>)", "A;A(a=B);B(x=Int)", ["a"]), ("A;A(a=Date)", "A;A(a=CGFloat)", ["a"]),
  ])
  func fields(old: String, new: String, expected: [String]) throws {
    let (before, after) = (try #require(JSONFields(old)), try #require(JSONFields(new)))
    #expect(before.changes(to: after, "").mistaken.map { String($0.title.dropFirst()) } == expected, "\(old) as \(new)")
    #expect(before.changes(to: before, "").mistaken.isEmpty)
  }

  @Test(arguments: [
    ("E;E(a.x=Int)", "E;E()", ["a.x"]), ("A;A(e=E);E(a._0=Int)", "A;A(e=E);E()", ["e.a._0"]),
    ("Dictionary<E,A>;A(a=Int b=_);E()", "Dictionary<E,A>;A(a=Int);E()", ["b"]), ("A;A()", "A;A(a=Int)", []),
  ])
  func lostFields(old: String, new: String, expected: [String]) {
    let (before, after) = (Schema.Attribute(), Schema.Attribute())
    (before.jsonFields, after.jsonFields) = (old, new)
    let lost = JSONFields.changes(from: before, to: after, "").lost
    #expect(lost.map { String($0.dropFirst()) } == expected, "\(old) as \(new)")
  }

  @Test func argumentsOfGenericTypesAreCompared() {
    func isReadable(_ old: String, as new: String) -> Bool {
      ValueForm(jsonOf: ValueTypeName(named: old)).isReadable(as: ValueForm(jsonOf: ValueTypeName(named: new)))
    }
    #expect(!isReadable("Box<Date>", as: "Box<Double>"))
    #expect(isReadable("Box<Int>", as: "Box<Double>"))
    #expect(isReadable("Box<A>", as: "Box<B>"))
  }
}
