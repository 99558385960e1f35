import Foundation
import StoreCare
import Trellis

/// Describes file system and SQLite errors that the user can fix.
package enum FileProblem {
  /// Describes a full disk, a missing permission or a similar failure.
  ///
  /// - Parameter path: The file or folder that was read or written.
  /// - Returns: `nil` if the error has a different cause.
  package static func text(of error: any Error, _ path: String) -> String? {
    let temporary = FileManager.default.temporaryDirectory.path
    let isFull: Bool
    let reason: String
    switch error {
    case let error as SQLiteError:
      guard [.full, .ioError, .readOnly, .cannotOpen].contains(error.code) else { return nil }
      isFull = error.isDiskFull
      reason = error.message
    case let error as FileError:
      isFull = FileError.isOutOfRoom(error.code)
      reason = error.description
    default:
      let cocoa = error as NSError
      guard [NSCocoaErrorDomain, NSPOSIXErrorDomain].contains(cocoa.domain) else { return nil }
      let system = (cocoa.userInfo[NSUnderlyingErrorKey] as? NSError ?? cocoa)
      let code = system.domain == NSPOSIXErrorDomain ? Int32(truncatingIfNeeded: system.code) : 0
      let isDenied = cocoa.code == CocoaError.fileWriteNoPermission.rawValue
      isFull = cocoa.code == CocoaError.fileWriteOutOfSpace.rawValue || FileError.isOutOfRoom(code)
      reason = FileError(code != 0 ? code : isDenied ? EACCES : EIO).description
    }
    if isFull {
      return "\(path): the disk is full: free space there and in the folder for temporary files, '\(temporary)', or "
        + "choose other folders (the environment variable TMPDIR names the second)"
    }
    return "\(path): cannot be read or written: \(reason); check the permissions of its folder and of the folder for "
      + "temporary files, '\(temporary)'"
  }
}
