import Testing

/// Every public symbol of the libraries must be documented.
@Suite struct DocstringTests {
  /// Members of standard protocols, which need no documentation.
  static let conformances: Set<String> = [
    "==", "<", "~=", "hash", "encode", "description", "debugDescription", "CodingKeys", "_rawHashValue",
    "startIndex", "endIndex", "errorDescription",
  ]

  @Test(arguments: [
    "Sources/Runtime/TrellisSQLite", "Sources/Runtime/TrellisModel", "Sources/Runtime/TrellisStore",
    "Sources/Runtime/Trellis", "Sources/Testing/StoreConformance",
  ])
  func everyPublicSymbolIsDocumented(_ folder: String) throws {
    let files = try SourceTree.files(below: folder)
    // Implementations inherit the documentation of protocol requirements.
    let requirements = try SourceTree.files(below: "Sources/Runtime/TrellisModel") + files
    let inherited = Self.conformances.union(requirements.flatMap(Self.documentedRequirements))
    for file in files {
      let missing = Self.symbols(of: file).filter { symbol in
        // Symbols for generated code are excluded, as `PersistentModel` states.
        !symbol.name.hasPrefix("_$") && !symbol.isDocumented && !inherited.contains(symbol.name)
          && !symbol.line.contains("from decoder: any Decoder")
      }
      let list = missing.map { "\($0.number): \($0.name)" }.joined(separator: ", ")
      #expect(list.isEmpty, "no documentation in \(file.path), \(list)")
    }
  }

  @Test func everyThrowingPublicFunctionDocumentsItsErrors() throws {
    var documented = 0
    for file in try SourceTree.files(below: "Sources/Runtime") {
      for index in file.lines.indices where Self.throwsPublicly(index, file.lines) {
        var above = index - 1
        var isDocumented = false
        while above >= 0 {
          let text = file.lines[above].drop { $0 == " " }
          guard text.hasPrefix("///") || text.hasPrefix("@") else { break }
          if text.hasPrefix("/// - Throws:") { isDocumented = true }
          above -= 1
        }
        documented += isDocumented ? 1 : 0
        #expect(isDocumented, "\(file.path):\(index + 1) does not say what it throws")
      }
    }
    #expect(documented > 150)
  }

  /// True for the first line of a public function or initialiser whose declaration has `throws`.
  private static func throwsPublicly(_ index: Int, _ lines: [Substring]) -> Bool {
    guard let name = publicSymbol(lines[index]), !name.hasPrefix("_$"),
      lines[index].contains("func ") || lines[index].contains("init")
    else { return false }
    // A closure among the parameters may throw although the function does not.
    var depth = 0
    let declaration = lines[index...].prefix(12).joined(separator: " ").prefix { $0 != "{" }.filter { character in
      if character == "(" { depth += 1 }
      defer { if character == ")" { depth -= 1 } }
      return depth == 0
    }
    return declaration.contains(" throws")
  }

  struct Symbol {
    var name: String
    var number: Int
    var line: Substring
    var isDocumented: Bool
    var isRequirement: Bool
  }

  static func symbols(of file: SourceTree.File) -> [Symbol] {
    var members = PublicMembers()
    return file.lines.indices.compactMap { index in
      let line = file.lines[index]
      let member = members.name(of: line)
      guard let name = publicSymbol(line) ?? member else { return nil }
      return Symbol(
        name: name, number: index + 1, line: line, isDocumented: isDocumented(index, file.lines),
        isRequirement: member != nil)
    }
  }

  static func documentedRequirements(_ file: SourceTree.File) -> [String] {
    symbols(of: file).filter { $0.isRequirement && $0.isDocumented && $0.name != "init" }.map(\.name)
  }

  /// Returns the name of the public declaration in a line, or nil if there is none.
  static func publicSymbol(_ line: Substring) -> String? {
    let words = line.split { $0 == " " }
    guard let first = words.firstIndex(where: { $0 == "public" || $0 == "open" }),
      words[..<first].allSatisfy({ $0.hasPrefix("@") })
    else { return nil }
    let kinds: Set<Substring> = [
      "func", "var", "let", "struct", "class", "enum", "protocol", "typealias", "actor",
    ]
    for (word, next) in zip(words[first...].dropFirst(), words[first...].dropFirst(2) + [""]) {
      // `class func` and `class var` are modifiers.
      if kinds.contains(word), !kinds.contains(next) {
        let name = next.prefix { !"(:<{=".contains($0) || next.first == $0 }
        return String(name.isEmpty ? next : name)
      }
      for keyword in ["init", "subscript"] where word.hasPrefix(keyword) { return keyword }
      guard word.allSatisfy({ $0.isLetter || $0 == "(" || $0 == ")" }) else { return nil }
    }
    return nil
  }

  static func isDocumented(_ index: Int, _ lines: [Substring]) -> Bool {
    var above = index - 1
    while above >= 0 {
      let text = lines[above].drop { $0 == " " }
      if text.hasPrefix("///") { return true }
      if text == ")" {  // the end of a multi-line attribute
        while above > 0, !lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
        above -= 1
        continue
      }
      guard text.hasPrefix("@") || text.hasPrefix("#if") || text.hasPrefix("// swift-format") else { return false }
      above -= 1
    }
    return false
  }

  @Test func declarationsAreRecognised() {
    let expected: [(String, String?)] = [
      ("  public func fetch<T>(_ x: T) throws", "fetch"),
      ("public final class ModelContext {", "ModelContext"),
      ("  @inlinable public static func == (a: Self, b: Self) -> Bool {", "=="),
      ("  public private(set) var count: Int", "count"), ("  public init?(x: Int)", "init"),
      ("  public convenience init(", "init"), ("  public subscript(a: Int) -> Int {", "subscript"),
      ("  public static let busy = 1", "busy"), ("public import Foundation", nil),
      ("  internal func hidden() {}", nil), ("  public class func make() {}", "make"),
    ]
    for (line, name) in expected { #expect(Self.publicSymbol(Substring(line)) == name, "\(line)") }
    #expect(Self.isDocumented(2, ["/// Said.", "@inlinable", "public var x: Int"]))
    #expect(!Self.isDocumented(1, ["", "public var x: Int"]))
  }
}

/// The cases of public enums and the requirements of public protocols, which have no `public` modifier.
private struct PublicMembers {
  private var indent: Int?
  private var keywords: Set<Substring> = []

  mutating func name(of line: Substring) -> String? {
    let text = line.drop { $0 == " " }
    let depth = line.count - text.count
    if let indent, depth <= indent, !text.isEmpty { self.indent = nil }
    if text.hasPrefix("public enum ") || text.hasPrefix("public protocol ") {
      if !text.hasSuffix("}") { indent = depth }
      keywords =
        text.hasPrefix("public enum ")
        ? ["case"] : ["func", "var", "init", "associatedtype", "subscript"]
      return nil
    }
    guard let indent, depth == indent + 2, !text.hasPrefix("}") else { return nil }
    let words = text.split { " (:<{,=".contains($0) }.filter { $0 != "static" && $0 != "mutating" }
    guard let keyword = words.first, keywords.contains(keyword) else { return nil }
    return words.count > 1 ? String(words[1]) : String(keyword)
  }
}
