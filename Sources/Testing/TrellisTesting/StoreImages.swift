package import Foundation
import Synchronization

/// Copies a store's folder before migration statements, as a killed process would leave it.
///
/// Consecutive statements share an image if no file changes.
package final class StoreImages: Sendable {
  private struct State {
    var statements = 0
    /// The interval between copied statements.
    var stride = 1
    /// The statements for which an image exists, with the image's index.
    var looks: [(statement: Int, image: Int)] = []
    var images = 0
    var last: [String: Data] = [:]
  }

  private let folder: URL
  private let target: URL
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folder: The folder that contains only the store.
  ///   - target: The folder for the images.
  ///   - limit: The maximum number of statements with an image. If there are more statements, images are distributed
  ///     evenly.
  package init(of folder: URL, in target: URL, limit: Int) {
    self.folder = folder
    self.target = target
    self.limit = limit
  }

  /// The number of executed statements.
  package var statements: Int { state.withLock { $0.statements } }

  /// The number of statements with an image.
  package var looks: Int { state.withLock { $0.looks.count } }

  /// The image folders in chronological order, each with the number of the first statement after it.
  package var images: [(statement: Int, folder: URL)] {
    state.withLock { state in
      var seen: Set<Int> = []
      return state.looks.filter { seen.insert($0.image).inserted }
        .map { ($0.statement, url($0.image)) }
    }
  }

  /// Takes an image. Call it before each statement.
  package func take() {
    state.withLock { state in
      defer { state.statements += 1 }
      guard limit > 0, state.statements % state.stride == 0 else { return }
      if state.looks.count == limit {
        state.stride *= 2
        state.looks = state.looks.filter { $0.statement % state.stride == 0 }
        guard state.statements % state.stride == 0 else { return }
      }
      let files = contents()
      if state.images == 0 || state.last != files {
        state.last = files
        state.images += 1
        write(files, to: url(state.images - 1))
      }
      state.looks.append((state.statements, state.images - 1))
    }
  }

  private func url(_ number: Int) -> URL { target.appendingPathComponent("image-\(number)") }

  /// The files in the folder, excluding the WAL index, which the next process recreates.
  private func contents() -> [String: Data] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var files: [String: Data] = [:]
    for name in names where !name.hasSuffix("-shm") {
      // Subfolders contain only files that never change, so a list of the files is sufficient.
      files[name] =
        FileManager.default.contents(atPath: folder.path + "/" + name)
        ?? Data(listing(name).utf8)
    }
    return files
  }

  private func listing(_ name: String) -> String {
    let inside = FileManager.default.enumerator(atPath: folder.path + "/" + name)
    return (inside?.compactMap { $0 as? String } ?? []).sorted().joined(separator: "\n")
  }

  private func write(_ files: [String: Data], to image: URL) {
    try? FileManager.default.createDirectory(at: image, withIntermediateDirectories: true)
    for (name, bytes) in files {
      let source = folder.appendingPathComponent(name)
      let copy = image.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: source.path, isDirectory: &isFolder), isFolder.boolValue {
        try? FileManager.default.copyItem(at: source, to: copy)
      } else {
        try? bytes.write(to: copy)
      }
    }
  }
}
