import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// Converts diagnostics to findings with stable fingerprints.
struct FindingPlaces {
  /// The head files' declaration maps, by file index.
  let maps: [DeclarationMap]
  private let schemas: [String]

  /// - Parameter diagnostics: The diagnostics to convert. A file that has neither diagnostics nor suppression comments
  ///   has an empty map.
  init(_ input: LintInput, _ diagnostics: [Diagnostic]) {
    let named = Set(diagnostics.lazy.map(\.range.file))
    maps = input.compilation.trees.map { tree in
      named.contains(tree.fileIndex) || Suppression.isAnywhere(in: tree.file)
        ? DeclarationMap(tree) : DeclarationMap(emptyFor: tree)
    }
    let names = Dictionary(
      input.compilation.schemas.flatMap { schema in schema.files.map { ($0.path, schema.name) } },
      uniquingKeysWith: { first, _ in first })
    schemas = input.files.map { names[$0.path] ?? "" }
  }

  /// Returns the declaration that contains a range, for example `Trip.name`.
  func subject(of range: SourceRange) -> String {
    guard maps.indices.contains(range.file), let unit = maps[range.file].unit(at: range.start)
    else { return "" }
    return maps[range.file].path(of: unit)
  }

  /// - Parameter diagnostics: The diagnostics in source order.
  func findings(_ diagnostics: [Diagnostic]) -> [Finding] {
    var counts: [String: Int] = [:]
    return diagnostics.map { diagnostic in
      let subject = subject(of: diagnostic.range)
      let schema = schemas.indices.contains(diagnostic.range.file) ? schemas[diagnostic.range.file] : ""
      // Exclude the line, which changes with edits above it.
      let key = "\(diagnostic.id.code)|\(schema)|\(subject)"
      let count = counts[key, default: 0]
      counts[key] = count + 1
      return Finding(
        diagnostic: diagnostic, state: .open, subject: subject,
        fingerprint: Self.hash("\(key)|\(count)"))
    }
  }

  /// Returns the 64-bit FNV-1a hash in hexadecimal.
  static func hash(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
