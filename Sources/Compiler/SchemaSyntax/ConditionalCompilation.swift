import SchemaDiagnostics

/// Evaluates the conditions of `#if` in Swift source.
///
/// A wrong assumption is no wrong schema: the compiler does not find the members that generated code then calls.
package enum ConditionalCompilation {
  /// The file with spaces for the branches that are not compiled, and for the directives around those that are.
  ///
  /// Every other byte keeps its place. Branches whose conditions depend on the build stay as they are.
  package static func resolved(_ source: SwiftFile) -> SwiftFile {
    let file = source.file
    var blank: [Range<Int>] = []
    var open: [Chain] = []
    for token in source.tokens.indices where source.tokens[token].kind == .directive {
      let word = source.text(token)
      guard ["#if", "#elseif", "#else", "#endif"].contains(word) else { continue }
      let line = directive(token, source)
      if word == "#if" { open.append(Chain()) }
      guard var chain = open.popLast() else { continue }
      chain.end(at: line.lowerBound)
      chain.directives.append(line)
      switch word {
      case "#endif":
        blank += chain.blank
        continue
      case "#else": chain.begin(true, at: line.upperBound)
      default: chain.begin(Condition(source, tokens(of: line, behind: token, source)).value, at: line.upperBound)
      }
      open.append(chain)
    }
    guard !blank.isEmpty else { return source }
    var bytes = file.bytes
    for range in blank {
      for index in range where bytes[index] != 0x0A && bytes[index] != 0x0D { bytes[index] = 0x20 }
    }
    return SwiftFile(SourceFile(path: file.path, bytes: bytes, swift: file.swift))
  }

  /// The bytes of a directive with the condition, up to the end of the line.
  private static func directive(_ token: Int, _ source: SwiftFile) -> Range<Int> {
    var last = token
    while last + 1 < source.tokens.count - 1, !source.tokens[last + 1].startsLine { last += 1 }
    return Int(source.tokens[token].start)..<Int(source.tokens[last].end)
  }

  private static func tokens(of line: Range<Int>, behind token: Int, _ source: SwiftFile) -> [Int] {
    Array(source.tokens.indices[(token + 1)...].prefix { Int(source.tokens[$0].end) <= line.upperBound }).filter {
      source.tokens[$0].kind != .endOfFile
    }
  }

  /// `#if … #elseif … #else … #endif`.
  private struct Chain {
    var directives: [Range<Int>] = []
    private var branches: [(bytes: Range<Int>, isCompiled: Bool?)] = []
    private var current: (start: Int, isCompiled: Bool?)?
    /// Whether one of the branches so far is compiled; nil if that depends on the build.
    private var isDecided: Bool? = false

    mutating func begin(_ condition: Bool?, at start: Int) {
      let isCompiled: Bool? =
        switch (isDecided, condition) {
        case (true, _), (_, false): false
        case (false, true): true
        default: nil
        }
      current = (start, isCompiled)
      if condition == true || isDecided == true {
        isDecided = true
      } else if condition == nil {
        isDecided = nil
      }
    }

    mutating func end(at end: Int) {
      if let current { branches.append((current.start..<end, current.isCompiled)) }
      current = nil
    }

    /// What is not compiled. Directives stay around branches that depend on the build.
    var blank: [Range<Int>] {
      branches.filter { $0.isCompiled == false }.map(\.bytes)
        + (branches.allSatisfy { $0.isCompiled != nil } ? directives : [])
    }
  }
}

/// The condition of `#if`; nil stands for what depends on the build.
private struct Condition {
  private let source: SwiftFile
  private var rest: ArraySlice<Int>
  private(set) var value: Bool?

  init(_ source: SwiftFile, _ tokens: [Int]) {
    self.source = source
    rest = tokens[...]
    value = disjunction()
    if !rest.isEmpty { value = nil }
  }

  private mutating func take(_ text: String) -> Bool {
    guard let first = rest.first, source.text(first) == text else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func disjunction() -> Bool? {
    var value = conjunction()
    while take("||") {
      let other = conjunction()
      value = value == true || other == true ? true : value == nil || other == nil ? nil : false
    }
    return value
  }

  private mutating func conjunction() -> Bool? {
    var value = term()
    while take("&&") {
      let other = term()
      value = value == false || other == false ? false : value == nil || other == nil ? nil : true
    }
    return value
  }

  private mutating func term() -> Bool? {
    if take("!") { return term().map { !$0 } }
    if take("(") {
      let value = disjunction()
      return take(")") ? value : nil
    }
    guard let first = rest.popFirst() else { return nil }
    let word = source.text(first)
    guard take("(") else { return word == "true" ? true : word == "false" ? false : nil }
    var argument: [String] = []
    var depth = 1
    while let next = rest.popFirst() {
      let text = source.text(next)
      depth += text == "(" ? 1 : text == ")" ? -1 : 0
      if depth == 0 { return Self.call(word, argument) }
      argument.append(text)
    }
    return nil
  }

  private static func call(_ word: String, _ argument: [String]) -> Bool? {
    switch word {
    case "canImport":
      // The name of a submodule or a version may follow.
      guard argument.count == 1 else { return nil }
      return modules.contains(argument[0]) ? true : appleModules.contains(argument[0]) ? false : nil
    case "os": return argument == ["Linux"]
    case "targetEnvironment": return false
    // The generator assumes the language mode 6.
    case "compiler", "swift": return version(argument.joined())
    default: return nil
    }
  }

  /// The result for `>=6.1` and `<6.1`; nil for versions behind the oldest one that compiles Trellis.
  private static func version(_ condition: String) -> Bool? {
    let numbers = condition.drop { "<>=".contains($0) }.split(separator: ".").map { Int($0) ?? .max }
    guard !numbers.isEmpty, ![6, 3].lexicographicallyPrecedes(numbers) else { return nil }
    return condition.hasPrefix(">=") ? true : condition.hasPrefix("<") ? false : nil
  }

  /// The modules that every target with models can import.
  private static let modules: Set<String> = ["SwiftData", "Trellis", "Foundation", "Observation", "Swift", "Dispatch"]
  private static let appleModules: Set<String> = [
    "ActivityKit", "AppIntents", "AppKit", "CloudKit", "Cocoa", "Combine", "CoreData", "CoreLocation", "CoreSpotlight",
    "Darwin", "EventKit", "HealthKit", "MapKit", "ObjectiveC", "PhotosUI", "SwiftUI", "UIKit", "WatchKit", "WidgetKit",
  ]
}
