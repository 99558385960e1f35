import Foundation
import SwiftData

// Models as apps for Apple's SwiftData declare them, with all spellings of the module's name.

@Model
final class Song {
  @Attribute(.unique) var title: String
  var artist: String?
  var year = 1970
  @Relationship(deleteRule: .cascade, inverse: \Verse.song) var verses: [Verse] = []

  init(title: String, artist: String? = nil) {
    self.title = title
    self.artist = artist
  }
}

@SwiftData.Model
final class Verse: SwiftData.PersistentModel {
  #Index<Verse>([\.number])
  var number: Int
  var song: Song?

  init(number: Int, song: Song? = nil) {
    self.number = number
    self.song = song
  }
}

@ModelActor
actor Jukebox {
  func titles() throws -> [String] {
    try modelContext.fetch(FetchDescriptor<Song>(sortBy: [SortDescriptor(\.title)])).map(\.title)
  }
}
