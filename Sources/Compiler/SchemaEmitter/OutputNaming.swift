/// The names of generated files, derived from the names of their inputs alone. The plugin compiles
/// this file too, through a symbolic link, so what is declared and what is written cannot differ.
enum OutputNaming {
  static let schemaSuffix = "schema"
  /// What was released, line by line.
  static let lockSuffix = "lock"
  /// Anything below a folder of this name is a frozen version: an input, never a head.
  static let versionsFolder = "versions"
  static let configuration = "schema.config.json"

  static func models(stem: String) -> String { stem + "+Models.swift" }
  static func codecs(stem: String) -> String { stem + "+Codecs.swift" }
  static func versions(target: String) -> String { target + "+Versions.swift" }
  static func stages(target: String) -> String { target + "+Stages.swift" }

  static func macros(target: String) -> String { target + "+Macros.swift" }

  /// Every file generated for a target, in the order in which they are declared. A target without a schema gets the
  /// macros, for its predicates about models of other targets.
  static func outputs(heads: [String], target: String) -> [String] {
    guard !heads.isEmpty else { return [macros(target: target)] }
    return heads.map { stem(of: $0) }.flatMap { [models(stem: $0), codecs(stem: $0)] }
      + [versions(target: target), stages(target: target), macros(target: target)]
  }

  /// Whether the generator reads a file: schemas, and the locks beside released versions.
  static func isRead(_ path: String) -> Bool {
    path.hasSuffix("." + schemaSuffix) || path.hasSuffix("." + lockSuffix) && !isHead(path)
  }

  /// Whether a schema file, given by its path below the package, is edited by hand.
  static func isHead(_ path: String) -> Bool {
    !path.split(separator: "/").dropLast().contains { $0 == versionsFolder }
  }

  /// The names of Swift files, without extension and sorted. A file `Date.swift` probably declares a type that
  /// generated code must not use instead of Foundation's.
  static func swiftFiles(_ paths: [String]) -> [String] {
    let names = paths.filter { $0.hasSuffix(".swift") }.map { stem(of: $0) }
    return Set(names.filter { !$0.contains("+") }).sorted()
  }

  /// Whether the text of a Swift file may declare models.
  static func mayDeclareModels(_ text: String) -> Bool {
    ["@Model", "@Trellis.Model", "@SwiftData.Model"].flatMap {
      text.split(separator: $0, omittingEmptySubsequences: false).dropFirst()
    }.contains {
      $0.first.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? false
    }
  }

  static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let suffix = [schemaSuffix, "swift"].first { name.hasSuffix("." + $0) }
    return suffix.map { String(name.dropLast($0.count + 1)) } ?? name
  }

  /// Stems that more than one head file has, with those files; their outputs would be the same.
  static func clashes(_ heads: [String]) -> [(stem: String, paths: [String])] {
    Dictionary(grouping: heads) { stem(of: $0).lowercased() }
      .filter { $0.value.count > 1 }
      .map { (stem(of: $0.value[0]), $0.value.sorted()) }
      .sorted { $0.stem < $1.stem }
  }

  /// What is said about one of them.
  static func refusal(_ stem: String, _ paths: [String]) -> String {
    paths.joined(separator: " and ") + " would both be generated into '"
      + models(stem: stem) + "': rename one of them"
  }
}
