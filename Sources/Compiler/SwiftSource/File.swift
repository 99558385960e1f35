import Dispatch

/// A Swift file.
package struct File {
  package struct Import: Sendable {
    package var module: String
    package var access: Access?
    /// True if the module may be unavailable on this platform.
    package var isConditional: Bool
    package var isPreconcurrency: Bool

    package init(
      _ module: String, access: Access? = nil, isConditional: Bool = false,
      isPreconcurrency: Bool = false
    ) {
      self.module = module
      self.access = access
      self.isConditional = isConditional
      self.isPreconcurrency = isPreconcurrency
    }
  }

  /// Comment lines at the top of the file.
  package var header: [String]
  package var imports: [Import]
  package var declarations: [Declaration]
  /// The declarations that follow `declarations`. Parts are created and rendered separately, several in parallel, and
  /// each is released once it has been rendered.
  package var parts: [() -> [Declaration]] = []

  package init(
    header: [String], imports: [Import],
    @DeclarationBuilder declarations: () -> [Declaration] = { [] }
  ) {
    self.header = header
    self.imports = imports
    self.declarations = declarations()
  }

  /// The file's text.
  package var text: String { String(decoding: Self.bytes([self])[0], as: UTF8.self) }

  /// Renders files as UTF-8. Independent parts are rendered in parallel.
  package static func bytes(_ files: [File]) -> [[UInt8]] {
    var pieces: [Piece] = []
    var ranges: [Range<Int>] = []
    for file in files {
      let start = pieces.count
      pieces.append(Piece(file: file, parts: nil))
      for first in stride(from: 0, to: file.parts.count, by: partsAtATime) {
        let parts = first..<min(first + partsAtATime, file.parts.count)
        pieces.append(Piece(file: file, parts: parts))
      }
      ranges.append(start..<pieces.count)
    }
    let texts = render(pieces)
    return ranges.map { range in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(texts[range].reduce(0) { $0 + $1.count })
      for text in texts[range] { bytes += text }
      return bytes
    }
  }

  /// A thread's unit of work: the beginning of a file, or some of the parts.
  private struct Piece {
    let file: File
    let parts: Range<Int>?

    var text: [UInt8] {
      var renderer = Renderer()
      if let parts {
        for part in file.parts[parts] { renderer.render(part()) }
      } else {
        renderer.render(file)
      }
      return renderer.text.bytes
    }
  }

  /// Fewer parts are not worth a thread.
  private static let partsAtATime = 16

  private static func render(_ pieces: [Piece]) -> [[UInt8]] {
    var texts = [[UInt8]](repeating: [], count: pieces.count)
    texts.withUnsafeMutableBufferPointer { texts in
      // Each iteration writes a single element, which no concurrent iteration accesses.
      nonisolated(unsafe) let texts = texts
      nonisolated(unsafe) let pieces = pieces
      DispatchQueue.concurrentPerform(iterations: pieces.count) { index in
        texts[index] = pieces[index].text
      }
    }
    return texts
  }
}
