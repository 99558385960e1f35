import Foundation
package import SchemaDiagnostics

/// Reads schema files from disk.
package enum SchemaReader {
  /// The size limit in bytes: larger than any schema, but still fast to compile.
  package static let largestFile = 16 << 20

  /// Reads files, sorted by path. Returns all errors if some files cannot be read.
  package static func read(_ paths: [String]) -> Result<[SourceFile], DriverFailure> {
    var files: [SourceFile] = []
    var problems: [String] = []
    var status = ExitStatus.clean
    var unreadable: [DriverFailure.Unreadable] = []
    for path in Set(paths).ordered() {
      switch read(path) {
      case .success(let file): files.append(file)
      case .failure(let failure):
        problems += failure.messages
        unreadable += failure.unreadable
        status = max(status, failure.status)
      }
    }
    guard !problems.isEmpty else { return .success(files) }
    var failure = DriverFailure(problems, status)
    failure.unreadable = unreadable
    return .failure(failure)
  }

  /// Reads a target's Swift files if any file might declare models. Unreadable files are skipped, because the compiler
  /// reports them.
  package static func swiftFiles(_ paths: [String]) -> [SourceFile] {
    let files = Set(paths).ordered().compactMap { path in
      FileManager.default.contents(atPath: path).map { (path: path, data: $0) }
    }
    // Most targets declare no models in Swift files, so the files are not needed.
    let word = Data("Model".utf8)
    guard files.contains(where: { $0.data.range(of: word) != nil }) else { return [] }
    return files.map { SourceFile(path: $0.path, bytes: Array($0.data)) }
  }

  private static func read(_ path: String) -> Result<SourceFile, DriverFailure> {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return .failure(DriverFailure(["\(path):1:1: error: no such file"], .usage))
    }
    guard !isDirectory.boolValue else {
      return .failure(
        DriverFailure(["\(path):1:1: error: expected a schema file, found a folder"], .usage))
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    if let size = (attributes?[.size] as? NSNumber)?.intValue, size > largestFile {
      return .failure(
        unreadable(
          SourceFile(path: path, bytes: []), 0,
          "the file is \(size >> 20) MiB; the limit for schema files is \(largestFile >> 20) MiB"))
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      return .failure(
        DriverFailure(["\(path):1:1: error: the file cannot be read; check its permissions"], .usage))
    }
    return check(SourceFile(path: path, bytes: Array(data)))
  }

  /// Returns the file if it contains UTF-8 text, otherwise the error.
  package static func check(_ file: SourceFile) -> Result<SourceFile, DriverFailure> {
    if file.bytes.starts(with: [0xFF, 0xFE]) || file.bytes.starts(with: [0xFE, 0xFF]) {
      return .failure(unreadable(file, 0, "the file is UTF-16; save it as UTF-8"))
    }
    if let offset = file.bytes.firstIndex(of: 0) {
      // Report the start of the line, because the preceding bytes are not text either.
      let start = file.bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      return .failure(unreadable(file, start, "the file contains binary data, not Swift text"))
    }
    if let offset = firstInvalidByte(file.bytes) {
      return .failure(unreadable(file, offset, "this byte is not valid UTF-8; save the file as UTF-8"))
    }
    return .success(file)
  }

  private static func unreadable(_ file: SourceFile, _ offset: Int, _ message: String) -> DriverFailure {
    let place = LineTable(file).position(at: offset)
    var failure = DriverFailure(["\(file.path):\(place.line):\(place.column): error: \(message)"], .unparsable)
    // Replace control characters, which would confuse a terminal.
    let shown = SourceFile(
      path: file.path,
      bytes: file.bytes.map { (0x20..<0x7F).contains($0) || [0x09, 0x0A, 0x0D].contains($0) ? $0 : 0x3F })
    failure.unreadable = [.init(file: shown, range: SourceRange(file: 0, start: offset, end: offset), message: message)]
    return failure
  }

  private static func firstInvalidByte(_ bytes: [UInt8]) -> Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var offset = 0
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      offset += UTF8.width(scalar)
    }
    return min(offset, bytes.count - 1)
  }
}
