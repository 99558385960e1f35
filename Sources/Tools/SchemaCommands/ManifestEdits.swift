import SchemaDiagnostics
import SchemaSyntax

/// The edits that add Trellis to a target of a package manifest.
///
/// The manifest is parsed as tokens. It must contain exactly one call `Package(…)` with array literals. Computed arrays
/// and conditions inside the call are rejected.
struct ManifestEdits {
  /// The reason why a manifest cannot be edited.
  struct Refusal: Error {
    let reason: String
    /// True if the package has no target yet.
    var lacksTarget = false
  }

  /// The manifest entries that a target needs to use Trellis.
  struct Addition {
    /// The package dependency.
    var dependency: String
    /// The name of the Trellis package, used if the dependency is new.
    var package: String
    /// The product name.
    var product: String
  }

  private struct Argument {
    var label: String
    /// The tokens of the label and value.
    var range: Range<Int>
    var value: Range<Int>
  }

  private let file: SourceFile
  private let tokens: [Token]
  /// The token index of each opening bracket's closing bracket.
  private let closings: [Int: Int]
  private var edits: [TextEdit] = []
  /// The target's source folder, if the manifest names it.
  private(set) var path: String?
  /// The target's name and kind: `target`, `executableTarget` or `testTarget`.
  private(set) var target = (name: "", kind: "")
  var edited: SourceFile { file.applying(edits, file: 0) }

  /// - Parameter name: The target name, or nil for the only target that is not a test target.
  init(_ file: SourceFile, target name: String?, adding addition: Addition) throws {
    self.file = file
    let (tokens, problems) = Lexer.lex(file, index: 0)
    self.tokens = tokens
    guard problems.isEmpty, let closings = Self.closings(tokens) else { throw Refusal(reason: "it does not parse") }
    self.closings = closings
    let calls = tokens.indices.dropLast().filter {
      text($0) == "Package" && tokens[$0 + 1].kind == .leftParen && ($0 == 0 || tokens[$0 - 1].kind != .period)
    }
    guard calls.count == 1, let end = closings[calls[0] + 1] else {
      throw Refusal(reason: "there must be exactly one call 'Package(…)'")
    }
    if (calls[0]..<end).contains(where: { tokens[$0].kind == .directive && text($0) == "#if" }) {
      throw Refusal(reason: "the call 'Package(…)' contains conditions")
    }
    let package = arguments(from: calls[0] + 1)
    guard let place = package.firstIndex(where: { $0.label == "targets" }) else {
      throw Refusal(reason: "the call 'Package(…)' has no 'targets'", lacksTarget: true)
    }
    guard place > 0 else { throw Refusal(reason: "the call 'Package(…)' begins with 'targets'") }
    let call = try self.call(ofTarget: name, in: try elements(package[place]))
    let arguments = arguments(from: call)
    let reference = try addDependency(addition, package, before: place)
    let product = ".product(name: \"\(addition.product)\", package: \"\(reference)\")"
    try add(product, to: "dependencies", of: arguments, after: 0, unless: ["Trellis", "SwiftData"])
    let plugin = ".plugin(name: \"GenerateModels\", package: \"\(reference)\")"
    try add(plugin, to: "plugins", of: arguments, after: arguments.count - 1, unless: ["GenerateModels"])
    path = arguments.first { $0.label == "path" }.flatMap { string($0.value) }
  }

  // MARK: Reading

