public import Foundation

/// The value of an `@Attribute(.externalStorage)` property: bytes, or the file they are in.
///
/// A fetch does not read the file; the property does, on the first request, and keeps the bytes
/// from then on. A value that cannot be read is reported as ``ModelIssue/unreadableFile(path:reason:)``
/// and reads as nil or empty; the store keeps it as it is until something else is assigned.
public struct ExternalData: Sendable {
  private enum Storage: Sendable {
    case none
    case bytes(Data)
    case file(ExternalFile)
  }

  private let storage: Storage

  /// No value.
  public init() { storage = .none }

  /// A value that is assigned.
  public init(_ data: Data?) { storage = data.map { .bytes($0) } ?? .none }

  init(_ file: ExternalFile) { storage = .file(file) }

  /// The bytes, of an optional property.
  public var optionalData: Data? {
    switch storage {
    case .none: return nil
    case .bytes(let data): return data
    case .file(let file):
      do {
        return try file.read()
      } catch {
        ModelIssue.unreadableFile(path: file.path, reason: "\(error)").report()
        file.unread?.note(error)
        return nil
      }
    }
  }

  /// The bytes, of a property that is not optional; empty where there are none.
  public var data: Data { optionalData ?? Data() }

  /// The bytes; nil for nil.
  ///
  /// - Throws: ``ExternalFileError`` when they are in a file that cannot be read.
  public func load() throws -> Data? {
    switch storage {
    case .none: nil
    case .bytes(let data): data
    case .file(let file): try file.read()
    }
  }

  /// The file with the value, while it was not replaced by another one.
  var file: ExternalFile? { if case .file(let file) = storage { file } else { nil } }

  /// Whether both are the same bytes or the same file; never reads one.
  func isSame(as other: ExternalData) -> Bool {
    switch (storage, other.storage) {
    case (.none, .none): true
    case (.bytes(let one), .bytes(let two)): one == two
    case (.file(let one), .file(let two)): one.path == two.path
    default: false
    }
  }

  /// Whether one of them is a file with the bytes of the other, which is read where its length does not tell.
  func hasSameBytes(as other: ExternalData) -> Bool {
    switch (storage, other.storage) {
    case (.file(let file), .bytes(let data)), (.bytes(let data), .file(let file)):
      file.length == data.count && (try? file.read()) == data
    default: false
    }
  }
}

/// A file of an `@Attribute(.externalStorage)` property that is missing, damaged or cannot be written.
public struct ExternalFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// What is wrong with it.
  public let reason: String
  /// Whether there is nothing to read yet.
  var isAboutWriting = false

  /// The file and what is wrong with it.
  public var description: String { "the file '\(path)' \(reason)" }
}
