private enum State: String, Codable { case open }
@Model class Door { private var state: State = State.open; var x: Settings.Level = .low; var y: Settings.Level? ; var shop: Shop.Item? }
struct Settings { enum Level: Int, Codable { case low } ; static let shared = 1 }
