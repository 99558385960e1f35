import SwiftData
import Foundation
enum V1: VersionedSchema { static let versionIdentifier = Schema.Version(1,0,0)
  static var models: [any PersistentModel.Type] { [Song.self] }
  @Model final class Song { var title: String = Song.untitled; var genre: Genre = Genre.fallback; var length: Duration2 = Duration2.zero; init() {} } }
enum V2: VersionedSchema { static let versionIdentifier = Schema.Version(2,0,0)
  static var models: [any PersistentModel.Type] { [Song.self] }
  @Model final class Song { var title: String = Song.untitled; var genre: Genre = Genre.fallback; var length: Duration2 = Duration2.zero; var plays = 0; init() {} } }
extension V1.Song { static let untitled = "Untitled" }
extension V2.Song { static let untitled = "No title" }
enum Genre: String, Codable { case pop, jazz; static let all: [Genre] = [.pop] }
extension Genre { static let fallback: Genre = all[0] }
struct Duration2: Codable, Hashable { var seconds: Int }
extension Duration2 { static var zero: Self { Self(seconds: 0) } }
