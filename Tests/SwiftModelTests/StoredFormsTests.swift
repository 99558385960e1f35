import Foundation
import TestSupport
import Testing
import TrellisSQLite

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// A store does not open if the current types would read the values in its columns as different values.
struct StoredFormsTests {
  private func withStore(_ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("forms \(UUID().uuidString).store")
    defer { try? FileManager.default.removeItem(at: url) }
    let context = ModelContext(try Self.open(url, FormsA.self))
    context.insert(FormsA.Parcel())
    try context.save()
    try body(url)
  }

  @discardableResult
  private static func open(
    _ url: URL, _ version: any VersionedSchema.Type, plan: (any SchemaMigrationPlan.Type)? = nil,
    allowsSave: Bool = true
  ) throws -> ModelContainer {
    let schema = Schema(versionedSchema: version)
    return try ModelContainer(
      for: schema, migrationPlan: plan,
      configurations: ModelConfiguration(schema: schema, url: url, allowsSave: allowsSave))
  }

  private func explanation(_ url: URL, _ version: any VersionedSchema.Type, allowsSave: Bool = true) -> String {
    let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) {
      try Self.open(url, version, allowsSave: allowsSave)
    }
    return error?.explanation ?? ""
  }

  @Test(arguments: [true, false]) func incompatibleFormsAreRejected(allowsSave: Bool) throws {
    try withStore { url in
      let text = explanation(url, FormsB.self, allowsSave: allowsSave)
      for line in [
        "'Parcel.code' was 'Code' as JSON and is now 'Code' with raw values of 'String'",
        "'Parcel.label' was 'Label' as JSON and is now 'Label' with raw values of 'String'",
        "'Parcel.note' was 'String' as JSON and is now 'String'",
        "'Parcel.flags' was 'Flags' with raw values of 'Int' and is now 'Flags' with raw values of 'UInt64'",
        "'Parcel.kind' was 'Kind' with raw values of 'Int' and is now 'Kind' with raw values of 'UInt64'",
        "'Parcel.weight' was 'Int' and is now 'Weight' with raw values of 'UInt64'",
      ] {
        #expect(text.contains(line), "\(text)")
      }
      let parcels = try ModelContext(Self.open(url, FormsA.self)).fetch(FetchDescriptor<FormsA.Parcel>())
      #expect(parcels.map(\.label.rawValue) == ["l"])
    }
  }

  /// Both versions have the same fingerprint.
  @Test func incompatibleRawTypesAreRejected() throws {
    let (a, d) = (Schema(versionedSchema: FormsA.self), Schema(versionedSchema: FormsD.self))
    #expect(SchemaFingerprint.text(of: a) == SchemaFingerprint.text(of: d))
    try withStore { url in
      let text = explanation(url, FormsD.self)
      #expect(text.contains("'Parcel.flags' was 'Flags' with raw values of 'Int'"), "\(text)")
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) {
        try Self.open(url, FormsD.self, plan: FormsDPlan.self)
      }
      #expect(
        error?.explanation?.contains("'Parcel.flags' was 'Flags' with raw values of 'Int' and is now 'Flags'") == true,
        "\(error?.explanation ?? "")")
    }
  }

  @Test(arguments: [nil, FormsCPlan.self] as [(any SchemaMigrationPlan.Type)?])
  func compatibleValuesAreRead(plan: (any SchemaMigrationPlan.Type)?) throws {
    try withStore { url in
      if plan != nil { try Self.open(url, FormsC.self) }
      let context = ModelContext(try Self.open(url, FormsC.self, plan: plan))
      let parcel = try #require(try context.fetch(FetchDescriptor<FormsC.Parcel>()).first)
      #expect(parcel.flags.rawValue == 1 && parcel.kind == .large && parcel.weight.rawValue == 3)
      #expect(parcel.note == "n" && parcel.code == FormsC.Code(rawValue: "c"))
    }
  }

  /// Follows the advice in the error: a `fill` step sets the values in the new form.
  @Test func fillsConvertValues() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("forms \(UUID().uuidString).store")
    defer { try? FileManager.default.removeItem(at: url) }
    let context = ModelContext(try Self.open(url, FormsF1.self))
    context.insert(FormsF1.Parcel())
    try context.save()
    #expect(explanation(url, FormsF2.self).contains("'Parcel.stamps' was"))
    let new = ModelContext(try Self.open(url, FormsF2.self, plan: FormsFPlan.self))
    let parcel = try #require(try new.fetch(FetchDescriptor<FormsF2.Parcel>()).first)
    #expect(parcel.stamp.rawValue == 5 && parcel.stamps.mapValues(\.rawValue) == ["a": 1] && parcel.size.width == 5)
  }

  @Test func modelsExchangeTheirNames() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("forms \(UUID().uuidString).store")
    defer { try? FileManager.default.removeItem(at: url) }
    let context = ModelContext(try Self.open(url, FormsG.self))
    for model in [FormsG.Box(), FormsG.Crate()] as [any PersistentModel] { context.insert(model) }
    try context.save()
    for _ in 0..<2 {
      let new = ModelContext(try Self.open(url, FormsH.self))
      #expect(try new.fetch(FetchDescriptor<FormsH.Box>()).map(\.count) == [2])
      #expect(try new.fetch(FetchDescriptor<FormsH.Crate>()).map(\.count) == [1])
    }
  }

  /// An old form, a new form, and whether the new form can read the values of the old one.
  private static let pairs: [(String, String, Bool)] = [
    ("Int", "Int64", true), ("Int", "UInt64", false), ("Optional<Int>", "Int", true), ("String", "Soil", true),
    ("Soil", "Soil=String", true), ("Soil=String", "Soil=JSON", false), ("Soil=String", "String", true),
    ("String=JSON", "String", false), ("Array<Int>", "Array<Int64>", true), ("Array<Int>", "Array<String>", false),
    ("Array<String>", "Array<Soil>=JSON Array<String>", true), ("Array<Int>", "Int", false),
    ("Dictionary<String, Date>=JSON", "Dictionary<String, Double>=JSON", false),
    ("Array<Stamp>=JSON Array<Double>", "Array<Date>", false), ("Array<Int>", "Array<Optional<Int>>", true),
    ("Dictionary<String, Array<Int>>", "Dictionary<String, Array<Int64>>", true), ("Array<Int>", "Set<Int>", false),
    ("Dictionary<Soil, Int>=JSON", "Array<Int>", false), ("Optional<Optional<String>>", "String", true),
    ("Optional", "Dictionary<Int>", true), ("Dictionary<Int>", "Dictionary<Int, Int>", true), ("<", ">", true),
    ("ClosedRange<Int>", "Range<Int>", false), ("Set<Int>", "Array<Int>", true), ("Soil=JSON", "Earth=JSON", true),
    ("Soil=Int", "Level=UInt64", false), ("Color=by Hex", "Color=by Hex", true), ("Data=by Hex", "Data", false),
    ("Data=by Hex", "Data=by Base", false), ("a:Int/b:Soil=Int", "a:Int/b:Soil=Int64", true),
    ("a:Int/b:Soil=Int", "a:Int/b:Soil=UInt64", false), ("a:Int", "b:Int", false), ("a:Int", "a:Int/b:Int", false),
  ]

  @Test(arguments: pairs)
  func forms(old: String, new: String, isReadable: Bool) throws {
    let (before, after) = (Self.parts(old), Self.parts(new))
    #expect(before.areReadable(as: after) == isReadable, "\(old) as \(new)")
    for parts in [before, after] {
      let text = try JSONColumn.text(of: parts)
      #expect(try JSONColumn.value([StoredPart].self, from: Data(text.utf8)) == parts)
    }
  }

  /// Parses the short notation of this suite: a struct's property, the type, and `=` with the raw type, `JSON`, or `by`
  /// and a transformer.
  private static func parts(_ text: String) -> [StoredPart] {
    text.split(separator: "/").map { part in
      let place = part.split(separator: ":", maxSplits: 1)
      let words = place[place.count - 1].split(separator: "=", maxSplits: 1).map(String.init)
      let name = place.count == 2 ? String(place[0]) : ""
      guard words.count == 2 else {
        let type = JSONTypeName(words[0])
        let form = ValueForm(jsonOf: ValueTypeName(named: words[0]))
        if case .json(let required, _) = form, JSONTypeName(required).isScalar {
          return StoredPart(name: name, form: .standard(required))
        }
        return StoredPart(name: name, form: type.isKnown ? form : .unknown(words[0]))
      }
      let form: ValueForm =
        switch words[1] {
        case "JSON": .json(words[0], of: words[0])
        case let text where text.hasPrefix("JSON "): .json(String(text.dropFirst(5)), of: words[0])
        case let text where text.hasPrefix("by "): .transformed(words[0], by: String(text.dropFirst(3)))
        default: .raw(words[1], of: words[0])
        }
      return StoredPart(name: name, form: form)
    }
  }

  /// The values are not arguments of the test, because the log would print each of them on one line.
  @Test func deepTypesAreRead() {
    let (open, close) = (String(repeating: "Array<", count: 9_999), String(repeating: ">", count: 9_999))
    let others = Repetitions.isThorough ? [close, open + close] : []
    for text in [open, open + "Int" + close] + others {
      #expect(Self.parts(text).areReadable(as: Self.parts("Soil=JSON")) || !text.hasSuffix("<"))
    }
  }
}
