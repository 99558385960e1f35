package import AppleStore
package import Foundation
import Trellis

/// A store's large values, which are files in `.NAME_SUPPORT/_EXTERNAL_DATA`.
///
/// A value's first byte is 1 if the data follows inline, or 2 if an ASCII file name follows, optionally
/// null-terminated.
package struct AppleExternalFiles: Sendable {
  let folder: String
  /// True if neither the folder nor the parent folder is a symbolic link.
  private let isUsable: Bool

  package init(_ folder: URL) {
    self.folder = folder.path
    isUsable = !isLink(folder.path) && !isLink(folder.deletingLastPathComponent().path)
  }

  package enum Value: Equatable, Sendable {
    case inline([UInt8])
    case file(String)
  }

  /// - Throws: ``AppleStoreProblem`` if the value is malformed or names a file outside the folder.
  package static func value(of bytes: [UInt8]) throws(AppleStoreProblem) -> Value {
    switch bytes.first {
    case 1: return .inline(Array(bytes.dropFirst()))
    case 2:
      let text = bytes.dropFirst().prefix { $0 != 0 }
      let isName = text.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 95
          || byte == 46
      }
      guard isName, (1...255).contains(text.count), text.first != 46 else {
        throw AppleStoreProblem("the name of the external file is not valid")
      }
      return .file(String(decoding: text, as: UTF8.self))
    default: throw AppleStoreProblem("the value is neither data nor a reference to a file")
    }
  }

  /// Returns a value's data, reading the external file if necessary.
  package func load(_ bytes: [UInt8]) throws(AppleStoreProblem) -> [UInt8] {
    switch try Self.value(of: bytes) {
    case .inline(let data): return data
    case .file(let name):
      let path = folder + "/" + name
      guard isUsable else { throw AppleStoreProblem("the folder '\(folder)' is a symbolic link") }
      guard !isLink(path) else { throw AppleStoreProblem("the external file '\(name)' is a symbolic link") }
      guard FileKind(at: path) != .nothing else { throw AppleStoreProblem("the external file '\(name)' is missing") }
      do {
        return [UInt8](try CompanionFile.read(path))
      } catch {
        throw AppleStoreProblem("the external file '\(name)' cannot be read: \(error)")
      }
    }
  }

  /// Returns the reason why a value cannot be read, if any. File contents are not read.
  package func problem(_ bytes: [UInt8]) -> String? {
    do {
      guard case .file(let name) = try Self.value(of: bytes) else { return nil }
      let path = folder + "/" + name
      if !isUsable { return "the folder '\(folder)' is a symbolic link" }
      if isLink(path) { return "the external file '\(name)' is a symbolic link" }
      switch FileKind(at: path) {
      case .regular: return nil
      case .nothing: return "the external file '\(name)' is missing"
      case .folder, .special: return "the external file '\(name)' is not a regular file"
      }
    } catch {
      return error.description
    }
  }
}
