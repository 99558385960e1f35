import Foundation
import Testing

/// The walkthroughs of the architecture name files and symbols that exist.
@Suite struct WalkthroughTests {
  private static let maximumFiles = 12

  private static func walkthroughs() throws -> [Articles.Article] {
    try Articles.all().filter { $0.path.contains("/Walkthroughs/") }
  }

  /// An article says which folder its paths are below.
  private static let folders = ["Sources/Runtime/Trellis/", "Sources/", ""]

  @Test func filesExist() throws {
    let walkthroughs = try Self.walkthroughs()
    #expect(walkthroughs.count == 5)
    for article in walkthroughs {
      let paths = Set(article.prose.flatMap { Articles.code(in: $0.text) }.filter { $0.hasSuffix(".swift") })
      #expect(8...Self.maximumFiles ~= paths.count, "\(article.path) names \(paths.count) files")
      for path in paths {
        let exists = Self.folders.contains { folder in
          let url = SourceTree.root.appending(path: folder + path)
          return FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
        }
        #expect(exists, "\(article.path): there is no \(path)")
      }
    }
  }

  @Test func namesExist() throws {
    var words = Set<String>()
    for folder in ["Sources", "Plugins", "Tests/StructureTests"] {
      for file in try SourceTree.files(below: folder) {
        words.formUnion(Self.words(of: file.path))
        for line in file.lines { words.formUnion(Self.words(of: line)) }
      }
    }
    for article in try Self.walkthroughs() + [Articles.named("Architecture")].compactMap(\.self) {
      // Paths are checked above.
      for code in article.prose.flatMap({ Articles.code(in: $0.text) }) where !code.contains("/") {
        for name in Self.words(of: code) where !words.contains(name) {
          Issue.record("\(article.path): nothing in the sources is called '\(name)' (\(code))")
        }
      }
    }
  }

  private static func words(of text: some StringProtocol) -> [String] {
    text.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
        false
      default: true
      }
    }.map { String(decoding: $0, as: UTF8.self) }
  }
}
