package import Foundation
import Synchronization

/// A store's folder as it is on disk before statements of a migration: what a process that is killed
/// there leaves behind.
///
/// Statements that change no file share an image.
package final class StoreImages: Sendable {
  private struct State {
    var statements = 0
    /// Every so many statements are looked at.
    var stride = 1
    /// The statements that were looked at, and the image of each.
    var looks: [(statement: Int, image: Int)] = []
    var images = 0
    var last: [String: Data] = [:]
  }

  private let folder: URL
  private let target: URL
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folder: where the store is, and nothing else.
  ///   - target: a folder for the images.
  ///   - limit: how many statements are looked at; where there are more, they are spread evenly.
  package init(of folder: URL, in target: URL, limit: Int) {
    self.folder = folder
    self.target = target
    self.limit = limit
  }

  /// How many statements have run.
  package var statements: Int { state.withLock { $0.statements } }

  /// The statements that were looked at.
  package var looks: Int { state.withLock { $0.looks.count } }

  /// The folders, in the order of time, each with the first statement it was there before.
  package var images: [(statement: Int, folder: URL)] {
    state.withLock { state in
      var seen: Set<Int> = []
      return state.looks.filter { seen.insert($0.image).inserted }
        .map { ($0.statement, url($0.image)) }
    }
  }

  /// Called before a statement.
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

  /// The files beside each other, without the index of the log, which the next process makes anew.
  private func contents() -> [String: Data] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var files: [String: Data] = [:]
    for name in names where !name.hasSuffix("-shm") {
      // Nothing for folders: their files are written once and never changed.
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
