import Testing

@testable import SchemaEmitter

/// Access levels in Swift files.
extension SwiftFileTests {
  /// Generated members are no more visible than the types around the model.
  @Test(arguments: [
    ("enum V1 { - }", ""), ("public enum V1 { - }", "public "), ("package struct V1 { - }", "package "),
    ("enum V1 {}\nextension V1 { - }", ""), ("public enum Out {}\npublic extension Out { enum V1 { - } }", "public "),
    ("public enum Out { enum V1 { - } }", ""), ("public enum Out { public enum V1 { - } }", "public "),
  ]) func publicModelsInTypes(_ outer: String, _ access: String) throws {
    let model = """
      @Model public final class Trip { public var kind: Kind; public init(kind: Kind) { self.kind = kind } }
      public enum Kind: String, Codable { case a }
      """
    let (messages, files) = try run(outer.replacing("-", with: model))
    #expect(messages.isEmpty, "\(messages)")
    let (models, codecs) = (files["A+Models.swift"] ?? "", files["A+Codecs.swift"] ?? "")
    #expect(codecs.contains("\n  \(access)nonisolated struct Snapshot"), "\(codecs)")
    #expect(models.contains("\n  \(access)static var placeholder: "), "\(models)")
    #expect(models.contains("\n  \(access)var _$property_kind: "), "\(models)")
  }

  /// Generated files import Foundation and Trellis publicly if the file that declares the models has such an import
  /// with public or package access.
  @Test(arguments: [
    ("public import SwiftData", true), ("package import SwiftData", true), ("public import Foundation", true),
    ("import SwiftData", false), ("internal import SwiftData\npublic import Other", false),
  ]) func publicImports(_ imports: String, _ isPublic: Bool) throws {
    let text = "\(imports)\n@Model public final class Trip { public var x = 1; public init() {} }"
    let (messages, files) = try run(text)
    #expect(messages.isEmpty, "\(messages)")
    for name in ["A+Models.swift", "A+Codecs.swift"] {
      let lines = files[name]?.split(separator: "\n") ?? []
      for module in ["Foundation", "Trellis"] {
        #expect(lines.contains(isPublic ? "public import \(module)" : "import \(module)"), "\(lines)")
      }
    }
    let unplanned = try run(text, isPlanned: false).files["M+Macros.swift"]
    #expect(unplanned?.contains("public import Trellis") == isPublic)
  }
}
