/// Derives the names of generated files from the input names alone. The plugin compiles this file too, through a
/// symbolic link, so the file names that it declares are always those that the generator writes.
enum OutputNaming {
  static let schemaSuffix = "schema"
  /// The extension of lock files, which list released versions.
  static let lockSuffix = "lock"
  /// The folder for frozen versions, whose files are inputs but never heads.
  static let versionsFolder = "versions"
  static let configuration = "schema.config.json"

  static func models(stem: String) -> String { stem + "+Models.swift" }
  static func codecs(stem: String) -> String { stem + "+Codecs.swift" }
  static func versions(target: String) -> String { target + "+Versions.swift" }
  static func stages(target: String) -> String { target + "+Stages.swift" }

  static func macros(target: String) -> String { target + "+Macros.swift" }

  /// Returns the names of a target's generated files, in declaration order. A target with no schema receives only the
  /// macros, for predicates about imported models.
  static func outputs(heads: [String], target: String) -> [String] {
    guard !heads.isEmpty else { return [macros(target: target)] }
    return heads.map { stem(of: $0) }.flatMap { [models(stem: $0), codecs(stem: $0)] }
      + [versions(target: target), stages(target: target), macros(target: target)]
  }

  /// Returns true if the generator reads a file: a schema, or a lock next to released versions.
  static func isRead(_ path: String) -> Bool {
    path.hasSuffix("." + schemaSuffix) || path.hasSuffix("." + lockSuffix) && !isHead(path)
  }

  /// Returns true if a schema file is edited by hand. The path is relative to the package.
  static func isHead(_ path: String) -> Bool {
    !path.split(separator: "/").dropLast().contains { $0 == versionsFolder }
  }

  /// Returns the names of Swift files, sorted and with no extension. A file `Date.swift` probably declares a type that
  /// generated code must not confuse with Foundation's type.
  static func swiftFiles(_ paths: [String]) -> [String] {
    let names = paths.filter { $0.hasSuffix(".swift") }.map { stem(of: $0) }
    return Set(names.filter { !$0.contains("+") }).sorted()
  }

  /// Returns true if a Swift file's text may declare models.
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

  /// Returns the file names (without extension) that several head files share, with these files. Their outputs would
  /// collide.
  static func clashes(_ heads: [String]) -> [(stem: String, paths: [String])] {
    Dictionary(grouping: heads) { stem(of: $0).lowercased() }
      .filter { $0.value.count > 1 }
      .map { (stem(of: $0.value[0]), $0.value.sorted()) }
      .sorted { $0.stem < $1.stem }
  }

  /// Returns the error message for head files with the same name.
  static func refusal(_ stem: String, _ paths: [String]) -> String {
    paths.joined(separator: " and ") + " would both be generated into '"
      + models(stem: stem) + "': rename one of them"
  }
}