  private static func closings(_ tokens: [Token]) -> [Int: Int]? {
    let pairs: [TokenKind: TokenKind] = [.leftParen: .rightParen, .leftBracket: .rightBracket, .leftBrace: .rightBrace]
    var closings: [Int: Int] = [:]
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      if pairs[token.kind] != nil { open.append(index) }
      guard pairs.values.contains(token.kind) else { continue }
      guard let start = open.popLast(), pairs[tokens[start].kind] == token.kind else { return nil }
      closings[start] = index
    }
    return open.isEmpty ? closings : nil
  }

  private func text(_ index: Int) -> String { file.text(from: Int(tokens[index].start), to: Int(tokens[index].end)) }

  /// Returns the comma-separated parts between brackets.
  private func parts(from open: Int) -> [Range<Int>] {
    let end = closings[open] ?? open
    var parts: [Range<Int>] = []
    var (start, index) = (open + 1, open + 1)
    while index < end {
      if tokens[index].kind == .comma {
        parts.append(start..<index)
        start = index + 1
      }
      index = (closings[index] ?? index) + 1
    }
    return (parts + [start..<end]).filter { !$0.isEmpty }
  }

  private func arguments(from open: Int) -> [Argument] {
    parts(from: open).map { part in
      let hasLabel = part.count > 2 && tokens[part.lowerBound + 1].kind == .colon
      return Argument(
        label: hasLabel ? text(part.lowerBound) : "", range: part, value: hasLabel ? part.dropFirst(2) : part)
    }
  }

  /// Returns the elements of an array literal.
  private func elements(_ argument: Argument) throws(Refusal) -> [Range<Int>] {
    let value = argument.value
    guard tokens[value.lowerBound].kind == .leftBracket, closings[value.lowerBound] == value.upperBound - 1 else {
      throw Refusal(reason: "'\(argument.label)' is not an array literal")
    }
    return parts(from: value.lowerBound)
  }

  /// Returns the contents of a string literal, or nil if the literal has interpolations or escapes.
  private func string(_ range: Range<Int>) -> String? {
    guard range.count == 1, tokens[range.lowerBound].kind == .string else { return nil }
    let text = text(range.lowerBound)
    return text.count > 1 && !text.contains("\\") && !text.hasPrefix("#") ? String(text.dropFirst().dropLast()) : nil
  }

  private func strings(in range: Range<Int>) -> [String] { range.compactMap { string($0..<$0 + 1) } }

  /// Returns the token index of a target declaration's opening parenthesis.
  private mutating func call(ofTarget name: String?, in elements: [Range<Int>]) throws(Refusal) -> Int {
    guard !elements.isEmpty else { throw Refusal(reason: "'targets' is empty", lacksTarget: true) }
    var found: [(name: String, kind: String, open: Int)] = []
    for element in elements {
      let open = element.lowerBound + 2
      guard element.count > 3, tokens[element.lowerBound].kind == .period, closings[open] == element.upperBound - 1,
        let first = arguments(from: open).first, first.label == "name", let title = string(first.value)
      else { continue }
      found.append((title, text(element.lowerBound + 1), open))
    }
    let known = ["target", "executableTarget", "testTarget"]
    let wanted = found.filter { candidate in
      known.contains(candidate.kind) && name.map { $0 == candidate.name } ?? (candidate.kind != "testTarget")
    }
    guard wanted.count == 1 else {
      let names = found.filter { known.contains($0.kind) }.map { "'\($0.name)'" }.joined(separator: ", ")
      throw Refusal(
        reason: wanted.isEmpty
          ? "there is no target \(name.map { "'\($0)' " } ?? "")of the form '.target(name: \"…\", …)'"
          : "there are several targets: choose one with '--target' (\(names))")
    }
    target = (wanted[0].name, wanted[0].kind)
    return wanted[0].open
  }

  // MARK: Editing

  /// Adds the dependency if it is missing. Returns the name that targets use for the package.
  private mutating func addDependency(
    _ addition: Addition, _ package: [Argument], before place: Int
  ) throws(Refusal) -> String {
    if let dependencies = package.first(where: { $0.label == "dependencies" }) {
      for element in try elements(dependencies) {
        let names = strings(in: element).map(Self.identity)
        if let name = names.first(where: { $0.lowercased() == "trellis" }) { return name }
      }
    }
    try add(addition.dependency, to: "dependencies", of: package, after: place - 1, isWide: true)
    return addition.package
  }

  /// Returns the package name for a path or URL.
  static func identity(_ location: String) -> String {
    let name = location.split(separator: "/").last.map(String.init) ?? location
    return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
  }

  /// Adds an element to a list argument, or adds the argument.
  ///
  /// - Parameters:
  ///   - place: The index of the argument that precedes a new argument.
  ///   - isWide: True to write each element of a new list on a separate line.
  ///   - names: If an element begins with one of these strings, nothing is added.
  private mutating func add(
    _ element: String, to label: String, of arguments: [Argument], after place: Int, isWide: Bool = false,
    unless names: Set<String> = []
  ) throws(Refusal) {
    let lineBreak = SchemaEdits.lineBreak(file)
    guard let argument = arguments.first(where: { $0.label == label }) else {
      let before = arguments[place]
      let indentation = indentation(of: before.range.lowerBound)
      var list = "[\(element)]"
      if isWide, let indentation {
        list = "[\(lineBreak)\(indentation)\(indentation)\(element)\(lineBreak)\(indentation)]"
      }
      let text = (indentation.map { lineBreak + $0 } ?? " ") + "\(label): \(list)"
      let next = before.range.upperBound
      if tokens[next].kind == .comma { insert(text + ",", after: next) } else { insert("," + text, after: next - 1) }
      return
    }
    let elements = try elements(argument)
    guard !elements.contains(where: { strings(in: $0).first.map(names.contains) ?? false }) else { return }
    let close = argument.value.upperBound - 1
    guard let last = elements.last else { return insert(element, after: close - 1) }
    let hasComma = tokens[last.upperBound].kind == .comma
    if tokens[close].startsLine, let indentation = indentation(of: last.lowerBound) ?? indentation(of: close) {
      if !hasComma { insert(",", after: last.upperBound - 1) }
      let end = Int(tokens[close].start)
      let start = end - (self.indentation(of: close)?.utf8.count ?? 0)
      edits.append(
        TextEdit(
          SourceRange(file: 0, start: start, end: start), indentation + element + (hasComma ? "," : "") + lineBreak))
    } else {
      insert((hasComma ? " " : ", ") + element, after: hasComma ? last.upperBound : last.upperBound - 1)
    }
  }

  private mutating func insert(_ text: String, after index: Int) {
    let end = Int(tokens[index].end)
    edits.append(TextEdit(SourceRange(file: 0, start: end, end: end), text))
  }

  /// Returns the space before a token that starts a line, or nil for other tokens.
  private func indentation(of index: Int) -> String? {
    let end = Int(tokens[index].start)
    var start = end
    while start > 0, file.bytes[start - 1] == 0x20 || file.bytes[start - 1] == 0x09 { start -= 1 }
    return start == 0 || file.bytes[start - 1] == 0x0A ? file.text(from: start, to: end) : nil
  }
}
