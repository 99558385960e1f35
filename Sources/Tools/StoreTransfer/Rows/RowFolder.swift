package import Foundation
package import SchemaDiagnostics
import SchemaModel
import Trellis

/// A folder of exported rows, and the target store's schema.
package struct RowFolder: Sendable {
  package let url: URL
  /// `csv` or `ndjson`.
  package let format: RowFormat
  package let target: TransferTarget
  /// The tables and row files. A table with no file is empty.
  package let tables: [(table: RowTable, file: URL?)]

  /// - Parameters:
  ///   - schemaFiles: The schema files; `nil` for the folder's own.
  ///   - module: The app's Swift module.
  /// - Throws: ``TransferError`` if the schema does not compile, or a file name matches no model.
  package init(_ url: URL, _ format: RowFormat, schemaFiles: [SourceFile]? = nil, module: String? = nil) throws {
    guard FileKind(at: url.path) == .folder else { throw TransferError("\(url.path): no such folder") }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    let files = try schemaFiles ?? Self.schemaFiles(in: url, names)
    do {
      target = try TransferTarget(files, module: module)
    } catch {
      throw TransferError("\(url.path): the schema cannot be used: \(error)")
    }
    self.url = url
    self.format = format
    let tables = target.rowTables
    let suffix = ".\(format.rawValue)"
    let known = Set(tables.map { $0.name + suffix })
    if let unknown = names.first(where: { $0.hasSuffix(suffix) && !known.contains($0) }) {
      throw TransferError(
        "\(url.appendingPathComponent(unknown).path): no model of schema '\(target.resolved.name)' has this name; "
          + "expected \(known.sorted().joined(separator: ", "))")
    }
    self.tables = tables.map { table in
      let name = table.name + suffix
      return (table, names.contains(name) ? url.appendingPathComponent(name) : nil)
    }
    guard self.tables.contains(where: { $0.file != nil }) else {
      throw TransferError("\(url.path): there are no '\(suffix)' files")
    }
  }

  private static func schemaFiles(in folder: URL, _ names: [String]) throws -> [SourceFile] {
    let names = names.filter { $0.hasSuffix(".schema") }
    guard !names.isEmpty else {
      throw TransferError("\(folder.path): there is no schema file; name one with '--schema FILE'")
    }
    return try names.map { name in
      let path = folder.appendingPathComponent(name).path
      do {
        return SourceFile(path: path, bytes: Array(try CompanionFile.read(path)))
      } catch {
        throw TransferError("\(path): cannot be read: \(error)")
      }
    }
  }
}

/// Reads files in parts.
enum InputFile {
  /// - Throws: ``TransferError``, and errors from `body`.
  static func read(
    _ url: URL, from offset: Int64 = 0, partSize: Int = 1 << 18, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let handle: Int32
    do { handle = try CompanionFile.open(url.path) } catch {
      throw TransferError("\(url.path): cannot be read: \(error)")
    }
    defer { close(handle) }
    lseek(handle, off_t(offset), SEEK_SET)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: partSize, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = Foundation.read(handle, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw TransferError("\(url.path): cannot be read: \(FileError(errno))") }
      guard count > 0 else { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
