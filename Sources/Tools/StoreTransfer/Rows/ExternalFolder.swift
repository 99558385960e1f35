import Foundation

/// Reads a store's large values, which are files in a separate folder.
///
/// Files are opened relative to the folder, and symbolic links are rejected, so that a damaged row cannot refer to a
/// file elsewhere.
package final class ExternalFolder {
  package let path: String
  private let handle: Int32
  private let buffer: UnsafeMutableRawBufferPointer

  /// A multiple of 3, so that Base64 can be written in parts.
  private static let partSize = 3 << 14

  /// - Parameter store: The path of the store file; `nil` if the store keeps all values in its rows.
  package init(ofStore store: String?) {
    path = (store ?? "") + "-external"
    handle = store == nil ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    buffer = .allocate(byteCount: Self.partSize, alignment: 16)
  }

  deinit {
    buffer.deallocate()
    if handle >= 0 { close(handle) }
  }

  /// Passes a file's contents to a closure in parts.
  ///
  /// - Parameter name: The file name from a row.
  /// - Returns: The reason why the file cannot be read, or `nil` on success.
  package func read(_ name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) -> String? {
    let text = String(decoding: name, as: UTF8.self)
    guard let length = Self.length(of: text) else { return "refers to a file with an invalid name" }
    let file = openat(handle, text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      let reason = errno == ELOOP ? "is a symbolic link" : errno == ENOENT ? "is missing" : "cannot be opened"
      return "needs the file '\(path)/\(text)', which \(reason)"
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == length else {
      return "needs the file '\(path)/\(text)', which does not have \(length) bytes"
    }
    var rest = length
    while rest > 0 {
      var filled = 0
      let wanted = min(rest, buffer.count)
      while filled < wanted {
        let count = Foundation.read(file, buffer.baseAddress.map { $0 + filled }, wanted - filled)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return "needs the file '\(path)/\(text)', which cannot be read" }
        filled += count
      }
      body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<filled]))
      rest -= filled
    }
    return nil
  }

  /// Returns the length in a name such as `9f0c…-1048576`: 32 hexadecimal digits and a decimal number.
  package static func length(of name: String) -> Int? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 32,
      parts[0].utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
      parts[1].utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(parts[1])
  }
}
