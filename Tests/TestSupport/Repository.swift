public import Foundation

/// Repository files that tests read: schemas, articles, sources.
public enum Repository {
  /// The root folder, which contains `Package.swift`.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file.
  ///
  ///     try Repository.text("Schemas/SampleTrips/SampleTrips.schema")
  ///
  /// - Throws: Foundation's errors if the file cannot be read.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// An article's examples from a test file: the lines between `// example` and `// end`, unindented and in a code
  /// block.
  public static func examples(in path: String) throws -> [String] {
    var examples: [[Substring]] = []
    var isInside = false
    for line in try text(path).split(separator: "\n", omittingEmptySubsequences: false) {
      switch line.drop(while: { $0 == " " }) {
      case "// example":
        isInside = true
        examples.append([])
      case "// end": isInside = false
      default: if isInside { examples[examples.count - 1].append(line) }
      }
    }
    return examples.map { lines in
      let indent = lines.first?.prefix { $0 == " " }.count ?? 0
      return "```swift\n\(lines.map { $0.dropFirst(indent) + "\n" }.joined())```"
    }
  }
}
