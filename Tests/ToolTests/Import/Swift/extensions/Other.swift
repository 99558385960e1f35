extension Person {
    enum Level: Int, Codable { case low, high }
    struct Badge: Codable { var t: String }
    var shout: String { name.uppercased() }
    @Transient static var counter = 0
}
extension Person.Level { var text: String { "x" } }
enum Mood: String, Codable, CaseIterable { case happy, sad }
extension Mood: Identifiable { var id: String { rawValue } }
struct Address: Codable { var city: String; var geo: Geo? }
struct Geo { var lat: Double; var lon: Double }
extension Geo: Codable {}
