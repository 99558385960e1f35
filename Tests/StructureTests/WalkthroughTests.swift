import Foundation
import Testing

/// The files and symbols that the architecture walkthroughs name must exist.
@Suite struct WalkthroughTests {
  private static let maximumFiles = 12

  private static func walkthroughs() throws -> [Articles.Article] {
    try Articles.all().filter { $0.path.contains("/Walkthroughs/") }
  }

  /// The folders that the paths in an article may be relative to.
  private static let folders = ["Sources/Runtime/", "Sources/", ""]

  /// Set `RECORD_GOLDENS=1` to write the new paths of files that were moved to other folders.
  @Test func filesExist() throws {
    let walkthroughs = try Self.walkthroughs()
    #expect(walkthroughs.count == 7)
    for article in walkthroughs {
      let paths = Set(article.prose.flatMap { Articles.code(in: $0.text) }.filter { $0.hasSuffix(".swift") })
      #expect(8...Self.maximumFiles ~= paths.count, "\(article.path) names \(paths.count) files")
      var text = article.text
      for path in paths where !Self.exists(path) {
        let moved = try Self.moved(path)
        if let moved { text = text.replacingOccurrences(of: "`\(path)`", with: "`\(moved)`") }
        Issue.record("\(article.path): there is no \(path)\(moved.map { ", it is \($0) now" } ?? "")")
      }
      if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil, text != article.text {
        try text.write(to: SourceTree.root.appending(path: article.path), atomically: true, encoding: .utf8)
      }
    }
  }

  @Test func foldersExist() throws {
    let article = try #require(try Articles.named("Architecture"))
    for path in article.prose.flatMap({ Articles.code(in: $0.text) }) where path.contains("/") && !path.contains(" ") {
      #expect(Self.exists(path), "there is no folder \(path)")
    }
  }

  private static func exists(_ path: String) -> Bool {
    folders.contains { folder in
      let url = SourceTree.root.appending(path: folder + path)
      return FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    }
  }

  /// Returns the current path of a file that was moved, relative to the folder that the article uses.
  private static func moved(_ path: String) throws -> String? {
    let name = path.split(separator: "/").last ?? ""
    let found = try SourceTree.files(below: "Sources").map(\.path).filter { $0.hasSuffix("/\(name)") }
    guard found.count == 1, let file = found.first else { return nil }
    let folder = path.hasPrefix("Sources/") ? "" : path.hasPrefix("Runtime/") ? "Sources/" : folders[0]
    return file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file
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
