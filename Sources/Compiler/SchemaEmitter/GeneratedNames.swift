/// The names of generated files, for drivers.
package enum GeneratedNames {
  package static let schemaSuffix = OutputNaming.schemaSuffix
  package static let lockSuffix = OutputNaming.lockSuffix
  package static let versionsFolder = OutputNaming.versionsFolder

  package static func isHead(_ path: String) -> Bool { OutputNaming.isHead(path) }

  package static func outputs(heads: [String], target: String) -> [String] {
    OutputNaming.outputs(heads: heads, target: target)
  }

  package static func stems(ofSwiftFiles paths: [String]) -> [String] { OutputNaming.swiftFiles(paths) }

  /// Returns true if a Swift file's text may declare models.
  package static func mayDeclareModels(_ text: String) -> Bool { OutputNaming.mayDeclareModels(text) }

  /// Returns a message for each group of head files whose generated files would have the same names.
  package static func clashes(_ heads: [String]) -> [String] {
    OutputNaming.clashes(heads).map { "error: " + OutputNaming.refusal($0.stem, $0.paths) }
  }
}
