import Foundation
import SwiftData
@Model final class Photo {
  var name: String = ""
  var callback: (() -> Void)?
  weak var owner: NSObject?
  var album: Album?
  lazy var size: Int = 3
  init() {}
  func later() { let work = { [weak self] in self?.callback?() }; work() }
  func local(size: Int) -> Int { let owner = 3; return size + owner }
  func label() -> String { String(format: "%d", Sizes(size: 4).size) }
  var isBig: Bool { if let callback { callback() }; return false }
  static func compare(_ a: Photo, _ b: Photo) -> Bool { a.size < b.size }
  static let sorted = [SortDescriptor(\Photo.name)]
  var text: String { """
    \(name): \(size)
    """ }
  func reset() {
    callback = { [weak self] in
      self?.name = ""
    }
    name = "x"
    size += 1
  }
  enum Part { case size(Int), owner }
  func part() -> Part { .size(1) }
}
@Model final class Album { @Relationship(inverse: \Photo.album) var photos: [Photo] = []; var cover: Photo?; init() {}
  var total: Int { photos.reduce(0) { $0 + $1.size } }
  var first: Int { cover?.size ?? 0 }
  var big: [Photo] { photos.filter { $0.size > 3 } } }
struct Sizes { var size: Int }
@Model final class Renamed { var isDeleted: Bool?; var hash: String?; init(hash: String?) { self.hash = hash }
  var on: Bool { if let isDeleted { return isDeleted }; guard let hash else { return false }; return hash.isEmpty } }
